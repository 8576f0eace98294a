// Smooths a level by a tent of 3 x 3 texels, at its own size or twice that, for additive blending.
uniform sampler2D source;
uniform vec2 source_texel; // 1 / size of the source
uniform float step_size;   // texels of the source per pixel: 1 or 0.5
uniform float weight;

vec4 shade(vec2 pixel)
{
    vec2 at = pixel * step_size * source_texel;
    vec4 sum = texture(source, at + source_texel * vec2(-0.5, -0.5)) +
               texture(source, at + source_texel * vec2(0.5, -0.5)) +
               texture(source, at + source_texel * vec2(-0.5, 0.5)) +
               texture(source, at + source_texel * vec2(0.5, 0.5));
    return sum * (0.25 * weight);
}
