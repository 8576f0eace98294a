// Sprites added up by compute shaders, tile by tile.

//// splat_common.glsl
// The record of a body's light that all splat passes share.
struct splat {
    vec2 middle; // centre, in pixels of the atlas
    float size, unused_1;
    uvec4 light; // at the centre: colour times light, and light
#ifdef SPHERE
    vec4 oblong; // see sprite_round.glsl
#endif
#ifdef STREAK
    vec2 path;  // in pixels of the atlas; `middle` is its midpoint
    uint count; // number of splats along it
    uint shown; // 8 bits each: the first one within bounds, and the end
#ifdef SPHERE
    vec2 curve, unused; // see streak_light
#endif
#endif
};

// The tiles that a splat overlaps: the lowest, and whether the next to the right and the next above
// are included. False if it covers no pixel centre.
bool find_tiles(vec2 middle, float size, vec2 end, out ivec2 low, out ivec2 more)
{
    vec2 first = max(ceil(middle - 0.5 * size - 0.5), vec2(0.0));
    vec2 last = min(floor(middle + 0.5 * size - 0.5), end - 1.0);
    low = ivec2(first) / TILE;
    more = ivec2(last) / TILE - low;
    return all(lessThanEqual(first, last));
}

struct work { // one group's task
    uint tile, first, count, alone; // range of the list; alone: no other group has the tile
};

// Sums have 64 bits per channel, low half first, four channels per pixel, a tile's pixels
// consecutively. weight_of is a splat's brightness at `away` from its centre in units of 1/4096,
// rounded to nearest: adding 2^23 leaves the integer in the low bits of the float. For programs
// with a profile and sprite_round.glsl.
#define weight_of(away, oblong) (floatBitsToUint(fma(profile(from_middle(away, oblong)), 4096.0, 8388608.0)) & 0x7fffffu)

#ifdef STREAK
// The tiles `low` to `high` that splats `first` to `end` - 1 of a path may overlap; if there are
// none, high is below low.
void find_row(vec2 middle, vec2 path, float size, int count, int first, int end, vec2 target, out ivec2 low, out ivec2 high)
{
    vec2 a = streak_middle(middle, path, first, count), b = streak_middle(middle, path, end - 1, count);
    vec2 from = max(ceil(min(a, b) - 0.5 * size - 0.5), vec2(0.0));
    vec2 to = min(floor(max(a, b) + 0.5 * size - 0.5), target - 1.0);
    low = ivec2(from) / TILE;
    high = first < end && all(lessThanEqual(from, to)) ? ivec2(to) / TILE : low - 1;
}

// The splats among them that overlap a tile: 8 bits each, the first and the number.
uint find_part(vec2 middle, vec2 path, float size, int count, int first, int end, ivec2 tile)
{
    vec2 low = vec2(tile * TILE), high = low + float(TILE - 1);
    int from = end, to = first;
    for (int i = first; i < end; i++) {
        vec2 at = streak_middle(middle, path, i, count);
        if (all(lessThanEqual(ceil(at - 0.5 * size - 0.5), high)) && all(greaterThanEqual(floor(at + 0.5 * size - 0.5), low))) {
            from = min(from, i);
            to = i + 1;
        }
    }
    return uint(from) | uint(max(to - from, 0)) << 8;
}
#endif

//// splat_place.glsl
// Declares where splat_bodies.glsl finds the output of a vertex shader. Replaces sprite_place.glsl.
uniform vec2 target_size; // pixels
vec4 put_place;           // in clip space
float put_size;           // pixels
#ifdef STREAK
vec2 streak_path; // see streak_place.glsl
vec4 streak_inside;
#endif

void put(vec4 place, float size)
{
    put_place = place;
    put_size = size;
}

