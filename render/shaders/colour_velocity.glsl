// The direction of the velocity in the picture gives the hue, its magnitude there the chroma, in
// OKLab (B. Ottosson, "A perceptual color space for image processing", 2020), whose hues are
// equally bright: opposite velocities have opposite a and b, bodies at rest are white, and chroma
// grows fastest from there. Approaching bodies are lighter and receding ones darker: a tint would
// look like a hue, and light of approaching bodies really is stronger. Old stars are
// slightly warmer and young ones cooler; this remains visible where velocities in all directions add
// up to white, as in a merger remnant.
//
// The numbers are also C: render/colour/legend.c includes this file.

// OKLab -> the roots of the cones' light, and their light -> red, green, blue
#define OKLAB_ROOTS(l, a, b) (l) + 0.3963377774 * (a) + 0.2158037573 * (b), (l) - 0.1055613458 * (a) - 0.0638541728 * (b), (l) - 0.0894841775 * (a) - 1.2914855480 * (b)
#define OKLAB_RED   4.0767416621, -3.3077115913, 0.2309699292
#define OKLAB_GREEN -1.2684380046, 2.6097574011, -0.3413193965
#define OKLAB_BLUE  -0.0041960863, -0.7034186147, 1.7076147010
// Motion across the picture -> a and b without chroma: to the right is orange at 50 degrees, to the
// left the opposite blue.
#define VELOCITY_HUE(x, y) 0.6427876 * (x) - 0.7660444 * (y), 0.7660444 * (x) + 0.6427876 * (y)
#define VELOCITY_CHROMA(saturation, size) 0.21 * (saturation) * (2.0 - (size))
#define VELOCITY_NEARING 0.12 // lightness that the speed towards the viewer adds

#ifndef __STDC__
uniform vec3 upright; // up in the picture; for a sphere, the direction of its pole

vec3 oklab_light(vec3 lab)
{
    vec3 root = vec3(OKLAB_ROOTS(lab.x, lab.y, lab.z));
    vec3 cone = root * root * root;
    // Light cannot be negative.
    return max(vec3(dot(cone, vec3(OKLAB_RED)), dot(cone, vec3(OKLAB_GREEN)), dot(cone, vec3(OKLAB_BLUE))),
               0.0);
}

// The colour of stars of the body's age, with the luminance of white.
vec3 warmth()
{
    if (stellar_age < 0.0)
        return vec3(1.0);
    vec3 light = mix(vec3(1.0), tinted(population_shown(stellar_age)), 0.8);
    return light / dot(light, vec3(0.2126, 0.7152, 0.0722));
}

vec3 body_colour()
{
    vec3 share = velocity.xyz / speed;
    share /= max(length(share), 1.0);
    vec3 sight = normalize(position.xyz - eye);
    vec3 right = cross(sight, upright);
    right /= max(length(right), 1e-6);
    vec2 across = vec2(dot(share, right), dot(share, cross(right, sight)));
    vec2 turned = vec2(VELOCITY_HUE(across.x, across.y));
    float chroma = VELOCITY_CHROMA(saturation, length(across));
    return warmth() * oklab_light(vec3(1.0 - VELOCITY_NEARING * dot(share, sight), chroma * turned));
}
#endif
