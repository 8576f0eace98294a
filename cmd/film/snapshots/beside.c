#include "cmd/film/snapshots/beside.h"

#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/ranks/ranks.h"

#include <math.h>
#include <stdlib.h>

struct beside {
    struct beside_params params;
    uint64_t next, written; /* number of the next one; written by this run */
    double epoch;           /* the initial time according to the bodies' file */
};

/* Number of multiples of `every` up to this time, including 0; robust against rounding. */
static uint64_t count_until(const struct beside *beside, double time)
{
    return (uint64_t)(fabs(time) / beside->params.every * (1 + 1e-12) + 1e-9) + 1;
}

static enum status see(void *user, struct simulation *simulation)
{
    struct beside *beside = user;
    const struct beside_params *params = &beside->params;
    const double time = simulation_time(simulation);
    const uint64_t until = count_until(beside, time);
    if (until <= beside->next)
        return STATUS_OK;
    const uint64_t number = until - 1;
    beside->next = until;
    bool there = false;
    if (params->resumed && ranks_own() == 0)
        there = snapshot_names_exist(&params->names, number);
    const enum status status = ranks_first(&there, sizeof there);
    if (status != STATUS_OK || there)
        return status;
    beside->written++;
    return snapshot_write(&params->names, number, params->scene, simulation, beside->epoch + time);
}

/* Several in one frame would skip numbers. */
static enum status check_pace(const struct beside *beside)
{
    const struct simulation_params *simulation = &beside->params.scene->simulation;
    const double frame = fabs(simulation->dt) * simulation->steps_per_frame;
    if (beside->params.every >= frame * (1 - 1e-9))
        return STATUS_OK;
    return status_fail(
        STATUS_USAGE,
        "--every %g is shorter than a frame, %g of simulated time, and snapshots are "
        "taken at frames; `gravreel simulate` takes them at any time",
        beside->params.every, frame);
}

static enum status begin(struct beside *beside)
{
    const struct beside_params *params = &beside->params;
    struct simulation *simulation = params->simulation;
    enum status status = check_pace(beside);
    if (status == STATUS_OK)
        status = snapshot_epoch(params->scene, simulation, &beside->epoch);
    if (ranks_begin_first() && status == STATUS_OK && !params->resumed)
        status = snapshot_names_check(&params->names, count_until(beside, params->end) - 1,
                                      params->overwrite);
    status = ranks_end_first(status);
    if (status != STATUS_OK)
        return status;
    snapshot_warn_lost(&params->names, simulation);
    if (simulation_frame(simulation) > 0)
        beside->next = count_until(beside, simulation_time(simulation));
    else
        status = see(beside, simulation);
    const struct simulation_observer observer = {.every = 1, .see = see, .user = beside};
    simulation_observe(simulation, &observer);
    return status;
}

enum status beside_open(struct beside **out, const struct beside_params *params)
{
    struct beside *beside = *out = memory_new(1, sizeof *beside);
    beside->params = *params;
    enum status status = begin(beside);
    if (status != STATUS_OK)
        beside_close(out);
    return status;
}

void beside_close(struct beside **beside)
{
    if (!*beside)
        return;
    simulation_observe((*beside)->params.simulation,
                       &(struct simulation_observer){.user = *beside});
    if ((*beside)->written > 0)
        log_info("%llu snapshots written as %s", (unsigned long long)(*beside)->written,
                 (*beside)->params.names.pattern);
    free(*beside);
    *beside = NULL;
}
