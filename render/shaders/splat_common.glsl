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
