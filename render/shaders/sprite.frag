// A soft round sprite: a small bright core in a wide faint disk, exactly zero at the edge.
flat in vec3 colour;
layout(location = 0) out vec4 light_out;

void main()
{
    vec2 from_centre = gl_PointCoord * 2.0 - 1.0;
    float inside = max(1.0 - dot(from_centre, from_centre), 0.0);
    float disk = inside * inside;
    float core = disk * disk * disk;
    light_out = vec4(colour * (0.25 * disk + 0.75 * core), 1.0);
}
