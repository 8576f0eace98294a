/* The frames of a scene's moments, and the light that its camera must frame. */
#include "tests/support/test.h"

#include "base/log.h"
#include "cmd/film/start/propose.h"
#include "cmd/film/script/reach.h"
#include "cmd/film/script/script.h"
#include "sim/models/models.h"
#include "tests/support/forces/sphere.h"
#include "scenes/scene_check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static enum status script_of(const char *text, struct script *script)
{
    struct scene *scene = NULL;
    struct bodies *bodies = NULL;
    *script = (struct script){0};
    enum status status = scene_parse(&scene, text, "film.yaml");
    if (status == STATUS_OK)
        status = scene_validate(scene);
    if (status == STATUS_OK)
        status = bodies_make(&scene->bodies, &bodies);
    if (status == STATUS_OK)
        status = script_open(
            script, &(struct script_source){.scene = scene, .bodies = bodies, .backend = "cpu"},
            NULL);
    bodies_destroy(&bodies);
    scene_close(&scene);
    return status;
}

#define FILM                                                                                       \
    "bodies: {count: 400, separation: 6, pericentre: 1}\n"                                         \
    "output: {size: 64x64, fps: 10, frames: 101}\n"                                                \
    "camera:\n"                                                                                    \
    "  moves: [{move: orbit, from: 1, to: t=2}]\n"                                                 \
    "  keyframes:\n"                                                                               \
    "  - {at: start, position: [9, 0, 0]}\n"                                                       \
    "  - {at: frame 30, position: [0, 9, 0]}\n"                                                    \
    "overlay:\n  readable: false\n"                                                                \
    "  captions: [{text: a}, {text: b, from: end - 1, to: 99}]\n"

TEST(a_script_has_all_moments)
{
    struct script script;
    assert_ok(script_of(FILM "simulation: {dt: 0.02, steps_per_frame: 2}\n", &script));
    assert_true(script.clock.slow_count == 0);
    assert_near(script.duration, 4, 1e-12);
    assert_true(script.keyframe[0] == 0 && script.keyframe[1] == 30);
    assert_near(script.move_from[0], 10, 1e-12);
    assert_near(script.move_to[0], 50, 1e-9);
    assert_near(script.captions[0].begins, 0, 0);
    assert_near(script.captions[0].ends, 5, 1e-12);
    assert_near(script.captions[1].begins, 9, 1e-12);
    assert_near(script.captions[1].ends, 99, 1e-12); /* captions may outlast the film */
    assert_null(script.framing);
    script_close(&script);
    script_close(&script);

    /* A given camera position takes precedence over automatic framing. */
    assert_ok(script_of("bodies: {count: 40}\ncamera: {frame: auto, distance: 9}\n", &script));
    assert_null(script.framing);
    script_close(&script);
    assert_ok(script_of("bodies: {count: 40}\noutput: {frames: 40}\ncamera: {frame: auto}\n"
                        "simulation: {slow: [{at: t=90}]}\n", /* after the film's end */
                        &script));
    assert_non_null(script.framing);
    assert_near(frame_clock_slowness(&script.clock, 1), 1, 0);
    script_close(&script);

    /* Slow motion: its own moment is in even time, all others follow the clock of the slow motion.
     */
    assert_ok(script_of(FILM "simulation:\n  dt: 0.02\n  steps_per_frame: 2\n"
                             "  slow: [{at: 2.5, factor: 3, span: 1}]\n",
                        &script));
    assert_true(script.clock.slow_count == 1);
    assert_near(script.clock.slow[0].at, 1, 1e-12); /* frame 25 of the even film */
    assert_near(script.move_to[0], 50 + 16.0 / 35 * 2 * 1 / 0.04, 1e-9);
    assert_near(script.duration, 4 - 16.0 / 35 * 2 * 1, 1e-9);
    assert_near(frame_clock_slowness(&script.clock, 1), 3, 1e-12);
    script_close(&script);
}

/* The number is exact: with one frame fewer the end is not shown. */
/* Time stands still from a whole frame on: later times are never reached, and their captions never
 * shown. */
