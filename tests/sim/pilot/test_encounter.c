#include "tests/support/choose.h"
#include "tests/support/test.h"
#include "tests/support/forces/sphere.h"
#include "sim/pilot/pilot.h"
#include "sim/simulation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SAMPLES = 400 };

static void find(double (*separation)(double), double noise, double touch, struct encounter *out)
{
    double track[SAMPLES];
    for (int k = 0; k < SAMPLES; k++)
        track[k] = separation(0.05 * k);
    encounter_find(SAMPLES, track, 0.05, noise, touch, out);
}

/* A straight passage: the squared separation is a parabola. */
static double passage(double t)
{
    return sqrt(0.3 * 0.3 + 4 * (t - 7.13) * (t - 7.13));
}

/* Minima at pi/2 + 2 pi k of 1, maxima at 3 pi/2 + 2 pi k of 3, over the 0 .. 20 of the track. */
static double swing(double t)
{
    return 2 - sin(t);
}

static double wavering(double t)
{
    return passage(t) + 0.02 * sin(40 * t);
}

/* Falls, turns round at 12 below 1, and stays. */
static double merging(double t)
{
    return t < 12 ? 13 - t - 0.9 : 0.1 + 0.4 * fabs(sin(t - 12));
}

static double falling(double t)
{
    return 20.3 - t;
}

static double far(double t)
{
    (void)t;
    return 5;
}

TEST(turns_are_found_where_they_are)
{
    struct encounter found;
    find(passage, 0.05, 0.1, &found);
    assert_int_equal(found.pericentre_count, 1);
    assert_int_equal(found.apocentre_count, 0); /* the track's ends are none */
    assert_near(found.pericentre[0].time, 7.13, 1e-9);
    assert_near(found.pericentre[0].separation, 0.3, 1e-6);
    find(swing, 0.05, 0.1, &found);
    assert_int_equal(found.pericentre_count, 3);
    assert_int_equal(found.apocentre_count, 3);
    for (int k = 0; k < 3; k++) {
        assert_near(found.pericentre[k].time, M_PI / 2 + 2 * M_PI * k, 1e-3);
        assert_near(found.apocentre[k].time, 3 * M_PI / 2 + 2 * M_PI * k, 1e-3);
        assert_near(found.pericentre[k].separation, 1, 1e-3);
        assert_near(found.apocentre[k].separation, 3, 1e-3);
    }
    assert_false(found.merges);
}

TEST(noise_makes_no_turns)
{
    struct encounter found;
    find(wavering, 0.1, 0.1, &found);
    assert_int_equal(found.pericentre_count, 1);
    assert_int_equal(found.apocentre_count, 0);
    assert_near(found.pericentre[0].time, 7.13, 0.1);
    find(far, 0.01, 6, &found); /* one from the start: nothing happens */
    assert_int_equal(found.pericentre_count + found.apocentre_count, 0);
    assert_false(found.merges);
    double one = 3;
    encounter_find(1, &one, 1, 0.1, 1, &found);
    assert_int_equal(found.pericentre_count + found.apocentre_count, 0);
}

TEST(a_merger_stays_and_has_turned_round)
{
    struct encounter found;
    find(merging, 0.05, 1, &found);
    assert_true(found.merges);
    assert_near(found.merger.time, 11.1, 1e-9);
    find(falling, 0.05, 1, &found); /* still on its way as the film ends */
    assert_false(found.merges);
    find(swing, 0.05, 1.5, &found); /* comes out again */
    assert_false(found.merges);
}

/* Two galaxies as points (tiny balls of ten bodies at the same place would be singular): one heavy
 * body each with massless companions, on a parabolic orbit with a known pericentre. */
static struct bodies *two_points(double before, double pericentre, bool named)
{
    enum { EACH = 20 };
    struct bodies *bodies;
    assert_ok(bodies_create(&bodies, 2 * EACH, 2));
    /* Barker's equation, mass 2: the time before the pericentre is sqrt(2 q^3 / 2) (D + D^3 / 3),
     * D = tan(f / 2). */
    double d = 0, low = 0, high = 1e3;
    while (high - low > 1e-14 * high && (d = (low + high) / 2) > low && d < high)
        *(sqrt(pericentre * pericentre * pericentre) * (d + d * d * d / 3) < before ? &low
                                                                                    : &high) = d;
    double f = -2 * atan(d), r = pericentre * (1 + d * d), speed = sqrt(2 / (2 * pericentre));
    double x[2] = {r * cos(f), r * sin(f)}, v[2] = {-speed * sin(f), speed * (1 + cos(f))};
    for (int g = 0; g < 2; g++) {
        struct component *component = &bodies->components[g];
        *component = (struct component){.first = (size_t)g * EACH, .count = EACH, .draw = true};
        strcpy(component->name, "all");
        if (named)
            strcpy(component->galaxy, g ? "second" : "first");
        double sign = g ? 0.5 : -0.5;
        for (size_t i = component->first; i < component->first + EACH; i++) {
            for (int k = 0; k < 2; k++) {
                bodies->position[i][k] = sign * x[k];
                bodies->velocity[i][k] = sign * v[k];
            }
            bodies->mass[i] = i == component->first ? 1 : 0;
        }
    }
    return bodies;
}

