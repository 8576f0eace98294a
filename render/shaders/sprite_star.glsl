// A body stands for many stars (STARS), which give most of its light; its sprite gives the rest.
// Stars are scattered around the body as widely as the sprite's light and move with it. Offsets,
// luminosities and, with STAR_TINTS, colours are functions of the numbers of body and star, so they
// are the same in every frame and picture. Precedes sprite.vert.
uniform uint star_count;  // per body
uniform vec2 star_shares; // shares of a body's light: its own sprite's, and each star's
uniform float star_size;  // diameter in pixels
uniform vec3 star_power;  // luminosity function, see sprites/resolved.h
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

vec3 star_offset = vec3(0.0); // in distances to the k-th neighbour
float star_light;
#ifdef STAR_TINTS
vec3 star_tint = vec3(1.0);
#endif
float star_across = 1.0; // in units of star_size

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

// Some gas bodies are star-forming regions: compact clusters, brighter than other gas, some of them
// still embedded in gas that they ionize, which glows in hydrogen lines.
const float forming = 0.3, embedded = 0.08, tight = 0.25;
const vec3 glow = vec3(2.6, 0.45, 0.75); // linear
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

void find_young()
{
    float kind = float(star_random(uvec3(body_number, 0u, 2u)).x >> 8u) / 16777216.0;
    if (kind > forming)
        return;
    star_glows = kind < embedded;
    star_offset *= tight;
    star_light = clamp(star_light, 1.0, 12.0) * (star_glows ? 8.0 : 6.0);
    star_across = star_glows ? 1.2 : 1.0;
}
#endif

void find_star()
{
    star_light = star_shares.x;
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
        find_young();
#endif
#endif
    star_light *= star_shares.y;
}
