// The colours of bodies: what all modes share, then the body_colour() of each mode.

//// colour_common.glsl
// Inputs of the colour modes, in addition to colour_map.glsl: one body's attributes. The scales of
// render/found.h, and the columns that a mode names, are floats declared by sprites/program.c.
#ifdef SPLATS // splat_bodies.glsl reads these
vec4 position, velocity;
#else
layout(location = 0) in vec4 position; // x y z mass
layout(location = 1) in vec4 velocity; // vx vy vz 0
#endif

uniform vec3 tint; // of this group of bodies
uniform vec4 slab; // see struct camera_pose
uniform vec3 eye;  // the camera's position
uniform float target_distance; // from the camera

vec4 place; // of the body, in clip space

uniform vec3 population[33]; // colours of stars by age, display values
uniform vec2 ages;           // of the first and the last entry, Gyr

vec3 population_shown(float age)
{
    float place = clamp(log(max(age, ages.x) / ages.x) / log(ages.y / ages.x), 0.0, 1.0) * 32.0;
    int below = int(min(place, 31.0));
    return mix(population[below], population[below + 1], place - float(below));
}

vec3 tinted(vec3 shown)
{
    return linear(mix(vec3(1.0), shown, saturation));
}

//// colour_map.glsl
uniform float saturation;
uniform vec3 map[33]; // display values
uniform float map_proportional; // 1: grey, with light proportional to the value

// Colours are chosen as display values, but light adds up linearly.
vec3 linear(vec3 shown)
{
    return pow(shown, vec3(2.2));
}

// The light of a body without a value: grey, display value 0.5.
const vec3 unvalued = vec3(0.2176376);

// Desaturated colours must not become lighter, because a map's lightness has meaning too. VALUES:
// the mean value is mapped later.
vec3 mapped(float value)
{
#ifdef VALUES
    return vec3(clamp(value, 0.0, 1.0));
#endif
    if (map_proportional > 0.0)
        return vec3(clamp(value, 0.0, 1.0));
    float place = clamp(value, 0.0, 1.0) * 32.0;
    int below = int(min(place, 31.0));
    vec3 light = linear(mix(map[below], map[below + 1], place - float(below)));
    float grey = dot(light, vec3(0.2126, 0.7152, 0.0722));
    return mix(vec3(grey), light, saturation);
}

//// colour_velocity_rgb.glsl
// Red, green and blue are the velocity's x, y and z; the largest sets the brightness.
vec3 body_colour()
{
    vec3 v = clamp(velocity.xyz / speed, -1.0, 1.0);
    vec3 hue = 0.5 + 0.5 * v;
    hue /= max(max(hue.r, hue.g), hue.b);
    return tinted(hue);
}

//// colour_radial.glsl
// Receding is red, approaching is blue, with white between.
vec3 body_colour()
{
    float away = clamp(dot(velocity.xyz, normalize(position.xyz - eye)) / speed, -1.0, 1.0);
    vec3 end = away > 0.0 ? vec3(1.0, 0.1, 0.02) : vec3(0.02, 0.25, 1.0);
    float part = abs(away) * (2.0 - abs(away));
    return tinted(mix(vec3(1.0), end, part));
}

//// colour_speed.glsl
vec3 body_colour()
{
    return mapped(length(velocity.xyz) / speed);
}

//// colour_temperature.glsl
vec3 body_colour()
{
    return mapped(2.0 * velocity_dispersion / speed);
}

//// colour_acceleration.glsl
// Logarithmic over two decades, the range between forces in a core and in a tidal tail.
vec3 body_colour()
{
    float share = max(acceleration / strongest, 1e-6);
    return mapped(1.0 + log(share) / log(100.0));
}

//// colour_density.glsl
// The number of bodies around this one, logarithmic from one body to the densest place.
uniform sampler2D density;
uniform vec4 to_map; // clip coordinates times xy plus zw are map coordinates, 0 to 1

vec3 body_colour()
{
    float count = textureLod(density, place.xy / place.w * to_map.xy + to_map.zw, 0.0).r;
    return mapped(log(max(count, 1.0)) / log(densest));
}

//// colour_depth.glsl
// Depth from half to one and a half times the target's distance, mapped to 0 .. 1, and its square.
vec3 body_colour()
{
    float depth = clamp(place.w / target_distance - 0.5, 0.0, 1.0);
    return vec3(depth, depth * depth, 0.0);
}

//// colour_difference.glsl
// The distance from the body's position in another simulation, logarithmic over six decades.
#ifdef SPLATS
vec4 reference;
#else
layout(location = 2) in vec4 reference;
#endif

vec3 body_colour()
{
    float share = max(distance(position.xyz, reference.xyz) / extent, 1e-12);
    return mapped(1.0 + log(share) / log(1e6));
}

//// colour_quantity.glsl
// A body without a number has a negative place and is grey.
uniform vec2 quantity_range; // factor and summand to the range of this frame

vec3 body_colour()
{
    if (quantity < 0.0)
#ifdef VALUES
        return vec3(0.0, 1.0, 0.0); // look.glsl turns this into grey
#else
        return unvalued;
#endif
    return mapped(quantity * quantity_range.x + quantity_range.y);
}

//// colour_stars.glsl
// The colour of a body's stars by age in Gyr. The tint if the age is below 0, or if the scene gives
// the group a colour.
uniform bool tinted_only;

vec3 body_colour()
{
    if (stellar_age >= 0.0 && !tinted_only)
        return tinted(population_shown(stellar_age));
    return tinted(tint);
}

//// colour_tint.glsl
vec3 body_colour()
{
    return tinted(tint);
}

//// colour_constant.glsl
vec3 body_colour()
{
    return vec3(1.0);
}