//// splat_bodies.glsl
// Turns bodies into splats and counts the splats in the tiles that they overlap; the body's stars
// are added at once. ORDERED: bodies are read in an order, and what struct view_along lacks by the
// body's number. CROWDED: so are all small splats, by groups of threads that have THREADS * EACH
// successive bodies each. If these are close together, because they are drawn in the order of a
// curve, their small splats are added up in a window of the target in shared memory, and then each
// lit pixel of the window once to the sums. Light is rounded to units of 2^SMALL_SHIFT, inside the
// window or not, so that neither the order of bodies nor the window's place changes a bit. sprite.vert,
// as put_body, and splat_scatter.glsl precede this file.
layout(local_size_x = THREADS) in;
layout(std430, binding = 0) readonly buffer Positions { vec4 positions[]; };
layout(std430, binding = 1) readonly buffer Velocities { vec4 velocities[]; };
#ifdef COMPARED
layout(std430, binding = 2) readonly buffer References { vec4 references[]; };
#endif
layout(std430, binding = 3) writeonly buffer Splats { splat splats[]; };
layout(std430, binding = 4) writeonly buffer Slots { uvec4 slots[]; };
layout(std430, binding = 5) buffer Counts { uint counts[]; };
layout(std430, binding = 8) writeonly buffer Tiles { uint tiles[]; }; // see splat_list.glsl
#ifdef ORDERED
layout(std430, binding = 9) readonly buffer Order { uint order[]; };
#endif

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
    tiles[at] = high.x < low.x ? 0u : 1u;
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
    tiles[at] = uint(low.x | low.y << 12 | more.x << 24 | more.y << 25 | 1 << 26);
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

// The number of the body at a place.
uint body_at(uint place)
{
#ifdef ORDERED
    return order[place];
#else
    return place;
#endif
}

#ifdef CROWDED
const int FAR = 1 << 24, SMALL_SHIFT = 16;
const float SMALL = 5.0;  // pixels across; a star has 4.5 at 1080 lines
const int SMALL_PATH = 4; // splats
const float SMALL_UNITS = 4096.0 / float(1 << SMALL_SHIFT); // of the light at a small splat's centre
const float SMALL_LEAST = 128.0; // of these units, for rounding to be invisible
#ifdef WEIGHED
const uint CHANNELS = 4u;
#else
const uint CHANNELS = 3u; // nothing reads the fourth
#endif

// The window: lowest pixel, and pixels across and up, at most WINDOW in all; none if the bodies are
// too far apart.
ivec4 window;
shared uint window_light[CHANNELS * WINDOW]; // all pixels of a channel together, in units of 2^SMALL_SHIFT
shared int crowd[5]; // lowest and highest pixel of the bodies' centres, their number

// Whether a splat of this size and light, in integer units, is small. A pixel of the window has room
// for all splats of the group's bodies, so no number is carried over.
bool is_small(float size, vec4 light)
{
    float most = max(max(light.r, light.g), max(light.b, light.a)) * SMALL_UNITS;
#ifdef STARS
    float room = 2097152.0 / float(star_count + 1u);
#else
    const float room = 2097152.0;
#endif
    return size <= SMALL && most >= SMALL_LEAST && most < room - float(2 * SMALL_PATH);
}

// The first of the four channels of a pixel, whose tile is lit.
uint light_pixel(ivec2 pixel)
{
    ivec2 tile = pixel / TILE, inside = pixel % TILE;
    uint number = uint(tile.y * tiles_across + tile.x);
    if (filled[number] != picture)
        filled[number] = picture;
    return 4u * (number * uint(TILE * TILE) + uint(inside.y * TILE + inside.x));
}

void add_pixel(ivec2 pixel, uvec4 value)
{
    uint at = light_pixel(pixel);
    for (uint c = 0u; c < CHANNELS; c++)
        if (value[c] > 0u)
            add_channel(at + c, uint64_t(value[c]) << SMALL_SHIFT);
}

