#include "cmd/film/expect.h"

#include "base/log.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* A measure and its limit. */
struct row {
    size_t limit, value; /* offsets in struct expect_params and struct drift */
    const char *key, *what;
};

#define DRIFT(field, key, what)                                                                    \
    {                                                                                              \
        offsetof(struct expect_params, key), offsetof(struct drift, field), #key, what             \
    }
static const struct row rows[] = {
    DRIFT(energy, energy_drift, "the energy has drifted by"),
    DRIFT(momentum, momentum_drift, "the momentum has drifted by"),
    DRIFT(angular_momentum, angular_momentum_drift, "the angular momentum has drifted by"),
    DRIFT(centre, centre_drift, "the centre of mass is off its straight line by"),
};
enum { ROWS = sizeof rows / sizeof *rows };

static double field(const void *structure, size_t offset)
{
    return *(const double *)((const char *)structure + offset);
}

bool expect_is_given(const struct expect_params *expect)
{
    bool given = expect->virial_min > 0 || expect->virial_max > 0;
    for (int i = 0; i < ROWS; i++)
        given = given || field(expect, rows[i].limit) > 0;
    return given;
}

/* Appends a clause to the sentence. */
static void add(char *text, size_t size, const char *what, double value, const char *relation,
                const char *key, double limit)
{
    const size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s %.3g, %s than expect.%s allows, %.6g",
             used ? "; " : "", what, value, relation, key, limit);
}

enum status expect_judge(const struct expect_params *expect, const struct expect_run *run)
{
    char text[STATUS_TEXT_MAX / 2] = "";
    struct drift drift;
    drift_measure(run->start, run->now, run->elapsed, &drift);
    for (int i = 0; i < ROWS; i++) {
        const double limit = field(expect, rows[i].limit),
                     value = fabs(field(&drift, rows[i].value));
        if (limit > 0 && !(value <= limit))
            add(text, sizeof text, rows[i].what, value, "more", rows[i].key, limit);
    }
    const double virial = run->now->virial;
    if (expect->virial_min > 0 && !(virial >= expect->virial_min))
        add(text, sizeof text, "the virial ratio is", virial, "less", "virial_min",
            expect->virial_min);
    if (expect->virial_max > 0 && !(virial <= expect->virial_max))
        add(text, sizeof text, "the virial ratio is", virial, "more", "virial_max",
            expect->virial_max);
    if (!text[0])
        return STATUS_OK;
    return status_fail(STATUS_MISMATCH, "at frame %llu %s", (unsigned long long)run->frame, text);
}

/* The likely cause in the scene, and a change that otherwise keeps the film. */
static const char *advice(const struct simulation_params *simulation)
{
    if (simulation->subset > 1)
        return "set simulation.subset to 1";
    if (simulation->adaptive > 0)
        return "set simulation.adaptive to less, or simulation.softening to more";
    return "take steps as short as close passages need, `--set simulation.adaptive=0.05`, or more "
           "bodies";
}

void expect_warn(const struct simulation_params *simulation, const struct expect_run *run)
{
    static const double NOTICED = 0.01, LARGE = 0.2;
    struct drift drift;
    drift_measure(run->start, run->now, run->elapsed, &drift);
    const bool damped = simulation->damping > 0 && simulation->damping < 1;
    if (damped || fabs(drift.energy) <= NOTICED)
        return;
    const char *means = fabs(drift.energy) <= LARGE
                            ? "some bodies do not move quite as gravity moves them, which will do "
                              "for a preview; for the film itself"
                            : "the motion is not what gravity would do;";
    log_warning("the energy has drifted by %.2g %% by frame %llu: %s %s", 100 * drift.energy,
                (unsigned long long)run->frame, means, advice(simulation));
}
