// What colour modes work from, beside colour_map.glsl: one body's attributes, and scales that hold
// for the whole film.
#ifdef SPLATS // these are read by splat_bodies.glsl
vec4 position, velocity;
#ifdef DISPERSED
float dispersion;
#endif
#else
layout(location = 0) in vec4 position; // x y z mass
layout(location = 1) in vec4 velocity; // vx vy vz, size of the acceleration
#ifdef DISPERSED
layout(location = 4) in float dispersion; // of the velocities around the body, along one axis
#endif
#endif

uniform float speed, acceleration, densest, extent; // what counts as full
uniform vec3 tint; // of this group of bodies
uniform vec3 eye;  // the camera
uniform float target_distance; // from it

vec4 place; // the body's in clip space

vec3 tinted(vec3 shown)
{
    return linear(mix(vec3(1.0), shown, saturation));
}
