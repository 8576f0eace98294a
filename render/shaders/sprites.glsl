// Sprites that the rasterizer draws; how light fades from the centre of a sprite to its edge; the map of activity; dust.

//// sprite.vert
// Turns one body into one sprite, or into one of its stars. colour_map.glsl, colour_common.glsl,
// the colour mode's body_colour(), sprite_oblong.glsl and sprite_place.glsl precede this file.
// FIXED: one size at any distance. ADAPTIVE: the size is set by sprite_adaptive.glsl. BY_MASS:
// light is proportional to mass. WEIGHED: light is output beside the colour. FULL: each colour is
// as bright as its hue can be, so that the mean of two colours is no brighter than either.
uniform mat4 view_projection;
uniform vec2 shift;               // offset of this sample, in clip coordinates
uniform float moment;             // of this sample: simulated time relative to the frame
uniform float size_at_unit_depth; // in pixels; with FIXED the size itself
uniform vec3 size_limits;         // smallest, largest, dimmed from
uniform float body_radius;        // look.radius in the scene's unit of length; 0: none
uniform float light;
const float HUGE = 1e9;

vec3 where; // position of the body, or of its star, at the frame's time

#ifdef SPLATS
vec4 colour;
#else
#ifdef STREAK
#define colour streak_colour
#endif
flat out vec4 colour;
#endif

#ifdef STREAK
// The body's straight path while the shutter is open, in normalized device coordinates.
uniform mat4 opening, closing; // of the camera at opening and closing of the shutter
uniform float exposed;         // half of the time for which the shutter is open
#ifdef SPHERE
uniform float plane; // half of the target's width at distance 1
#ifdef SPLATS
vec2 streak_curve; // see streak_light
#else
flat out vec2 streak_curve;
#endif
#endif

vec2 find_path()
{
    vec4 from = opening * vec4(where - velocity.xyz * exposed, 1.0);
    vec4 to = closing * vec4(where + velocity.xyz * exposed, 1.0);
    vec2 path = to.xy / to.w - from.xy / from.w;
    // A body that passes through the camera has no path in the picture. Paths are clipped to the
    // length from edge to edge.
    return min(from.w, to.w) > 1e-6 ? path * min(1.0, 2.0 / max(length(path), 1e-30)) : vec2(0.0);
}
#endif

// Fades a body within a few of its radii of the camera, where it would cover the picture: at a
// distance of 8 radii it is 14 degrees wide. A wide, isolated body in the middle of the scene is
// not close: at the target's distance or beyond, only bodies that would fill the picture fade.
float seen_from(float apart, float radius)
{
    float near_radius = min(radius, target_distance / 8.0);
    return smoothstep(1.0, 3.0, apart / max(radius, 1e-30)) * smoothstep(2.0, 8.0, apart / max(near_radius, 1e-30));
}

void main()
{
    where = position.xyz;
#ifdef STARS
    find_star();
    where += star_offset * star_reach();
#endif
    place = view_projection * vec4(where + velocity.xyz * moment, 1.0);
    place.xy += shift * place.w;
#ifdef ABSENCES
    if (absent > 0.0)
        place = vec4(9.0, 9.0, 9.0, 1.0);
#endif
    if (abs(dot(slab.xyz, position.xyz) + slab.w) > 1.0) // with its stars
        place = vec4(9.0, 9.0, 9.0, 1.0);
    float strength = light;
#ifdef BY_MASS
    strength *= position.w;
#endif
    float apart = distance(where + velocity.xyz * moment, eye);
    float stretch = find_stretch(place, apart);
#ifdef STREAK
    streak_path = find_path();
#ifdef STARS
    if (star > 0u) // stars stay sharp points
        streak_path = vec2(0.0);
#endif
#ifdef QUADS
    streak_inside = vec4(-HUGE, -HUGE, HUGE, HUGE); // quads are clipped by extent
#else
    streak_inside = vec4(-1.0, -1.0, 1.0, 1.0);
#endif
#ifdef SPHERE
    vec2 there = place.xy / max(place.w, 1e-6) * plane, along = streak_path * plane;
    streak_curve = vec2(dot(there, along), dot(along, along)) / (1.0 + dot(there, there));
#endif
#endif
#ifdef FIXED
    // Seen from the camera, the pixels of a face are closer together towards its edge.
    strength *= stretch * stretch * stretch;
    put(place, size_at_unit_depth);
#elif defined(ADAPTIVE)
    float radius = adaptive_radius();
    strength *= seen_from(apart, radius);
#ifdef STARS
    strength *= star_light;
#ifdef AGED
    strength *= young_light();
#endif
    bool resolved = star > 0u;
    strength *= put_adaptive(place, resolved ? star_radius * star_reach() : radius, size_at_unit_depth,
                             (resolved ? star_size : size_limits.x) * stretch, strength > 0.0);
#else
    strength *= put_adaptive(place, radius, size_at_unit_depth, size_limits.x * stretch, strength > 0.0);
#endif
#else
    // Bodies behind or in the camera go outside the clip volume.
    float size = size_at_unit_depth / max(place.w, 1e-6);
    float drawn = clamp(size, size_limits.x * stretch, size_limits.y);
    // A sprite below the smallest size is dimmed instead of shrunk, which keeps its light.
    float dim = min(size / drawn, 1.0) * min(size_limits.z / size, 1.0);
    strength *= dim * dim * seen_from(apart, body_radius);
    put(place, drawn * lengthen(drawn));
#endif
    vec3 shone = body_colour();
#ifdef STAR_TINTS
    shone *= star_tint;
#ifdef AGED
    shone = star_glows ? glow : shone;
#endif
#endif
#ifdef FULL
    shone /= max(max(max(shone.r, shone.g), shone.b), 1e-9);
#endif
    colour = vec4(shone * strength, strength);
}

