// The tone curves.

//// tone_log.glsl
// Display values grow with the logarithm of the light, and slightly faster towards the core,
// otherwise tails would be nearly as bright. The brightest light fades smoothly to white, as on
// film; colours of a map stay.
uniform float contrast;

const float knee = KNEE;

vec3 toned(vec3 colour, float light)
{
    float shown = log(1.0 + contrast * light) / log(1.0 + contrast);
    if (shown > knee)
        shown = 1.0 - (1.0 - knee) * exp(-(shown - knee) / (1.0 - knee));
#ifndef BY_VALUE
    colour = mix(colour, vec3(1.0), 0.45 * smoothstep(knee, 1.0, shown));
#endif
    return colour * pow(shown, 2.4); // a display value to the power 1.09
}

//// tone_asinh.glsl
// R. Lupton, M. Blanton, G. Fekete and others, "Preparing red-green-blue images from CCD data", PASP
// 116, 133 (2004): display values grow in proportion to faint light and with the logarithm of bright
// light. The brightest light fades smoothly to white, as for tone_log.glsl.
const float knee = KNEE, softening = 300.0;

float stretched_light(float light)
{
    return log(light * softening + sqrt(1.0 + light * softening * light * softening));
}

vec3 toned(vec3 colour, float light)
{
    float most = max(max(max(colour.r, colour.g), colour.b), 1.0); // light that dust has reddened
    float shown = stretched_light(light * most) / stretched_light(1.0);
    if (shown > knee)
        shown = 1.0 - (1.0 - knee) * exp(-(shown - knee) / (1.0 - knee));
#ifndef BY_VALUE
    colour = mix(colour / most, vec3(1.0), 0.6 / (most * most) * smoothstep(knee, 1.0, shown));
#endif
    return colour * pow(shown, 2.2);
}

//// tone_agx.glsl
// AgX by T. Sobotka: mixes the channels slightly, applies an S-shaped curve to a logarithmic scale
// of 16.5 stops, and unmixes. The curve is B. Wrensch's polynomial fit.
uniform float contrast;

const mat3 mixing = mat3(0.842479062253094, 0.0423282422610123, 0.0423756549057051,
                         0.0784335999999992, 0.878468636469772, 0.0784336,
                         0.0792237451477643, 0.0791661274605434, 0.879142973793104);
const mat3 unmixing = mat3(1.19687900512017, -0.0528968517574562, -0.0529716355144438,
                           -0.0980208811401368, 1.15190312990417, -0.0980434501171241,
                           -0.0990297440797205, -0.0989611768448433, 1.15107367264116);

vec3 toned(vec3 colour, float light)
{
    const float darkest = -12.47393, brightest = 4.026069;
    vec3 x = log2(max(mixing * (colour * light), 1e-10));
    x = clamp((x - darkest) / (brightest - darkest), 0.0, 1.0);
    vec3 x2 = x * x, x4 = x2 * x2;
    vec3 shown = 15.5 * x4 * x2 - 40.14 * x4 * x + 31.96 * x4 - 6.868 * x2 * x + 0.4298 * x2 +
                 0.1191 * x - 0.00232;
    return pow(clamp(unmixing * shown, 0.0, 1.0), vec3(2.2));
}

//// tone_linear.glsl
uniform float contrast;

vec3 toned(vec3 colour, float light)
{
    return colour * min(light, 1.0);
}