static struct pilot *run_softened(const struct bodies *bodies, double softening, double dt,
                                  double duration)
{
    struct simulation_params simulation = {.dt = dt,
                                           .softening = softening,
                                           .steps_per_frame = 4,
                                           .force = choose(&force_registry, "fast"),
                                           .integrator = choose(&integrator_registry, "kdk")};
    const struct pilot_params params = {
        .simulation = &simulation, .duration = duration, .frames = 400, .backend = "cpu"};
    struct pilot *pilot = NULL;
    assert_ok(pilot_run(&pilot, &params, bodies));
    return pilot;
}

static struct pilot *run_pilot(const struct bodies *bodies, double dt, double duration)
{
    return run_softened(bodies, 0.01, dt, duration);
}

TEST(a_known_orbit_is_found)
{
    struct bodies *bodies = two_points(3, 1, true);
    struct pilot *pilot = run_pilot(bodies, 0.005, 8);
    assert_non_null(pilot->separation);
    assert_int_equal(pilot->happened.pericentre_count, 1);
    /* Softening of a hundredth of the distance moves both by less than a thousandth. */
    assert_near(pilot->happened.pericentre[0].time, 3, 2e-3);
    assert_near(pilot->happened.pericentre[0].separation, 1, 1e-3);
    pilot_close(&pilot);
    pilot_close(&pilot);
    bodies_destroy(&bodies);
}

TEST(bodies_without_two_names_have_no_separation)
{
    struct bodies *bodies = two_points(3, 1, false);
    struct pilot *pilot = run_pilot(bodies, 0.005, 1);
    assert_null(pilot->separation);
    assert_int_equal(pilot->happened.pericentre_count, 0);
    pilot_close(&pilot);
    bodies_destroy(&bodies);
}

struct samples {
    size_t count, fails_at;
    double time[SAMPLES + 1], apart[SAMPLES + 1], shown[SAMPLES + 1];
};

static enum status note(void *user, const struct bodies *bodies, const struct view *view,
                        double time)
{
    struct samples *samples = user;
    const size_t k = samples->count++, other = bodies->count / 2;
    const double *a = bodies->position[0], *b = bodies->position[other];
    const float *c = view->position, *d = view->position + 4 * other;
    if (k == samples->fails_at)
        return status_fail(STATUS_IO, "sample %zu cannot be seen", k);
    samples->time[k] = time;
    samples->apart[k] = hypot(a[0] - b[0], a[1] - b[1]);
    samples->shown[k] = hypot((double)c[0] - d[0], (double)c[1] - d[1]);
    return STATUS_OK;
}

/* Each is seen once, with its own bodies and view, while later ones are computed. */
TEST(every_sample_is_seen_in_order)
{
    struct bodies *bodies = two_points(3, 1, true);
    struct simulation_params simulation = {.dt = 0.005,
                                           .softening = 0.01,
                                           .steps_per_frame = 4,
                                           .force = choose(&force_registry, "exact"),
                                           .integrator = choose(&integrator_registry, "kdk")};
    struct samples samples = {.fails_at = SIZE_MAX};
    const struct pilot_params params = {.simulation = &simulation,
                                        .duration = 8,
                                        .frames = SAMPLES,
                                        .backend = "cpu",
                                        .see = note,
                                        .user = &samples};
    struct pilot *pilot = NULL;
    assert_ok(pilot_run(&pilot, &params, bodies));
    assert_int_equal(samples.count, pilot->count);
    assert_true(pilot->count > 100);
    for (size_t k = 0; k < pilot->count; k++) {
        assert_near(samples.time[k], pilot->interval * (double)k, 1e-12);
        assert_near(samples.apart[k], pilot->separation[k], 1e-9);
        assert_near(samples.shown[k], pilot->separation[k], 1e-5);
    }
    const size_t failing[] = {0, 7, pilot->count - 1};
    pilot_close(&pilot);
    for (size_t i = 0; i < sizeof failing / sizeof *failing; i++) {
        char sentence[64];
        samples.count = 0;
        samples.fails_at = failing[i];
        snprintf(sentence, sizeof sentence, "sample %zu cannot be seen", samples.fails_at);
        assert_fails(pilot_run(&pilot, &params, bodies), STATUS_IO, sentence);
        assert_int_equal(samples.count, samples.fails_at + 1);
        assert_null(pilot);
    }
    bodies_destroy(&bodies);
}

