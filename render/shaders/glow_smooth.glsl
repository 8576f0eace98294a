// Light smoothed by rows and by columns with the weights 0.195, 0.61, 0.195, which, read between texels at
// twice the size, come so near to a Gaussian that the light is round; flatter weights would leave a square in
// it. Four readings between the texels weigh their sixteen so.
uniform sampler2D source;
uniform vec2 source_texel; // 1 / size

vec4 shade(vec2 pixel)
{
    vec2 at = pixel * source_texel, step = 0.39 * source_texel;
    return 0.25 * (texture(source, at - step) + texture(source, at + step) +
                   texture(source, at + step * vec2(-1.0, 1.0)) + texture(source, at + step * vec2(1.0, -1.0)));
}
