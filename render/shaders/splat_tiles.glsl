// Gives each tile a section of the list for its splats, divided into PARTS so that counters are not
// contended, and a group of threads for each SHARE of them.
layout(local_size_x = THREADS) in;
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
    uint count = 0u, before[PARTS];
    for (uint k = 0u; k < PARTS; k++) {
        before[k] = count;
        count += counts[k * tile_count + tile];
    }
    if (count == 0u)
        return;
    filled[tile] = picture;
    uint start = atomicAdd(entry_count, count), parts = (count + SHARE - 1u) / SHARE;
    uint at = atomicAdd(work_count, parts);
    for (uint k = 0u; k < PARTS; k++) {
        counts[k * tile_count + tile] = 0u;
        starts[k * tile_count + tile] = start + before[k];
    }
    for (uint k = 0u; k < parts; k++)
        works[at + k] = work(tile, start + k * SHARE, min(count - k * SHARE, SHARE), parts == 1u ? 1u : 0u);
    atomicMax(groups[1], (at + parts + WORKS_ACROSS - 1u) / WORKS_ACROSS);
}
