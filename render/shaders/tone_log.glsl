// What is shown grows with the logarithm of the light, and a little more towards the core, or tails would
// be nearly as bright. The brightest goes over into white smoothly, as on film; a map's colour stays.
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
    return colour * pow(shown, 2.4); // as a display value the power 1.09
}
