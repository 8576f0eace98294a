// The map of bodies per cell with sharp edges, in display values: logarithmic from one body to the
// fullest cell. Empty cells are transparent. colour_map.glsl precedes this file.
uniform sampler2D cells;
uniform vec2 corner_cell; // lower left corner of the target
uniform float side;       // of a cell, in pixels
uniform float fullest;

vec4 shade(vec2 at)
{
    // Shifts pixels off the edges between cells, so that rounding does not decide.
    float count = texelFetch(cells, ivec2(floor(corner_cell + at / side + 1e-3)), 0).r;
    if (count < 0.5)
        return vec4(0.0);
    vec3 light = mapped(log(count) / log(fullest));
    return vec4(pow(light, vec3(1.0 / 2.2)), 1.0);
}
