float profile(float square)
{
    const float k = 4.5, edge = 0.0111089965; // exp(-k)
    const float mean = (1.0 - edge) / k - edge;
    return max(exp(-k * square) - edge, 0.0) / (3.0 * mean);
}
