vec3 body_colour()
{
    return mapped(2.0 * velocity_dispersion / speed);
}
