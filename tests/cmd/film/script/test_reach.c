/* Automatic framing in the simulated film: the light of galaxies stays in the picture and fills it,
 * and the camera moves slowly. */
#include "tests/support/test.h"

#include "base/log.h"
#include "cmd/film/script/ellipse.h"
#include "cmd/film/start/panels.h"
#include "cmd/film/script/reach.h"
#include "cmd/film/script/script.h"
#include "cmd/film/scene/request.h"
#include "render/camera/camera.h"
#include "render/panel/places.h"
#include "sim/models/models.h"
#include "sim/pilot/galaxy_core.h"
#include "sim/simulation.h"
#include "scenes/scene.h"
#include "scenes/scene_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GALAXIES = 8, EVERY = 5 };

struct shot {
    struct scene *scene;
    struct bodies *bodies;
    struct script script;
    struct renderer_params params;
    struct camera_part *parts;
    struct camera *camera;
    struct galaxy_core *core[GALAXIES];
    size_t galaxies;
    struct simulation *simulation;
    struct view *view;
};

static void begin(struct shot *shot, const char *name, const char *const *set, int count)
{
    *shot = (struct shot){0};
    assert_ok(scene_open(&shot->scene, name));
    const struct picture_size own = shot->scene->output.size;
    for (int i = 0; i < count; i++)
        assert_ok(scene_set(shot->scene, set[2 * i], set[2 * i + 1], "test"));
    upright_turn(shot->scene, own);
    assert_ok(scene_validate(shot->scene));
    const struct scene *scene = shot->scene;
    assert_ok(bodies_make(&scene->bodies, &shot->bodies));
    assert_ok(script_open(
        &shot->script,
        &(struct script_source){.scene = scene, .bodies = shot->bodies, .backend = "cpu"}, NULL));
    assert_ok(film_camera_parts(&shot->parts, scene, shot->bodies));
    shot->params = (struct renderer_params){.width = scene->output.size.width,
                                            .height = scene->output.size.height,
                                            .camera = scene->camera,
                                            .look = scene->look,
                                            .frames = scene->output.frames,
                                            .parts = shot->parts,
                                            .part_count = (int)shot->bodies->component_count};
    shot->params.found.camera.stretch = panel_stretch(&shot->params);
    shot->params.found.camera.distance = 1;
    script_direct(&shot->script, &shot->params);
    assert_ok(camera_open_picture(&shot->camera, &shot->params, 0));
    size_t first[GALAXIES * 4];
    shot->galaxies = galaxies_find(shot->bodies, first);
    for (size_t g = 0; g < shot->galaxies; g++)
        assert_ok(galaxy_core_open(&shot->core[g], shot->bodies, first[g]));
    assert_ok(simulation_open(&shot->simulation, &scene->simulation, "cpu", 0, shot->bodies));
    simulation_set_clock(shot->simulation, &shot->script.clock);
    assert_ok(simulation_view_create(shot->simulation, &shot->view));
}

static void end(struct shot *shot)
{
    simulation_view_destroy(shot->simulation, &shot->view);
    simulation_close(&shot->simulation);
    for (size_t g = 0; g < shot->galaxies; g++)
        galaxy_core_close(&shot->core[g]);
    camera_close(&shot->camera);
    free(shot->parts);
    script_close(&shot->script);
    bodies_destroy(&shot->bodies);
    scene_close(&shot->scene);
}

/* Measurements of the galaxies' light in the picture. */
struct shown {
    double out[2]; /* how far out the ellipses are: of each galaxy, of all; 1 is the edge */
    double fill;   /* the longer side of the box around all galaxies', against the shorter side */
    double nearest, farthest; /* cores, in sums of their radii */
};

/* The drawn bodies, of one galaxy or of all, in the picture; half its height is 1. */
static void project(const struct shot *shot, const struct camera_aim *aim, const char *galaxy,
                    struct ellipse_lights *lights)
{
    const struct bodies *now;
    double axes[3][3];
    lights->count = 0;
    assert_ok(simulation_bodies(shot->simulation, &now));
    camera_aim_axes(aim, axes[0], axes[1], axes[2]);
    const double tangent = tan(aim->fov * M_PI / 360);
    for (size_t c = 0; c < now->component_count; c++) {
        const struct component *component = &now->components[c];
        if (!component->draw || (galaxy && strcmp(component->galaxy, galaxy) != 0))
            continue;
        for (size_t i = component->first; i < component->first + component->count; i++) {
            double at[3] = {0};
            for (int axis = 0; axis < 3; axis++)
                for (int k = 0; k < 3; k++)
                    at[axis] += axes[axis][k] * (now->position[i][k] - aim->eye[k]);
            if (!(at[2] < 0))
                continue;
            for (int axis = 0; axis < 2; axis++)
                lights->at[lights->count][axis] = at[axis] / (-at[2] * tangent);
            lights->light[lights->count++] = film_light(component, &shot->scene->look);
        }
    }
}

