// A body without a number has a negative place and is grey.
vec3 body_colour()
{
    if (quantity < 0.0)
#ifdef VALUES
        return vec3(0.0, 1.0, 0.0); // look.glsl turns this into grey
#else
        return unvalued;
#endif
    return mapped(quantity);
}
