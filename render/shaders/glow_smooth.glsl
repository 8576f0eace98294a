// Smooths rows and columns with weights reach / 2, 1 - reach, reach / 2, by four samples between
// the sixteen texels.
uniform sampler2D source;
uniform vec2 source_texel; // 1 / size
uniform float reach;       // 0 .. 1

vec4 shade(vec2 pixel)
{
    vec2 at = pixel * source_texel, step = reach * source_texel;
    return 0.25 * (texture(source, at - step) + texture(source, at + step) +
                   texture(source, at + step * vec2(-1.0, 1.0)) + texture(source, at + step * vec2(1.0, -1.0)));
}
