vec3 body_colour()
{
    return tinted(tint);
}
