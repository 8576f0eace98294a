// A smaller copy: four bilinear taps, each the mean of 2 x 2 texels. Halving, they overlap, so that a
// bright point fades smoothly from texel to texel as it moves; quartering, they just cover 4 x 4.
uniform sampler2D source;
uniform vec2 source_texel; // 1 / size of the source
uniform float factor;      // 2 or 4: texels of the source to one of the copy
layout(location = 0) out vec4 light_out;

void main()
{
    vec2 at = gl_FragCoord.xy * factor * source_texel;
    vec3 sum = texture(source, at + source_texel * vec2(-1.0, -1.0)).rgb +
               texture(source, at + source_texel * vec2(1.0, -1.0)).rgb +
               texture(source, at + source_texel * vec2(-1.0, 1.0)).rgb +
               texture(source, at + source_texel * vec2(1.0, 1.0)).rgb;
    light_out = vec4(sum * 0.25, 1.0);
}
