// Light of which a share is seen through the point-spread function. glow_smooth.glsl is put in front of
// this file.
uniform sampler2D light, glow;
uniform vec2 glow_origin, glow_scale; // glow's coordinates of the light's corner, and a pixel's step there
uniform vec2 glow_texel;              // 1 / size of it
uniform float share;

vec4 shade(vec2 pixel)
{
    vec4 spread = smoothed(glow, glow_origin + pixel * glow_scale, glow_texel);
    return mix(texelFetch(light, ivec2(pixel), 0), spread, share);
}
