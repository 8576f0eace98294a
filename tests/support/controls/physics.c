#include "tests/support/controls/all.h"

#include "base/memory.h"
#include "sim/bodies/bodies.h"
#include "sim/gravity/force.h"
#include "sim/integrators/integrator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers of the scene ---- */

static void softer(void *user, struct scene *scene)
{
    struct control_run *run = user;
    const double factor = 1 + run->size / 100;
    struct bodies_params *bodies = &scene->bodies;
    scene->simulation.softening *= factor;
    for (uint32_t i = 0; i < bodies->galaxy_count; i++) {
        bodies->galaxies[i].disk_softening *= factor;
        bodies->galaxies[i].bulge_softening *= factor;
        bodies->galaxies[i].halo_softening *= factor;
    }
    for (uint32_t i = 0; i < bodies->component_count; i++)
        bodies->components[i].softening *= factor;
    run->changed++;
}

static void other_seed(void *user, struct scene *scene)
{
    struct control_run *run = user;
    scene->bodies.seed++;
    run->changed++;
}

static void every_other_source(void *user, struct scene *scene)
{
    struct control_run *run = user;
    scene->simulation.subset = 2;
    run->changed++;
}

static const char *not_from_file(const struct scene *scene)
{
    return scene->bodies.model->reads_file ? "its bodies come from a file" : NULL;
}

static const char *has_subset(const struct scene *scene)
{
    if (scene->simulation.subset > 1)
        return "it uses a subset of the sources anyway";
    return scene->bodies.count % 2 ? "its number of bodies is odd" : NULL;
}

const struct control control_softening = {
    .name = "softening",
    .doc = "softening is larger by a hundredth",
    .stage = JUDGED_PHYSICS,
    .size = 1,
    .unit = "%",
    .searched = true,
    .hooks.scene = softer,
};

const struct control control_seed = {
    .name = "seed",
    .doc = "bodies of the next seed",
    .stage = JUDGED_START,
    .why_not = not_from_file,
    .hooks.scene = other_seed,
};

const struct control control_subset = {
    .name = "subset",
    .doc = "an evaluation uses every second source",
    .stage = JUDGED_PHYSICS,
    .why_not = has_subset,
    .hooks.scene = every_other_source,
};

/* ---- bodies ---- */

struct swapped_model {
    struct bodies_model model;
    const struct bodies_model *of;
    struct control_run *run;
};

/* The first body and the first one of another mass. */
static enum status make_swapped(const struct bodies_params *params, struct bodies **out)
{
    const struct swapped_model *model = (const struct swapped_model *)params->model;
    enum status status = model->of->make(params, out);
    if (status != STATUS_OK)
        return status;
    struct bodies *bodies = *out;
    for (size_t i = 1; i < bodies->count; i++)
        if (bodies->mass[i] != bodies->mass[0]) {
            const double mass = bodies->mass[i];
            bodies->mass[i] = bodies->mass[0];
            bodies->mass[0] = mass;
            model->run->changed++;
            break;
        }
    return STATUS_OK;
}

static void swapped(void *user, struct scene *scene)
{
    struct control_run *run = user;
    struct swapped_model *model = control_run_keep(run, sizeof *model);
    *model = (struct swapped_model){*scene->bodies.model, scene->bodies.model, run};
    model->model.make = make_swapped;
    scene->bodies.model = &model->model;
}

static const char *equal_masses(const struct scene *scene)
{
    const struct bodies_model *model = scene->bodies.model;
    return model->makes_galaxies || model->reads_file ? NULL : "all its bodies have one mass";
}

const struct control control_masses_swapped = {
    .name = "masses_swapped",
    .doc = "two bodies have each other's mass",
    .stage = JUDGED_START,
    .why_not = equal_masses,
    .hooks.scene = swapped,
};

/* ---- steps ---- */

static const char *not_leapfrog(const struct scene *scene)
{
    return strcmp(scene->simulation.integrator->name, "kdk") == 0 ? NULL
                                                                  : "its integrator is not kdk";
}

static const char *not_fourth_order(const struct scene *scene)
{
    return scene->simulation.integrator->order >= 4 ? NULL
                                                    : "its integrator is not of fourth order";
}

static enum status step_stronger(struct solver *solver, double dt, double damping)
{
    (void)damping;
    const double stronger = 1.0001 * dt;
    enum status status = solver->ops->kick(solver, stronger / 2);
    if (status == STATUS_OK)
        status = solver->ops->drift(solver, dt);
    if (status == STATUS_OK)
        status = solver->ops->accelerate(solver);
    return status == STATUS_OK ? solver->ops->kick(solver, stronger / 2) : status;
}

