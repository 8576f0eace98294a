#include "tests/support/controls/noise.h"

#include "tests/support/controls/canvas.h"
#include "kernels/isa.h"
#include "sim/bodies/bodies.h"
#include "sim/gravity/force.h"

#include <math.h>
#include <string.h>

/* Even noise in [0, 1), a function of seed and place. */
static double noise(double seed, uint64_t place)
{
    uint64_t z = (uint64_t)seed * 0x9e3779b97f4a7c15u + place;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/* ---- bodies ---- */

struct shaken_model {
    struct bodies_model model;
    const struct bodies_model *of;
    struct control_run *run;
};

static enum status make_shaken(const struct bodies_params *params, struct bodies **out)
{
    const struct shaken_model *shaken = (const struct shaken_model *)params->model;
    enum status status = shaken->of->make(params, out);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < (*out)->count; i++)
        for (size_t k = 0; k < 3; k++) {
            const double change = 2 * noise(shaken->run->size, 3 * i + k) - 1;
            (*out)->position[i][k] *= 1 + 1e-14 * change;
        }
    shaken->run->changed++;
    return STATUS_OK;
}

static void shake(void *user, struct scene *scene)
{
    struct control_run *run = user;
    struct shaken_model *shaken = control_run_keep(run, sizeof *shaken);
    *shaken = (struct shaken_model){*scene->bodies.model, scene->bodies.model, run};
    shaken->model.make = make_shaken;
    scene->bodies.model = &shaken->model;
}

/* ---- kernels ---- */

struct other_force {
    struct force_ops ops;
    struct force_path path;
    const struct force_path *paths[2];
    const struct force_path *of;
    struct control_run *run;
};

static enum status open_other(struct force *force, const struct force_request *request)
{
    static const char *const kernels[] = {ISA_LEAST, "avx2", "avx512"};
    const struct other_force *other = (const struct other_force *)force->ops;
    struct force_request changed = *request;
    changed.kernel = kernels[(size_t)other->run->size % 3];
    enum status status = other->of->open(force, &changed);
    if (status == STATUS_DEVICE) /* not on this processor */
        status = other->of->open(force, request);
    other->run->changed++;
    return status;
}

static void use_other_kernel(void *user, struct scene *scene)
{
    struct control_run *run = user;
    struct other_force *other = control_run_keep(run, sizeof *other);
    const struct force_path *of = force_path_of(scene->simulation.force, "cpu");
    *other =
        (struct other_force){.ops = *scene->simulation.force, .path = *of, .of = of, .run = run};
    other->path.open = open_other;
    other->paths[0] = &other->path;
    other->ops.paths = other->paths;
    scene->simulation.force = &other->ops;
}

/* ---- pictures ---- */

/* A code up or down, in one of four lit pixels. */
static bool round_otherwise(const struct control_run *run, struct canvas *canvas)
{
    for (size_t i = 0; i < (size_t)canvas->width * canvas->height; i++) {
        float *rgb = canvas->rgb + 3 * i;
        const double chance = noise(run->size + 1000 * (double)canvas->frame, i);
        if (chance >= 0.25 || !(canvas_luma(rgb) > 0))
            continue;
        for (int k = 0; k < 3; k++)
            rgb[k] = fminf(fmaxf(rgb[k] + (chance < 0.125 ? 1.0f : -1.0f) / 255, 0), 1);
    }
    return true;
}

/* A lone point goes to the pixel beside, with all its light. */
static bool move_point(const struct control_run *run, struct canvas *canvas)
{
    uint64_t skip = (uint64_t)run->size % 7;
    for (uint32_t y = 2; y + 2 < canvas->height; y++)
        for (uint32_t x = 2; x + 3 < canvas->width; x++) {
            float *here = canvas_at(canvas, x, y), *right = canvas_at(canvas, x + 1, y);
            const float luma = canvas_luma(here), beside = canvas_luma(right);
            if (luma <= 30.0f / 255 || luma > 60.0f / 255 || fabsf(beside - luma) > 20.0f / 255 ||
                skip-- > 0)
                continue;
            float kept[3];
            memcpy(kept, here, sizeof kept);
            memcpy(here, right, sizeof kept);
            memcpy(right, kept, sizeof kept);
            return true;
        }
    return false;
}

static const struct control noises[] = {
    {.name = "round_off",
     .doc = "positions at the start differ by 1e-14, as by another mathematical library",
     .stage = JUDGED_START,
     .size = 1,
     .hooks.scene = shake},
    {.name = "kernel",
     .doc = "the force fast of a processor with other vectors",
     .stage = JUDGED_PHYSICS,
     .size = 1,
     .hooks.scene = use_other_kernel},
    {.name = "exact_kernel",
     .doc = "the force exact of a processor with other vectors, whose bits must be the same",
     .stage = JUDGED_PHYSICS,
     .size = 1,
     .hooks.scene = use_other_kernel},
    {.name = "rounding",
     .doc = "lit pixels are rounded otherwise, up as often as down",
     .stage = JUDGED_PICTURE,
     .size = 1,
     .paint = round_otherwise},
    {.name = "edge",
     .doc = "light at the edge of two pixels falls into the other one",
     .stage = JUDGED_PICTURE,
     .size = 1,
     .paint = move_point},
};

const struct registry noise_registry = REGISTRY_OF("noise", noises);
