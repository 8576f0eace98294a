// A body becomes as many sprites as its path in the picture needs. sprite_streak.glsl is put in front of this file.
layout(points) in;
layout(points, max_vertices = STREAK_MOST) out;

uniform vec2 target_size; // pixels
flat in vec2 streak_path[];
flat in vec4 streak_inside[], streak_colour[]; // where middles may lie: left, lower, right, upper
flat out vec4 colour;
#ifdef SPHERE
flat in vec4 streak_oblong[];
flat in vec2 streak_curve[];
flat out vec4 oblong;
#endif

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
        gl_Position = vec4(at * place.w, place.zw);
        gl_PointSize = size;
        colour = streak_colour[0] / float(count);
#ifdef SPHERE
        oblong = streak_oblong[0];
        colour *= streak_light(part, streak_curve[0]);
#endif
        EmitVertex();
        EndPrimitive();
    }
}
