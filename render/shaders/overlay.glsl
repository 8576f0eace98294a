// The plates of the overlay.

//// overlay.vert
// Draws one plate of the overlay as a rectangle; needs no buffers.
uniform ivec4 place; // left, top, width, height in pixels of the display
uniform ivec2 size;  // of the display

void main()
{
    vec2 at = vec2(place.xy + ivec2(gl_VertexID & 1, gl_VertexID >> 1) * place.zw) / vec2(size);
    gl_Position = vec4(2.0 * at.x - 1.0, 1.0 - 2.0 * at.y, 0.0, 1.0);
}

//// overlay.frag
// Blends ink over display values, one texel per pixel, premultiplied.
uniform sampler2D ink; // top row first
uniform ivec4 place;
uniform ivec2 size;
uniform int first_row; // of the plate, in ink
uniform float opacity;
uniform float white; // display value of white ink
layout(location = 0) out vec4 display;

void main()
{
    ivec2 at = ivec2(gl_FragCoord.x, size.y - 1 - int(gl_FragCoord.y)) - place.xy;
    display = texelFetch(ink, at + ivec2(0, first_row), 0) * opacity;
    display.rgb *= white;
}
