uniform float contrast;

vec3 toned(vec3 colour, float light)
{
    return colour * min(light, 1.0);
}
