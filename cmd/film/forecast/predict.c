#include "cmd/film/forecast/predict.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

struct spread {
    double mean, least, most;
};

static struct spread spread_of(const struct forecast_measured *found, size_t member)
{
    struct spread spread = {.least = INFINITY};
    const int count = found->count ? found->count : 1;
    for (int i = 0; i < count; i++) {
        const struct forecast_sample *sample = found->count ? &found->samples[i] : &found->start;
        double value;
        memcpy(&value, (const char *)sample + member, sizeof value);
        spread.mean += value / count;
        spread.least = fmin(spread.least, value);
        spread.most = fmax(spread.most, value);
    }
    return spread;
}

#define SPREAD(member) spread_of(found, offsetof(struct forecast_sample, member))

/* For means over all places, a quarter of the spread remains uncertain, in addition to the usual
 * error. The beginning alone does not show what follows. */
static struct forecast_figure figure(const struct forecast_measured *found,
                                     const struct spread *spread, double fixed, double frames)
{
    static const double always = 0.1;
    const double value = fixed + frames * spread->mean;
    double down = always * value, up = down;
    if (found->count == FORECAST_PLACES) {
        down += frames * (spread->mean - spread->least) / 4;
        up += frames * (spread->most - spread->mean) / 4;
    } else {
        down += 0.2 * value;
        up += 0.6 * value;
    }
    return (struct forecast_figure){value, value - down, value + up};
}

static void predict_bytes(const struct forecast_measured *found, struct forecast *out)
{
    enum { GROUP = 240 };
    const struct spread others = SPREAD(frame_bytes);
    const double seen = 1 - found->hidden / found->frames;
    const double groups = ceil(seen * fmax(found->segments, ceil(found->frames / GROUP)));
    out->bytes = figure(found, &others, found->tag_bytes + groups * SPREAD(first_bytes).mean,
                        fmax(seen * found->frames - groups, 0));
    /* Segments stay until the film is complete. */
    if (found->joins)
        out->working_bytes = 2 * out->bytes.value;
}

static void predict_time(const struct forecast_measured *found, struct forecast *out)
{
    static const double disk = 200e6; /* bytes per second read and written to join segments */
    const struct spread frame = SPREAD(frame_seconds);
    const double fixed = found->age + found->segments * found->start.overhead +
                         found->first * found->step_seconds + out->working_bytes / disk;
    out->seconds = figure(found, &frame, fixed, found->frames);
    out->start = found->age + found->start.overhead + found->start.frame_seconds;
    for (size_t i = 0; i < FORECAST_STAGES; i++)
        out->stages[i] =
            found->frames *
            spread_of(found, offsetof(struct forecast_sample, stage_seconds) + i * sizeof(double))
                .mean;
}

struct forecast forecast_predict(const struct forecast_measured *found)
{
    struct forecast out = {.places = found->count ? found->count : 1};
    predict_bytes(found, &out);
    predict_time(found, &out);
    return out;
}
