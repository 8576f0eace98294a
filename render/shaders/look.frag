// Linear light -> display values. The curve acts on the brightest channel, so that the hue stays;
// only far above white does light lose its colour, as film does.
uniform sampler2D light;
uniform sampler2D glow; // a quarter of the size of light, rounded up
uniform ivec2 margin;
uniform vec2 glow_texel; // 1 / size of glow
uniform float exposure;
uniform float bloom; // share of the light that glows
layout(location = 0) out vec4 display;

void main()
{
    vec2 at = gl_FragCoord.xy + vec2(margin);
    vec3 linear = texelFetch(light, ivec2(at), 0).rgb;
    if (bloom > 0.0)
        linear = mix(linear, texture(glow, at * 0.25 * glow_texel).rgb, bloom);
    linear *= exposure;
    float brightest = max(max(linear.r, linear.g), linear.b);
    vec3 hue = linear / max(brightest, 1e-9);
    float bleach = brightest / (brightest + 8.0);
    hue = mix(hue, vec3(1.0), bleach * bleach);
    float shown = 1.0 - exp(-brightest);
    display = vec4(pow(hue * shown, vec3(1.0 / 2.2)), 1.0);
}
