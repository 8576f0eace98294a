// A level smoothed by a tent of 3 x 3 of its texels, at its own size or twice it, to be added up.
uniform sampler2D source;
uniform vec2 source_texel; // 1 / size of the source
uniform float step_size;   // texels of the source from pixel to pixel: 1 or 0.5
uniform float weight;
layout(location = 0) out vec4 light_out;

void main()
{
    vec2 at = gl_FragCoord.xy * step_size * source_texel;
    vec3 sum = texture(source, at + source_texel * vec2(-0.5, -0.5)).rgb +
               texture(source, at + source_texel * vec2(0.5, -0.5)).rgb +
               texture(source, at + source_texel * vec2(-0.5, 0.5)).rgb +
               texture(source, at + source_texel * vec2(0.5, 0.5)).rgb;
    light_out = vec4(sum * (0.25 * weight), 1.0);
}
