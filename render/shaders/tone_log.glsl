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
