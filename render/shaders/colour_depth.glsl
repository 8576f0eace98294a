// Depth from half to one and a half times the target's distance, mapped to 0 .. 1, and its square.
vec3 body_colour()
{
    float depth = clamp(place.w / target_distance - 0.5, 0.0, 1.0);
    return vec3(depth, depth * depth, 0.0);
}
