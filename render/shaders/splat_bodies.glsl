// A body becomes a splat, and is counted in the tiles that it reaches into. sprite.vert, as put_body, is put
// in front of this file.
#undef main
layout(local_size_x = 128) in;
layout(std430, binding = 0) readonly buffer Positions { vec4 positions[]; };
layout(std430, binding = 1) readonly buffer Velocities { vec4 velocities[]; };
#ifdef COMPARED
layout(std430, binding = 2) readonly buffer References { vec4 references[]; };
#endif
layout(std430, binding = 3) readonly buffer Distances { float distances[]; };
layout(std430, binding = 4) writeonly buffer Splats { splat splats[]; };
layout(std430, binding = 5) writeonly buffer Slots { uvec4 slots[]; };
layout(std430, binding = 6) buffer Counts { uint counts[]; };
#ifdef QUANTIFIED
layout(std430, binding = 7) readonly buffer Quantities { float quantities[]; };
#endif
#ifdef KERNEL
layout(std430, binding = 8) readonly buffer Kernels { float kernels[]; };
#endif

uniform uint first_body, body_count; // that are drawn
uniform uint first_splat;            // of theirs
uniform int tiles_across;
uniform float unit[LEVELS]; // of a level's light, in whole numbers

#ifdef STREAK
void count_tiles(ivec2 low, ivec2 more)
{
    uint tile = uint(low.y * tiles_across + low.x);
    for (int y = 0; y <= more.y; y++)
        for (int x = 0; x <= more.x; x++)
            atomicAdd(counts[tile + uint(y * tiles_across + x)], 1u);
}

// Those along a path whose middles lie where they may are counted, and are one record.
void put_streak(uint at, vec2 middle, vec2 seen, uvec4 light)
{
    vec2 path = streak_path * 0.5 * target_size;
    int count = streak_count(length(path), put_size), first = -1, end = 0;
    for (int i = 0; i < count; i++) {
        vec2 there = seen + streak_path * streak_part(i, count);
        ivec2 low, more;
        if (!(all(greaterThan(there, streak_inside.xy)) && all(lessThan(there, streak_inside.zw))))
            continue;
        first = first < 0 ? i : first;
        end = i + 1;
        if (find_tiles(streak_middle(middle, path, i, count), put_size, target_size, low, more))
            count_tiles(low, more);
    }
    splats[at].tiles = end > 0 ? 1u : 0u;
    splats[at].light = light;
    splats[at].path = path;
    splats[at].count = uint(count);
#ifdef SPHERE
    splats[at].curve = streak_curve;
#endif
    splats[at].shown = uint(first < 0 ? 0 : first) | uint(end) << 8;
}
#else
void put_splat(uint at, vec2 middle, uvec4 light)
{
    ivec2 low, more;
    if (!find_tiles(middle, put_size, target_size, low, more))
        return;
    splats[at].tiles = uint(low.x | low.y << 12 | more.x << 24 | more.y << 25 | 1 << 26);
    splats[at].light = light;
    uint tile = uint(low.y * tiles_across + low.x), above = tile + uint(tiles_across);
    uvec4 slot = uvec4(0u);
    slot.x = atomicAdd(counts[tile], 1u);
    if (more.x > 0)
        slot.y = atomicAdd(counts[tile + 1u], 1u);
    if (more.y > 0)
        slot.z = atomicAdd(counts[above], 1u);
    if (more.x > 0 && more.y > 0)
        slot.w = atomicAdd(counts[above + 1u], 1u);
    slots[at] = slot;
}
#endif

void main()
{
    uint i = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
    if (i >= body_count)
        return;
    position = positions[first_body + i];
    velocity = velocities[first_body + i];
#ifdef COMPARED
    reference = references[first_body + i];
#endif
    near = distances[first_body + i];
#ifdef DISPERSED
    dispersion = distances[uint(distances.length()) / 2u + first_body + i];
#endif
#ifdef QUANTIFIED
    quantity = quantities[first_body + i];
#endif
#ifdef KERNEL
    kernel = kernels[first_body + i];
#endif
#ifdef STARS
    body_number = first_body + i;
#endif
    put_body();
    uint at = first_splat + i;
    vec3 seen = put_place.xyz / put_place.w;
    vec2 middle = (seen.xy * 0.5 + 0.5) * target_size;
    splats[at].tiles = 0u;
    if (!(put_place.w > 0.0 && abs(seen.z) <= 1.0 && colour.a > 0.0))
        return;
    vec4 whole = colour * unit[int(level)];
#ifdef STREAK
    whole /= float(streak_count(length(streak_path * 0.5 * target_size), put_size));
#endif
    uvec4 light = uvec4(min(max(whole, 0.0) + 0.5, 4294967040.0));
    splats[at].middle = middle;
    splats[at].size = put_size;
#ifdef SPHERE
    splats[at].oblong = oblong;
#endif
#ifdef STREAK
    put_streak(at, middle, seen.xy, light);
#else
    put_splat(at, middle, light);
#endif
}
