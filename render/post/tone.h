/* Tone curves: how light becomes what a display shows. One const entry each, default first.
 *
 * By the density of light, a pixel's colour is the mean of its bodies', weighed by their light, and
 * its brightness is their light alone, so that a core keeps its colour however bright it is. What
 * is coloured through look.map has the map's colour of the mean value. */
#ifndef RENDER_POST_TONE_H
#define RENDER_POST_TONE_H

#include <stdbool.h>

/* The displayed value from which `log` rolls off into white; KNEE in its GLSL. */
#define TONE_KNEE 0.7

struct tone {
    const char *name, *doc;
    bool by_density;
    bool proportional; /* white stays white in high dynamic range, too; else cores go beyond it */
    /* What is exposed to what (post/exposure.h): the brightest light to `white`; by density the
     * median of light to `middle`, or if proportional the brightest to 1. */
    double white, middle;
    /* The exposed light, of white, that is shown as `shown`, linear light, 0 < shown < 1. */
    double (*light)(double shown, double contrast);
    /* By density: defines `vec3 toned(vec3 colour, float light)`, linear light 0 to 1 of the mean
     * of colours whose brightest channels are 1, or the map's colour, and of exposed light >= 0;
     * `uniform float contrast` is light of 1 over where a logarithm sets in. */
    const char *glsl;
};

extern const struct tone tone_filmic;

#endif
