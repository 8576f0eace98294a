/* Automatic framing cuts off no galaxy: in the opening shot, half way to the first passage and at
 * the passage, hardly any light is at the picture's border, for any aspect ratio. Only continuous
 * light is drawn, because a single star at the border does not mean that a galaxy is cut. */
#include "tests/support/test.h"

#include "base/log.h"
#include "cmd/film/script/reach.h"
#include "cmd/film/scene/request.h"
#include "cmd/film/stills/still.h"
#include "scenes/scene.h"
#include "scenes/scene_check.h"
#include "tests/support/films/drawing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Codes of 255. The light of few bodies is coarse; more of them leave less at the border. */
static const int faint = 20;
/* At the passage galaxies fill 60 % of the picture's shorter side, and their outermost light is
 * cut.
 */
static const int passing = 48;

static int brightest_at_border(const struct picture *picture)
{
    const struct picture_layout *layout = &picture->layout;
    int most = 0;
    for (uint32_t y = 0; y < layout->height; y++)
        for (uint32_t x = 0; x < layout->width; x++) {
            const uint8_t *pixel = picture->data + y * layout->plane[0].stride + 4 * x;
            const bool inside = x > 0 && y > 0 && x < layout->width - 1 && y < layout->height - 1;
            for (int c = 0; c < 3 && !inside; c++)
                most = pixel[c] > most ? pixel[c] : most;
        }
    return most;
}

/* The scene that is filmed. file: the bodies' file; NULL: none. */
struct filmed {
    const char *name, *file, *size, *count;
    bool stars; /* draws single stars, too */
};

/* Every second frame, with steps twice as long, unless GRAVREEL_TEST_ALL asks for the film itself.
 */
static void halve(struct scene *scene)
{
    char dt[32], frames[32];
    snprintf(dt, sizeof dt, "%.17g", 2 * scene->simulation.dt);
    snprintf(frames, sizeof frames, "%u", (unsigned)scene->output.frames / 2);
    if (getenv("GRAVREEL_TEST_ALL"))
        return;
    assert_ok(scene_set(scene, "simulation.dt", dt, "test"));
    assert_ok(scene_set(scene, "output.fps", "15", "test"));
    assert_ok(scene_set(scene, "output.frames", frames, "test"));
}

static void open_scene(struct scene **out, const struct filmed *filmed)
{
    const char *name = filmed->name, *file = filmed->file, *size = filmed->size;
    static const char *const bare[][2] = {
        {"overlay.title", "false"},  {"overlay.clock", "false"}, {"overlay.scale_bar", "false"},
        {"overlay.legend", "false"}, {"overlay.subtitle", ""},   {"overlay.captions", "[]"},
    };
    const char *const set[][2] = {
        {"bodies.count", filmed->count},
        {"look.background_stars", "0"},
        {"overlay.card", "0"},
    };
    struct scene *scene;
    assert_ok(scene_open(out, name));
    scene = *out;
    const struct picture_size own = scene->output.size;
    for (size_t i = 0; i < sizeof set / sizeof set[0]; i++)
        assert_ok(scene_set(scene, set[i][0], set[i][1], "test"));
    assert_ok(scene_set(scene, "output.size", size, "test"));
    for (size_t i = 0; i < sizeof bare / sizeof bare[0] && filmed->stars; i++)
        assert_ok(scene_set(scene, bare[i][0], bare[i][1], "test"));
    if (!filmed->stars)
        assert_ok(scene_set(scene, "look.resolved", "0", "test"));
    if (file)
        assert_ok(scene_set_text(scene, "bodies.file", file, "test"));
    if (!filmed->stars && scene->output.frames > 300) /* the first passage is over */
        assert_ok(scene_set(scene, "output.frames", "300", "--frames"));
    halve(scene);
    upright_turn(scene, own);
    assert_ok(scene_validate(scene));
}

static enum status open_unfaded(struct snapshot *snapshot, const struct scene *scene)
{
    return snapshot_open(
        snapshot, &(struct film_options){
                      .scene = scene, .backend = "cpu", .format = PICTURE_RGBA8, .unfaded = true});
}