// light: at the centre, in integer units. Adding 2^23 leaves the rounded integer in the low bits.
void add_small(vec2 middle, float size, vec4 light)
{
    ivec2 first = ivec2(max(ceil(middle - 0.5 * size - 0.5), vec2(0.0)));
    ivec2 last = ivec2(min(floor(middle + 0.5 * size - 0.5), target_size - 1.0));
    bool inside = all(greaterThanEqual(first, window.xy)) && all(lessThan(last, window.xy + window.zw));
    light *= SMALL_UNITS;
    for (int y = first.y; y <= last.y; y++)
        for (int x = first.x; x <= last.x; x++) {
            float share = profile(from_middle((vec2(x, y) + 0.5 - middle) * (2.0 / size), oblong));
            uvec4 value = floatBitsToUint(fma(vec4(share), light, vec4(8388608.0))) & 0x7fffffu;
            uint at = uint((y - window.y) * window.z + x - window.x);
            if (share == 0.0)
                continue;
            if (!inside) {
                add_pixel(ivec2(x, y), value);
                continue;
            }
            for (uint c = 0u; c < CHANNELS; c++)
                atomicAdd(window_light[at + c * WINDOW], value[c]);
        }
}

// Adds the pixels of this thread's bodies to the crowd's.
void survey(uint first)
{
    ivec2 low = ivec2(FAR), high = ivec2(-FAR);
    int count = 0;
    for (uint i = first; i < min(first + THREADS * EACH, body_count); i += THREADS) {
        vec4 at = view_projection * vec4(positions[first_body + i].xyz, 1.0);
        vec2 pixel = ((at.xy / max(at.w, 1e-6) * level_place[0].xy + level_place[0].zw) * 0.5 + 0.5) * target_size;
        if (!(at.w > 0.0 && all(greaterThanEqual(pixel, vec2(0.0))) && all(lessThan(pixel, target_size))))
            continue;
        low = min(low, ivec2(pixel));
        high = max(high, ivec2(pixel));
        count++;
    }
    if (count == 0)
        return;
    atomicMin(crowd[0], low.x);
    atomicMin(crowd[1], low.y);
    atomicMax(crowd[2], high.x);
    atomicMax(crowd[3], high.y);
    atomicAdd(crowd[4], count);
}

// Around all bodies, with a margin for their sprites and stars.
void choose_window()
{
    ivec2 low = ivec2(crowd[0], crowd[1]), size = ivec2(crowd[2], crowd[3]) - low + 1;
    window = ivec4(0);
    for (int margin = 16; margin > 0 && crowd[4] > 0 && window.z == 0; margin /= 2)
        if ((size.x + 2 * margin) * (size.y + 2 * margin) <= int(WINDOW))
            window = ivec4(low - margin, size + 2 * margin);
}

void open_window(uint thread, uint first)
{
    if (thread < 5u)
        crowd[thread] = thread < 2u ? FAR : thread < 4u ? -FAR : 0;
    barrier();
    survey(first);
    barrier();
    choose_window();
    for (uint p = thread; p < uint(window.z * window.w); p += THREADS)
        for (uint c = 0u; c < CHANNELS; c++)
            window_light[c * WINDOW + p] = 0u;
    barrier();
}

void close_window(uint thread)
{
    barrier();
    for (uint p = thread; p < uint(window.z * window.w); p += THREADS) {
        uvec4 value = uvec4(0u);
        for (uint c = 0u; c < CHANNELS; c++)
            value[c] = window_light[c * WINDOW + p];
        if (value != uvec4(0u))
            add_pixel(window.xy + ivec2(p % uint(window.z), p / uint(window.z)), value);
    }
}
#endif