/* The distance of an ellipse's edge from the middle; widens the box around all. */
static double find_out(const struct shot *shot, const struct ellipse *ellipse, double box[4])
{
    const double half[] = {(double)shot->params.width / shot->params.height, 1};
    double out = 0;
    for (int edge = 0; edge < 4; edge++) {
        double direction[2] = {0};
        direction[edge / 2] = edge % 2 ? 1 : -1;
        const double extent = ellipse_extent(ellipse, direction, 1);
        box[edge] = fmax(box[edge], extent);
        out = fmax(out, extent / half[edge / 2]);
    }
    return out;
}

static void measure(struct shot *shot, struct shown *shown)
{
    const struct bodies *now;
    struct camera_aim aim;
    struct ellipse ellipse;
    size_t first[GALAXIES * 4];
    double centre[GALAXIES][3], box[4] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY}, unused[4];
    const size_t most = shot->bodies->count;
    double *rows = calloc(5 * most, sizeof *rows);
    struct ellipse_lights lights = {0, (double(*)[2])rows, rows + 2 * most};
    struct ellipse_buffers buffers = {
        rows + 3 * most, rows + 4 * most, calloc(most, sizeof *buffers.shells), {0}};
    assert_ok(simulation_bodies(shot->simulation, &now));
    camera_aim(shot->camera, shot->view, &aim);
    *shown = (struct shown){.nearest = INFINITY};
    galaxies_find(now, first);
    for (size_t g = 0; g < shot->galaxies; g++) {
        project(shot, &aim, now->components[first[g]].galaxy, &lights);
        ellipse_find(&ellipse, &lights, 0.95, &buffers);
        if (lights.count > 0)
            shown->out[0] = fmax(shown->out[0], find_out(shot, &ellipse, box));
        galaxy_core_find(shot->core[g], now, centre[g]);
        for (size_t h = 0; h < g; h++) {
            double apart = 0;
            for (int k = 0; k < 3; k++)
                apart = hypot(apart, centre[g][k] - centre[h][k]);
            apart /= galaxy_core_radius(shot->core[g]) + galaxy_core_radius(shot->core[h]);
            shown->nearest = fmin(shown->nearest, apart);
            shown->farthest = fmax(shown->farthest, apart);
        }
    }
    project(shot, &aim, NULL, &lights);
    ellipse_find(&ellipse, &lights, shot->scene->camera.fraction, &buffers);
    memcpy(unused, box, sizeof unused);
    shown->out[1] = find_out(shot, &ellipse, unused);
    const double shorter = fmin(1, (double)shot->params.width / shot->params.height);
    shown->fill = fmax(box[0] + box[1], box[2] + box[3]) / (2 * shorter);
    free(rows);
    free(buffers.shells);
}

/* The worst values over a film. */
struct verdict {
    double apart, one;       /* how far out ellipses are until galaxies are one, and after that */
    double opening, passage; /* fill */
    double pace;
    size_t worst, passed, merged; /* frames */
};

static void film_it(const char *name, const char *const *set, int count, struct verdict *out)
{
    struct shot shot;
    begin(&shot, name, set, count);
    const uint64_t frames = shot.scene->output.frames;
    const double fps = (double)shot.scene->output.fps.num / shot.scene->output.fps.den;
    struct shown *shown = calloc(frames, sizeof *shown);
    size_t samples = 0, least = 0;
    *out = (struct verdict){0};
    for (uint64_t f = 0; f < frames; f += EVERY) {
        assert_ok(simulation_advance(shot.simulation, f, NULL));
        assert_ok(simulation_view_fill(shot.simulation, shot.view));
        measure(&shot, &shown[samples++]);
    }
    for (size_t k = 1; k < samples; k++) {
        if (shown[k].nearest < shown[least].nearest)
            least = k;
        else if (shown[k].nearest > 1.1 * shown[least].nearest + 0.1)
            break;
    }
    size_t one = samples;
    while (one > 0 && shown[one - 1].farthest < 1)
        one--;
    for (size_t k = 0; k < samples; k++) {
        if (k < one && shown[k].out[0] > out->apart)
            out->worst = k * EVERY;
        if (k < one)
            out->apart = fmax(out->apart, shown[k].out[0]);
        else
            out->one = fmax(out->one, shown[k].out[1]);
    }
    out->opening = shown[0].fill;
    out->passage = shown[least].fill;
    out->passed = least * EVERY;
    out->merged = one * EVERY;
    for (uint64_t f = 1; shot.params.found.camera.framing && f < frames; f++)
        out->pace =
            fmax(out->pace, fps * fabs(log(shot.params.found.camera.framing[f].distance /
                                           shot.params.found.camera.framing[f - 1].distance)));
    free(shown);
    end(&shot);
}

