// How far behind the target, up to half of its distance, from 0.5 on, and the square of that.
vec3 body_colour()
{
    float depth = clamp(place.w / target_distance - 0.5, 0.0, 1.0);
    return vec3(depth, depth * depth, 0.0);
}
