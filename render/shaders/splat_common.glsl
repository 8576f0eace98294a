// A body's light as all passes of splats know it.
struct splat {
    vec2 middle; // pixels of the atlas
    float size;
    uint tiles;  // 12 bits each: column and row of the lowest; a bit each: another right of it, another above it, any
    uvec4 light; // in the middle; colour times light, light
#ifdef SPHERE
    vec4 oblong; // see sprite_round.glsl
#endif
};

struct work { // what a group adds up
    uint tile, first, count, alone; // of the list; alone: nobody else adds to the tile
};
