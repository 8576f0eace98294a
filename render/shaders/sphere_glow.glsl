// A map's share of the glow on the whole sphere. The weight grows towards the map's middle, so that
// the six maps blend. sphere_axes.glsl precedes this file.
uniform sampler2D map;
uniform vec2 size;       // of the glow on the sphere
uniform vec2 map_share;  // the part of the map's texture that half a turn takes

vec4 shade(vec2 pixel)
{
    vec3 towards = direction(pixel / size);
    vec3 square = towards * towards, shares = square * square * square * square;
    float along = dot(towards, forward), share = along * along;
    share *= share;
    share *= share;
    if (along <= 0.0)
        return vec4(0.0);
    vec2 across = vec2(dot(towards, right), dot(towards, up));
    float apart = length(across), angle = atan(apart, along);
    vec2 at = across * (angle / max(apart, 1e-6)) / pi + 0.5;
    return textureLod(map, at * map_share, 0.0) * (share / (shares.x + shares.y + shares.z));
}
