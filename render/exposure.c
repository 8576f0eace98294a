#include "render/exposure.h"

#include <math.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

enum status exposure_measure(const struct gl_target *light, double *factor)
{
    size_t pixels = (size_t)light->width * (size_t)light->height, lit = 0;
    float *values = malloc(pixels * 4 * sizeof *values);
    if (!values)
        return status_fail(STATUS_RUNTIME, "no memory left to measure the light of %zu pixels",
                           pixels);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, light->framebuffer);
    glReadPixels(0, 0, light->width, light->height, GL_RGBA, GL_FLOAT, values);
    for (size_t i = 0; i < pixels; i++) {
        float brightest = fmaxf(fmaxf(values[4 * i], values[4 * i + 1]), values[4 * i + 2]);
        if (brightest > 1e-4f)
            values[lit++] = brightest;
    }
    *factor = 1;
    if (lit > 0) {
        qsort(values, lit, sizeof *values, by_value);
        *factor = 5.0 / values[(size_t)((double)(lit - 1) * 0.99)];
    }
    free(values);
    return gl_check("measuring the light");
}
