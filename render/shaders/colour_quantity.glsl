// A body without a number, whose place along the map is below 0, is grey.
vec3 body_colour()
{
    if (quantity < 0.0)
#ifdef VALUES
        return vec3(0.0, 1.0, 0.0); // look.glsl makes this grey
#else
        return unvalued;
#endif
    return mapped(quantity);
}