static void look_at_borders(const char *name, const char *file, const char *size)
{
    struct scene *scene;
    struct snapshot snapshot;
    const struct picture *picture;
    open_scene(&scene, &(struct filmed){name, file, size, "4096", false});
    assert_ok(open_unfaded(&snapshot, scene));
    const double fps = (double)scene->output.fps.num / scene->output.fps.den;
    const double passage = snapshot.film.script.passage;
    assert_true(passage > 0);
    assert_ok(snapshot_take(&snapshot, 0, &picture));
    const int opening = brightest_at_border(picture);
    assert_ok(snapshot_take(&snapshot, (uint64_t)round(passage * fps / 2), &picture));
    const int approach = brightest_at_border(picture);
    assert_ok(snapshot_take(&snapshot, (uint64_t)round(passage * fps), &picture));
    const int pericentre = brightest_at_border(picture);
    print_message("%-20s %-8s at the border %d, %d at %.1f s, %d at %.1f s\n", name, size, opening,
                  approach, passage / 2, pericentre, passage);
    assert_true(opening < faint && approach < faint && (file || pericentre < passing));
    snapshot_close(&snapshot);
    scene_close(&scene);
}

static const char *const sizes[] = {"256x144", "144x256", "192x192"};

/* Draws the default scene in its own shape and upright, the others in one shape each, which is not
 * the one of test_reach; with GRAVREEL_TEST_ALL all scenes in each. */
static bool is_looked_at(size_t scene, size_t shape)
{
    return shape == (scene + 1) % 3 || (scene == 0 && shape == 0) || getenv("GRAVREEL_TEST_ALL");
}

TEST(borders_are_dark)
{
    need_gl(state);
    int looked = 0;
    for (size_t i = 0; i < builtin_registry.count; i++) {
        const struct scene_builtin *builtin = choice_at(&builtin_registry, i);
        struct scene *scene;
        assert_ok(scene_open(&scene, builtin->name));
        const bool sought = reach_is_needed(scene) && scene->bodies.model->makes_galaxies;
        scene_close(&scene);
        for (size_t s = 0; sought && s < 3; s++)
            if (is_looked_at(i, s))
                look_at_borders(builtin->name, NULL, sizes[s]);
        looked += sought;
    }
    assert_true(looked >= 7);
}

/* Scenes with a file of bodies. */
TEST(borders_of_files_are_dark)
{
    need_gl(state);
    static const char *const scenes[][2] = {
        {"dubinski", "dubinski/dubinski.tab.gz"},
        {"gadget-collision", "gadget2/galaxy_littleendian.dat"},
    };
    for (size_t i = 0; i < 2; i++)
        for (size_t s = 0; s < 3; s++)
            if (is_looked_at(i + 3, s))
                look_at_borders(scenes[i][0], test_data(scenes[i][1]), sizes[s]);
}

