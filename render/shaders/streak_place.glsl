// Replaces sprite_place.glsl where sprite_streak.geom draws a body's motion.
uniform vec2 target_size;  // pixels
flat out vec2 streak_path; // of the body, in normalized device coordinates
flat out vec4 streak_inside;

void put(vec4 place, float size)
{
    gl_Position = place;
    gl_PointSize = size;
}