void main()
{
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x, thread = gl_LocalInvocationID.x;
    uint start = group * THREADS * EACH + thread;
#ifdef CROWDED
    open_window(thread, start);
#endif
    for (uint k = 0u; k < EACH; k++) {
        uint i = start + k * THREADS, at = first_splat + i;
        bool some = i < body_count;
        if (some) {
            uint place = first_body + i, body = body_at(place);
            position = positions[place];
            velocity = velocities[place];
#ifdef COMPARED
            reference = references[body];
#endif
            read_columns(place, body);
#ifdef STARS
            body_number = before + body;
#endif
        }
#ifdef STARS
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
            vec2 path = streak_path * 0.5 * target_size;
            int count = streak_count(length(path), put_size);
            whole /= float(count);
#endif
            uvec4 light = shown ? uvec4(min(max(whole, 0.0) + 0.5, 4294967040.0)) : uvec4(0u);
            bool small = false;
#ifdef CROWDED
#ifdef STREAK
            small = shown && count <= SMALL_PATH && is_small(put_size, whole);
            for (int dot = 0; small && dot < count; dot++)
                if (is_inside(seen.xy + streak_path * streak_part(dot, count)))
                    add_small(streak_middle(middle, path, dot, count), put_size, whole);
#else
            small = shown && is_small(put_size, whole);
            if (small)
                add_small(middle, put_size, whole);
#endif
#endif
#ifdef STARS
            if (star > 0u) {
#ifdef STREAK
                shown = shown && is_inside(seen.xy);
#endif
                hold_dot(thread, shown && !small, middle, put_size, light, target_size);
                scatter();
                continue;
            }
#endif
            if (some)
                tiles[at] = 0u;
            shown = shown && !small;
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
#ifdef CROWDED
    close_window(thread);
#endif
}

//// splat_scatter.glsl
// Adds splats to the sums immediately, without a list. Each thread puts a splat into shared memory;
// then all threads add the splats one after the other, four threads for the channels of a pixel. The profile and sprite_round.glsl precede this file.
#undef main
uniform int tiles_across;

layout(std430, binding = 6) buffer Sums { uint words[]; }; // see splat_common.glsl
#if defined(GL_NV_shader_atomic_int64) && defined(GL_NV_gpu_shader5)
#define ATOMIC_CHANNELS
layout(std430, binding = 6) buffer Channels { uint64_t channels[]; };
#endif
layout(std430, binding = 7) buffer Filled { uint filled[]; };

uniform uint picture; // number of the picture

void add_channel(uint at, uint64_t value)
{
#ifdef ATOMIC_CHANNELS
    atomicAdd(channels[at], value);
#else
    uvec2 halves = unpackUint2x32(value);
    uint before = atomicAdd(words[2u * at], halves.x);
    uint high = halves.y + (before + halves.x < before ? 1u : 0u);
    if (high > 0u)
        atomicAdd(words[2u * at + 1u], high);
#endif
}

#if defined(STARS) || defined(STREAK)
const uint TOGETHER = 32u; // threads
shared vec4 dot_place[THREADS]; // centre; 2 / size; 1 / pixels across
shared uvec4 dot_light[THREADS];
shared ivec4 dot_box[THREADS]; // lowest pixel; pixels across; number of pixels
#ifdef SPHERE
shared vec4 dot_oblong[THREADS];
#endif

// Stores this thread's splat before scatter() and marks its tiles as lit.
void hold_dot(uint thread, bool shown, vec2 middle, float size, uvec4 light, vec2 end)
{
    vec2 first = max(ceil(middle - 0.5 * size - 0.5), vec2(0.0));
    vec2 last = min(floor(middle + 0.5 * size - 0.5), end - 1.0);
    ivec2 low = ivec2(first), across = shown ? max(ivec2(last) - low + 1, ivec2(0)) : ivec2(0);
    dot_box[thread] = ivec4(low, across.x, across.x * across.y);
    dot_place[thread] = vec4(middle, 2.0 / size, 1.0 / float(max(across.x, 1)));
    dot_light[thread] = light;
#ifdef SPHERE
    dot_oblong[thread] = oblong;
#endif
    if (across.x * across.y == 0)
        return;
    ivec2 from = low / TILE, to = (low + across - 1) / TILE;
    for (int y = from.y; y <= to.y; y++)
        for (int x = from.x; x <= to.x; x++) {
            uint tile = uint(y * tiles_across + x);
            if (filled[tile] != picture)
                filled[tile] = picture;
        }
}

void scatter_dot(uint k, uint lane)
{
    ivec4 box = dot_box[k];
    vec4 there = dot_place[k];
    uint light = dot_light[k][lane % 4u];
    for (uint p = lane / 4u; p < uint(box.w); p += TOGETHER / 4u) {
        uint row = uint((float(p) + 0.5) * there.w);
        uvec2 pixel = uvec2(box.xy) + uvec2(p - row * uint(box.z), row);
        vec2 away = (vec2(pixel) + 0.5 - there.xy) * there.z;
        uint share = weight_of(away, dot_oblong[k]);
        if (share == 0u || light == 0u)
            continue;
        uvec2 tile = pixel / uint(TILE), inside = pixel % uint(TILE);
        uint at = (tile.y * uint(tiles_across) + tile.x) * uint(TILE * TILE) + inside.y * uint(TILE) + inside.x;
        add_channel(4u * at + lane % 4u, uint64_t(share) * uint64_t(light));
    }
}

// Adds all stored splats; every thread of the group takes part.
void scatter()
{
    barrier();
    uint thread = gl_LocalInvocationID.x, first = thread / TOGETHER * TOGETHER, todo = 0xffffffffu;
#ifdef GL_ARB_shader_ballot
    if (gl_SubGroupSizeARB == TOGETHER)
        todo = unpackUint2x32(ballotARB(dot_box[thread].w > 0)).x;
#endif
    for (; todo != 0u; todo &= todo - 1u)
        scatter_dot(first + uint(findLSB(todo)), thread % TOGETHER);
    barrier();
}
#endif

//// splat_tiles.glsl
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

//// splat_list.glsl
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
// Of each splat, 0 if it is not listed: column and row of the lowest tile, 12 bits each; 1 bit each:
// right, above, any. Of a row of splats: 1.
layout(std430, binding = 4) readonly buffer Tiles { uint tiles[]; };

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
    uint own = tiles[i];
    if (own == 0u)
        return;
#ifdef STREAK
    list_streak(i);
#else
    uvec4 slot = slots[i];
    uint across = uint(tiles_across), tile = (own >> 12 & 4095u) * across + (own & 4095u);
    tile += i % PARTS * (uint(starts.length()) / PARTS);
    bool right = (own >> 24 & 1u) != 0u, above = (own >> 25 & 1u) != 0u;
    list[starts[tile] + slot.x] = i;
    if (right)
        list[starts[tile + 1u] + slot.y] = i;
    if (above)
        list[starts[tile + across] + slot.z] = i;
    if (right && above)
        list[starts[tile + across + 1u] + slot.w] = i;
#endif
}

