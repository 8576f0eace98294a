#include "render/post/exposure.h"

#include "base/choice.h"
#include "base/functions/fn.h"
#include "render/params.h"

#include <math.h>
#include <stdlib.h>

/* Blocks for the median: large enough that single stars do not matter. */
enum { ROWS = 96 };

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* The value in ascending light below which `share` of the sum lies. */
static double below(const float *values, size_t count, double share)
{
    double all = 0, sum = 0;
    size_t i = 0;
    for (size_t k = 0; k < count; k++)
        all += values[k];
    while (i + 1 < count && (sum += values[i]) < share * all)
        i++;
    return values[i];
}

/* Averages blocks of block x block pixels into `values`. Returns how many are lit. */
static size_t average(const float *light, size_t width, size_t height, size_t block, float *values)
{
    size_t lit = 0;
    for (size_t row = 0; row < height; row += block)
        for (size_t column = 0; column < width; column += block) {
            const size_t bottom = row + block < height ? row + block : height;
            const size_t right = column + block < width ? column + block : width;
            double sum = 0;
            for (size_t y = row; y < bottom; y++)
                for (size_t x = column; x < right; x++) {
                    const float here = light[4 * (y * width + x) + 3];
                    sum += here > 0 && isfinite(here) ? here : 0;
                }
            if (sum > 0)
                values[lit++] = (float)(sum / (double)((bottom - row) * (right - column)));
        }
    return lit;
}

static double ratio(double found)
{
    return found > 0 ? found : 1;
}

/* values: sorted. */
static void read_density(const float *values, size_t lit, const struct tone *tone,
                         const struct look_found *found, struct exposure_reading *out)
{
    const double low = below(values, lit, 0.01) * ratio(found->faintest);
    const double high = tone->proportional
                            ? below(values, lit, 0.999) * ratio(found->brightest)
                            : below(values, lit, 0.5) * ratio(found->middle) / tone->middle;
    out->factor = 1 / high;
    out->contrast = fmin(fmax(high / low, EXPOSURE_CONTRAST), 1e4);
}

static size_t find_brightest(const float *light, size_t pixels, float *values)
{
    size_t lit = 0;
    for (size_t i = 0; i < pixels; i++) {
        float brightest = fmaxf(fmaxf(light[4 * i], light[4 * i + 1]), light[4 * i + 2]);
        if (brightest > 1e-4f)
            values[lit++] = brightest;
    }
    return lit;
}

static enum status no_memory(size_t pixels, size_t bytes)
{
    return status_fail(STATUS_RUNTIME,
                       "no memory left to measure the light of %zu pixels, %zu bytes", pixels,
                       bytes);
}

enum status exposure_of(const float *light, size_t width, size_t height, const struct tone *tone,
                        const struct look_found *found, struct exposure_reading *out)
{
    const bool fine = !tone->by_density || tone->proportional || height < 2 * ROWS;
    const size_t block = fine ? 1 : height / ROWS;
    const size_t most = ((width + block - 1) / block) * ((height + block - 1) / block);
    float *values = malloc(most * sizeof *values);
    if (!values)
        return no_memory(width * height, most * sizeof *values);
    const size_t lit = tone->by_density ? average(light, width, height, block, values)
                                        : find_brightest(light, width * height, values);
    qsort(values, lit, sizeof *values, by_value);
    *out = (struct exposure_reading){.factor = 1, .contrast = EXPOSURE_CONTRAST};
    if (lit > 0 && tone->by_density)
        read_density(values, lit, tone, found, out);
    else if (lit > 0)
        out->factor = tone->white / values[(size_t)((double)(lit - 1) * 0.99)];
    free(values);
    return STATUS_OK;
}

