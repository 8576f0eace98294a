// Inputs of the colour modes, in addition to colour_map.glsl: one body's attributes, and scales
// that hold for the whole film. Columns that a mode names are floats of the same names.
#ifdef SPLATS // splat_bodies.glsl reads these
vec4 position, velocity;
#else
layout(location = 0) in vec4 position; // x y z mass
layout(location = 1) in vec4 velocity; // vx vy vz 0
#endif

uniform float speed, strongest, densest, extent; // full values of scales
uniform vec3 tint; // of this group of bodies
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
