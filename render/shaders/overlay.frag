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
