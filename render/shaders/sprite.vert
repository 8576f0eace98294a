// One body becomes one point sprite. colour_common.glsl and the colour mode's body_colour() are put
// in front of this file; SQUARE is defined for points of one size without a profile.
uniform mat4 view_projection;
uniform float size_at_unit_depth; // pixels; of squares the size itself
uniform vec2 size_limits;         // smallest and largest sprite, pixels
uniform float light;

flat out vec3 colour;

void main()
{
    gl_Position = view_projection * vec4(position.xyz, 1.0);
#ifdef SQUARE
    gl_PointSize = size_at_unit_depth;
    colour = body_colour() * light;
#else
    // Behind or in the camera: outside the clip volume.
    float depth = max(gl_Position.w, 1e-6);
    float size = size_at_unit_depth / depth;
    float drawn = clamp(size, size_limits.x, size_limits.y);
    // A sprite smaller than the smallest is dimmed instead, so that its light stays right.
    float dim = min(size / drawn, 1.0);
    gl_PointSize = drawn;
    colour = body_colour() * (light * dim * dim);
#endif
}
