float profile(float square)
{
    float inside = max(1.0 - square, 0.0);
    return inside * inside;
}
