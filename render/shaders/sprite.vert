// One body becomes one sprite, or one of its stars. colour_map.glsl, colour_common.glsl, the colour mode's body_colour()
// sprite_oblong.glsl and sprite_place.glsl are put in front of this file. FIXED: of one size at any distance;
// ADAPTIVE: as sprite_adaptive.glsl says; BY_MASS: the heavier, the more light;
// WEIGHED: the light is told beside the colour; FULL: which is as bright as its hue can be, so that the mean
// of two colours is no brighter than either.
uniform mat4 view_projection;
uniform vec2 shift;               // of this sample of the picture, in clip coordinates
uniform float moment;             // of this sample, in simulated time from the frame's own
uniform float size_at_unit_depth; // pixels; with FIXED the size itself
uniform vec3 size_limits;         // smallest and largest sprite, and the size from which it fades
uniform float body_radius;        // in the scene's unit, of look.radius; 0: none
uniform float light;
const float HUGE = 1e9;

vec3 where; // the body or its star is, when the frame is

#ifdef SPLATS
vec4 colour;
#else
#ifdef STREAK
#define colour streak_colour
#endif
flat out vec4 colour;
#endif

#ifdef STREAK
// Of the body while the shutter is open, straight, in normalized device coordinates.
uniform mat4 opening, closing; // the camera's when the shutter opens and when it closes
uniform float exposed;         // half of the shutter's time
#ifdef SPHERE
uniform float plane; // of the target, half of its width where it is one away
#ifdef SPLATS
vec2 streak_curve; // see streak_light
#else
flat out vec2 streak_curve;
#endif
#endif

vec2 find_path()
{
    vec4 from = opening * vec4(where - velocity.xyz * exposed, 1.0);
    vec4 to = closing * vec4(where + velocity.xyz * exposed, 1.0);
    vec2 path = to.xy / to.w - from.xy / from.w;
    // What passes through the camera has no path in the picture, and none is longer than from edge to edge.
    return min(from.w, to.w) > 1e-6 ? path * min(1.0, 2.0 / max(length(path), 1e-30)) : vec2(0.0);
}
#endif

// Of a body that has come as near as a few of its radii, by which it would cover the picture, ever less is seen: at
// 8 of them it is 14 degrees wide. What lies in the middle of the scene, lonely and wide as it may be, is not near:
// from the target's distance on nothing fades but what would fill the picture.
float seen_from(float apart, float radius)
{
    float near_radius = min(radius, target_distance / 8.0);
    return smoothstep(1.0, 3.0, apart / max(radius, 1e-30)) * smoothstep(2.0, 8.0, apart / max(near_radius, 1e-30));
}

void main()
{
    where = position.xyz;
#ifdef STARS
    find_star();
    where += star_offset * star_reach();
#endif
    place = view_projection * vec4(where + velocity.xyz * moment, 1.0);
    place.xy += shift * place.w;
#ifdef ABSENCES
    if (absent > 0.0)
        place = vec4(9.0, 9.0, 9.0, 1.0);
#endif
    float strength = light;
#ifdef BY_MASS
    strength *= position.w;
#endif
    float apart = distance(where + velocity.xyz * moment, eye);
    float stretch = find_stretch(place, apart);
#ifdef STREAK
    streak_path = find_path();
#ifdef STARS
    if (star > 0u) // stars stay points in focus
        streak_path = vec2(0.0);
#endif
#ifdef QUADS
    streak_inside = vec4(-HUGE, -HUGE, HUGE, HUGE); // what is seen of a quad does not depend on its middle
#else
    streak_inside = vec4(-1.0, -1.0, 1.0, 1.0);
#endif
#ifdef SPHERE
    vec2 there = place.xy / max(place.w, 1e-6) * plane, along = streak_path * plane;
    streak_curve = vec2(dot(there, along), dot(along, along)) / (1.0 + dot(there, there));
#endif
#endif
#ifdef FIXED
    // The pixels of a face lie the nearer together, seen from the camera, the further out they are.
    strength *= stretch * stretch * stretch;
    put(place, size_at_unit_depth);
#elif defined(ADAPTIVE)
    float radius = adaptive_radius();
    strength *= seen_from(apart, radius);
#ifdef STARS
    strength *= star_light;
#ifdef AGED
    strength *= young_light();
#endif
    bool resolved = star > 0u;
    strength *= put_adaptive(place, resolved ? 0.0 : radius, size_at_unit_depth,
                             (resolved ? star_size * star_across : size_limits.x) * stretch, strength > 0.0);
#else
    strength *= put_adaptive(place, radius, size_at_unit_depth, size_limits.x * stretch, strength > 0.0);
#endif
#else
    // Behind or in the camera: outside the clip volume.
    float size = size_at_unit_depth / max(place.w, 1e-6);
    float drawn = clamp(size, size_limits.x * stretch, size_limits.y);
    // A sprite smaller than the smallest is dimmed instead, so that its light stays right.
    float dim = min(size / drawn, 1.0) * min(size_limits.z / size, 1.0);
    strength *= dim * dim * seen_from(apart, body_radius);
    put(place, drawn * lengthen(drawn));
#endif
    vec3 shone = body_colour();
#ifdef STAR_TINTS
    shone *= star_tint;
#ifdef AGED
    shone = star_glows ? glow : shone;
#endif
#endif
#ifdef FULL
    shone /= max(max(max(shone.r, shone.g), shone.b), 1e-9);
#endif
    colour = vec4(shone * strength, strength);
}
