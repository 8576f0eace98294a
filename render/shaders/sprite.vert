// One body becomes one sprite. colour_map.glsl, colour_common.glsl, the colour mode's body_colour()
// and sprite_place.glsl are put in front of this file. FIXED: of one size at any distance;
// ADAPTIVE: as sprite_adaptive.glsl says; BY_MASS: the heavier, the more light;
// WEIGHED: the light is told beside the colour.
uniform mat4 view_projection;
uniform vec2 shift;               // of this sample of the picture, in clip coordinates
uniform float moment;             // of this sample, in simulated time from the frame's own
uniform float size_at_unit_depth; // pixels; with FIXED the size itself
uniform vec3 size_limits;         // smallest and largest sprite, and the size from which it fades
uniform float light;
const float ABSENT = 1e30; // of an acceleration, as VIEW_ABSENT

#ifdef SPLATS
vec4 colour;
#else
flat out vec4 colour;
#endif

void main()
{
    place = view_projection * vec4(position.xyz + velocity.xyz * moment, 1.0);
    place.xy += shift * place.w;
    if (velocity.w >= ABSENT)
        place = vec4(9.0, 9.0, 9.0, 1.0);
    float strength = light;
#ifdef BY_MASS
    strength *= position.w;
#endif
#ifdef FIXED
    put(place, size_at_unit_depth);
#elif defined(ADAPTIVE)
    strength *= put_adaptive(place, size_at_unit_depth, size_limits.x);
#else
    // Behind or in the camera: outside the clip volume.
    float size = size_at_unit_depth / max(place.w, 1e-6);
    float drawn = clamp(size, size_limits.x, size_limits.y);
    // A sprite smaller than the smallest is dimmed instead, so that its light stays right.
    float dim = min(size / drawn, 1.0) * min(size_limits.z / size, 1.0);
    strength *= dim * dim;
    put(place, drawn);
#endif
    colour = vec4(body_colour() * strength, strength);
}
