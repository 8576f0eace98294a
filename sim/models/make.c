#include "sim/models/make.h"

#include "base/limits.h"
#include "base/log.h"
#include "base/machine.h"
#include "base/ranks/ranks.h"
#include "sim/bodies/edit.h"
#include "sim/bodies/spread.h"
#include "sim/bodies/whole.h"

#include <math.h>
#include <string.h>

static enum status check_finite(const struct bodies *bodies)
{
    for (size_t i = 0; i < bodies->count; i++) {
        bool finite = isfinite(bodies->mass[i]);
        for (int k = 0; k < 3; k++)
            finite = finite && isfinite(bodies->position[i][k]) && isfinite(bodies->velocity[i][k]);
        if (!finite)
            return status_fail(
                STATUS_USAGE,
                "body %zu has a position, velocity or mass that is not finite; check "
                "the scale factors and the model's numbers",
                whole_number(bodies, i) + 1);
    }
    return STATUS_OK;
}

/* Collective for shared bodies. */
static enum status total_mass(const struct bodies *bodies, double *mass)
{
    *mass = 0;
    for (size_t i = 0; i < bodies->count; i++)
        *mass += bodies->mass[i];
    return whole_sum(bodies, mass, 1);
}

/* Without most of its mass a galaxy flies apart, and the film would look as if gravity did that. */
static void warn_of_missing(const struct bodies_params *params, double all, double kept)
{
    static const double MOST = 0.5;
    if (!(all > 0) || kept >= (1 - MOST) * all)
        return;
    const double percent = 100 * (all - kept) / all;
    if (*params->use && strcmp(params->use, "all") != 0)
        log_warning("bodies.use=%s leaves out components with %.3g %% of the mass, so the rest "
                    "does not move as it would with them",
                    params->use, percent);
    else
        log_warning("%llu bodies are fewer than there are components, and those left out hold "
                    "%.3g %% of the mass; ask for more with -n",
                    (unsigned long long)params->count, percent);
}

static enum status thin(const struct bodies_params *params, struct bodies *bodies)
{
    if (!params->model->reads_file || params->count == 0)
        return STATUS_OK;
    return whole_keep(bodies, params->count);
}

/* Whether rank 0 makes all bodies: rows of a file that are assigned to components, or to galaxies
 * that are found in it, may be on any rank. */
static bool is_dealt(const struct bodies_params *params)
{
    return params->divide == DIVIDE_FIRST || (params->divide && !params->model->plays &&
                                              (params->component_count > 0 || params->detect > 0));
}

/* Collective: rank 0 makes all bodies, and deals or keeps them. */
static enum status make_and_deal(const struct bodies_params *params, struct bodies **out)
{
    struct bodies_params own = *params;
    struct bodies *all = NULL;
    own.divide = DIVIDE_NOT;
    enum status status =
        ranks_agree(ranks_own() == 0 ? params->model->make(&own, &all) : STATUS_OK);
    if (status == STATUS_OK)
        status = bodies_spread(&all, params->divide, out);
    bodies_destroy(&all);
    return status;
}

static enum status make(const struct bodies_params *params, struct bodies **bodies)
{
    double all = 0, kept = 0;
    enum status status =
        is_dealt(params) ? make_and_deal(params, bodies) : params->model->make(params, bodies);
    if (status == STATUS_OK)
        status = total_mass(*bodies, &all);
    if (status == STATUS_OK)
        status = bodies_select(*bodies, params->use);
    if (status == STATUS_OK)
        status = thin(params, *bodies);
    if (status == STATUS_OK)
        status = total_mass(*bodies, &kept);
    if (status != STATUS_OK)
        return status;
    warn_of_missing(params, all, kept);
    bodies_scale(*bodies, params->position_scale, params->velocity_scale, params->mass_scale);
    return check_finite(*bodies);
}

enum status bodies_make(const struct bodies_params *params, struct bodies **out)
{
    *out = NULL;
    enum status status = limits_check("making bodies", machine_processors(), 0);
    if (status == STATUS_OK)
        status = make(params, out);
    if (status != STATUS_OK)
        bodies_destroy(out);
    return status;
}
