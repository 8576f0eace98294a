// More than a half of the sphere around a direction, as a map with true distances from its middle,
// where glow is round. sphere_axes.glsl precedes this file.
uniform sampler2D sphere;
uniform float side; // of the map in pixels, which is half a turn

vec4 shade(vec2 pixel)
{
    vec2 at = (pixel / side - 0.5) * pi;
    float angle = length(at);
    vec3 towards = forward * cos(angle) + (right * at.x + up * at.y) * (sin(angle) / max(angle, 1e-6));
    vec2 place = vec2(atan(towards.x, towards.z) / (2.0 * pi), asin(clamp(towards.y, -1.0, 1.0)) / pi) + 0.5;
    return textureLod(sphere, place, 0.0);
}
