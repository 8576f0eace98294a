// What colour modes work from: one body's attributes, and scales that hold for the whole film.
layout(location = 0) in vec4 position; // x y z mass
layout(location = 1) in vec4 velocity; // vx vy vz, size of the acceleration

uniform float speed, acceleration; // what counts as full
uniform float saturation;
uniform vec3 tint;    // of this group of bodies
uniform vec3 eye;     // the camera
uniform vec3 map[33]; // as shown on a display

// Colours are chosen by eye on a display; light adds up in linear values.
vec3 linear(vec3 shown)
{
    return pow(shown, vec3(2.2));
}

vec3 tinted(vec3 shown)
{
    return linear(mix(vec3(1.0), shown, saturation));
}

// A map tells by its lightness as well, so that greyer must not be lighter.
vec3 mapped(float value)
{
    float place = clamp(value, 0.0, 1.0) * 32.0;
    int below = int(min(place, 31.0));
    vec3 light = linear(mix(map[below], map[below + 1], place - float(below)));
    float grey = dot(light, vec3(0.2126, 0.7152, 0.0722));
    return mix(vec3(grey), light, saturation);
}