//// sprite.frag
// A round sprite that is exactly zero at its edge; light beyond is left to the glow. The profile
// and sprite_round.glsl precede this file. SQUARE: all of the sprite is equally bright. WEIGHED:
// alpha is the light.
#ifdef QUADS
in vec2 from_centre;
#else
#define from_centre ((gl_PointCoord * 2.0 - 1.0) * vec2(1.0, -1.0))
#endif
#ifdef SPHERE
flat in vec4 oblong;
#endif
flat in vec4 colour;
layout(location = 0) out vec4 light_out;

void main()
{
#ifdef SQUARE
    light_out = colour;
#else
    light_out = colour * profile(from_middle(from_centre, oblong));
#endif
#ifndef WEIGHED
    light_out.a = 1.0;
#endif
}

//// sprite_round.glsl
// The squared distance from a sprite's centre, 1 at its edge, at a place in the square that it is
// drawn in, -1 to 1. On a face of the cube around the camera (SPHERE), distance is an angle seen
// from the camera: if the body is at P on the plane at distance one, and the place at P + q, the
// sine of the angle between them is |P x q| / (|P| |P + q|). `oblong`: an outward vector of length
// sqrt(1 - 1 / |P|); the square's size relative to the sprite's width; the sine of the sprite's
// radius.
#ifdef SPHERE
float from_middle(vec2 at, vec4 oblong)
{
    bool whole = max(abs(at.x), abs(at.y)) <= 1.0;
    at *= oblong.z;
    float outwards = dot(oblong.xy, at);
    vec2 across = at - oblong.xy * outwards;
    float farther = 1.0 + oblong.w * (2.0 * sqrt(2.0 - dot(oblong.xy, oblong.xy)) * outwards + oblong.w * dot(at, at));
    // A drawn sprite ends at its square; a computed one would extend to the end of its tile.
    return whole ? dot(across, across) / max(farther, 0.01) : 2.0;
}
#else
#define from_middle(at, oblong) dot(at, at)
#endif

//// sprite_adaptive.glsl
// The size of a body's sprite, from the space around the body, and the level of the pyramid into
// which it is drawn. Follows sprite_place.glsl and precedes sprite.vert. LEVELS: the largest number
// of levels. lone: the radius of a body without a k-th neighbour.
uniform vec4 level_place[LEVELS], level_bounds[LEVELS]; // see sprites/setup.h
uniform float last_level;
uniform vec2 spread; // factor on the neighbour's distance, and the smallest product

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
#ifdef CLOUDS
    return isinf(neighbour_distance) ? 0.0 : max(spread.x * neighbour_distance, spread.y);
#else
    return isinf(neighbour_distance) ? 0.0 : neighbour_distance;
#endif
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

//// sprite_levels.glsl
// Adds a level of the pyramid to the sum of all coarser ones. Interpolated at twice its size, a
// level becomes a quadratic B-spline over all levels, so it is smooth. The four texels are weighted
// here because GPUs round the weights of their own filters, differently in each tile.
uniform sampler2D atlas;
uniform sampler2D coarser;
uniform ivec2 level_corner;  // position of the level in the atlas
uniform vec2 coarser_origin; // the level's start, in texels of the coarser one
uniform float coarser_share; // 0 for the coarsest level