//// splat_add.glsl
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

//// splat_resolve.glsl
// Converts the sums to light and clears them. One group per tile.
layout(local_size_x = TILE, local_size_y = TILE) in;
layout(std430, binding = 0) buffer Sums { uvec4 sums[]; };
layout(std430, binding = 1) readonly buffer Filled { uint filled[]; };
layout(binding = 0, rgba32f) writeonly uniform image2D atlas;

uniform uint picture; // number of the picture
uniform int tiles_across, level_count;
uniform ivec2 level_corner[LEVELS]; // of coarser levels with their borders
uniform float whole[LEVELS];        // light per integer unit, by level

void main()
{
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    uint tile = gl_WorkGroupID.y * uint(tiles_across) + gl_WorkGroupID.x;
    vec4 light = vec4(0.0);
    if (filled[tile] == picture) {
        uint at = 2u * (tile * uint(TILE * TILE) + gl_LocalInvocationIndex);
        int level = 0;
        for (int l = 1; l < level_count; l++)
            if (all(greaterThanEqual(pixel, level_corner[l])))
                level = l;
        uvec4 first = sums[at], last = sums[at + 1u];
        light = (vec4(first.yw, last.yw) * 4294967296.0 + vec4(first.xz, last.xz)) * whole[level];
        sums[at] = sums[at + 1u] = uvec4(0u);
    }
    if (all(lessThan(pixel, imageSize(atlas))))
        imageStore(atlas, pixel, light);
}
