/* Tone curves: how light becomes what a display shows. One const entry each, default first.
 *
 * For tones by density, a pixel's colour is the mean of its bodies' colours, weighted by their
 * light, and its brightness is their light alone, so that a core keeps its colour however bright it
 * is. Values coloured through look.map are averaged before the map is applied.
 *
 * A new curve is an entry in tone.c, with its GLSL in shaders/tones.glsl; `test_golden --write`
 * draws its picture. */
#pragma once

#include <stdbool.h>

/* The display value from which `log` rolls off to white; KNEE in its GLSL. */
#define TONE_KNEE 0.7

struct tone {
    const char *name, *doc;
    bool by_density;
    bool proportional; /* white stays white in high dynamic range too; otherwise cores exceed it */
    /* Targets of the exposure (post/exposure.h): the brightest light is mapped to `white`; for
     * tones by density the median of light to `middle`; for proportional ones the brightest to
     * 1. */
    double white, middle;
    /* The exposed light, relative to white, that is shown as `shown`, linear light, 0 < shown <
     * 1. */
    double (*light)(double shown, double contrast);
    /* For tones by density: defines `vec3 toned(vec3 colour, float light)`, linear light 0 to 1.
     * Takes the mean of colours whose brightest channels are 1, or the map's colour, and exposed
     * light >= 0; `uniform float contrast` is light of 1 divided by the light where the logarithm
     * sets in. */
    const char *glsl;
};

extern const struct tone tone_filmic;