vec4 between(vec2 at)
{
    vec2 low = floor(at - 0.5), part = at - 0.5 - low;
    ivec2 last = textureSize(coarser, 0) - 1;
    ivec2 a = clamp(ivec2(low), ivec2(0), last), b = clamp(ivec2(low) + 1, ivec2(0), last);
    vec4 below = mix(texelFetch(coarser, a, 0), texelFetch(coarser, ivec2(b.x, a.y), 0), part.x);
    vec4 above = mix(texelFetch(coarser, ivec2(a.x, b.y), 0), texelFetch(coarser, b, 0), part.x);
    return mix(below, above, part.y);
}

vec4 shade(vec2 pixel)
{
    vec4 own = texelFetch(atlas, ivec2(pixel) + level_corner, 0);
    return own + coarser_share * between(coarser_origin + pixel * 0.5);
}

//// sprite_oblong.glsl
// The shape of a round body on one of the faces of the cube around the camera (SPHERE): elongated,
// increasingly towards the edge. A flat picture shows it round. Precedes sprite.vert and
// sprite_adaptive.glsl.
#ifdef SPHERE
uniform float focal; // pixels of the face per unit of tan(angle)
#ifdef SPLATS
vec4 oblong; // see sprite_round.glsl
#else
#ifdef STREAK
#define oblong streak_oblong
#endif
flat out vec4 oblong;
#endif
float stretched; // elongation of this body, along the line through the face's middle
float square;    // side of its bounding square, in widths
#endif

// The factor by which a body at this place appears wider than in the face's middle; it is elongated
// by the same factor. Limited beyond the corners.
float find_stretch(vec4 place, float apart)
{
#ifdef SPHERE
    stretched = clamp(apart / max(place.w, 1e-6), 1.0, 2.0);
    vec2 outwards = place.xy / max(length(place.xy), 1e-30), part = outwards * outwards;
    oblong.xy = outwards * sqrt(1.0 - 1.0 / stretched);
    square = sqrt(1.0 + (stretched * stretched - 1.0) * max(part.x, part.y));
    return stretched;
#else
    return 1.0;
#endif
}

// The side of the bounding square, relative to the width in pixels of the face.
float lengthen(float wide)
{
#ifdef SPHERE
    oblong.w = 0.5 * wide / (focal * stretched); // sine of the angular radius
    oblong.z = square / max(1.0 - oblong.w * sqrt(stretched * stretched - 1.0), 0.3);
    return oblong.z;
#else
    return 1.0;
#endif
}

// Applies a change of the drawn size.
void shrink(float factor)
{
#ifdef SPHERE
    oblong.w *= factor;
#endif
}

//// sprite_star.glsl
// A body stands for many stars (STARS), which give most of its light; its sprite gives the rest.
// Stars are scattered around the body as widely as the sprite's light and move with it. Offsets,
// luminosities and, with STAR_TINTS, colours are functions of the numbers of body and star, so they
// are the same in every frame and picture. Precedes sprite.vert.
uniform uint star_count;  // per body
uniform vec2 star_shares; // shares of a body's light: its own sprite's, and each star's
uniform float star_size;  // diameter in pixels
uniform vec3 star_power;  // luminosity function, see sprites/modes.h
uniform uint before;      // see draw_group
// star: from 1; 0: the body's own sprite.
#ifdef SPLATS
uint body_number, star;
#elif defined(QUADS) && !defined(STREAK)
uniform uint quad_first;
#define body_number (before + quad_first + uint(gl_InstanceID) / (star_count + 1u))
#define star (uint(gl_InstanceID) % (star_count + 1u))
#else
uniform uint first_star;
#define body_number (before + uint(gl_VertexID))
#define star (first_star + uint(gl_InstanceID))
#endif

vec3 star_offset; // in distances to the k-th neighbour
float star_light;
#ifdef STAR_TINTS
vec3 star_tint;
#endif
float star_radius; // in the unit of star_offset; 0: a point

// M. Jarzynski and M. Olano, "Hash functions for GPU rendering", Journal of Computer Graphics Techniques 9 (2020): pcg3d.
uvec3 star_random(uvec3 v)
{
    v = v * 1664525u + 1013904223u;
    v.x += v.y * v.z;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    v ^= v >> 16u;
    v.x += v.y * v.z;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    return v;
}

