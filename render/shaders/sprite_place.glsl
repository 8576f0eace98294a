// A square of `size` pixels around a place in clip space: a point, or with QUADS the four corners
// of an instance. The fragment shader gets its offset from the centre, -1 to 1 across the square.
uniform vec2 target_size; // pixels
#ifdef QUADS
out vec2 from_centre;
#endif

void put(vec4 place, float size)
{
#ifdef QUADS
    from_centre = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    gl_Position = place + vec4(from_centre * size / target_size * place.w, 0.0, 0.0);
#else
    gl_Position = place;
    gl_PointSize = size;
#endif
}
