// Receding is red, approaching is blue, with white between.
vec3 body_colour()
{
    float away = clamp(dot(velocity.xyz, normalize(position.xyz - eye)) / speed, -1.0, 1.0);
    vec3 end = away > 0.0 ? vec3(1.0, 0.1, 0.02) : vec3(0.02, 0.25, 1.0);
    float part = abs(away) * (2.0 - abs(away));
    return tinted(mix(vec3(1.0), end, part));
}
