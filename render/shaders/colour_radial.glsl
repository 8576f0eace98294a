// Moving away is red, towards the camera blue, across white.
vec3 body_colour()
{
    float away = clamp(dot(velocity.xyz, normalize(position.xyz - eye)) / speed, -1.0, 1.0);
    vec3 end = away > 0.0 ? vec3(1.0, 0.16, 0.08) : vec3(0.1, 0.35, 1.0);
    return tinted(mix(vec3(1.0), end, sqrt(abs(away))));
}