TEST(time_stands_still)
{
    struct script script;
    assert_ok(script_of(
        "bodies: {count: 40}\noutput: {fps: 10, frames: 101, loop: true}\n"
        "simulation: {dt: 0.02, steps_per_frame: 2, freeze_at: t=1.01}\n"
        "camera: {moves: [{move: orbit, turn: 360}]}\n"
        "overlay: {captions: [{text: a, from: t=0.2, to: t=2}, {text: b, from: t=1.01, to: 9}]}\n",
        &script));
    assert_true(script.clock.freezes && script.clock.freeze_frame == 25);
    assert_near(script.duration, 1, 1e-12);
    assert_near(script.captions[0].begins, 0.5, 1e-12);
    assert_true(script.captions[0].ends > 10);
    assert_near(script.captions[1].begins, 2.525, 1e-12); /* the moment itself is reached */
    assert_true(script.move_to[0] == 101); /* a loop's end is its first frame, after the last one */
    script_close(&script);
    assert_fails(script_of("bodies: {count: 40}\noutput: {fps: 10, frames: 101}\n"
                           "simulation: {freeze_at: 2}\n"
                           "camera: {moves: [{move: orbit, to: t=3}]}\n",
                           &script),
                 STATUS_USAGE, "camera.moves[1].to time frame 20");
    assert_fails(script_of("bodies: {count: 40}\noutput: {fps: 10, frames: 101}\n"
                           "simulation: {freeze_at: 20}\n",
                           &script),
                 STATUS_USAGE, "simulation.freeze_at");
}

/* Automatic framing continues around bodies at rest, and its loop has no seam. */
TEST(a_still_loop_is_framed)
{
    enum { FRAMES = 60 };
    struct script script;
    assert_ok(script_of("bodies: {count: 200, separation: 9}\n"
                        "output: {size: 64x36, fps: 10, frames: 60, loop: true}\n"
                        "simulation: {freeze_at: start}\n"
                        "camera: {frame: auto, orbit: 360, azimuth: 90, elevation: 20}\n",
                        &script));
    double nearest = HUGE_VAL, farthest = 0, step = 0;
    for (int f = 0; f < FRAMES; f++) {
        const double here = script.framing[f].distance;
        nearest = fmin(nearest, here);
        farthest = fmax(farthest, here);
        if (f > 0)
            step = fmax(step, fabs(here - script.framing[f - 1].distance));
    }
    assert_true(farthest > 1.05 * nearest); /* two galaxies side by side, or one behind the other */
    assert_true(fabs(script.framing[0].distance - script.framing[FRAMES - 1].distance) <= step);
    script_close(&script);
}

static double opening_distance(const char *bodies, const char *camera)
{
    char text[256];
    struct script script;
    snprintf(text, sizeof text,
             "bodies: {%s}\noutput: {size: 128x64, frames: 2}\n"
             "camera: {frame: auto, elevation: 0, azimuth: 90, orbit: 0, %s}\n",
             bodies, camera);
    assert_ok(script_of(text, &script));
    const double distance = script.framing[0].distance;
    script_close(&script);
    return distance;
}

/* On a sphere, two galaxies beside each other are a third of the circle apart for any field of
 * view; a flat field of view would give a tenth. */
TEST(a_sphere_is_framed_from_among_the_bodies)
{
    static const char two[] = "count: 200, separation: 30";
    const double sphere = opening_distance(two, "projection: equirect");
    assert_near(opening_distance(two, "projection: equirect, fov: 10"), sphere, 1e-9);
    assert_true(opening_distance(two, "fov: 40") > 1.5 * sphere);
    assert_true(sphere > 0.55 * 15 && sphere < 1.2 * 15);
}

/* If no galaxies are named, a disk among the bodies is not cut to satisfy camera.fraction. */
TEST(the_opening_shot_holds_nearly_all)
{
    static const char alone[] = "model: plummer, count: 300", two[] = "count: 200, separation: 30";
    assert_near(opening_distance(alone, "fraction: 0.3"), opening_distance(alone, "fraction: 0.99"),
                1e-9);
    assert_near(opening_distance(two, "fraction: 0.3"), opening_distance(two, "fraction: 0.9"),
                1e-9); /* their disks are larger */
}

