// Light read from a picture half as large, smoothed by rows and by columns, with weights which, with the
// reading between texels, come so near to a Gaussian that the light is round; flatter weights would leave a
// square in it.
vec4 smoothed(sampler2D smaller, vec2 at, vec2 texel)
{
    const vec3 weight = vec3(0.195, 0.61, 0.195);
    vec4 sum = vec4(0.0);
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            sum += weight[row] * weight[column] *
                   texture(smaller, at + texel * vec2(float(column) - 1.0, float(row) - 1.0));
    return sum;
}
