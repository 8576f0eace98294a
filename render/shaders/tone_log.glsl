// What is shown, as a display value, is the logarithm of the light: its faintest part at a tenth or so,
// below that in proportion.
uniform float contrast;

vec3 toned(vec3 colour, float light)
{
    float shown = min(log(1.0 + contrast * light) / log(1.0 + contrast), 1.0);
    return colour * pow(shown, 2.2);
}
