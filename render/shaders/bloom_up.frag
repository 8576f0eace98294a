// A coarser level, smoothed by a tent of 3 x 3 texels, to be added to the next finer one.
uniform sampler2D source;
uniform vec2 source_texel; // 1 / size of the source
uniform float weight;
layout(location = 0) out vec4 light_out;

void main()
{
    vec2 at = gl_FragCoord.xy * 0.5 * source_texel;
    vec3 sum = texture(source, at + source_texel * vec2(-0.5, -0.5)).rgb +
               texture(source, at + source_texel * vec2(0.5, -0.5)).rgb +
               texture(source, at + source_texel * vec2(-0.5, 0.5)).rgb +
               texture(source, at + source_texel * vec2(0.5, 0.5)).rgb;
    light_out = vec4(sum * (0.25 * weight), 1.0);
}