enum status exposure_measure(const struct gl_target *light, const struct tone *tone,
                             const struct look_found *found, struct exposure_reading *out)
{
    const size_t width = (size_t)light->width, height = (size_t)light->height;
    const size_t bytes = width * height * 4 * sizeof(float);
    float *values = malloc(bytes);
    if (!values)
        return no_memory(width * height, bytes);
    gl_target_read(light, GL_RGBA, values);
    enum status status = gl_check("measuring the light");
    if (status == STATUS_OK)
        status = exposure_of(values, width, height, tone, found, out);
    free(values);
    return status;
}

enum { FACTOR, RATE, GOAL, FIRST };

enum status exposure_meter_create(struct exposure_meter *meter, const struct tone *tone,
                                  GLsizei width, GLsizei height)
{
    meter->tone = tone;
    enum status status = STATUS_OK;
    meter->seconds = 1.5;
    for (size_t i = 0; i < sizeof meter->coarse / sizeof meter->coarse[0]; i++) {
        width = width > 1 ? width / 2 : 1;
        height = height > 1 ? height / 2 : 1;
        if (status == STATUS_OK)
            status = gl_target_create(&meter->coarse[i], GL_RGBA16F, width, height);
    }
    return status;
}

void exposure_meter_destroy(struct exposure_meter *meter)
{
    for (size_t i = 0; i < sizeof meter->coarse / sizeof meter->coarse[0]; i++)
        gl_target_destroy(&meter->coarse[i]);
}

static enum status measure_coarsely(const struct exposure_meter *meter,
                                    const struct gl_target *light, double *factor)
{
    const struct gl_target *from = light;
    for (size_t i = 0; i < sizeof meter->coarse / sizeof meter->coarse[0]; i++) {
        const struct gl_target *to = &meter->coarse[i];
        glBindFramebuffer(GL_READ_FRAMEBUFFER, from->framebuffer);
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, to->framebuffer);
        glBlitFramebuffer(0, 0, 2 * to->width, 2 * to->height, 0, 0, to->width, to->height,
                          GL_COLOR_BUFFER_BIT, GL_LINEAR);
        from = to;
    }
    struct exposure_reading reading;
    enum status status = exposure_measure(from, meter->tone, &(struct look_found){0}, &reading);
    if (status == STATUS_OK)
        *factor = reading.factor;
    return status;
}

enum status exposure_meter_begin(struct exposure_meter *meter, const struct gl_target *light,
                                 double factor)
{
    meter->state[FACTOR] = meter->state[GOAL] = factor;
    meter->state[RATE] = 0;
    return measure_coarsely(meter, light, &meter->state[FIRST]);
}

enum status exposure_meter_step(struct exposure_meter *meter, const struct gl_target *light,
                                uint64_t frame, double interval)
{
    double *state = meter->state, measured;
    if (frame == 0)
        return STATUS_OK;
    if (frame % EXPOSURE_EVERY == 0) {
        enum status status = measure_coarsely(meter, light, &measured);
        if (status != STATUS_OK)
            return status;
        /* Relative to frame 0 by the same measure, so that the film starts as with "auto". */
        state[GOAL] *= measured / state[FIRST];
        state[FIRST] = measured;
    }
    const double stiffness = 2 / meter->seconds, decay = fn_exp(-stiffness * interval);
    const double away = fn_log(state[FACTOR] / state[GOAL]);
    const double pull = (state[RATE] + stiffness * away) * interval;
    state[FACTOR] = state[GOAL] * fn_exp((away + pull) * decay);
    state[RATE] = (state[RATE] - stiffness * pull) * decay;
    return STATUS_OK;
}

static const struct metering meterings[] = {
    {.name = "auto",
     .doc = "set once: from the picture at the start and, with the tones by density, from a short "
            "pilot run through the film"},
    {.name = "adapt", .doc = "follows the light of the film smoothly", .adapts = true},
    {.name = "surface-density",
     .doc =
         "light is measured as surface density: linear light of 1 is a mass of 1 with look.weight "
         "mass, else one body, in a square of the scene's unit of length; for sprites of adaptive "
         "size of components with light 1",
     .surface = true},
};

const struct registry metering_registry = REGISTRY_OF("exposure", meterings);
