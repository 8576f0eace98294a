// What colour modes work from, beside colour_map.glsl: one body's attributes, and scales that hold
// for the whole film. The columns of the body that they name are floats of the columns' names.
#ifdef SPLATS // these are read by splat_bodies.glsl
vec4 position, velocity;
#else
layout(location = 0) in vec4 position; // x y z mass
layout(location = 1) in vec4 velocity; // vx vy vz 0
#endif

uniform float speed, strongest, densest, extent; // what counts as full; strongest: acceleration
uniform vec3 tint; // of this group of bodies
uniform vec3 eye;  // the camera
uniform float target_distance; // from it

vec4 place; // the body's in clip space

uniform vec3 population[33]; // the light of stars by their age, as shown on a display
uniform vec2 ages;           // of the first and the last, Gyr

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
