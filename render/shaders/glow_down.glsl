// Halves the size by a tent of 4 x 4 texels, weighted 1 : 3 : 3 : 1.
uniform sampler2D source;
uniform vec2 source_texel; // 1 / size of the source

vec4 shade(vec2 pixel)
{
    vec2 at = pixel * 2.0 * source_texel, step = 0.75 * source_texel;
    return 0.25 * (texture(source, at + step * vec2(-1.0, -1.0)) + texture(source, at + step * vec2(1.0, -1.0)) +
                   texture(source, at + step * vec2(-1.0, 1.0)) + texture(source, at + step * vec2(1.0, 1.0)));
}
