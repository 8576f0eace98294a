// Red, green and blue are the velocity's x, y and z; the largest sets the brightness.
vec3 body_colour()
{
    vec3 v = clamp(velocity.xyz / speed, -1.0, 1.0);
    vec3 hue = 0.5 + 0.5 * v;
    hue /= max(max(hue.r, hue.g), hue.b);
    return tinted(hue);
}
