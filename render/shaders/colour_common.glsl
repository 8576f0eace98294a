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

vec3 tinted(vec3 shown)
{
    return linear(mix(vec3(1.0), shown, saturation));
}
