// Declares where splat_bodies.glsl finds the output of a vertex shader. Replaces sprite_place.glsl.
uniform vec2 target_size; // pixels
vec4 put_place;           // in clip space
float put_size;           // pixels
#ifdef STREAK
vec2 streak_path; // see streak_place.glsl
vec4 streak_inside;
#endif

void put(vec4 place, float size)
{
    put_place = place;
    put_size = size;
}