static enum status round_to_float(struct solver *solver)
{
    struct bodies *bodies;
    enum status status = bodies_create(&bodies, solver->count, 1);
    if (status != STATUS_OK)
        return status;
    double(*acceleration)[3] = memory_new(solver->count, sizeof *acceleration);
    status = solver->ops->save(solver, bodies);
    if (status == STATUS_OK)
        status = solver->ops->accelerations(solver, acceleration);
    for (size_t i = 0; i < solver->count; i++)
        for (int k = 0; k < 3; k++) {
            bodies->position[i][k] = (double)(float)bodies->position[i][k];
            bodies->velocity[i][k] = (double)(float)bodies->velocity[i][k];
        }
    if (status == STATUS_OK)
        status = solver->ops->load(solver, (const double(*)[3])bodies->position,
                                   (const double(*)[3])bodies->velocity,
                                   (const double(*)[3])acceleration);
    free(acceleration);
    bodies_destroy(&bodies);
    return status;
}

static enum status step_rounded(struct solver *solver, double dt, double damping)
{
    enum status status = integrator_kdk.step(solver, dt, damping);
    return status == STATUS_OK ? round_to_float(solver) : status;
}

/* One more step before the first one: the forces have then been evaluated only once. */
static enum status step_ahead(struct solver *solver, double dt, double damping)
{
    enum status status = solver->turn == 1 ? integrator_kdk.step(solver, dt, damping) : STATUS_OK;
    return status == STATUS_OK ? integrator_kdk.step(solver, dt, damping) : status;
}

#define LEAPFROG(function)                                                                         \
    {                                                                                              \
        .name = "kdk", .doc = "kdk with a mistake", .order = 2, .forces_per_step = 1,              \
        .traits = INTEGRATOR_ADAPTS, .step = (function)                                            \
    }
static const struct integrator stronger = LEAPFROG(step_stronger), rounded = LEAPFROG(step_rounded),
                               ahead = LEAPFROG(step_ahead);

static void integrate_by(struct control_run *run, struct scene *scene,
                         const struct integrator *integrator)
{
    scene->simulation.integrator = integrator;
    run->changed++;
}

static void pull_stronger(void *user, struct scene *scene)
{
    struct control_run *run = user;
    integrate_by(run, scene, &stronger);
}

static void round_states(void *user, struct scene *scene)
{
    struct control_run *run = user;
    integrate_by(run, scene, &rounded);
}

static void step_once_more(void *user, struct scene *scene)
{
    struct control_run *run = user;
    integrate_by(run, scene, &ahead);
}

static void drift_first(void *user, struct scene *scene)
{
    struct control_run *run = user;
    integrate_by(run, scene, choice_find(&integrator_registry, "dkd"));
}

static void second_order(void *user, struct scene *scene)
{
    struct control_run *run = user;
    integrate_by(run, scene, &integrator_kdk);
}

const struct control control_gravity = {
    .name = "gravity",
    .doc = "gravity is stronger by a ten-thousandth",
    .stage = JUDGED_PHYSICS,
    .size = 0.01,
    .unit = "%",
    .why_not = not_leapfrog,
    .hooks.scene = pull_stronger,
};

const struct control control_rounded = {
    .name = "rounded",
    .doc = "positions and velocities are kept in single precision",
    .stage = JUDGED_PHYSICS,
    .why_not = not_leapfrog,
    .hooks.scene = round_states,
};

const struct control control_step_ahead = {
    .name = "step_ahead",
    .doc = "frames show the state one step later",
    .stage = JUDGED_PHYSICS,
    .why_not = not_leapfrog,
    .hooks.scene = step_once_more,
};

const struct control control_dkd = {
    .name = "dkd",
    .doc = "drift-kick-drift instead of kick-drift-kick",
    .stage = JUDGED_PHYSICS,
    .why_not = not_leapfrog,
    .hooks.scene = drift_first,
};

const struct control control_order = {
    .name = "order",
    .doc = "an integrator of fourth order runs as one of second",
    .stage = JUDGED_PHYSICS,
    .why_not = not_fourth_order,
    .hooks.scene = second_order,
};

/* ---- forces ---- */

enum { SKIPPED = 32 }; /* sources of a tile */

