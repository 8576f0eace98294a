float profile(float square)
{
    const float k = 9.0; // 1 / a^2
    const float edge = 1.0 / ((1.0 + k) * (1.0 + k));
    const float mean = 1.0 / (1.0 + k) - edge;
    float fall = 1.0 + k * square;
    return max(1.0 / (fall * fall) - edge, 0.0) / (3.0 * mean);
}
