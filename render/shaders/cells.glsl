// The number of bodies in each cell.

//// sprite_place.glsl
// A square of `size` pixels around a place in clip space: a point, or with QUADS the four corners
// of an instance. The fragment shader gets its offset from the centre, -1 to 1 across the square.
uniform vec2 target_size; // pixels
#ifdef QUADS
out vec2 from_centre;
#endif

void put(vec4 place, float size)
{
#ifdef QUADS
    from_centre = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    gl_Position = place + vec4(from_centre * size / target_size * place.w, 0.0, 0.0);
#else
    gl_Position = place;
    gl_PointSize = size;
#endif
}

//// cells.vert
// Counts one body in a cell of the map, or with SPREAD in the cells around it. sprite_place.glsl
// precedes this file.
layout(location = 0) in vec4 position;
#ifdef ABSENCES
layout(location = 3) in float absent;
#else
const float absent = 0.0;
#endif
uniform mat4 view_projection;
uniform vec4 slab;   // see struct camera_pose
uniform vec4 to_map; // clip coordinates times xy plus zw are map coordinates, 0 to 1

void main()
{
    vec4 seen = view_projection * vec4(position.xyz, 1.0);
    vec2 at = seen.xy / seen.w * to_map.xy + to_map.zw;
    bool visible = seen.w > 0.0 && abs(seen.z) <= seen.w && absent == 0.0 &&
                   abs(dot(slab.xyz, position.xyz) + slab.w) <= 1.0;
    put(visible ? vec4(at * 2.0 - 1.0, 0.0, 1.0) : vec4(9.0, 9.0, 9.0, 1.0), SIZE);
}

//// cells.frag
#ifdef SPREAD
#ifdef QUADS
in vec2 from_centre;
#else
#define from_centre (gl_PointCoord * 2.0 - 1.0)
#endif
#endif
layout(location = 0) out vec4 count;

void main()
{
#ifdef SPREAD
    float inside = max(1.0 - dot(from_centre, from_centre), 0.0);
    count = vec4(inside * inside);
#else
    count = vec4(1.0);
#endif
}
