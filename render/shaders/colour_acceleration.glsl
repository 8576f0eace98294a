// Logarithmic over two decades, the range between forces in a core and in a tidal tail.
vec3 body_colour()
{
    float share = max(acceleration / strongest, 1e-6);
    return mapped(1.0 + log(share) / log(100.0));
}
