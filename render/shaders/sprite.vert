// Turns one body into one sprite, or into one of its stars. colour_map.glsl, colour_common.glsl,
// the colour mode's body_colour(), sprite_oblong.glsl and sprite_place.glsl precede this file.
// FIXED: one size at any distance. ADAPTIVE: the size is set by sprite_adaptive.glsl. BY_MASS:
// light is proportional to mass. WEIGHED: light is output beside the colour. FULL: each colour is
// as bright as its hue can be, so that the mean of two colours is no brighter than either.
uniform mat4 view_projection;
uniform vec2 shift;               // offset of this sample, in clip coordinates
uniform float moment;             // of this sample: simulated time relative to the frame
uniform float size_at_unit_depth; // in pixels; with FIXED the size itself
uniform vec3 size_limits;         // smallest, largest, dimmed from
uniform float body_radius;        // look.radius in the scene's unit of length; 0: none
uniform float light;
const float HUGE = 1e9;

vec3 where; // position of the body, or of its star, at the frame's time

#ifdef SPLATS
vec4 colour;
#else
#ifdef STREAK
#define colour streak_colour
#endif
flat out vec4 colour;
#endif

#ifdef STREAK
// The body's straight path while the shutter is open, in normalized device coordinates.
uniform mat4 opening, closing; // of the camera at opening and closing of the shutter
uniform float exposed;         // half of the time for which the shutter is open
#ifdef SPHERE
uniform float plane; // half of the target's width at distance 1
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
    // A body that passes through the camera has no path in the picture. Paths are clipped to the
    // length from edge to edge.
    return min(from.w, to.w) > 1e-6 ? path * min(1.0, 2.0 / max(length(path), 1e-30)) : vec2(0.0);
}
#endif

// Fades a body within a few of its radii of the camera, where it would cover the picture: at a
// distance of 8 radii it is 14 degrees wide. A wide, isolated body in the middle of the scene is
// not close: at the target's distance or beyond, only bodies that would fill the picture fade.
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
    if (star > 0u) // stars stay sharp points
        streak_path = vec2(0.0);
#endif
#ifdef QUADS
    streak_inside = vec4(-HUGE, -HUGE, HUGE, HUGE); // quads are clipped by extent
#else
    streak_inside = vec4(-1.0, -1.0, 1.0, 1.0);
#endif
#ifdef SPHERE
    vec2 there = place.xy / max(place.w, 1e-6) * plane, along = streak_path * plane;
    streak_curve = vec2(dot(there, along), dot(along, along)) / (1.0 + dot(there, there));
#endif
#endif
#ifdef FIXED
    // Seen from the camera, the pixels of a face are closer together towards its edge.
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
    // Bodies behind or in the camera go outside the clip volume.
    float size = size_at_unit_depth / max(place.w, 1e-6);
    float drawn = clamp(size, size_limits.x * stretch, size_limits.y);
    // A sprite below the smallest size is dimmed instead of shrunk, which keeps its light.
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
