// The background stars, and galaxies.

//// star.vert
// Turns one background star into a quad around its spot. SPHERE: in an equirectangular picture, a
// second quad lies one turn to the side of the first, for spots that cross an edge. DOME: in an
// equidistant fisheye instead, where a spot is the wider the farther it is from the middle.
layout(location = 0) in vec4 star;  // unit vector in the scene's axes, size of a galaxy or 0
layout(location = 1) in vec4 shine; // colour times light, light
#ifdef GALAXIES
layout(location = 2) in vec4 form; // unit vector along the longer axis, shorter axis / longer axis
flat out vec3 axis;                // right, up, forward; in a flat picture right and up
flat out vec2 shape;               // size, ratio
#endif
uniform vec3 right, up, forward;
uniform float focal;  // pixels per unit tangent, or per radian
uniform vec2 middle;  // the whole picture's pixel straight ahead
uniform vec2 corner;  // lower left corner of the target, in pixels of the whole picture
uniform vec2 size;    // of the target
uniform float sigma;  // of a spot, in pixels
uniform float strength;

flat out vec4 colour;
flat out vec2 centre; // in pixels of the target
#ifdef SPHERE
flat out vec3 direction; // right, up, forward
#endif

const float reach = 4.0; // in sigma
const vec2 corners[6] = vec2[](vec2(-1.0, -1.0), vec2(1.0, -1.0), vec2(-1.0, 1.0), vec2(1.0, -1.0), vec2(1.0, 1.0),
                               vec2(-1.0, 1.0));
const float pi = 3.14159265358979;

void main()
{
    vec3 at = vec3(dot(right, star.xyz), dot(up, star.xyz), dot(forward, star.xyz));
    vec2 half_size = vec2(reach * sigma + 1.0);
    colour = strength * shine;
#ifdef GALAXIES
    if (star.w > 0.0)
        half_size = vec2(reach * star.w * sigma + 1.0);
    axis = vec3(dot(right, form.xyz), dot(up, form.xyz), dot(forward, form.xyz));
    shape = vec2(star.w, form.w);
#endif
#ifdef DOME
    direction = at;
    float across = length(at.xy), angle = atan(across, at.z);
    vec2 whole = middle + focal * angle * at.xy / max(across, 1e-9);
    half_size *= clamp(angle / max(across, 1e-9), 1.0, 4.0);
    bool shown = angle < 2.6; // no dome shows more of the sphere
#elif defined(SPHERE)
    direction = at;
    float level = length(at.xz), radius = half_size.x / focal;
    vec2 whole = middle + focal * vec2(atan(at.x, at.z), atan(at.y, level));
    half_size.x = min(level > radius ? focal * asin(min(radius / level, 1.0)) + 1.0 : size.x, 0.5 * size.x);
    if (gl_VertexID >= 6)
        whole.x += whole.x < middle.x ? size.x : -size.x;
    bool shown = true;
#else
    vec2 whole = middle + focal * at.xy / max(at.z, 1e-6);
    bool shown = at.z > 1e-3;
#ifdef GALAXIES
    axis = vec3(normalize(axis.xy * at.z - at.xy * axis.z + vec2(1e-9, 0.0)), 0.0);
#endif
#endif
    centre = floor(whole * 64.0 + 0.5) / 64.0 - corner;
    shown = shown && all(greaterThan(centre, -half_size)) && all(lessThan(centre, size + half_size));
    vec2 place = 2.0 * (centre + corners[gl_VertexID % 6] * half_size) / size - 1.0;
    gl_Position = shown ? vec4(place, 0.0, 1.0) : vec4(9.0, 9.0, 9.0, 1.0);
}

//// star.frag
// A round spot: a Gaussian cut to exactly zero at four standard deviations. GALAXIES: or an
// exponential disk seen from the side, cut at four scale lengths. VALUES: the target holds values,
// see sky/sky.h.
uniform float sigma, focal;
flat in vec4 colour;
flat in vec2 centre;
#ifdef GALAXIES
flat in vec3 axis;
flat in vec2 shape;
#endif
layout(location = 0) out vec4 light_out;
#ifdef SPHERE
flat in vec3 direction;
uniform vec2 size;
#ifdef DOME
uniform vec2 corner, middle;

vec3 towards()
{
    vec2 off = (gl_FragCoord.xy + corner - middle) / focal;
    float angle = length(off);
    return vec3(off * (sin(angle) / max(angle, 1e-9)), cos(angle));
}
#else

// The direction of the pixel.
vec3 towards()
{
    vec2 angle = (gl_FragCoord.xy - 0.5 * size) / focal;
    return vec3(cos(angle.y) * sin(angle.x), sin(angle.y), cos(angle.y) * cos(angle.x));
}
#endif
#endif

void main()
{
#ifdef SPHERE
    vec3 away = (towards() - direction) * (focal / sigma);
#else
    vec2 away = (gl_FragCoord.xy - centre) / sigma;
#endif
    float square = dot(away, away), fall = 0.5 * square;
#ifdef GALAXIES
    if (shape.x > 0.0) {
#ifdef SPHERE
        float along = dot(away, axis) / shape.x;
#else
        float along = dot(away, axis.xy) / shape.x;
#endif
        square = along * along + max(square / (shape.x * shape.x) - along * along, 0.0) / (shape.y * shape.y);
        fall = sqrt(square + 0.04) - 0.2; // without a peak that flickers
    }
#endif
    float inside = max(1.0 - square / 16.0, 0.0);
    vec4 light = colour * exp(-fall) * inside * inside;
#ifdef VALUES
    light.rg = vec2(0.0);
    light.b = light.a;
#endif
    light_out = light;
}
