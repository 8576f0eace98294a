// A picture of the whole sphere, from the faces of a cube.

//// sphere_axes.glsl
// Right, up and forward of a face of the cube around the camera, in camera axes.
uniform vec3 right, up, forward;
const float pi = 3.14159265358979;

// The direction of a place in a picture, 0 to 1 along both axes, bottom row first, and the place of
// a direction. DOME: of a fisheye, the angle from its middle to its edges; beyond there is nothing.
#ifdef DOME
vec3 direction(vec2 at)
{
    vec2 off = (2.0 * at - 1.0) * DOME;
    float angle = length(off);
    return vec3(off * (sin(angle) / max(angle, 1e-9)), cos(angle));
}

vec2 place_of(vec3 towards)
{
    float across = length(towards.xy);
    return 0.5 + 0.5 / DOME * atan(across, towards.z) * towards.xy / max(across, 1e-9);
}

bool is_beyond(vec2 at)
{
    return distance(at, vec2(0.5)) > 0.5;
}
#else
vec3 direction(vec2 at)
{
    float longitude = (at.x - 0.5) * 2.0 * pi, latitude = (at.y - 0.5) * pi;
    return vec3(cos(latitude) * sin(longitude), sin(latitude), cos(latitude) * cos(longitude));
}

vec2 place_of(vec3 towards)
{
    return vec2(atan(towards.x, towards.z) / (2.0 * pi), asin(clamp(towards.y, -1.0, 1.0)) / pi) + 0.5;
}

#define is_beyond(at) false
#endif

//// sphere.glsl
// The part of a picture that lies on one face of the cube around the camera.
// sphere_axes.glsl precedes this file.
uniform sampler2D face; // bottom row first
uniform vec2 size;      // of the picture
uniform float side, margin; // of the face, in pixels

vec4 shade(vec2 at_pixel)
{
    vec3 towards = direction(at_pixel / size);
    if (is_beyond(at_pixel / size))
        return vec4(0.0);
    float along = dot(towards, forward);
    vec2 across = vec2(dot(towards, right), dot(towards, up));
    if (along <= 0.0 || max(abs(across.x), abs(across.y)) > along * 1.000001)
        return vec4(-1.0); // outside the face
    vec2 pixel = vec2(margin) + 0.5 * side * (1.0 + across / along);
    return texture(face, pixel / (side + 2.0 * margin));
}

//// sphere_disc.glsl
// More than a half of the sphere around a direction, as a map with true distances from its middle,
// where glow is round. sphere_axes.glsl precedes this file.
uniform sampler2D sphere;
uniform float side; // of the map in pixels, which is half a turn

vec4 shade(vec2 pixel)
{
    vec2 at = (pixel / side - 0.5) * pi;
    float angle = length(at);
    vec3 towards = forward * cos(angle) + (right * at.x + up * at.y) * (sin(angle) / max(angle, 1e-6));
    vec2 place = place_of(towards);
    return is_beyond(place) ? vec4(0.0) : textureLod(sphere, place, 0.0);
}

//// sphere_glow.glsl
// A map's share of the glow on the whole sphere. The weight grows towards the map's middle, so that
// the six maps blend. sphere_axes.glsl precedes this file.
uniform sampler2D map;
uniform vec2 size;       // of the sphere, in texels of the glow: half of an odd number, perhaps
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
