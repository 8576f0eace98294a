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

uniform uint first_body, body_count; // that are drawn
uniform uint first_splat;            // of theirs
uniform int tiles_across;
uniform float unit[LEVELS]; // of a level's light, in whole numbers

// The first and the last pixel along an axis whose centres lie in the sprite.
ivec2 reach(float middle, float size, float end)
{
    return ivec2(max(ceil(middle - 0.5 * size - 0.5), 0.0), min(floor(middle + 0.5 * size - 0.5), end - 1.0));
}

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
    put_body();
    uint at = first_splat + i;
    vec3 seen = put_place.xyz / put_place.w;
    vec2 middle = (seen.xy * 0.5 + 0.5) * target_size;
    splats[at].tiles = 0u;
    if (!(put_place.w > 0.0 && abs(seen.z) <= 1.0 && colour.a > 0.0))
        return;
    ivec2 x = reach(middle.x, put_size, target_size.x), y = reach(middle.y, put_size, target_size.y);
    if (x.x > x.y || y.x > y.y)
        return;
    uvec4 light = uvec4(min(max(colour * unit[int(level)], 0.0) + 0.5, 4294967040.0));
    ivec2 low = ivec2(x.x, y.x) / TILE, more = ivec2(x.y, y.y) / TILE - low;
    splats[at].middle = middle;
    splats[at].size = put_size;
    splats[at].tiles = uint(low.x | low.y << 12 | more.x << 24 | more.y << 25 | 1 << 26);
    splats[at].light = light;
#ifdef SPHERE
    splats[at].oblong = oblong;
#endif
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
