// The size of a body's sprite from how empty it is around the body, and the level of the pyramid that
// it is drawn into: put in front of sprite.vert, behind sprite_place.glsl. LEVELS: at most so many.
uniform vec4 level_place[LEVELS], level_bounds[LEVELS]; // see sprites/levels.h
uniform float last_level;
uniform vec2 spread; // a factor on the distance, and the least that it then is
uniform float lone; // the radius of a body that has no k-th neighbour

// Of the distance: spread over all of it, soft sprites would be half as wide again as the spline that
// densities are usually found with.
#ifdef KERNEL
const float share = 0.9; // the same dispersion of its light in the spline's profile
#else
const float share = 0.7;
#endif

// What a sprite's middle loses when its level is added to finer ones, as the square of a radius in the
// level's pixels: sprites are drawn as much smaller, but not narrower than this many of those pixels, on
// which no light would be left.
// KERNEL: by a level's interpolation their light has a larger dispersion, as that of a spline of a larger radius: sums of
// them stay what they are.
const float narrowest = 2.0;
#ifdef KERNEL
float blurred(float level)
{
    return 10.0 / 3.0 * (1.0 - exp2(-2.0 * level));
}
#else
#define blurred(level) 1.0
#endif

float level; // that the body is put into

float adaptive_radius()
{
#ifdef KERNEL
    if (kernel > 0.0)
        return kernel;
#endif
    return isinf(neighbour_distance) ? lone : max(spread.x * neighbour_distance, spread.y) * share;
}

#ifdef STARS
// What star_offset is measured in: stars are scattered as widely as the sprite's light is.
float star_reach()
{
    return isinf(neighbour_distance) ? 0.0 : neighbour_distance;
}
#endif

// Puts the body into its level; `light` of it a pixel, in the middle, is returned. `depth_size`: pixels that a
// length of one has across at a distance of one, for a radius; `smallest` in pixels.
float put_adaptive(vec4 place, float radius, float depth_size, float smallest, bool seen)
{
    float scale = depth_size / max(place.w, 1e-6);
    float drawn = max(scale * radius, smallest);
    float longer = lengthen(drawn);
    level = clamp(ceil(log2(drawn * longer / LEVEL_SPRITE)), 0.0, last_level);
    float texel = exp2(level);
    float across = min(drawn / texel, LEVEL_SPRITE / longer);
    if (level > 0.0)
        across = max(sqrt(max(across * across - 4.0 * blurred(level), 0.0)), min(across, narrowest));
    shrink(across * texel / drawn);
    vec4 to = level_place[int(level)], inside = level_bounds[int(level)];
    place.xy = place.xy * to.xy + place.w * to.zw;
    bool shown = place.w > 0.0 && seen;
#ifdef STREAK
    streak_path *= to.xy;
    streak_inside = inside;
#else
    vec2 at = place.xy / place.w;
    shown = shown && all(greaterThan(at, inside.xy)) && all(lessThan(at, inside.zw));
#endif
    put(shown ? place : vec4(9.0, 9.0, 9.0, 1.0), across * longer);
    float spread = lone * scale / (across * texel);
    return spread * spread;
}