static void print_verdict(const char *name, const char *size, const struct verdict *verdict)
{
    print_message("%-20s %-8s out %.3f (frame %zu), %.3f from frame %zu; fills %.2f, at frame %zu "
                  "%.2f; pace %.3f\n",
                  name, size, verdict->apart, verdict->worst, verdict->one, verdict->merged,
                  verdict->opening, verdict->passed, verdict->passage, verdict->pace);
}

static const char *const sizes[] = {"1280x720", "720x1280", "720x720"};

/* Every scene with generated galaxies in one shape: the default one in the square, where its light
 * comes nearest to the edge, the others in rotation, with every second frame and steps twice as
 * long; with GRAVREEL_TEST_ALL in each, as they are, with twice the bodies, which the camera does
 * not depend on. Ellipses of 95 % of a galaxy's light, then of 90 % of all. */
TEST(light_fills_the_picture_and_stays_in_it)
{
    const bool all = getenv("GRAVREEL_TEST_ALL");
    int looked = 0;
    for (size_t i = 0; i < builtin_registry.count; i++) {
        const struct scene_builtin *builtin = choice_at(&builtin_registry, i);
        struct scene *scene;
        assert_ok(scene_open(&scene, builtin->name));
        const bool sought = reach_is_needed(scene) && scene->bodies.model->makes_galaxies;
        char dt[32], frames[32];
        snprintf(dt, sizeof dt, "%.17g", 2 * scene->simulation.dt);
        snprintf(frames, sizeof frames, "%u", (unsigned)scene->output.frames / 2);
        scene_close(&scene);
        for (size_t s = 0; sought && s < 3; s++) {
            struct verdict verdict;
            if (s != (i == 0 ? 2 : i % 3) && !all)
                continue;
            const char *const set[] = {
                "output.size",   sizes[s], "bodies.count", all ? "8192" : "4096",
                "simulation.dt", dt,       "output.fps",   "15",
                "output.frames", frames};
            film_it(builtin->name, set, all ? 2 : 5, &verdict);
            print_verdict(builtin->name, sizes[s], &verdict);
            assert_true(verdict.apart <= 0.9 && verdict.one <= 0.9);
            assert_true(verdict.opening >= 0.45 && verdict.passage >= 0.6);
        }
        looked += sought;
    }
    assert_true(looked >= 7);
}

static void find_framing(const char *name, const char *count, struct scene **scene,
                         struct script *script)
{
    struct bodies *bodies;
    assert_ok(scene_open(scene, name));
    assert_ok(scene_set(*scene, "bodies.count", count, "test"));
    assert_ok(scene_validate(*scene));
    assert_ok(bodies_make(&(*scene)->bodies, &bodies));
    assert_ok(script_open(
        script, &(struct script_source){.scene = *scene, .bodies = bodies, .backend = "cpu"},
        NULL));
    bodies_destroy(&bodies);
}

/* The distance eases in and out: from frame to frame the pace hardly changes. */
static void assert_slow_and_smooth(const struct scene *scene, const struct script *script)
{
    double pace = 0, change = 0, before = 0;
    const double fps = (double)scene->output.fps.num / scene->output.fps.den;
    for (uint64_t f = 1; f < scene->output.frames; f++) {
        const double now = fps * log(script->framing[f].distance / script->framing[f - 1].distance);
        pace = fmax(pace, fabs(now));
        change = fmax(change, f > 1 ? fps * fabs(now - before) : 0);
        before = now;
    }
    print_message("pace %.3f a second, changing by %.3f a second\n", pace, change);
    assert_true(pace <= 1.001 * fmax(REACH_PACE, REACH_TURNS * fps / scene->output.frames));
    assert_true(change < 2 * REACH_PACE / REACH_WINDOW);
}

TEST(any_number_of_bodies_is_framed_alike)
{
    struct scene *few, *many;
    struct script one, other;
    find_framing("mice", "700", &few, &one);
    find_framing("mice", "131072", &many, &other);
    for (uint64_t f = 0; f < few->output.frames; f++) {
        assert_true(fabs(other.framing[f].distance / one.framing[f].distance - 1) < 1e-9);
        for (int axis = 0; axis < 2; axis++)
            assert_true(fabs(other.framing[f].shift[axis] - one.framing[f].shift[axis]) <
                        1e-9 * one.framing[f].distance);
    }
    assert_slow_and_smooth(many, &other);
    script_close(&one);
    script_close(&other);
    scene_close(&few);
    scene_close(&many);
}

int main(int argc, char **argv)
{
    if (argc > 3) {
        struct verdict verdict;
        const char *const set[] = {"output.size", argv[2], "bodies.count", argv[3]};
        film_it(argv[1], set, 2, &verdict);
        print_verdict(argv[1], argv[2], &verdict);
        return 0;
    }
    log_set_level(LOG_WARNING);
    return tests_run(__FILE__, NULL, NULL);
}
