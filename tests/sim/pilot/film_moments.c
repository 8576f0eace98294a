/* Prints the frames in which the galaxies of scenes meet and merge: found by pilot runs before the
 * film, one for the first passage and one for the whole story, and by the film's own bodies (with
 * --film only these); beside them time and distance of the pericentre, measured and requested.
 *
 * film_moments BACKEND BODIES [--film] [KEY=VALUE]... SCENE...; BODIES 0: the scenes' own numbers.
 * Run by hand; docs/physics.md has what it gave. */
#include "scenes/scene_check.h"
#include "scenes/scene.h"
#include "sim/models/models.h"
#include "sim/pilot/galaxy_core.h"
#include "sim/pilot/pilot.h"
#include "sim/simulation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COMPONENTS = 64 };
static const double noise_share = 0.1; /* as sim/pilot/pilot.c */

static double away(const double a[3], const double b[3])
{
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

static enum status follow(const struct scene *scene, const char *backend,
                          const struct bodies *bodies, struct encounter *out)
{
    const size_t frames = scene->output.frames;
    struct simulation *simulation = NULL;
    struct galaxy_core *core[2] = {NULL, NULL};
    double *separation = calloc(frames, sizeof *separation), touch = 0;
    size_t first[COMPONENTS];
    enum status status = STATUS_OK;
    if (bodies->component_count > COMPONENTS || galaxies_find(bodies, first) < 2)
        status = status_fail(STATUS_USAGE, "the scene does not have two galaxies");
    for (int g = 0; g < 2 && status == STATUS_OK; g++) {
        status = galaxy_core_open(&core[g], bodies, first[g]);
        if (status == STATUS_OK)
            touch += galaxy_core_radius(core[g]);
    }
    if (status == STATUS_OK)
        status = simulation_open(&simulation, &scene->simulation, backend, 0, bodies);
    for (size_t f = 0; f < frames && status == STATUS_OK; f++) {
        const struct bodies *now;
        double centre[2][3];
        status = simulation_advance(simulation, f, NULL);
        if (status == STATUS_OK)
            status = simulation_bodies(simulation, &now);
        if (status != STATUS_OK)
            break;
        for (int g = 0; g < 2; g++)
            galaxy_core_find(core[g], now, centre[g]);
        separation[f] = away(centre[0], centre[1]);
    }
    if (status == STATUS_OK) /* in frames */
        encounter_find(frames, separation, 1, noise_share * touch, touch, out);
    simulation_close(&simulation);
    galaxy_core_close(&core[0]);
    galaxy_core_close(&core[1]);
    free(separation);
    return status;
}

static enum status foresee(const struct scene *scene, const char *backend,
                           const struct bodies *bodies, enum pilot_seeks seeks,
                           struct encounter *out)
{
    const double frame = scene->simulation.dt * scene->simulation.steps_per_frame;
    const struct pilot_params params = {
        .simulation = &scene->simulation,
        .duration = frame * (double)(scene->output.frames - 1),
        .frames = scene->output.frames,
        .seeks = seeks,
        .backend = backend,
    };
    struct pilot *pilot = NULL;
    enum status status = pilot_run(&pilot, &params, bodies);
    if (status == STATUS_OK) {
        *out = pilot->happened;
        for (size_t k = 0; k < out->pericentre_count && k < ENCOUNTER_MAX; k++)
            out->pericentre[k].time /= frame;
        out->merger.time /= frame;
    }
    pilot_close(&pilot);
    return status;
}

struct request {
    const char *backend;
    uint64_t bodies; /* 0: the scene's own */
    bool film_only;
    int settings;
    char **setting; /* KEY=VALUE */
};

static enum status open_scene(struct scene **out, const char *name, const struct request *request)
{
    enum status status = scene_open(out, name);
    for (int i = 0; i < request->settings && status == STATUS_OK; i++) {
        char key[128];
        const char *equals = strchr(request->setting[i], '=');
        snprintf(key, sizeof key, "%.*s", (int)(equals - request->setting[i]), request->setting[i]);
        status = scene_set(*out, key, equals + 1, "film_moments");
    }
    if (status == STATUS_OK && request->bodies > 0)
        (*out)->bodies.count = request->bodies;
    return status == STATUS_OK ? scene_validate(*out) : status;
}

static double first_pericentre(const struct encounter *found)
{
    return found->pericentre_count ? found->pericentre[0].time : NAN;
}

static void print(const char *name, size_t bodies, const struct scene *scene,
                  const struct encounter *pilot, const struct encounter *late,
                  const struct encounter *film)
{
    const double frame = scene->simulation.dt * scene->simulation.steps_per_frame;
    const double at = first_pericentre(film), merged = film->merges ? film->merger.time : NAN;
    printf("%-20s %7zu  pericentre %6.2f %6.2f %6.2f", name, bodies, first_pericentre(pilot),
           first_pericentre(late), at);
    printf("  t %6.2f of %6.2f", at * frame, scene->bodies.pericentre_time);
    printf("  %5.2f of %5.2f apart", film->pericentre_count ? film->pericentre[0].separation : NAN,
           scene->bodies.pericentre);
    printf("  merger %6.2f %6.2f  t %6.2f\n", late->merges ? late->merger.time : NAN, merged,
           merged * frame);
    fflush(stdout);
}

static enum status judge(const char *name, const struct request *request)
{
    struct scene *scene = NULL;
    struct bodies *bodies = NULL;
    struct encounter pilot = {0}, late = {0}, film = {0};
    enum status status = open_scene(&scene, name, request);
    if (status == STATUS_OK)
        status = bodies_make(&scene->bodies, &bodies);
    if (status == STATUS_OK && !request->film_only)
        status = foresee(scene, request->backend, bodies, PILOT_PASSAGE, &pilot);
    if (status == STATUS_OK && !request->film_only)
        status = foresee(scene, request->backend, bodies, PILOT_STORY, &late);
    if (status == STATUS_OK)
        status = follow(scene, request->backend, bodies, &film);
    if (status == STATUS_OK)
        print(name, bodies->count, scene, &pilot, &late, &film);
    bodies_destroy(&bodies);
    scene_close(&scene);
    return status;
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "usage: film_moments BACKEND BODIES [--film] [KEY=VALUE]... SCENE...\n");
        return EXIT_FAILURE;
    }
    struct request request = {.backend = argv[1], .bodies = strtoull(argv[2], NULL, 10)};
    enum status status = STATUS_OK;
    int i = 3;
    request.film_only = strcmp(argv[i], "--film") == 0;
    i += request.film_only;
    for (request.setting = argv + i; i < argc && strchr(argv[i], '='); i++)
        request.settings++;
    for (; i < argc; i++) {
        status = judge(argv[i], &request);
        if (status != STATUS_OK)
            fprintf(stderr, "%s: %s\n", argv[i], status_text());
    }
    return status == STATUS_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