static bool is_named(const char *name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* Nor does a single star: with few bodies each stands for brighter stars, farther from it; with
 * many, some bodies are far out. GRAVREEL_TEST_ALL: every scene in every shape with every number.
 */
TEST(no_star_touches_the_opening)
{
    need_gl(state);
    static const char *const counts[] = {"8192", "2048", "4096", "16384", "65536"};
    static const char *const shapes[] = {"640x360", "360x640", "480x480"};
    static const char *const quick[] = {"milky-way-andromeda 640x360 65536", "mice 640x360 8192",
                                        "cartwheel 360x640 8192"};
    const bool all = getenv("GRAVREEL_TEST_ALL");
    int bright = 0;
    for (size_t i = 0; i < builtin_registry.count; i++) {
        const struct scene_builtin *builtin = choice_at(&builtin_registry, i);
        struct scene *scene;
        assert_ok(scene_open(&scene, builtin->name));
        const bool sought = reach_is_needed(scene) && scene->bodies.model->makes_galaxies;
        scene_close(&scene);
        for (size_t s = 0; sought && s < 3; s++)
            for (size_t n = 0; n < sizeof counts / sizeof *counts; n++) {
                struct snapshot snapshot;
                const struct picture *picture;
                char named[96];
                snprintf(named, sizeof named, "%s %s %s", builtin->name, shapes[s], counts[n]);
                if (!all && !is_named(named, quick, sizeof quick / sizeof *quick))
                    continue;
                open_scene(&scene,
                           &(struct filmed){builtin->name, NULL, shapes[s], counts[n], true});
                if (!all) /* only the opening is drawn */
                    assert_ok(scene_set(scene, "output.frames", "100", "--frames"));
                assert_ok(open_unfaded(&snapshot, scene));
                assert_ok(snapshot_take(&snapshot, 0, &picture));
                const int most = brightest_at_border(picture);
                print_message("%s: at the border %d\n", named, most);
                bright += most > faint;
                snapshot_close(&snapshot);
                scene_close(&scene);
            }
    }
    assert_int_equal(bright, 0);
}

/* The distance from the picture's middle to that of the light, as a part of its width or height. */
static double off_centre(const struct picture *picture)
{
    const struct picture_layout *layout = &picture->layout;
    const uint32_t size[2] = {layout->width, layout->height};
    uint32_t first[2] = {layout->width, layout->height}, last[2] = {0, 0};
    double most = 0;
    for (uint32_t y = 0; y < layout->height; y++)
        for (uint32_t x = 0; x < layout->width; x++) {
            const uint8_t *pixel = picture->data + y * layout->plane[0].stride + 4 * x;
            const uint32_t at[2] = {x, y};
            for (int a = 0; a < 2 && (pixel[0] > 40 || pixel[2] > 40); a++) {
                first[a] = at[a] < first[a] ? at[a] : first[a];
                last[a] = at[a] > last[a] ? at[a] : last[a];
            }
        }
    for (int a = 0; a < 2; a++)
        most = fmax(most, fabs((first[a] + last[a] + 1.0) / size[a] - 1) / 2);
    return most;
}

/* A tail grows out of the ellipses that the framing holds, on one side: the picture is centred on
 * the light, and the scene's zoom leaves the room. */
TEST(the_whirlpool_keeps_its_arm)
{
    need_gl(state);
    const int arm = 10; /* codes; an arm that is cut has 18 */
    struct scene *scene;
    struct snapshot snapshot;
    const struct picture *picture;
    for (int s = 0; s < (getenv("GRAVREEL_TEST_ALL") ? 3 : 1); s++) {
        open_scene(&scene, &(struct filmed){"whirlpool", NULL, sizes[s], "4096", true});
        assert_ok(scene_set(scene, "look.resolved", "0", "test"));
        assert_ok(open_unfaded(&snapshot, scene));
        assert_ok(snapshot_take(&snapshot, 0, &picture));
        const double off = off_centre(picture);
        const double fps = (double)scene->output.fps.num / scene->output.fps.den;
        assert_ok(snapshot_take(&snapshot, (uint64_t)round(50 * fps / 3), &picture));
        const int earlier = brightest_at_border(picture);
        assert_ok(snapshot_take(&snapshot, (uint64_t)round(18 * fps), &picture));
        const int later = brightest_at_border(picture);
        print_message("whirlpool %s: off centre by %.3f, arm at the border %d, %d\n", sizes[s], off,
                      earlier, later);
        assert_true(off < 0.05 && earlier <= arm && later <= arm);
        snapshot_close(&snapshot);
        scene_close(&scene);
    }
}

/* A merger in snapshots of which no galaxy has a name: the opening shot. */
TEST(unnamed_disks_are_not_cut)
{
    need_gl(state);
    const char *first = test_data("gadget_hdf5/snapshot_000.hdf5");
    for (int i = 0; i < 3; i++) {
        char text[1024];
        struct scene *scene;
        struct snapshot snapshot;
        const struct picture *picture;
        snprintf(text, sizeof text,
                 "bodies: {model: snapshots, file: '%.*s_*.hdf5', count: 0}\n"
                 "simulation: {dt: 0.005, steps_per_frame: 1, softening: 0.5}\n"
                 "camera: {follow: mass, frame: auto, azimuth: -100, elevation: 50}\n"
                 "look: {background_stars: 0, resolved: 0}\noutput: {size: %s, frames: 60}\n",
                 (int)(strlen(first) - strlen("_000.hdf5")), first, sizes[i]);
        assert_ok(scene_parse(&scene, text, "film.yaml"));
        assert_ok(scene_validate(scene));
        assert_ok(snapshot_open(
            &snapshot,
            &(struct film_options){.scene = scene, .backend = "cpu", .format = PICTURE_RGBA8}));
        assert_ok(snapshot_take(&snapshot, 0, &picture));
        const int opening = brightest_at_border(picture);
        print_message("unnamed %s: at the border %d\n", sizes[i], opening);
        assert_true(opening < faint);
        snapshot_close(&snapshot);
        scene_close(&scene);
    }
}

int main(void)
{
    log_set_level(LOG_ERROR);
    return tests_run(__FILE__, open_gl, NULL);
}
