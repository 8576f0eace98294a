// Linear light -> display values. The curve acts on the brightest channel, so that the hue stays;
// only far above white does light lose its colour, as on film. The background is combined after the
// curve, in linear light, as 1 - (1 - a)(1 - b), so that white stays white.
// BY_DENSITY: alpha is the light, and the colour is alpha times the mean colour, or with BY_VALUE
// red is alpha times the mean value that look.map colours. A tone curve and, for BY_VALUE,
// colour_map.glsl precede this file.
// UNVALUED: there may be bodies without a value.
// BARE: exposed light without a curve, for a float target.
// SHOWN: the input is display values, and the background shows through by alpha.
// PRINT: the background is a page on which light is ink, as much as it was bright and in the hue of
// the mean colour, however many bodies overlap; colours of look.map cover the page.
// DOME: the picture is a circle of this radius; outside it is black.
// GLOW, SPIKES, BLOOM: light that was spread in this way. These are macros, not uniforms, because a
// renderer on the CPU would compute all branches.
uniform sampler2D light;
uniform sampler2D bloom, glow, spikes;
uniform ivec2 margin;                // of the light target around the rectangle
uniform vec4 bloom_place, glow_place, spikes_place; // rectangle's corner, step per pixel
uniform float bloom_share, glow_share, spikes_share; // share of the light that is spread
uniform float exposure;
#ifdef HEADROOM
uniform float headroom; // the brightest light relative to white; display values are shares of it
#else
const float headroom = 1.0;
#endif
uniform float seen;      // opacity of the light over the background
uniform vec3 background; // linear; with SHOWN a display value

#ifdef PRINT
// A print of a colour, in display values: its brightness is the part of the page that ink covers
// (A. Murray 1936, J. Franklin Inst. 221, 721). The ink has the colour's hue without its white. A
// pale colour, such as the mean of many colours, keeps more chroma and gets a lighter ink; otherwise
// it would print black.
vec3 ink(vec3 shown)
{
    float covered = max(max(shown.r, shown.g), shown.b);
    vec3 hue = shown / max(covered, 1e-6);
    float white = min(min(hue.r, hue.g), hue.b);
    vec3 passed = (hue - white) / pow(max(1.0 - white, 1e-6), 0.7);
    return 1.0 - covered * (1.0 - passed) * mix(0.7, 1.0, max(max(passed.r, passed.g), passed.b));
}
#endif

vec4 shade(vec2 at)
{
#ifdef DOME
    if (distance(at, vec2(DOME)) > DOME)
        return vec4(0.0, 0.0, 0.0, 1.0);
#endif
    vec4 found = texelFetch(light, ivec2(at) + margin, 0);
#ifdef SHOWN
    vec3 linear = found.rgb;
    linear = background * (1.0 - seen * clamp(found.a, 0.0, 1.0)) + linear * seen;
#ifdef HEADROOM
    linear *= pow(headroom, -1.0 / 2.2);
#endif
#ifdef BARE
    linear = pow(linear, vec3(2.2));
#endif
    return vec4(linear, 1.0);
#else
#ifdef GLOW
    found = mix(found, texture(glow, glow_place.xy + at * glow_place.zw), glow_share);
#endif
#ifdef SPIKES
    found = mix(found, texture(spikes, spikes_place.xy + at * spikes_place.zw), spikes_share);
#endif
#ifdef BLOOM
    found = mix(found, texture(bloom, bloom_place.xy + at * bloom_place.zw), bloom_share);
#endif
    vec3 linear = found.rgb;
#ifdef BY_DENSITY
#ifdef BY_VALUE
    // The excess of blue over red is the light of background stars, which have no value and are
    // white.
    float stars = max(found.b - found.r, 0.0);
#ifdef UNVALUED
    // The excess of green over red is the light of bodies without a value, which are grey.
    float without = max(found.g - found.r, 0.0), with = max(found.a - stars - without, 1e-30);
    vec3 colour = (mapped(found.r / with) * with + unvalued * without + stars) / max(found.a, 1e-30);
#else
    vec3 colour = mix(mapped(found.r / max(found.a - stars, 1e-30)), vec3(1.0), stars / max(found.a, 1e-30));
#endif
#else
    vec3 colour = found.rgb / max(found.a, 1e-30);
#endif
#ifdef BARE
    linear = background + colour * (found.a * exposure * seen);
    return vec4(linear, 1.0);
#else
    linear = toned(colour, found.a * exposure);
#endif
#if defined(HEADROOM) && !defined(PROPORTIONAL)
    // Extends a curve for ordinary white: dark tones stay, tones near white are brightened.
    float top = max(max(linear.r, linear.g), linear.b);
    linear *= 1.0 + (headroom - 1.0) * top * top;
#endif
    linear *= seen;
#else
    linear *= exposure;
#ifdef BARE
    return vec4(background + linear * seen, 1.0);
#endif
    float brightest = max(max(linear.r, linear.g), linear.b);
    vec3 hue = linear / max(brightest, 1e-9);
    float bleach = brightest / (brightest + 8.0);
    hue = mix(hue, vec3(1.0), bleach * bleach);
#ifdef HEADROOM
    float shown = headroom * (1.0 - exp(-brightest / headroom));
#else
    float shown = 1.0 - exp(-brightest);
#endif
    linear = hue * shown * seen;
#endif
#ifdef PRINT
    vec3 page = pow(background, vec3(1.0 / 2.2));
#ifdef BY_VALUE
    float covered = seen * pow(clamp(toned(vec3(1.0), found.a * exposure).g, 0.0, 1.0), 1.0 / 2.2);
    page = mix(page, pow(colour, vec3(1.0 / 2.2)), covered);
#else
    page *= ink(pow(clamp(linear, 0.0, 1.0), vec3(1.0 / 2.2)));
#endif
    linear = pow(page, vec3(2.2));
#else
    linear = background + linear * (1.0 - background);
#endif
#ifdef HEADROOM
    linear = min(linear / headroom, vec3(1.0));
#endif
    return vec4(pow(linear, vec3(1.0 / 2.2)), 1.0);
#endif
}
