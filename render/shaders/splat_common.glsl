// A body's light as all passes of splats know it.
struct splat {
    vec2 middle; // pixels of the atlas
    float size;
    uint tiles;  // 12 bits each: column and row of the lowest; a bit each: another right of it, another above it, any
    uvec4 light; // in the middle; colour times light, light
#ifdef SPHERE
    vec4 oblong; // see sprite_round.glsl
#endif
#ifdef STREAK
    vec2 path;  // pixels of the atlas; middle is the middle of it
    uint count; // of the splats along it
    uint shown; // 8 bits each: the first of them that is, and the one behind the last
#ifdef SPHERE
    vec2 curve, unused; // see streak_light
#endif
#endif
};

// The tiles that a splat reaches into: the lowest, and whether those right of it and above it are among them too.
// False where it holds no pixel's middle.
bool find_tiles(vec2 middle, float size, vec2 end, out ivec2 low, out ivec2 more)
{
    vec2 first = max(ceil(middle - 0.5 * size - 0.5), vec2(0.0));
    vec2 last = min(floor(middle + 0.5 * size - 0.5), end - 1.0);
    low = ivec2(first) / TILE;
    more = ivec2(last) / TILE - low;
    return all(lessThanEqual(first, last));
}

struct work { // what a group adds up
    uint tile, first, count, alone; // of the list; alone: nobody else adds to the tile
};

// Sums have 64 bits a channel, the low half first, four channels a pixel, the pixels of a tile one after the other.
// How bright a splat is `away` from its middle, in parts of 4096, rounded to nearest: the number stands in the low bits
// of the sum. For programs with a profile and sprite_round.glsl.
#define weight_of(away, oblong) (floatBitsToUint(fma(profile(from_middle(away, oblong)), 4096.0, 8388608.0)) & 0x7fffffu)

#ifdef STREAK
// The tiles from `low` to `high` that splats of a path, from `first` on and before `end`, may reach into; none: high is
// below low.
void find_row(vec2 middle, vec2 path, float size, int count, int first, int end, vec2 target, out ivec2 low, out ivec2 high)
{
    vec2 a = streak_middle(middle, path, first, count), b = streak_middle(middle, path, end - 1, count);
    vec2 from = max(ceil(min(a, b) - 0.5 * size - 0.5), vec2(0.0));
    vec2 to = min(floor(max(a, b) + 0.5 * size - 0.5), target - 1.0);
    low = ivec2(from) / TILE;
    high = first < end && all(lessThanEqual(from, to)) ? ivec2(to) / TILE : low - 1;
}

// Those of them that reach into a tile: 8 bits each, the first and how many there are.
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