/* A force that evaluates another one and changes its result. */
struct changed_force {
    struct force_ops ops;
    struct force_path path;
    const struct force_path *paths[2];
    const struct force_path *of; /* of the CPU */
    double size;
};

static const struct changed_force *changed_of(const struct force *force)
{
    return (const struct changed_force *)force->ops;
}

static double number(const void *numbers, size_t size, size_t i)
{
    return size == sizeof(float) ? (double)((const float *)numbers)[i]
                                 : ((const double *)numbers)[i];
}

static int accelerate_without_tile(struct force *force, const struct sources *s, double (*out)[3],
                                   void *stream)
{
    const struct changed_force *changed = changed_of(force);
    const size_t size = changed->ops.number, from = s->count > SKIPPED ? s->count - SKIPPED : 0;
    int status = changed->of->accelerate(force, s, out, stream);
    for (size_t i = 0; i < s->bodies; i++)
        for (size_t j = from; j < s->count; j++) {
            double d[3], square = s->softening * s->softening;
            if (s->halves)
                square = number(s->halves, size, i) + number(s->from_halves, size, j);
            for (size_t k = 0; k < 3; k++) {
                d[k] = number(s->from, size, 4 * j + k) - number(s->rows, size, 4 * i + k);
                square += d[k] * d[k];
            }
            const double pull = number(s->from, size, 4 * j + 3) / (square * sqrt(square));
            for (int k = 0; k < 3; k++)
                out[i][k] -= pull * d[k];
        }
    return status;
}

/* The first half of the bodies is attracted with another softening than it attracts with. */
static int accelerate_one_sided(struct force *force, const struct sources *s, double (*out)[3],
                                void *stream)
{
    const struct changed_force *changed = changed_of(force);
    const double factor = 1 + changed->size / 100;
    struct sources softer = *s;
    double(*other)[3] = memory_new(s->bodies, sizeof *other);
    softer.softening *= factor;
    int status = changed->of->accelerate(force, s, out, stream);
    if (status == 0)
        status = changed->of->accelerate(force, &softer, other, stream);
    if (status == 0)
        memcpy(out, other, s->bodies / 2 * sizeof *other);
    free(other);
    return status;
}

static void wrap_force(struct control_run *run, struct scene *scene,
                       int (*accelerate_changed)(struct force *, const struct sources *,
                                                 double (*)[3], void *))
{
    struct changed_force *changed = control_run_keep(run, sizeof *changed);
    const struct force_path *of = force_path_of(scene->simulation.force, "cpu");
    *changed = (struct changed_force){
        .ops = *scene->simulation.force, .path = *of, .of = of, .size = run->size};
    changed->path.accelerate = accelerate_changed;
    changed->paths[0] = &changed->path;
    changed->ops.paths = changed->paths;
    scene->simulation.force = &changed->ops;
    run->changed++;
}

/* The force is known only once there are bodies. */
static const char *chosen_later(const struct scene *scene)
{
    return force_path_of(scene->simulation.force, "cpu")
               ? NULL
               : "simulation.force is left to the program";
}

static void skip_tile(void *user, struct scene *scene)
{
    struct control_run *run = user;
    wrap_force(run, scene, accelerate_without_tile);
}

static void soften_one_side(void *user, struct scene *scene)
{
    struct control_run *run = user;
    wrap_force(run, scene, accelerate_one_sided);
}

static const char *mixed(const struct scene *scene)
{
    static const char *const why = "its components have softenings of their own";
    if (chosen_later(scene))
        return chosen_later(scene);
    for (uint32_t i = 0; i < scene->bodies.galaxy_count; i++) {
        const struct galaxy_params *galaxy = &scene->bodies.galaxies[i];
        if (galaxy->disk_softening > 0 || galaxy->bulge_softening > 0 || galaxy->halo_softening > 0)
            return why;
    }
    for (uint32_t i = 0; i < scene->bodies.component_count; i++)
        if (scene->bodies.components[i].softening > 0)
            return why;
    return NULL;
}

const struct control control_tile_skipped = {
    .name = "tile_skipped",
    .doc = "the last 32 bodies pull nobody",
    .stage = JUDGED_PHYSICS,
    .why_not = chosen_later,
    .hooks.scene = skip_tile,
};

const struct control control_one_sided = {
    .name = "one_sided",
    .doc =
        "half of the bodies are pulled with a softening larger by a hundredth than they pull with",
    .stage = JUDGED_PHYSICS,
    .size = 1,
    .unit = "%",
    .searched = true,
    .why_not = mixed,
    .hooks.scene = soften_one_side,
};
