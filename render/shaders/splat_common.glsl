// The record of a body's light that all splat passes share.
struct splat {
    vec2 middle; // centre, in pixels of the atlas
    float size;
    uint tiles;  // column, row of the lowest tile: 12 bits each; 1 bit each: right, above, any
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