#ifdef AGED
// Young stars form in gas; the denser the gas, the larger the share of its mass that forms stars.
// The star formation rate goes as density to the power 1.5 (M. Schmidt 1959, ApJ 129, 243), so
// light per mass goes as the square root of density.
uniform float usual; // typical distance to a k-th neighbour

float young_light()
{
    return stellar_age == 0.0 && !isinf(neighbour_distance) ? clamp(pow(usual / max(neighbour_distance, 1e-30), 1.5), 0.0, 2.0) : 1.0;
}

// Some gas bodies are star-forming regions of various sizes, brighter than other gas. In some of
// them the young stars are still embedded in gas that they ionize: every other star is then a cloud
// that glows in hydrogen lines.
const float forming = 0.3, embedded = 0.08, brightest_young = 60.0;
const vec2 region = vec2(0.15, 0.9), cloud = vec2(0.6, 1.7); // smallest, largest, in the unit of star_offset, of the region
const vec3 glow = vec3(2.6, 0.45, 0.75);                      // linear
bool star_glows = false;

// Among old stars the brightest are red giants, and a few others are hot: horizontal-branch stars
// and blue stragglers. Luminosities are relative to the mean star.
float heat_of(float luminosity, float chance)
{
    const float hot = 0.06;
    float old = stellar_age < 0.0 ? 1.0 : smoothstep(2.0, 8.0, stellar_age);
    float giant = smoothstep(1.5, 12.0, luminosity);
    return old * (chance < hot ? 0.9 : 0.25 - 0.9 * giant);
}

void find_young(vec3 rest)
{
    vec3 chance = vec3(star_random(uvec3(body_number, 0u, 2u)) >> 8u) / 16777216.0;
    if (chance.x > forming)
        return;
    float size = mix(region.x, region.y, chance.y * chance.y);
    bool ionized = chance.x < embedded;
    star_glows = ionized && (star & 1u) == 1u;
    star_offset *= size;
    star_light = star_glows ? 3.0 + 9.0 * rest.x : min(5.0 * star_light, brightest_young);
    star_radius = star_glows ? 0.5 * size * mix(cloud.x, cloud.y, rest.z) : 0.0;
}
#endif

#ifdef CLOUDS
// Turns a star into a cloud of dust. Clouds have about the same column whatever their size (R.
// Larson 1981, MNRAS 194, 809), and lie along the body's path, as rotation shears them.
const vec2 cloud_sizes = vec2(0.08, 0.38); // in the unit of star_offset
const vec2 cloud_shear = vec2(2.6, 0.8); // along the path, and across

void find_cloud(float chance)
{
    star_radius = mix(cloud_sizes.x, cloud_sizes.y, chance * chance);
    // The mean square of all radii: the integral of (a + b u^2)^2.
    float more = cloud_sizes.y - cloud_sizes.x;
    float mean = cloud_sizes.x * cloud_sizes.x + 2.0 / 3.0 * cloud_sizes.x * more + 0.2 * more * more;
    star_light = star_radius * star_radius / mean;
    vec3 path = velocity.xyz / max(length(velocity.xyz), 1e-30);
    star_offset = cloud_shear.y * star_offset + (cloud_shear.x - cloud_shear.y) * dot(star_offset, path) * path;
}
#endif

void find_star()
{
    star_offset = vec3(0.0);
    star_light = star_shares.x;
    star_radius = 0.0;
#ifdef STAR_TINTS
    star_tint = vec3(1.0);
#endif
#ifdef AGED
    star_glows = false;
#endif
#ifdef KERNEL
    if (kernel > 0.0) { // smoothed gas is not resolved into stars
        star_light = star == 0u ? 1.0 : 0.0;
        return;
    }
#endif
    if (star == 0u)
        return;
    uvec3 first = star_random(uvec3(body_number, star, 0u)), second = star_random(uvec3(body_number, star, 1u));
    // The sum of three uniform numbers is nearly normal and bounded; its variance is 3 / 12.
    vec3 low = vec3(first & 65535u), high = vec3(first >> 16u), third = vec3(second & 65535u);
    star_offset = 0.5 * ((low + high + third) / 65535.0 - 1.5);
    vec3 rest = vec3(second >> 16u) / 65536.0;
    star_light = pow(1.0 + rest.x * star_power.x, star_power.y) * star_power.z;
#ifdef STAR_TINTS
    // How the colour of a black body changes from 6,500 K to e^heat times that temperature.
    float heat = (rest.y + rest.z - 1.0) * 0.5;
#ifdef AGED
    heat += heat_of(star_light, rest.y);
#endif
    vec3 tint = exp(heat * vec3(-0.5, 0.02, 1.0));
    star_tint = tint / dot(tint, vec3(0.2126, 0.7152, 0.0722));
#ifdef AGED
    if (stellar_age == 0.0)
        find_young(rest);
#endif
#endif
#ifdef CLOUDS
    find_cloud(rest.x);
#endif
    star_light *= star_shares.y;
}

