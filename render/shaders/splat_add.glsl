// Adds up the light of a tile's splats, or of a part of them, in integers, so that the sum does not
// depend on the order. Each thread handles two pixels of a quarter of the tile. A group stages only
// a few splats at a time, because less shared memory lets more groups run at once. The profile and
// sprite_round.glsl precede this file.
layout(local_size_x = THREADS) in;
layout(std430, binding = 0) readonly buffer Works { work works[]; };
layout(std430, binding = 1) readonly buffer Totals { uint groups[3], work_count, entry_count; };
#ifdef STREAK
layout(std430, binding = 2) readonly buffer List { uvec2 list[]; };
#else
layout(std430, binding = 2) readonly buffer List { uint list[]; };
#endif
layout(std430, binding = 3) readonly buffer Splats { splat splats[]; };
layout(std430, binding = 4) buffer Sums { uvec4 sums[]; };
layout(std430, binding = 4) buffer Words { uint words[]; };

uniform int tiles_across;

shared vec4 places[STAGE]; // centre, from the tile's corner; 2 / size, size / 2
shared uvec4 lights[STAGE];
#ifdef STREAK
shared vec3 steps[STAGE]; // step from one splat to the next; number of splats
#ifdef SPHERE
shared vec4 curves[STAGE]; // streak_part of the first splat, and the step; see streak_light
#endif
#endif
#ifdef SPHERE
shared vec4 oblongs[STAGE];
#endif

void load(uint k, uint entry, vec2 corner)
{
#ifdef STREAK
    uvec2 row = list[entry];
    splat from = splats[row.x];
    int first = int(row.y & 255u), more = int(row.y >> 8), count = int(from.count);
    float part = streak_part(first, count), apart = streak_part(1, count) - streak_part(0, count);
    vec2 path = from.path * apart;
    from.middle = streak_middle(from.middle, from.path, first, count);
    steps[k] = vec3(path, float(more));
#ifdef SPHERE
    curves[k] = vec4(part, apart, from.curve);
#endif
#else
    splat from = splats[list[entry]];
#endif
    places[k] = vec4(from.middle - corner, 2.0 / from.size, 0.5 * from.size);
    lights[k] = from.light;
#ifdef SPHERE
    oblongs[k] = from.oblong;
#endif
}

// 64 bits per channel.
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

// More than one group may add to a channel, in any order.
void add_shared(uint channel, uint64_t value)
{
    uvec2 halves = unpackUint2x32(value);
    uint before = atomicAdd(words[2u * channel], halves.x);
    uint high = halves.y + (before + halves.x < before ? 1u : 0u);
    if (high > 0u)
        atomicAdd(words[2u * channel + 1u], high);
}

void store(uint pixel, sum value, bool alone)
{
    if (alone) {
        uvec4 first = sums[2u * pixel], last = sums[2u * pixel + 1u];
        first = uvec4(unpackUint2x32(value.x + packUint2x32(first.xy)), unpackUint2x32(value.y + packUint2x32(first.zw)));
        last = uvec4(unpackUint2x32(value.z + packUint2x32(last.xy)), unpackUint2x32(value.w + packUint2x32(last.zw)));
        sums[2u * pixel] = first;
        sums[2u * pixel + 1u] = last;
        return;
    }
    add_shared(4u * pixel, value.x);
    add_shared(4u * pixel + 1u, value.y);
    add_shared(4u * pixel + 2u, value.z);
    add_shared(4u * pixel + 3u, value.w);
}

void main()
{
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (group >= work_count)
        return;
    work own = works[group];
    uint thread = gl_LocalInvocationID.x, quarter = thread / 32u, lane = thread % 32u;
    vec2 corner = vec2(TILE * int(own.tile % uint(tiles_across)), TILE * int(own.tile / uint(tiles_across)));
    uvec2 low = uvec2(quarter % 2u, quarter / 2u) * 8u;
    uvec2 pixel = low + uvec2(lane % 8u, lane / 8u);
    vec2 centre = vec2(low) + 4.0, at = vec2(pixel) + 0.5;
    sum below = sum(0ul, 0ul, 0ul, 0ul), above = below;
    for (uint done = 0u; done < own.count; done += STAGE) {
        uint held = min(own.count - done, STAGE);
        barrier();
        if (thread < held)
            load(thread, own.first + done + thread, corner);
        barrier();
        for (uint k = 0u; k < held; k++) {
            vec4 there = places[k];
#ifdef STREAK
            vec3 step = steps[k];
            vec2 all = 0.5 * (step.z - 1.0) * step.xy;
            vec2 off = abs(centre - there.xy - all) - abs(all);
#else
            vec2 off = abs(centre - there.xy);
#endif
            if (max(off.x, off.y) > there.w + 3.5)
                continue;
            uvec4 light = lights[k];
            vec2 away = (at - there.xy) * there.z;
            float higher = 4.0 * there.z;
#ifdef STREAK
            vec2 next = step.xy * there.z;
            uint low_share = 0u, high_share = 0u;
            for (float n = 0.0; n < step.z; n++) {
                vec2 here = away - n * next;
                uint low_one = weight_of(here, oblongs[k]), high_one = weight_of(vec2(here.x, here.y + higher), oblongs[k]);
#ifdef SPHERE
                vec4 curve = curves[k];
                uvec4 one = uvec4(min(vec4(light) * streak_light(curve.x + n * curve.y, curve.zw), 4294967040.0));
                add(below, uint64_t(low_one), one);
                add(above, uint64_t(high_one), one);
#else
                low_share += low_one;
                high_share += high_one;
#endif
            }
#ifndef SPHERE
            add(below, uint64_t(low_share), light);
            add(above, uint64_t(high_share), light);
#endif
#else
            add(below, uint64_t(weight_of(away, oblongs[k])), light);
            add(above, uint64_t(weight_of(vec2(away.x, away.y + higher), oblongs[k])), light);
#endif
        }
    }
    uint first = own.tile * uint(TILE * TILE) + pixel.y * uint(TILE) + pixel.x;
    store(first, below, own.alone != 0u);
    store(first + 4u * uint(TILE), above, own.alone != 0u);
}
