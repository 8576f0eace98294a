// A number of each body, told as its place along the map; below 0: the body has none, and is grey.
#ifdef SPLATS
float quantity;
#else
layout(location = 5) in float quantity;
#endif

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
