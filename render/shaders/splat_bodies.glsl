// Turns a body into a splat and counts the splat in the tiles that it overlaps; the body's stars
// are added at once. sprite.vert, as put_body, and splat_scatter.glsl precede this file.
layout(local_size_x = THREADS) in;
layout(std430, binding = 0) readonly buffer Positions { vec4 positions[]; };
layout(std430, binding = 1) readonly buffer Velocities { vec4 velocities[]; };
#ifdef COMPARED
layout(std430, binding = 2) readonly buffer References { vec4 references[]; };
#endif
layout(std430, binding = 3) writeonly buffer Splats { splat splats[]; };
layout(std430, binding = 4) writeonly buffer Slots { uvec4 slots[]; };
layout(std430, binding = 5) buffer Counts { uint counts[]; };

uniform uint first_body, body_count; // range of bodies to draw
uniform uint first_splat;            // index of their first splat
uniform float unit[LEVELS]; // integer units per unit of light, by level

#ifdef STREAK
bool is_inside(vec2 seen)
{
    return all(greaterThan(seen, streak_inside.xy)) && all(lessThan(seen, streak_inside.zw));
}

// Records the splats along a path as one row, counted once per tile, if their centres are within
// bounds. False if the row overlaps too many tiles for the list.
bool put_streak(uint at, vec2 middle, vec2 seen, uvec4 light, out int first, out int end)
{
    vec2 path = streak_path * 0.5 * target_size;
    int count = streak_count(length(path), put_size);
    ivec2 low, high;
    first = count;
    end = 0;
    for (int i = 0; i < count; i++)
        if (is_inside(seen + streak_path * streak_part(i, count))) {
            first = min(first, i);
            end = i + 1;
        }
    find_row(middle, path, put_size, count, first, end, target_size, low, high);
    ivec2 across = high - low + 1;
    if (across.x * across.y > ENTRIES)
        return false;
    splats[at].light = light;
    splats[at].path = path;
    splats[at].count = uint(count);
#ifdef SPHERE
    splats[at].curve = streak_curve;
#endif
    splats[at].shown = uint(first) | uint(end) << 8;
    splats[at].tiles = high.x < low.x ? 0u : 1u;
    uint part = at % PARTS * (uint(counts.length()) / PARTS);
    for (int y = low.y; y <= high.y; y++)
        for (int x = low.x; x <= high.x; x++)
            if (across.x * across.y == 1 ||
                find_part(middle, path, put_size, count, first, end, ivec2(x, y)) > 255u)
                atomicAdd(counts[part + uint(y * tiles_across + x)], 1u);
    return true;
}
#else
void put_splat(uint at, vec2 middle, uvec4 light)
{
    ivec2 low, more;
    if (!find_tiles(middle, put_size, target_size, low, more))
        return;
    splats[at].tiles = uint(low.x | low.y << 12 | more.x << 24 | more.y << 25 | 1 << 26);
    splats[at].light = light;
    uint part = at % PARTS * (uint(counts.length()) / PARTS);
    uint tile = part + uint(low.y * tiles_across + low.x), above = tile + uint(tiles_across);
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

#ifdef STREAK
shared uint longest;

// Adds the splats `first` to `end` - 1 of a path that is too long for the list.
void add_long(uint thread, int first, int end, vec2 middle, uvec4 light)
{
    barrier();
    if (thread == 0u)
        longest = 0u;
    barrier();
    if (first < end)
        atomicMax(longest, uint(end - first));
    barrier();
    uint rounds = longest;
    for (uint k = 0u; k < rounds; k++) {
        int i = first + int(k);
        vec2 path = streak_path * 0.5 * target_size;
        int count = streak_count(length(path), put_size);
        uvec4 own = light;
#ifdef SPHERE
        own = uvec4(min(vec4(light) * streak_light(streak_part(i, count), streak_curve), 4294967040.0));
#endif
        hold_dot(thread, i < end, streak_middle(middle, path, i, count), put_size, own, target_size);
        scatter();
    }
}
#endif

void main()
{
    uint i = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
    uint thread = gl_LocalInvocationID.x, at = first_splat + i;
    bool some = i < body_count;
    if (some) {
        position = positions[first_body + i];
        velocity = velocities[first_body + i];
#ifdef COMPARED
        reference = references[first_body + i];
#endif
        read_columns(first_body + i);
    }
#ifdef STARS
    body_number = before + first_body + i;
    for (star = 0u; star <= star_count; star++) {
#else
    {
#endif
        vec3 seen = vec3(9.0);
        bool shown = false;
        if (some) {
            put_body();
            seen = put_place.xyz / put_place.w;
            shown = put_place.w > 0.0 && abs(seen.z) <= 1.0 && colour.a > 0.0;
        }
        vec2 middle = (seen.xy * 0.5 + 0.5) * target_size;
        vec4 whole = colour * unit[int(level)];
#ifdef STREAK
        whole /= float(streak_count(length(streak_path * 0.5 * target_size), put_size));
#endif
        uvec4 light = shown ? uvec4(min(max(whole, 0.0) + 0.5, 4294967040.0)) : uvec4(0u);
#ifdef STARS
        if (star > 0u) {
#ifdef STREAK
            shown = shown && is_inside(seen.xy);
#endif
            hold_dot(thread, shown, middle, put_size, light, target_size);
            scatter();
            continue;
        }
#endif
        if (some)
            splats[at].tiles = 0u;
        if (shown) {
            splats[at].middle = middle;
            splats[at].size = put_size;
#ifdef SPHERE
            splats[at].oblong = oblong;
#endif
        }
#ifdef STREAK
        int first = 0, end = 0;
        if (!shown || put_streak(at, middle, seen.xy, light, first, end))
            end = 0;
        add_long(thread, first, end, middle, light);
#else
        if (shown)
            put_splat(at, middle, light);
#endif
    }
}
