// Each tile gets a part of the list for its splats, and a group of threads for each SHARE of them.
layout(local_size_x = 128) in;
layout(std430, binding = 0) buffer Counts { uint counts[]; };
layout(std430, binding = 1) writeonly buffer Starts { uint starts[]; };
layout(std430, binding = 2) writeonly buffer Filled { uint filled[]; };
layout(std430, binding = 3) writeonly buffer Works { work works[]; };
layout(std430, binding = 4) buffer Totals { uint groups[3], work_count, entry_count; };

uniform uint tile_count, picture;

void main()
{
    uint tile = gl_GlobalInvocationID.x;
    if (tile >= tile_count)
        return;
    uint count = counts[tile];
    if (count == 0u)
        return;
    counts[tile] = 0u;
    filled[tile] = picture;
    uint start = atomicAdd(entry_count, count), parts = (count + SHARE - 1u) / SHARE;
    uint at = atomicAdd(work_count, parts);
    starts[tile] = start;
    for (uint k = 0u; k < parts; k++)
        works[at + k] = work(tile, start + k * SHARE, min(count - k * SHARE, SHARE), parts == 1u ? 1u : 0u);
    atomicMax(groups[1], (at + parts + WORKS_ACROSS - 1u) / WORKS_ACROSS);
}
