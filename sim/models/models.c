#include "sim/models/models.h"

#include "base/choice.h"
#include "base/log.h"
#include "base/machine.h"
#include "base/memory.h"
#include "base/ranks/ranks.h"
#include "sim/bodies/edit.h"
#include "sim/bodies/spread.h"
#include "sim/bodies/bodies_whole.h"
#include "sim/formats/formats.h"
#include "sim/playback/playback.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Long names are truncated. */
static void name_components(const struct bodies_params *params, struct bodies *bodies)
{
    for (size_t i = 0; i < bodies->component_count; i++) {
        struct component *component = &bodies->components[i];
        *component = (struct component){.first = i, .count = 1, .draw = true, .light = 1};
        snprintf(component->name, BODIES_NAME_MAX, "%s", params->list[i].name);
    }
}

/* With params->divide, keeps the bodies of this rank. */
static void divide(struct bodies *bodies)
{
    size_t count = 0;
    for (size_t i = 0; i < bodies->component_count; i++) {
        whole_divide(&bodies->components[i], count, (unsigned)ranks_own(), (unsigned)ranks_count());
        count += bodies->components[i].count;
    }
    bodies->count = count;
    bodies->shared = true;
}

/* Keeps at most `count` bodies, as any model does. */
static enum status list_make(const struct bodies_params *params, struct bodies **out)
{
    *out = NULL;
    if (params->list_count == 0 || params->count == 0)
        return status_fail(STATUS_USAGE, "model list needs bodies; give them in bodies.list");
    const size_t count = params->count < params->list_count ? params->count : params->list_count;
    enum status status = bodies_create(out, count, count);
    if (status != STATUS_OK)
        return status;
    name_components(params, *out);
    if (params->divide)
        divide(*out);
    for (size_t i = 0; i < count; i++) {
        const struct body_params *body = &params->list[i];
        const size_t row = (*out)->components[i].first;
        if ((*out)->components[i].count == 0)
            continue;
        (*out)->mass[row] = body->mass;
        memcpy((*out)->position[row], body->position, sizeof body->position);
        memcpy((*out)->velocity[row], body->velocity, sizeof body->velocity);
    }
    return STATUS_OK;
}

const struct bodies_model model_list = {
    .name = "list",
    .doc = "the bodies that bodies.list gives, each a component of its own",
    .make = list_make,
};

static enum status file_make(const struct bodies_params *params, struct bodies **out)
{
    *out = NULL;
    if (!*params->file)
        return status_fail(STATUS_USAGE, "the model 'file' needs a bodies file, and none is given; "
                                         "set bodies.file or give --bodies-from");
    return params->divide
               ? bodies_read_slice(params, (unsigned)ranks_own(), (unsigned)ranks_count(), out)
               : bodies_read(params, out);
}

const struct bodies_model model_file = {
    .name = "file",
    .doc = "a file of bodies: a table of mass x y z vx vy vz and the galaxy's index, CSV, NumPy's "
           "arrays, Tipsy, GADGET, NEMO or HDF5; docs/files.md describes them",
    .reads_file = true,
    .make = file_make,
};

const struct bodies_model model_snapshots = {
    .name = "snapshots",
    .doc =
        "the bodies of a series of files, and how they move from one to the next; bodies.file is "
        "a pattern, such as snapshot_*.hdf5",
    .reads_file = true,
    .plays = true,
    .make = playback_gather,
};

/* A new model is a file with its entry, and a row here. */
extern const struct bodies_model model_galaxies, model_rings, model_plummer, model_hernquist,
    model_nfw, model_king, model_uniform, model_cube, model_shell, model_list, model_file,
    model_snapshots;
static const struct bodies_model *const models[] = {
    &model_galaxies, &model_rings, &model_plummer, &model_hernquist, &model_nfw,  &model_king,
    &model_uniform,  &model_cube,  &model_shell,   &model_list,      &model_file, &model_snapshots,
};
const struct registry model_registry = REGISTRY_LIST("model", models);

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

static enum status make_selected(const struct bodies_params *params, struct bodies **bodies)
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
        status = make_selected(params, out);
    if (status != STATUS_OK)
        bodies_destroy(out);
    return status;
}
