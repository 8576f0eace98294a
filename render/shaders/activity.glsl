// The map of bodies per cell, crisp, in display values: logarithmic, from one body to where most are;
// empty cells are black and let the background through. colour_map.glsl is put in front of this file.
uniform sampler2D cells;
uniform vec2 corner_cell; // of the target's lower left corner
uniform float side;       // of a cell, pixels
uniform float fullest;

vec4 shade(vec2 at)
{
    // Where pixels lie on the edge between cells, rounding must not choose.
    float count = texelFetch(cells, ivec2(floor(corner_cell + at / side + 1e-3)), 0).r;
    if (count < 0.5)
        return vec4(0.0);
    vec3 light = mapped(log(count) / log(fullest));
    return vec4(pow(light, vec3(1.0 / 2.2)), 1.0);
}