//// sprite_streak.glsl
// Positions of the sprites that show a body's motion (STREAK): equally spaced along its path in the
// picture, and equally bright. The spacing is too small to be visible, and the sprites' variance is
// the path's own, L^2 / 12.
uniform float spacing; // largest spacing, in radii of the sprite

// Number of sprites on a path of this length in pixels.
int streak_count(float path, float size)
{
    return clamp(int(ceil(path / (0.5 * spacing * size) + 0.5)), 1, STREAK_MOST);
}

// Position relative to the path's middle, in path lengths.
float streak_part(int i, int count)
{
    float n = float(count);
    return count > 1 ? ((float(i) + 0.5) / n - 0.5) * inversesqrt(1.0 - 1.0 / (n * n)) : 0.0;
}

// On a face of the cube around the camera, the relative brightness of a sprite where pixels are
// closer together, seen from the camera, than at the path's middle. `curve`: coefficients of the
// squared distance of the face there, relative to the middle.
float streak_light(float part, vec2 curve)
{
    float farther = 1.0 + part * (2.0 * curve.x + part * curve.y);
    return farther * sqrt(farther);
}

#ifdef SPLATS
// Computed twice, with identical results.
vec2 streak_middle(vec2 middle, vec2 path, int i, int count)
{
    precise vec2 at = middle + path * streak_part(i, count);
    return at;
}
#endif

//// sprite_streak.geom
// Turns a body into as many sprites as its path in the picture needs: points, or with QUADS quads
// with four corners. sprite_streak.glsl precedes this file.
layout(points) in;
#ifdef QUADS
layout(triangle_strip, max_vertices = STREAK_VERTICES) out;
out vec2 from_centre;
#else
layout(points, max_vertices = STREAK_VERTICES) out;
#endif

uniform vec2 target_size; // pixels
flat in vec2 streak_path[];
flat in vec4 streak_inside[], streak_colour[]; // range of centres: left, low, right, up
flat out vec4 colour;
#ifdef SPHERE
flat in vec4 streak_oblong[];
flat in vec2 streak_curve[];
flat out vec4 oblong;
#endif

void emit(vec4 place, float size, vec2 corner, vec4 light)
{
#ifdef QUADS
    from_centre = corner;
#else
    gl_PointSize = size;
#endif
    gl_Position = place + vec4(corner * size / target_size * place.w, 0.0, 0.0);
    colour = light;
#ifdef SPHERE
    oblong = streak_oblong[0];
#endif
    EmitVertex();
}

void main()
{
    vec4 place = gl_in[0].gl_Position, inside = streak_inside[0];
    float size = gl_in[0].gl_PointSize;
    int count = streak_count(length(streak_path[0] * 0.5 * target_size), size);
    for (int i = 0; i < count; i++) {
        float part = streak_part(i, count);
        vec2 at = place.xy / place.w + streak_path[0] * part;
        if (!(place.w > 0.0 && all(greaterThan(at, inside.xy)) && all(lessThan(at, inside.zw))))
            continue;
        vec4 light = streak_colour[0] / float(count);
#ifdef SPHERE
        light *= streak_light(part, streak_curve[0]);
#endif
#ifdef QUADS
        for (int corner = 0; corner < 4; corner++)
            emit(vec4(at * place.w, place.zw), size, vec2(corner & 1, corner >> 1) * 2.0 - 1.0, light);
#else
        emit(vec4(at * place.w, place.zw), size, vec2(0.0), light);
#endif
        EndPrimitive();
    }
}

//// streak_place.glsl
// Replaces sprite_place.glsl where sprite_streak.geom draws a body's motion.
uniform vec2 target_size;  // pixels
flat out vec2 streak_path; // of the body, in normalized device coordinates
flat out vec4 streak_inside;

void put(vec4 place, float size)
{
    gl_Position = place;
    gl_PointSize = size;
}

//// profile_soft.glsl
float profile(float square)
{
    float inside = max(1.0 - square, 0.0);
    return inside * inside;
}

