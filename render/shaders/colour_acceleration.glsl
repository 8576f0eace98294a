// Logarithmic over two decades: forces in a core and in a tidal tail differ by as much.
vec3 body_colour()
{
    float share = max(acceleration / strongest, 1e-6);
    return mapped(1.0 + log(share) / log(100.0));
}
