// Lists the splats of each tile in any order, which does not matter because their light is added in
// integers.
layout(local_size_x = THREADS) in;
layout(std430, binding = 0) buffer Starts { uint starts[]; };
layout(std430, binding = 1) readonly buffer Splats { splat splats[]; };
layout(std430, binding = 2) readonly buffer Slots { uvec4 slots[]; };
#ifdef STREAK
layout(std430, binding = 3) writeonly buffer List { uvec2 list[]; };
#else
layout(std430, binding = 3) writeonly buffer List { uint list[]; };
#endif

uniform uint splat_count;
uniform int tiles_across;

#ifdef STREAK
uniform vec2 target_size; // pixels

// Advances the start to where the next entry goes.
void list_streak(uint i)
{
    splat from = splats[i];
    int first = int(from.shown & 255u), end = int(from.shown >> 8);
    ivec2 low, high;
    find_row(from.middle, from.path, from.size, int(from.count), first, end, target_size, low, high);
    bool one = low == high;
    uint plane = i % PARTS * (uint(starts.length()) / PARTS);
    for (int y = low.y; y <= high.y; y++)
        for (int x = low.x; x <= high.x; x++) {
            uint part = one ? uint(first) | uint(end - first) << 8
                            : find_part(from.middle, from.path, from.size, int(from.count), first, end, ivec2(x, y));
            if (part > 255u)
                list[atomicAdd(starts[plane + uint(y * tiles_across + x)], 1u)] = uvec2(i, part);
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
    tile += i % PARTS * (uint(starts.length()) / PARTS);
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
