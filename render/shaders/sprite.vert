// One body becomes one point sprite. The attributes and body_colour(), the colour mode, are put in
// front of this file.
uniform mat4 view_projection;
uniform float size_at_unit_depth; // pixels
uniform vec2 size_limits;         // smallest and largest sprite, pixels
uniform float light;

flat out vec3 colour;

void main()
{
    gl_Position = view_projection * vec4(position.xyz, 1.0);
    // Behind or in the camera: outside the clip volume.
    float depth = max(gl_Position.w, 1e-6);
    float size = size_at_unit_depth / depth;
    float drawn = clamp(size, size_limits.x, size_limits.y);
    // A sprite smaller than the smallest is dimmed instead, so that its light stays right.
    float dim = min(size / drawn, 1.0);
    gl_PointSize = drawn;
    colour = body_colour() * (light * dim * dim);
}
