// One step along an arm: adds four pictures at equal distances.
uniform sampler2D source;
uniform vec2 source_texel; // 1 / size
uniform vec2 stride;       // texels
uniform vec2 aside;        // texels
uniform vec4 weights;

vec4 shade(vec2 pixel)
{
    vec2 at = (pixel + aside) * source_texel, step = stride * source_texel;
    return weights.x * texture(source, at) + weights.y * texture(source, at - step) +
           weights.z * texture(source, at - 2.0 * step) + weights.w * texture(source, at - 3.0 * step);
}
