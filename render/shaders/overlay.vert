// Draws one plate of the overlay as a rectangle; needs no buffers.
uniform ivec4 place; // left, top, width, height in pixels of the display
uniform ivec2 size;  // of the display

void main()
{
    vec2 at = vec2(place.xy + ivec2(gl_VertexID & 1, gl_VertexID >> 1) * place.zw) / vec2(size);
    gl_Position = vec4(2.0 * at.x - 1.0, 1.0 - 2.0 * at.y, 0.0, 1.0);
}
