// The size of a body's sprite, from the space around the body, and the level of the pyramid into
// which it is drawn. Follows sprite_place.glsl and precedes sprite.vert. LEVELS: the largest number
// of levels.
uniform vec4 level_place[LEVELS], level_bounds[LEVELS]; // see sprites/levels.h
uniform float last_level;
uniform vec2 spread; // factor on the neighbour's distance, and the smallest product
uniform float lone; // radius of a body without a k-th neighbour

// The sprite's radius as a share of the distance: with all of it, soft sprites would be half as
// wide again as the spline that is usual for densities.
#ifdef KERNEL
const float share = 0.9; // gives the spline's profile the same dispersion of light
#else
const float share = 0.7;
#endif

// The amount by which adding a level to finer ones blurs a sprite's centre, as a squared radius in
// pixels of the level. Sprites are drawn smaller to compensate, but never narrower than `narrowest`
// pixels, where no light would be left. KERNEL: interpolating a level increases the dispersion of
// light like a spline of larger radius, so sums of splines stay splines.
const float narrowest = 2.0;
#ifdef KERNEL
float blurred(float level)
{
    return 10.0 / 3.0 * (1.0 - exp2(-2.0 * level));
}
#else
#define blurred(level) 1.0
#endif

float level; // the body's level

float adaptive_radius()
{
#ifdef KERNEL
    if (kernel > 0.0)
        return kernel;
#endif
    return isinf(neighbour_distance) ? lone : max(spread.x * neighbour_distance, spread.y) * share;
}

#ifdef STARS
// The unit of star_offset: stars are scattered as widely as the sprite's light.
float star_reach()
{
    return isinf(neighbour_distance) ? 0.0 : neighbour_distance;
}
#endif

// Puts the body into its level. Returns how much of its light falls on a pixel at its centre.
// `depth_size`: pixels per unit of length at a distance of one; `smallest` in pixels.
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
