// How light fades from the centre of a sprite to its edge.

//// profile_soft.glsl
float profile(float square)
{
    float inside = max(1.0 - square, 0.0);
    return inside * inside;
}

//// profile_gaussian.glsl
float profile(float square)
{
    const float k = 4.5, edge = 0.0111089965; // exp(-k)
    const float mean = (1.0 - edge) / k - edge;
    return max(exp(-k * square) - edge, 0.0) / (3.0 * mean);
}

//// profile_plummer.glsl
float profile(float square)
{
    const float k = 9.0; // 1 / a^2
    const float edge = 1.0 / ((1.0 + k) * (1.0 + k));
    const float mean = 1.0 / (1.0 + k) - edge;
    float fall = 1.0 + k * square;
    return max(1.0 / (fall * fall) - edge, 0.0) / (3.0 * mean);
}

//// profile_spline.glsl
// The cubic spline of smoothed particle hydrodynamics (J. Monaghan and J. Lattanzio, A&A 149, 135
// (1985)), in three dimensions, integrated along the line of sight in closed form: 2 (1 - r)^3
// minus 8 (1/2 - r)^3 within half of its radius.
float spline_line(float square)
{
    float u = clamp(square, 1e-12, 1.0), z = sqrt(1.0 - u);
    return z * (0.25 + 1.625 * u) - u * log((1.0 + z) * inversesqrt(u)) * (1.5 + 0.375 * u);
}

float profile(float square)
{
    return max(32.0 / 3.0 * (spline_line(square) - 0.25 * spline_line(4.0 * square)), 0.0);
}
