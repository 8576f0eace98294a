// Light smoothed by rows and by columns with the weights reach / 2, 1 - reach, reach / 2. Four readings
// between the texels weigh their sixteen so.
uniform sampler2D source;
uniform vec2 source_texel; // 1 / size
uniform float reach;       // 0 .. 1

vec4 shade(vec2 pixel)
{
    vec2 at = pixel * source_texel, step = reach * source_texel;
    return 0.25 * (texture(source, at - step) + texture(source, at + step) +
                   texture(source, at + step * vec2(-1.0, 1.0)) + texture(source, at + step * vec2(1.0, -1.0)));
}
