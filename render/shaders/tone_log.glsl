// What is shown grows with the logarithm of the light, and a little more towards the core, or tails would
// be nearly as bright.
uniform float contrast;

vec3 toned(vec3 colour, float light)
{
    float shown = min(log(1.0 + contrast * light) / log(1.0 + contrast), 1.0);
    return colour * pow(shown, 2.4); // as a display value the power 1.09
}
