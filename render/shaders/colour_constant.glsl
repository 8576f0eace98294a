vec3 body_colour()
{
    return vec3(1.0);
}