TEST(stars_are_behind_a_sphere)
{
    static const struct {
        const char *text;
        unsigned stars;
    } cases[] = {{"camera: {projection: equirect}\n", 20000},
                 {"camera: {projection: dome}\n", 20000},
                 {"camera: {projection: flat}\n", 0},
                 {"camera: {projection: equirect}\nlook: {background_stars: 7}\n", 7},
                 {"camera: {projection: equirect}\nlook: {preset: science}\n", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct scene *scene = NULL;
        assert_ok(scene_parse(&scene, cases[i].text, "film.yaml"));
        propose_around(scene);
        assert_ok(scene_validate(scene));
        assert_int_equal(scene->look.background_stars, cases[i].stars);
        scene_close(&scene);
    }
}

TEST(what_slow_motion_costs)
{
    static const char *const slow[] = {"{at: 2.5, factor: 3, span: 1}", "{at: 2.5, factor: 5}",
                                       "{at: 2.5, factor: 5}, {at: frame 60, factor: 2}"};
    struct script script;
    char text[512];
    for (size_t i = 0; i < sizeof slow / sizeof *slow; i++) {
        static const char form[] = "bodies: {count: 40}\noutput: {frames: %llu, fps: 10}\n"
                                   "simulation: {dt: 0.02, steps_per_frame: 2, slow: [%s]}\n";
        snprintf(text, sizeof text, form, 101ull, slow[i]);
        assert_ok(script_of(text, &script));
        const unsigned long long frames = script.story_frames;
        assert_near(script.story, 4, 1e-9);
        assert_true(script.duration < script.story && frames > 101);
        script_close(&script);
        snprintf(text, sizeof text, form, frames, slow[i]);
        assert_ok(script_of(text, &script));
        assert_true(script.duration >= 4 - 1e-9);
        script_close(&script);
        snprintf(text, sizeof text, form, frames - 1, slow[i]);
        assert_ok(script_of(text, &script));
        assert_true(script.duration < 4);
        script_close(&script);
    }
    assert_ok(script_of(FILM "simulation: {dt: 0.02, steps_per_frame: 2}\n", &script));
    assert_true(script.story_frames == 0 && script.story == script.duration);
    script_close(&script);
}

/* As in the scene of a film that an option made shorter; it is a warning. */
TEST(slow_motion_may_begin_after_the_end)
{
    struct script script;
    assert_ok(script_of("bodies: {count: 50}\noutput: {frames: 100}\nsimulation:\n  slow:\n"
                        "  - at: end\n",
                        &script));
    assert_int_equal(script.clock.slow_count, 1);
    script_close(&script);
}

TEST(the_key_is_named)
{
    static const struct {
        const char *text, *said;
    } wrong[] = {
        {"simulation:\n  slow:\n  - {at: pericenter}\n", "film.yaml:3 simulation.slow[1].at film"},
        {"camera:\n  keyframes:\n  - {at: 11, position: [9, 0, 0]}\n",
         "film.yaml:3 camera.keyframes[1].at moment frame 330 film"},
        {"camera:\n  moves:\n  - {move: zoom}\n  - {move: orbit, to: start - 1}\n",
         "film.yaml:4 camera.moves[2].to moment 1"},
        {"overlay:\n  captions:\n  - {text: a, from: 3, to: 3}\n",
         "film.yaml:3 overlay.captions[1] beginning 3"},
        {"overlay:\n  captions:\n  - {text: a, from: start - 1}\n",
         "film.yaml:3 overlay.captions[1].from moment 1 film"},
        {"bodies: {model: plummer, count: 20}\noverlay:\n  captions:\n  - {text: a, to: merger}\n",
         "film.yaml:4 overlay.captions[1].to merger two galaxies"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct script script;
        char text[512];
        snprintf(text, sizeof text, "%s%s", wrong[i].text,
                 strstr(wrong[i].text, "bodies:") ? "" : "bodies: {count: 50}\n");
        assert_fails(script_of(text, &script), STATUS_USAGE, wrong[i].said);
        assert_null(script.keyframe);
    }
}

/* Long enough to be read, or left out with a reason. */
TEST(captions_can_be_read)
{
    static const char *const film = "bodies: {count: 50}\noutput: {size: 64x64, fps: 10, frames: "
                                    "100}\noverlay: {captions: [%s]}\n";
    static const char long_text[] = "fifty letters, which take three seconds to be read"; /* 50 */
    static const struct {
        const char *captions;
        struct {
            double begins, ends; /* equal: left out */
        } shown[2];
    } cases[] = {
        {"{text: '%s', from: 1, to: 5}", {{1, 5}}},
        {"{text: '%s', from: 1, to: 1.2}", {{1, 4}}},
        {"{text: short, from: 1, to: 1.2}", {{1, 2.5}}},
        {"{text: '%s', from: 7.3, to: 7.5}", {{7, 10}}}, /* a little earlier */
        {"{text: '%s', from: 9, to: 9.5}", {{9, 9}}},    /* too late */
        {"{text: '%s', from: 1, to: 2}, {text: b, from: 3.5, to: 6}", {{1, 4}, {4, 6}}},
        {"{text: '%s', from: 1, to: 2}, {text: b, from: 2.5, to: 6}", {{0.5, 3.5}, {3.5, 6}}},
        {"{text: '%s', from: 2, to: 3}, {text: b, from: 2.1, to: 6}", {{2, 2}, {2.1, 6}}},
        {"{text: '%s', from: 0, to: 9}, {text: b, from: 3, to: 5}",
         {{0, 9}, {3, 5}}}, /* on purpose */
        {"{text: '%s', from: 7, to: 7.2}, {text: 'fifty letters, which take three seconds to be "
         "read', from: 8, to: 9}",
         {{7, 10}, {8, 8}}}, /* one that is left out takes no time */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct script script;
        char captions[256], text[512];
        snprintf(captions, sizeof captions, cases[i].captions, long_text);
        snprintf(text, sizeof text, film, captions);
        assert_ok(script_of(text, &script));
        for (uint32_t k = 0; k < script.caption_count; k++) {
            assert_near(script.captions[k].begins, cases[i].shown[k].begins, 1e-9);
            assert_near(script.captions[k].ends, cases[i].shown[k].ends, 1e-9);
            assert_int_equal(script.caption_notes[k].text[0] != 0,
                             cases[i].shown[k].begins == cases[i].shown[k].ends);
        }
        script_close(&script);
    }
}

/* Numbers of the run, and what holds in it. */
TEST(captions_say_what_is_true)
{
    static const struct {
        const char *caption, *said, *why; /* NULL: it is shown */
    } cases[] = {
        {"text: '{mass_ratio} of {bodies.velocity_scale}'", "half of 1", NULL},
        {"text: '{bodies.galaxies[2].halo_mass} {plain} {'", "2.5 {plain} {", NULL},
        {"text: '{pericentre} apart'", " units of length apart", NULL},
        {"text: a, when: 'bodies.pericentre <= 1, bodies.galaxies = 2'", "a", NULL},
        {"text: a, when: 'bodies.pericentre <= 1, bodies.galaxies[1].inclination > 90'", "a",
         "bodies.galaxies[1].inclination > 90"},
        {"text: a, when: 'bodies.galaxies[3].halo_mass > 0'", "a",
         "bodies.galaxies[3].halo_mass > 0"},
        {"text: 'b {bodies.galaxies[3].halo_mass}'", "b ",
         "{bodies.galaxies[3].halo_mass} has no value"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct script script;
        char text[768];
        snprintf(
            text, sizeof text,
            "bodies: {count: 400, separation: 6, pericentre: 1, galaxies: [{name: a, disk_mass: "
            "1, bulge_mass: 0, halo_mass: 5, halo_scale: 1}, {name: b, disk_mass: 0.5, "
            "bulge_mass: 0, halo_mass: 2.5, halo_scale: 1}]}\n"
            "output: {size: 64x64, fps: 10, frames: 101}\n"
            "simulation: {dt: 0.02, softening: 0.2, steps_per_frame: 2}\n"
            "overlay: {captions: [{%s}]}\n",
            cases[i].caption);
        assert_ok(script_of(text, &script));
        const char *said = script.captions[0].text;
        assert_non_null(strstr(said, cases[i].said));
        if (i < 2)
            assert_string_equal(said, cases[i].said);
        if (i == 2) { /* to one digit, or 1.5, 2 and 2.5 */
            assert_true(strncmp(said, "about ", 6) == 0);
            const double length = strtod(said + 6, NULL);
            const double halves = length < 0.3 ? 20 : length < 1 ? 10 : 2;
            assert_true(length > 0.05 && length < 2);
            assert_near(length * halves, round(length * halves), 1e-9);
        }
        assert_int_equal(script.caption_notes[0].text[0] != 0, cases[i].why != NULL);
        if (cases[i].why)
            assert_non_null(strstr(script.caption_notes[0].text, cases[i].why));
        script_close(&script);
    }
    struct script script;
    assert_fails(
        script_of("bodies: {count: 50}\noverlay: {captions: [{text: '{bodies.nothing}'}]}\n",
                  &script),
        STATUS_USAGE, "overlay.captions[1].text: there is no key 'bodies.nothing'");
    assert_fails(
        script_of("bodies: {count: 50}\noverlay: {captions: [{text: a, when: 'bodies.count'}]}\n",
                  &script),
        STATUS_USAGE, "overlay.captions[1].when: expected conditions");
    /* A clock whose event does not happen counts from the start. */
    assert_ok(script_of(
        "bodies: {model: plummer, count: 50}\noverlay: {clock: true, clock_from: pericentre}\n",
        &script));
    assert_false(script.counts_from_event);
    script_close(&script);
    assert_ok(script_of("bodies: {count: 50}\nsimulation: {dt: 0.01, steps_per_frame: 1}\n"
                        "output: {fps: 10, frames: 100}\noverlay: {clock: true, clock_from: 3}\n",
                        &script));
    assert_true(script.counts_from_event);
    assert_near(script.event, 0.3, 1e-12);
    script_close(&script);
}

TEST(a_passage_is_found_in_a_scene)
{
    struct script script;
    assert_ok(
        script_of("bodies: {count: 400, separation: 6, pericentre: 1, galaxies: [{name: a, "
                  "halo_scale: 1}, {name: b, halo_scale: 1}]}\n"
                  "output: {size: 64x64, fps: 10, frames: 101}\n"
                  "simulation: {dt: 0.02, softening: 0.2, steps_per_frame: 2}\n"
                  "overlay: {captions: [{text: near, from: pericentre, to: pericentre + 2}]}\n"
                  "camera: {frame: auto}\n",
                  &script));
    const double near = script.captions[0].begins;
    assert_true(near > 1 && near < 6);
    assert_near(script.captions[0].ends, near + 2, 1e-9);
    assert_non_null(script.framing);
    /* The bodies need least space when they are closest; the distance never jumps between frames.
     */
    const size_t at = (size_t)(10 * near);
    assert_true(script.framing[at].distance < 0.9 * script.framing[0].distance);
    for (size_t f = 1; f < 100; f++) {
        const struct camera_framing *now = &script.framing[f];
        assert_true(fabs(now[1].distance - 2 * now[0].distance + now[-1].distance) <
                    0.02 * now[0].distance);
    }
    script_close(&script);
}

/* Of events, only those whose absence is a fault are sought before a film is made. */
TEST(faults_are_sought_where_there_may_be_some)
{
    static const struct {
        const char *overlay;
        bool seeks;
    } cases[] = {
        {"clock_from: pericentre, captions: [{text: \"{pericentre} apart\", from: 1, to: 2}]",
         false},
        {"captions: [{text: near, from: pericentre, to: pericentre + 2}]", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct scene *scene;
        char text[512];
        snprintf(text, sizeof text,
                 "bodies: {count: 400}\noutput: {size: 64x64, fps: 10, frames: 101}\n"
                 "camera: {frame: fixed}\noverlay: {clock: true, %s}\n",
                 cases[i].overlay);
        assert_ok(scene_parse(&scene, text, "film.yaml"));
        assert_ok(scene_validate(scene));
        assert_int_equal(script_seeks(scene), cases[i].seeks);
        scene_close(&scene);
    }
}

static const struct frame_clock clock_of_test = {.dt = 0.125, .steps_per_frame = 2};

static void assert_held(const struct reach_need *need, const struct camera_framing *framing)
{
    for (int a = 0; a < 2; a++)
        assert_true(framing->distance >=
                    need->distance[a] +
                        fabs(framing->shift[a] - need->shift[a]) / need->tangent[a] - 1e-12);
}

TEST(reach_holds_every_frame_smoothly)
{
    enum { FRAMES = 200 };
    static struct reach_moment raw[FRAMES];
    for (int k = 0; k < FRAMES; k++) /* with jumps and single spikes */
        raw[k].need[0] = (struct reach_need){
            .distance = {5 + 2 * sin(0.05 * k) + (k > 120 ? 3 : 0) + (k % 37 == 0 ? 1 : 0), 4},
            .shift = {k % 50 == 0 ? 0.5 : 0, 0.01 * k},
            .tangent = {0.5, 0.25}};
    const struct reach reach = {
        .clock = &clock_of_test, .moment = raw, .count = FRAMES, .interval = 0.25};
    const struct moment_scale scale = {.fps = 10, .frames = FRAMES, .clock = &clock_of_test};
    struct camera_framing *smooth = reach_smooth(&reach, &scale, NULL);
    for (int f = 0; f < FRAMES; f++) {
        assert_held(&raw[f].need[0], &smooth[f]);
        assert_true(smooth[f].distance <= 12);
        const struct camera_framing *at = &smooth[f > 1 ? f - 1 : 1];
        assert_true(fabs(at[1].distance - 2 * at[0].distance + at[-1].distance) < 0.1);
        assert_true(fabs(at[1].shift[0] - 2 * at[0].shift[0] + at[-1].shift[0]) < 0.02);
        if (f >= 10 && f < FRAMES - 10) /* even motion is not delayed */
            assert_near(smooth[f].shift[1], 0.01 * f, 1e-12);
    }
    free(smooth);
    for (int k = 0; k < FRAMES; k++)
        raw[k].need[0] =
            (struct reach_need){.distance = {4, 3}, .shift = {1, -2}, .tangent = {0.5, 0.5}};
    smooth = reach_smooth(&reach, &scale, NULL);
    for (int f = 0; f < FRAMES; f++) {
        assert_near(smooth[f].distance, 4, 1e-12);
        assert_near(smooth[f].shift[0], 1, 1e-12);
        assert_near(smooth[f].shift[1], -2, 1e-12);
    }
    free(smooth);
}

/* The first frame continues the last: in a film that loops, and in a part of it that is shown as a
 * loop; a short one is repeated more often for its neighbours. */
TEST(loops_close)
{
    enum { FRAMES = 200 };
    static struct reach_moment raw[FRAMES];
    static const struct loop_range parts[] = {{0, FRAMES}, {60, 80}, {90, 7}};
    for (int k = 0; k < FRAMES; k++)
        raw[k].need[0] = (struct reach_need){
            .distance = {5 + 0.02 * k, 4}, .shift = {0.01 * k, -0.005 * k}, .tangent = {0.5, 0.25}};
    const struct reach reach = {
        .clock = &clock_of_test, .moment = raw, .count = FRAMES, .interval = 0.25};
    struct moment_scale scale = {.fps = 10, .frames = FRAMES, .clock = &clock_of_test};
    struct camera_framing *plain = reach_smooth(&reach, &scale, NULL);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const uint64_t first = parts[i].first, frames = parts[i].frames;
        scale.loops = frames == FRAMES;
        struct camera_framing *smooth = reach_smooth(&reach, &scale, &parts[i]);
        for (uint64_t k = 0; k < frames; k++) {
            const struct camera_framing *at[3];
            for (uint64_t j = 0; j < 3; j++)
                at[j] = &smooth[first + (k + j) % frames];
            assert_true(fabs(at[0]->distance - 2 * at[1]->distance + at[2]->distance) < 0.1);
            for (int a = 0; a < 2; a++)
                assert_true(fabs(at[0]->shift[a] - at[1]->shift[a]) < 0.3);
            assert_held(&raw[first + k].need[0], at[0]);
        }
        for (uint64_t f = 0; f < FRAMES; f++)
            if (f < first || f >= first + frames)
                assert_near(smooth[f].distance, plain[f].distance, 0);
        free(smooth);
    }
    free(plain);
}

/* A film that freezes at the passage is framed alike, whether the pilot run's last sample is the
 * nearest or one of the next. */
TEST(a_frozen_passage_is_framed_like_a_passage)
{
    enum { FRAMES = 200, FREEZE = 80 };
    static struct reach_moment raw[FREEZE + 1], still[FRAMES];
    struct frame_clock clock = clock_of_test;
    clock.freezes = true;
    clock.freeze_frame = FREEZE;
    for (int k = 0; k < FRAMES; k++)
        for (int stage = 0; stage < REACH_STAGES; stage++) {
            struct reach_moment *moment = k <= FREEZE ? &raw[k] : NULL;
            still[k].need[stage] =
                (struct reach_need){.distance = {9 - 2 * stage, 4}, .tangent = {0.5, 0.25}};
            if (moment) {
                moment->need[stage] = still[k].need[stage];
                moment->stage = REACH_PASSAGE;
            }
        }
    const struct reach reach = {
        .clock = &clock, .moment = raw, .count = FREEZE + 1, .interval = 0.25, .still = still};
    const struct moment_scale scale = {.fps = 10, .frames = FRAMES, .clock = &clock};
    struct camera_framing *nearest = reach_smooth(&reach, &scale, NULL);
    raw[FREEZE - 1].stage = raw[FREEZE].stage = REACH_APART;
    struct camera_framing *next = reach_smooth(&reach, &scale, NULL);
    for (int f = 0; f < FRAMES; f++) {
        assert_near(nearest[f].distance, 9 - 2 * REACH_PASSAGE, 1e-12);
        assert_near(next[f].distance, nearest[f].distance, 0.2);
    }
    for (int f = FREEZE; f < FRAMES; f++)
        assert_near(next[f].distance, nearest[f].distance, 0.02);
    free(nearest);
    free(next);
}

/* Panels belong to the look, but for those with simulations of their own; the clock is compared
 * by its numbers. */
TEST(what_moves_has_one_hash)
{
    static const struct {
        const char *path, *value;
        bool moves, panels;
    } rows[] = {
        {"look.panels", "[{title: a}, {force: exact}]", false, true},
        {"look.panels", "[{softening: 0.1}]", false, true},
        {"look.panels", "[{title: a}, {title: b, color: speed}]", false, false},
        {"output.frames", "9", false, false},
        {"bodies.seed", "7", true, true},
    };
    const struct script script = {.clock = clock_of_test};
    struct script slower = script;
    struct scene *scene;
    char usual[2][17], found[17];
    assert_ok(scene_parse(&scene, "", "test"));
    for (int panels = 0; panels < 2; panels++)
        script_motion_hash(&script, scene, panels, usual[panels]);
    slower.clock.dt *= 2;
    script_motion_hash(&slower, scene, true, found);
    assert_string_not_equal(found, usual[1]);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct scene *changed;
        assert_ok(scene_parse(&changed, "", "test"));
        assert_ok(scene_set(changed, rows[i].path, rows[i].value, "test"));
        script_motion_hash(&script, changed, false, found);
        assert_int_equal(strcmp(found, usual[0]) != 0, rows[i].moves);
        script_motion_hash(&script, changed, true, found);
        assert_int_equal(strcmp(found, usual[1]) != 0, rows[i].panels);
        scene_close(&changed);
    }
    scene_close(&scene);
}

int main(void)
{
    log_set_level(LOG_WARNING);
    return tests_run(__FILE__, NULL, NULL);
}
