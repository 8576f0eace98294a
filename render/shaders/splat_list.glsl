// The splats of each tile, in any order: their light is added up in whole numbers.
layout(local_size_x = 128) in;
layout(std430, binding = 0) readonly buffer Starts { uint starts[]; };
layout(std430, binding = 1) readonly buffer Splats { splat splats[]; };
layout(std430, binding = 2) readonly buffer Slots { uvec4 slots[]; };
layout(std430, binding = 3) writeonly buffer List { uint list[]; };

uniform uint splat_count;
uniform int tiles_across;

void main()
{
    uint i = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
    if (i >= splat_count)
        return;
    uint tiles = splats[i].tiles;
    if (tiles == 0u)
        return;
    uvec4 slot = slots[i];
    uint across = uint(tiles_across), tile = (tiles >> 12 & 4095u) * across + (tiles & 4095u);
    bool right = (tiles >> 24 & 1u) != 0u, above = (tiles >> 25 & 1u) != 0u;
    list[starts[tile] + slot.x] = i;
    if (right)
        list[starts[tile + 1u] + slot.y] = i;
    if (above)
        list[starts[tile + across] + slot.z] = i;
    if (right && above)
        list[starts[tile + across + 1u] + slot.w] = i;
}
