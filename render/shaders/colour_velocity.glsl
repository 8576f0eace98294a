// The direction of the velocity in the picture gives the hue, its magnitude there the chroma, in
// OKLab (B. Ottosson, "A perceptual color space for image processing", 2020), whose hues are
// equally bright: opposite velocities have opposite a and b, bodies at rest are white, and chroma
// grows fastest from there. Approaching bodies are lighter and receding ones darker: a tint would
// look like a hue, and light of approaching bodies really is stronger. colour/legend.c repeats
// this. Old stars are slightly warmer and young ones cooler; this remains visible where velocities
// in all directions add up to white, as in a merger remnant.
uniform vec3 upright; // up in the picture; for a sphere, the direction of its pole

vec3 oklab_light(vec3 lab)
{
    vec3 root = vec3(lab.x + 0.3963377774 * lab.y + 0.2158037573 * lab.z,
                     lab.x - 0.1055613458 * lab.y - 0.0638541728 * lab.z,
                     lab.x - 0.0894841775 * lab.y - 1.2914855480 * lab.z);
    vec3 cone = root * root * root;
    // Light cannot be negative.
    return max(vec3(dot(cone, vec3(4.0767416621, -3.3077115913, 0.2309699292)),
                    dot(cone, vec3(-1.2684380046, 2.6097574011, -0.3413193965)),
                    dot(cone, vec3(-0.0041960863, -0.7034186147, 1.7076147010))),
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
    // To the right is orange at 50 degrees, to the left the opposite blue.
    vec2 turned = vec2(0.6427876 * across.x - 0.7660444 * across.y,
                       0.7660444 * across.x + 0.6427876 * across.y);
    float chroma = 0.21 * saturation * (2.0 - length(across));
    return warmth() * oklab_light(vec3(1.0 - 0.12 * dot(share, sight), chroma * turned));
}
