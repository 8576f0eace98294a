// Light of a tile's splats, or of a part of them, in whole numbers: the sum is the same in any order. A thread
// has two pixels of a quarter of the tile. The profile and sprite_round.glsl are put in front.
layout(local_size_x = 128) in;
layout(std430, binding = 0) readonly buffer Works { work works[]; };
layout(std430, binding = 1) readonly buffer Totals { uint groups[3], work_count, entry_count; };
layout(std430, binding = 2) readonly buffer List { uint list[]; };
layout(std430, binding = 3) readonly buffer Splats { splat splats[]; };
// Of a pixel: four channels' low halves, then their high ones.
layout(std430, binding = 4) buffer Sums { uvec4 sums[]; };
layout(std430, binding = 4) buffer Words { uint words[]; };

uniform int tiles_across;

shared vec4 places[SHARE]; // middle, from the tile's corner; 2 / size, size / 2
shared uvec4 lights[SHARE];
#ifdef SPHERE
shared vec4 oblongs[SHARE];
#endif

void load(uint k, work own, vec2 corner)
{
#ifdef STREAK
    uint entry = list[own.first + k];
    splat from = splats[entry & (1u << STREAK_SHIFT) - 1u];
    int i = int(entry >> STREAK_SHIFT), count = int(from.count);
    from.middle = streak_middle(from.middle, from.path, i, count);
#ifdef SPHERE
    from.light = uvec4(min(vec4(from.light) * streak_light(streak_part(i, count), from.curve), 4294967040.0));
#endif
#else
    splat from = splats[list[own.first + k]];
#endif
    places[k] = vec4(from.middle - corner, 2.0 / from.size, 0.5 * from.size);
    lights[k] = from.light;
#ifdef SPHERE
    oblongs[k] = from.oblong;
#endif
}

// In parts of 4096, rounded to nearest: the number stands in the low bits of the sum.
uint weight(vec2 away, uint k)
{
    return floatBitsToUint(fma(profile(from_middle(away, oblongs[k])), 4096.0, 8388608.0)) & 0x7fffffu;
}

// 64 bits a channel.
struct sum {
    uint64_t x, y, z, w;
};

void add(inout sum to, uint64_t share, uvec4 light)
{
    to.x += share * uint64_t(light.x);
    to.y += share * uint64_t(light.y);
    to.z += share * uint64_t(light.z);
    to.w += share * uint64_t(light.w);
}

uint64_t joined(uint low, uint high)
{
    return packUint2x32(uvec2(low, high));
}

// More than one group may add to a channel, in any order.
void add_shared(uint word, uint64_t value)
{
    uvec2 halves = unpackUint2x32(value);
    uint before = atomicAdd(words[word], halves.x);
    uint high = halves.y + (before + halves.x < before ? 1u : 0u);
    if (high > 0u)
        atomicAdd(words[word + 4u], high);
}

void store(uint pixel, sum value, bool alone)
{
    if (alone) {
        uvec4 low = sums[2u * pixel], high = sums[2u * pixel + 1u];
        uvec2 x = unpackUint2x32(value.x + joined(low.x, high.x)), y = unpackUint2x32(value.y + joined(low.y, high.y));
        uvec2 z = unpackUint2x32(value.z + joined(low.z, high.z)), w = unpackUint2x32(value.w + joined(low.w, high.w));
        sums[2u * pixel] = uvec4(x.x, y.x, z.x, w.x);
        sums[2u * pixel + 1u] = uvec4(x.y, y.y, z.y, w.y);
        return;
    }
    add_shared(8u * pixel, value.x);
    add_shared(8u * pixel + 1u, value.y);
    add_shared(8u * pixel + 2u, value.z);
    add_shared(8u * pixel + 3u, value.w);
}

void main()
{
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (group >= work_count)
        return;
    work own = works[group];
    uint thread = gl_LocalInvocationID.x, quarter = thread / 32u, lane = thread % 32u;
    vec2 corner = vec2(TILE * int(own.tile % uint(tiles_across)), TILE * int(own.tile / uint(tiles_across)));
    for (uint k = thread; k < own.count; k += gl_WorkGroupSize.x)
        load(k, own, corner);
    barrier();
    uvec2 low = uvec2(quarter % 2u, quarter / 2u) * 8u;
    uvec2 pixel = low + uvec2(lane % 8u, lane / 8u);
    vec2 centre = vec2(low) + 4.0, at = vec2(pixel) + 0.5;
    sum below = sum(0ul, 0ul, 0ul, 0ul), above = below;
    for (uint k = 0u; k < own.count; k++) {
        vec4 there = places[k];
        vec2 off = abs(centre - there.xy);
        if (max(off.x, off.y) > there.w + 3.5)
            continue;
        uvec4 light = lights[k];
        vec2 away = (at - there.xy) * there.z;
        add(below, uint64_t(weight(away, k)), light);
        away.y += 4.0 * there.z;
        add(above, uint64_t(weight(away, k)), light);
    }
    uint first = own.tile * uint(TILE * TILE) + pixel.y * uint(TILE) + pixel.x;
    store(first, below, own.alone != 0u);
    store(first + 4u * uint(TILE), above, own.alone != 0u);
}
