// The splats of each tile, in any order: their light is added up in whole numbers.
layout(local_size_x = 128) in;
layout(std430, binding = 0) buffer Starts { uint starts[]; };
layout(std430, binding = 1) readonly buffer Splats { splat splats[]; };
layout(std430, binding = 2) readonly buffer Slots { uvec4 slots[]; };
layout(std430, binding = 3) writeonly buffer List { uint list[]; };

uniform uint splat_count;
uniform int tiles_across;

#ifdef STREAK
uniform vec2 target_size; // pixels

// Starts move on to where the next one comes.
void list_streak(uint i)
{
    splat from = splats[i];
    for (uint k = from.shown & 255u; k < from.shown >> 8; k++) {
        ivec2 low, more;
        vec2 middle = streak_middle(from.middle, from.path, int(k), int(from.count));
        if (!find_tiles(middle, from.size, target_size, low, more))
            continue;
        uint tile = uint(low.y * tiles_across + low.x);
        for (int y = 0; y <= more.y; y++)
            for (int x = 0; x <= more.x; x++)
                list[atomicAdd(starts[tile + uint(y * tiles_across + x)], 1u)] = i | k << STREAK_SHIFT;
    }
}
#endif

void main()
{
    uint i = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
    if (i >= splat_count)
        return;
    uint tiles = splats[i].tiles;
    if (tiles == 0u)
        return;
#ifdef STREAK
    list_streak(i);
#else
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
#endif
}