/* The film's own steps and forces, sample by sample; one for the passage ends with it. */
TEST(a_story_is_the_film)
{
    enum { FRAMES = 60 };
    struct bodies *bodies = two_points(3, 1, true);
    const struct bodies *now;
    struct simulation_params simulation = {.dt = 0.03,
                                           .softening = 0.01,
                                           .steps_per_frame = 4,
                                           .subset = 1,
                                           .force = choose(&force_registry, "fast"),
                                           .integrator = choose(&integrator_registry, "kdk")};
    struct pilot_params params = {.simulation = &simulation,
                                  .duration = 0.03 * 4 * (FRAMES - 1),
                                  .frames = FRAMES,
                                  .seeks = PILOT_STORY,
                                  .backend = "cpu"};
    struct pilot *story = NULL, *passage = NULL;
    struct simulation *film;
    assert_ok(pilot_run(&story, &params, bodies));
    assert_int_equal(story->count, FRAMES);
    assert_ok(simulation_open(&film, &simulation, "cpu", 0, bodies));
    for (uint64_t f = 0; f < FRAMES; f++) {
        assert_ok(simulation_advance(film, f, NULL));
        assert_ok(simulation_bodies(film, &now));
        const double *a = now->position[0], *b = now->position[now->count / 2];
        assert_near(story->separation[f], hypot(a[0] - b[0], a[1] - b[1]), 1e-12);
    }
    simulation_close(&film);
    params.seeks = PILOT_PASSAGE;
    assert_ok(pilot_run(&passage, &params, bodies));
    assert_true(passage->count > 60 && passage->count < 120); /* of 201; it is at 85 */
    assert_int_equal(passage->happened.pericentre_count, 1);
    assert_near(passage->happened.pericentre[0].time, 3, 5e-3);
    pilot_close(&story);
    pilot_close(&passage);
    bodies_destroy(&bodies);
}

/* Thinned: the orbit of many bodies is that of all, and every run gives the same bits. */
TEST(thinning_keeps_the_orbit)
{
    enum { EACH = 2000 };
    struct bodies *ball = sphere_make(EACH, true, 1), *bodies;
    assert_ok(bodies_create(&bodies, 2 * EACH, 2));
    for (int g = 0; g < 2; g++) {
        struct component *component = &bodies->components[g];
        *component = (struct component){.first = (size_t)g * EACH, .count = EACH, .draw = true};
        strcpy(component->galaxy, g ? "second" : "first");
        for (size_t i = 0; i < EACH; i++) {
            size_t at = component->first + i;
            bodies->mass[at] = 1.0 / EACH;
            for (int k = 0; k < 3; k++) {
                bodies->position[at][k] = 0.2 * ball->position[i][k];
                bodies->velocity[at][k] = ball->velocity[i][k];
            }
            bodies->position[at][0] += g ? 4 : -4;
            bodies->position[at][1] += g ? 1 : -1;
            bodies->velocity[at][0] += g ? -0.8 : 0.8;
        }
    }
    struct pilot *once = run_pilot(bodies, 0.05, 8), *again = run_pilot(bodies, 0.05, 8);
    assert_int_equal(once->count, again->count);
    assert_memory_equal(once->separation, again->separation, once->count * sizeof(double));
    assert_near(once->separation[0], hypot(8, 2), 0.1);
    assert_int_equal(once->happened.pericentre_count, 1);
    /* Without gravity they would pass at 5. The spheres are grainy: 14 starts that differ by 1e-12
     * gave 4.756 to 4.870, 4.82 on average. */
    assert_near(once->happened.pericentre[0].time, 4.82, 0.1);
    /* The same softening gives the same result for all bodies or component by component. */
    struct pilot *all = run_softened(bodies, 0.3, 0.05, 8), *each;
    for (int g = 0; g < 2; g++)
        bodies->components[g].softening = 0.3;
    each = run_softened(bodies, 7, 0.05, 8);
    assert_int_equal(each->count, all->count);
    for (size_t i = 0; i < each->count; i++)
        assert_near(each->separation[i], all->separation[i], 1e-5);
    pilot_close(&each);
    pilot_close(&all);
    pilot_close(&once);
    pilot_close(&again);
    bodies_destroy(&ball);
    bodies_destroy(&bodies);
}

TESTS(NULL, NULL)
