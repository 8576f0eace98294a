// Linear light -> display values. The curve acts on the brightest channel, so that the hue stays;
// only far above white does light lose its colour, as film does. The background joins behind the curve, in
// linear light, as 1 - (1 - a)(1 - b): to the curve that is light added before it, and white stays white.
// BY_DENSITY: alpha is the light, and the colour is that times the mean colour, or with BY_VALUE red that
// times the mean value of what look.map colours; a tone curve and, for it, colour_map.glsl are put in
// front of this file. SHOWN: they are display values already, and the background shows through by alpha.
uniform sampler2D light;
uniform sampler2D glow;
uniform ivec2 margin;                 // of light around the rectangle
uniform vec2 glow_origin, glow_scale; // glow's coordinates of the rectangle's corner, and a pixel's step there
uniform float exposure;
uniform float bloom; // share of the light that glows
uniform float seen;      // of the light; the rest of the picture is the background
uniform vec3 background; // linear; with SHOWN a display value

vec4 shade(vec2 at)
{
    vec4 found = texelFetch(light, ivec2(at) + margin, 0);
    vec3 linear = found.rgb;
#ifdef SHOWN
    return vec4(background * (1.0 - seen * clamp(found.a, 0.0, 1.0)) + linear * seen, 1.0);
#endif
#ifdef BY_DENSITY
    if (bloom > 0.0)
        found = mix(found, texture(glow, glow_origin + at * glow_scale), bloom);
    vec3 mean = found.rgb / max(found.a, 1e-30);
#ifdef BY_VALUE
    vec3 colour = mapped(mean.r);
#else
    vec3 colour = mean / max(max(max(mean.r, mean.g), mean.b), 1e-9);
#endif
    linear = toned(colour, found.a * exposure) * seen;
#else
    if (bloom > 0.0)
        linear = mix(linear, texture(glow, glow_origin + at * glow_scale).rgb, bloom);
    linear *= exposure;
    float brightest = max(max(linear.r, linear.g), linear.b);
    vec3 hue = linear / max(brightest, 1e-9);
    float bleach = brightest / (brightest + 8.0);
    hue = mix(hue, vec3(1.0), bleach * bleach);
    float shown = 1.0 - exp(-brightest);
    linear = hue * shown * seen;
#endif
    return vec4(pow(background + linear * (1.0 - background), vec3(1.0 / 2.2)), 1.0);
}
