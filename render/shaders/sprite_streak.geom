// Turns a body into as many sprites as its path in the picture needs: points, or with QUADS quads
// with four corners. sprite_streak.glsl precedes this file.
layout(points) in;
#ifdef QUADS
layout(triangle_strip, max_vertices = STREAK_VERTICES) out;
out vec2 from_centre;
#else
layout(points, max_vertices = STREAK_VERTICES) out;
#endif

uniform vec2 target_size; // pixels
flat in vec2 streak_path[];
flat in vec4 streak_inside[], streak_colour[]; // range of centres: left, low, right, up
flat out vec4 colour;
#ifdef SPHERE
flat in vec4 streak_oblong[];
flat in vec2 streak_curve[];
flat out vec4 oblong;
#endif

void emit(vec4 place, float size, vec2 corner, vec4 light)
{
#ifdef QUADS
    from_centre = corner;
#else
    gl_PointSize = size;
#endif
    gl_Position = place + vec4(corner * size / target_size * place.w, 0.0, 0.0);
    colour = light;
#ifdef SPHERE
    oblong = streak_oblong[0];
#endif
    EmitVertex();
}

void main()
{
    vec4 place = gl_in[0].gl_Position, inside = streak_inside[0];
    float size = gl_in[0].gl_PointSize;
    int count = streak_count(length(streak_path[0] * 0.5 * target_size), size);
    for (int i = 0; i < count; i++) {
        float part = streak_part(i, count);
        vec2 at = place.xy / place.w + streak_path[0] * part;
        if (!(place.w > 0.0 && all(greaterThan(at, inside.xy)) && all(lessThan(at, inside.zw))))
            continue;
        vec4 light = streak_colour[0] / float(count);
#ifdef SPHERE
        light *= streak_light(part, streak_curve[0]);
#endif
#ifdef QUADS
        for (int corner = 0; corner < 4; corner++)
            emit(vec4(at * place.w, place.zw), size, vec2(corner & 1, corner >> 1) * 2.0 - 1.0, light);
#else
        emit(vec4(at * place.w, place.zw), size, vec2(0.0), light);
#endif
        EndPrimitive();
    }
}
