vec3 body_colour()
{
    return mapped(length(velocity.xyz) / speed);
}
