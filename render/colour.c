#include "render/colour.h"

#include <stddef.h>
#include <string.h>

#define DECLARATIONS                                                                               \
    "uniform float speed, saturation;\n"                                                           \
    "uniform vec3 tint;\n" /* Colours are chosen by eye on a display; light adds up in linear      \
                              values. */                                                           \
    "vec3 tinted(vec3 shown)\n"                                                                    \
    "{\n"                                                                                          \
    "    return pow(mix(vec3(1.0), shown, saturation), vec3(2.2));\n"                              \
    "}\n"

static const struct colour velocity = {
    .name = "velocity",
    .doc = "direction and size of the velocity as red, green, blue from its x, y, z",
    .glsl = DECLARATIONS "vec3 body_colour()\n"
                         "{\n"
                         "    vec3 v = clamp(velocity.xyz / speed, -1.0, 1.0);\n"
                         "    vec3 hue = 0.5 + 0.5 * v;\n"
                         "    hue /= max(max(hue.r, hue.g), hue.b);\n"
                         "    return tinted(hue);\n"
                         "}\n",
};

static const struct colour speed = {
    .name = "speed",
    .doc = "size of the velocity from deep orange (slow) over white to blue (fast)",
    .glsl = DECLARATIONS "vec3 body_colour()\n"
                         "{\n"
                         "    float s = clamp(length(velocity.xyz) / speed, 0.0, 1.0);\n"
                         "    vec3 slow = vec3(1.0, 0.45, 0.15), fast = vec3(0.25, 0.5, 1.0);\n"
                         "    vec3 hue = s < 0.5 ? mix(slow, vec3(1.0), 2.0 * s) : mix(vec3(1.0), "
                         "fast, 2.0 * s - 1.0);\n"
                         "    return tinted(hue);\n"
                         "}\n",
};

static const struct colour galaxy = {
    .name = "galaxy",
    .doc = "one colour a galaxy",
    .glsl = DECLARATIONS "vec3 body_colour()\n"
                         "{\n"
                         "    return tinted(tint);\n"
                         "}\n",
};

static const struct colour constant = {
    .name = "constant",
    .doc = "white light from every body",
    .glsl = DECLARATIONS "vec3 body_colour()\n"
                         "{\n"
                         "    return vec3(1.0);\n"
                         "}\n",
};

const struct colour *const colours[] = {&velocity, &speed, &galaxy, &constant, NULL};

const struct colour *colour_find(const char *name)
{
    for (const struct colour *const *colour = colours; *colour; colour++)
        if (strcmp((*colour)->name, name) == 0)
            return *colour;
    return NULL;
}
