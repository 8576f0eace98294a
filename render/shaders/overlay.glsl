// The plates of the overlay.

//// overlay.vert
// Draws one plate of the overlay as a rectangle; needs no buffers.
uniform ivec4 place; // left, top, width, height in pixels of the display
uniform ivec2 size;  // of the display
uniform vec2 shift;  // to the right and down, 0 .. 1

void main()
{
    ivec2 extent = place.zw + ivec2(ceil(shift));
    vec2 at = vec2(place.xy + ivec2(gl_VertexID & 1, gl_VertexID >> 1) * extent) / vec2(size);
    gl_Position = vec4(2.0 * at.x - 1.0, 1.0 - 2.0 * at.y, 0.0, 1.0);
}

//// overlay.frag
// Blends ink over display values, premultiplied: one texel per pixel, or between texels.
uniform sampler2D ink; // top row first
uniform ivec4 place;
uniform ivec2 size;
uniform int first_row; // of the plate, in ink
uniform float opacity;
uniform float white; // display value of white ink
uniform vec2 shift;
layout(location = 0) out vec4 display;

vec4 texel(ivec2 at)
{
    bool inside = all(greaterThanEqual(at, ivec2(0))) && all(lessThan(at, place.zw));
    return inside ? texelFetch(ink, at + ivec2(0, first_row), 0) : vec4(0.0);
}

void main()
{
    ivec2 at = ivec2(gl_FragCoord.x, size.y - 1 - int(gl_FragCoord.y)) - place.xy;
    vec4 shown = texel(at);
    if (shift != vec2(0.0)) {
        vec4 above = mix(texel(at - ivec2(0, 1)), texel(at - 1), shift.x);
        shown = mix(mix(shown, texel(at - ivec2(1, 0)), shift.x), above, shift.y);
    }
    display = shown * opacity;
    display.rgb *= white;
}

//// overlay_line.vert
// Draws the rectangle around a line with its shadow; needs no buffers.
uniform vec2 size; // of the display
uniform vec4 ends; // x and y of both, in pixels of the display, from its upper left corner
uniform vec2 line; // width of the line; reach of its shadow

void main()
{
    vec2 margin = vec2(line.x + line.y + 1.0);
    vec2 low = min(ends.xy, ends.zw) - margin, high = max(ends.xy, ends.zw) + margin;
    vec2 at = mix(low, high, vec2(gl_VertexID & 1, gl_VertexID >> 1)) / size;
    gl_Position = vec4(2.0 * at.x - 1.0, 1.0 - 2.0 * at.y, 0.0, 1.0);
}

//// overlay_line.frag
// Blends a line with round ends, or a circle in the rectangle between them, and a soft shadow over
// display values, premultiplied.
uniform vec2 size;
uniform vec4 ends;
uniform float radius; // of a circle; 0: a line
uniform vec2 line;
uniform vec2 ink;    // display value and opacity of the line
uniform vec2 shadow; // the same of its shadow
layout(location = 0) out vec4 display;

void main()
{
    vec2 along = ends.zw - ends.xy;
    vec2 at = vec2(gl_FragCoord.x, size.y - gl_FragCoord.y) - ends.xy;
    float part = clamp(dot(at, along) / max(dot(along, along), 1e-6), 0.0, 1.0);
    float away = radius > 0.0 ? abs(distance(at, 0.5 * along) - radius) : distance(at, part * along);
    float covered = ink.y * clamp(0.5 * line.x + 0.5 - away, 0.0, 1.0);
    float near = 1.0 - clamp(away / (0.5 * line.x + line.y), 0.0, 1.0);
    float dim = shadow.y * near * near * (1.0 - covered);
    display = vec4(vec3(ink.x * covered + shadow.x * dim), covered + dim);
}
