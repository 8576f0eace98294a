// Counts one body in a cell of the map, or with SPREAD in the cells around it. sprite_place.glsl
// precedes this file.
layout(location = 0) in vec4 position;
#ifdef ABSENCES
layout(location = 3) in float absent;
#else
const float absent = 0.0;
#endif
uniform mat4 view_projection;
uniform vec4 to_map; // clip coordinates times xy plus zw are map coordinates, 0 to 1

void main()
{
    vec4 seen = view_projection * vec4(position.xyz, 1.0);
    vec2 at = seen.xy / seen.w * to_map.xy + to_map.zw;
    bool visible = seen.w > 0.0 && abs(seen.z) <= seen.w && absent == 0.0;
    put(visible ? vec4(at * 2.0 - 1.0, 0.0, 1.0) : vec4(9.0, 9.0, 9.0, 1.0), SIZE);
}