//// profile_gaussian.glsl
float profile(float square)
{
    const float k = 4.5, edge = 0.0111089965; // exp(-k)
    const float mean = (1.0 - edge) / k - edge;
    return max(exp(-k * square) - edge, 0.0) / (3.0 * mean);
}

//// profile_plummer.glsl
float profile(float square)
{
    const float k = 9.0; // 1 / a^2
    const float edge = 1.0 / ((1.0 + k) * (1.0 + k));
    const float mean = 1.0 / (1.0 + k) - edge;
    float fall = 1.0 + k * square;
    return max(1.0 / (fall * fall) - edge, 0.0) / (3.0 * mean);
}

//// profile_spline.glsl
// The cubic spline of smoothed particle hydrodynamics (J. Monaghan and J. Lattanzio, A&A 149, 135
// (1985)), in three dimensions, integrated along the line of sight in closed form: 2 (1 - r)^3
// minus 8 (1/2 - r)^3 within half of its radius.
float spline_line(float square)
{
    float u = clamp(square, 1e-12, 1.0), z = sqrt(1.0 - u);
    return z * (0.25 + 1.625 * u) - u * log((1.0 + z) * inversesqrt(u)) * (1.5 + 0.375 * u);
}

float profile(float square)
{
    return max(32.0 / 3.0 * (spline_line(square) - 0.25 * spline_line(4.0 * square)), 0.0);
}

//// activity.glsl
// The map of bodies per cell with sharp edges, in display values: logarithmic from one body to the
// fullest cell. Empty cells are transparent. colour_map.glsl precedes this file.
uniform sampler2D cells;
uniform vec2 corner_cell; // lower left corner of the target
uniform float side;       // of a cell, in pixels
uniform float fullest;

vec4 shade(vec2 at)
{
    // Shifts pixels off the edges between cells, so that rounding does not decide.
    float count = texelFetch(cells, ivec2(floor(corner_cell + at / side + 1e-3)), 0).r;
    if (count < 0.5)
        return vec4(0.0);
    vec3 light = mapped(log(count) / log(fullest));
    return vec4(pow(light, vec3(1.0 / 2.2)), 1.0);
}

//// dust.frag
// The share of a pixel's light that dust transmits, as a factor. Dust and light are modelled as
// uniform slabs with the mean depth and the spread of each: light in front of the dust stays, light
// behind is dimmed by all of it, and light within by the part in front. VALUES: the target holds
// values. Extinction in the bands R, V and B for R_V = 3.1: J. A. Cardelli, G. C. Clayton and J. S.
// Mathis, 1989, ApJ 345, 245, table 3.
uniform sampler2D dust, depths;
uniform float thickness; // optical depth where the dust's column is 1
uniform float thickest;  // upper bound of the effective optical depth in V of clumped dust
layout(location = 0) out vec4 left;

const vec3 extinction = vec3(0.751, 1.0, 1.337), luma = vec3(0.2126, 0.7152, 0.0722);

// Half of the slab's thickness; the rounding error of squared depths is below the lower bound.
float half_slab(vec2 moments)
{
    return sqrt(3.0 * max(moments.y - moments.x * moments.x, 1e-6));
}

void main()
{
    vec4 thin = texelFetch(dust, ivec2(gl_FragCoord.xy), 0), all = texelFetch(depths, ivec2(gl_FragCoord.xy), 0);
    left = vec4(1.0);
    if (!(thin.a > 0.0 && all.a > 0.0))
        return;
    vec2 own = thin.rg / thin.a, every = all.rg / all.a;
    float reach = half_slab(own), spread = half_slab(every);
    // Where the light begins and ends, in thicknesses of the dust slab from its front.
    vec2 ends = (every.x - own.x + vec2(-spread, spread) + reach) / (2.0 * reach), within = clamp(ends, 0.0, 1.0);
    vec2 before = min(ends, 0.0), behind = max(ends, 1.0);
    float depth = thickness * thin.a;
    vec3 whole = depth / (1.0 + depth / thickest) * extinction, some = exp(-whole * within.x) - exp(-whole * within.y);
    vec3 inside = mix(some / whole, vec3(within.y - within.x), lessThan(whole, vec3(1e-4)));
    left.rgb = (before.y - before.x + inside + (behind.y - behind.x) * exp(-whole)) / (ends.y - ends.x);
    left.a = dot(left.rgb, luma);
#ifdef VALUES
    left.rgb = vec3(left.a);
#endif
}
