/* Followed centres: the core and not the tails, smooth, and found by name. */
#include "tests/support/test.h"

#include "render/camera/camera.h"
#include "render/camera/follow.h"

#include <math.h>
#include <string.h>

enum { DISK = 6000, TAIL = 2000, HALO = 3000, OTHER = 9000, ALL = DISK + TAIL + HALO + OTHER };

static const double heart[3] = {12, -3, 1}, other[3] = {-20, 5, 0};

static const struct camera_part parts[] = {
    {.galaxy = "Big + Old", .component = "disk", .count = DISK + TAIL, .draw = true, .radius = 2},
    {.galaxy = "Big + Old", .component = "halo", .first = DISK + TAIL, .count = HALO, .radius = 2},
    {.galaxy = "Dwarf",
     .component = "disk",
     .first = DISK + TAIL + HALO,
     .count = OTHER / 2,
     .draw = true,
     .radius = 1.5},
    {.galaxy = "",
     .component = "stray",
     .first = DISK + TAIL + HALO + OTHER / 2,
     .count = OTHER - OTHER / 2,
     .draw = true,
     .radius = 1.5},
};

static float rows[ALL][4];
static uint64_t seed;

static double uniform(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 11) / (double)(UINT64_C(1) << 53);
}

/* A Plummer sphere of scale length `size`, cut at 10 of them. */
static void scatter(size_t first, size_t count, const double centre[3], double size, float mass)
{
    for (size_t i = first; i < first + count; i++) {
        const double r = fmin(size / sqrt(pow(uniform(), -2.0 / 3) - 1), 10 * size);
        const double z = 2 * uniform() - 1, angle = 2 * M_PI * uniform();
        rows[i][0] = (float)(centre[0] + r * sqrt(1 - z * z) * cos(angle));
        rows[i][1] = (float)(centre[1] + r * sqrt(1 - z * z) * sin(angle));
        rows[i][2] = (float)(centre[2] + r * z);
        rows[i][3] = mass;
    }
}

static struct view make_view(void)
{
    seed = 42;
    scatter(0, DISK, heart, 0.8, 1);
    for (size_t i = DISK; i < DISK + TAIL; i++) { /* an arc that leads far away, to one side */
        const double t = uniform();
        rows[i][0] = (float)(heart[0] + 30 * t + uniform());
        rows[i][1] = (float)(heart[1] + 40 * t * t + uniform());
        rows[i][2] = (float)heart[2];
        rows[i][3] = 1;
    }
    scatter(DISK + TAIL, HALO, (double[]){0, 0, 0}, 20, 20); /* not drawn, and not about the disk */
    scatter(DISK + TAIL + HALO, OTHER, other, 0.7, 1);
    return (struct view){.memory = VIEW_HOST, .device = -1, .count = ALL, .position = rows[0]};
}

static struct camera *follow(const char *name)
{
    char text[64];
    snprintf(text, sizeof text, "%s", name);
    const struct camera_params params = {.follow = text, .distance = 10, .zoom = 1, .fov = 40};
    const struct camera_setup setup = {
        .params = &params, .parts = parts, .part_count = 4, .frames = 2};
    struct camera *camera;
    assert_ok(camera_open(&camera, &setup));
    return camera;
}

static void centre_of(const char *name, const struct view *view, double out[3])
{
    struct camera *camera = follow(name);
    struct camera_aim aim;
    camera_aim(camera, view, &aim);
    memcpy(out, aim.target, sizeof aim.target);
    assert_true(fabs(camera_aim_distance(&aim) - 10) < 1e-9);
    camera_close(&camera);
}

static double apart(const double a[3], const double b[3])
{
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

TEST(cores_are_found_without_their_tails)
{
    const struct view view = make_view();
    static const char *const names[] = {"Big + Old", "Big + Old/disk", " Big + Old "};
    double found[3];
    for (int k = 0; k < 3; k++) {
        centre_of(names[k], &view, found);
        assert_true(apart(found, heart) < 0.05);
    }
    centre_of("Dwarf", &view, found);
    assert_true(apart(found, other) < 0.05);
    centre_of("stray", &view, found);
    assert_true(apart(found, other) < 0.05);
    centre_of("Big + Old/halo", &view, found); /* its own bodies, though none is drawn */
    assert_true(apart(found, heart) > 3);
}

TEST(mass_is_that_of_the_drawn_bodies)
{
    const struct view view = make_view();
    double found[3], expected[3] = {0}, count = 0;
    for (size_t i = 0; i < ALL; i += 2) { /* 20,000 bodies: every second one is sampled */
        if (i >= DISK + TAIL && i < DISK + TAIL + HALO)
            continue;
        count++;
        for (int c = 0; c < 3; c++)
            expected[c] += rows[i][c];
    }
    for (int c = 0; c < 3; c++)
        expected[c] /= count;
    centre_of("mass", &view, found);
    assert_true(apart(found, expected) < 1e-4);
    for (size_t i = 0; i < ALL; i++)
        rows[i][3] = 0; /* without masses bodies count alike */
    centre_of("mass", &view, found);
    assert_true(apart(found, expected) < 1e-4);
}

TEST(midpoints_lie_between)
{
    const struct view view = make_view();
    static const char *const names[] = {"Big + Old+Dwarf", "Dwarf + Big + Old",
                                        "Big + Old/disk+stray"};
    double found[3], middle[3];
    for (int c = 0; c < 3; c++)
        middle[c] = (heart[c] + other[c]) / 2;
    for (int k = 0; k < 3; k++) {
        centre_of(names[k], &view, found);
        assert_true(apart(found, middle) < 0.05);
    }
    centre_of("mass+mass", &view, found);
    centre_of("mass", &view, middle);
    assert_true(apart(found, middle) < 1e-12);
}

/* The denser of two; if the other becomes denser, the centre moves there without a jump. */
TEST(densest_passes_over_smoothly)
{
    const struct view view = make_view();
    double found[3], before[3] = {0}, most = 0;
    for (int step = 0; step <= 300; step++) {
        for (size_t i = 0; i < DISK; i++)
            rows[i][3] = (float)(0.25 * pow(1.02, step));
        centre_of("densest", &view, found);
        if (step == 0)
            assert_true(apart(found, other) < 0.5);
        else
            most = fmax(most, apart(found, before));
        memcpy(before, found, sizeof before);
    }
    assert_true(apart(found, heart) < 0.5);
    assert_true(most < 0.03 * apart(heart, other));
}

/* Bodies that move together and past each other: the centre moves as far, without shaking. */
TEST(centres_move_smoothly)
{
    static const char *const names[] = {"Big + Old", "densest", "Big + Old + Dwarf"};
    static const double allowed[] = {4e-3, 2e-2, 4e-3}; /* far less than a pixel of this scene */
    const struct view view = make_view();
    static float start[ALL][4];
    memcpy(start, rows, sizeof rows);
    for (int n = 0; n < 3; n++) {
        struct camera *camera = follow(names[n]);
        double last[3][3] = {{0}}, shake = 0, way = 0;
        for (int frame = 0; frame < 60; frame++) {
            struct camera_aim aim;
            for (size_t i = 0; i < ALL; i++) { /* each turns at its own rate, all drift */
                const double *middle = i < DISK + TAIL + HALO ? heart : other;
                const double angle = 0.05 * frame * (1 + 0.3 * sin((double)i));
                const double x = start[i][0] - middle[0], y = start[i][1] - middle[1];
                rows[i][0] = (float)(middle[0] + cos(angle) * x - sin(angle) * y + 0.02 * frame);
                rows[i][1] = (float)(middle[1] + sin(angle) * x + cos(angle) * y);
            }
            camera_aim(camera, &view, &aim);
            for (int c = 0; c < 3; c++) {
                if (frame >= 2)
                    shake = fmax(shake, fabs(aim.target[c] - 2 * last[0][c] + last[1][c]));
                last[1][c] = last[0][c];
                last[0][c] = aim.target[c];
            }
            way = aim.target[0];
        }
        camera_close(&camera);
        if (!(shake < allowed[n])) /* second differences */
            fail_msg("%s shakes by %g", names[n], shake);
        assert_true(isfinite(way));
    }
}

/* The same frame from another camera, after others or alone, is bit for bit the same. */
TEST(centres_have_no_memory)
{
    const struct view view = make_view();
    struct camera *camera = follow("Big + Old+densest");
    struct camera_aim aim;
    double alone[3];
    for (int k = 0; k < 3; k++) {
        for (size_t i = 0; i < ALL; i++)
            rows[i][0] += 1;
        camera_aim(camera, &view, &aim);
    }
    centre_of("Big + Old+densest", &view, alone);
    assert_memory_equal(alone, aim.target, sizeof alone);
    camera_close(&camera);
}

TEST(odd_bodies_have_a_centre)
{
    static struct camera_cloud cloud;
    double found[3];
    float one[2][4] = {{3, 4, 5, 0}, {3, 4, 5, 0}};
    struct view view = {.memory = VIEW_HOST, .count = 2, .position = one[0]};
    camera_cloud_fill(&cloud, &view, 0, &(const struct camera_range){0, 2}, 1);
    for (int radius = 0; radius < 2; radius++) {
        camera_core(&cloud, radius, found);
        assert_true(found[0] == 3 && found[1] == 4 && found[2] == 5);
    }
    one[1][0] = 1e15f; /* one has moved extremely far away */
    camera_cloud_fill(&cloud, &view, 0, &(const struct camera_range){0, 2}, 1);
    camera_core(&cloud, 1, found);
    assert_true(isfinite(found[0]) && isfinite(found[1]) && isfinite(found[2]));
}

/* However a view is divided, each body of its sample belongs to one part. */
TEST(parts_share_the_sample)
{
    enum { COUNT = 3 * VIEW_SAMPLE_MOST - 5, CUTS = 6 };
    static float many[COUNT][4];
    static struct camera_cloud cloud;
    static const size_t cuts[CUTS] = {0, 1, 4, 6, 20001, COUNT};
    const struct view view = {.memory = VIEW_HOST, .count = COUNT, .position = many[0]};
    const size_t stride = view_sample_stride(COUNT);
    size_t next = 0;
    assert_int_equal(stride, 3);
    for (size_t i = 0; i < COUNT; i++)
        many[i][0] = (float)i;
    for (int c = 0; c + 1 < CUTS; c++) {
        const struct camera_range range = {cuts[c], cuts[c + 1] - cuts[c]};
        camera_cloud_fill(&cloud, &view, 0, &range, 1);
        for (size_t k = 0; k < cloud.count; k++, next++)
            assert_true(cloud.x[k] == (float)(next * stride));
    }
    assert_int_equal(next, (COUNT + stride - 1) / stride);
}

TEST(masses_count_by_their_size)
{
    static struct camera_cloud cloud;
    float two[2][4] = {{0, 0, 0, -3}, {4, 8, 0, 1}};
    const struct view view = {.memory = VIEW_HOST, .count = 2, .position = two[0]};
    double found[3];
    camera_cloud_fill(&cloud, &view, 0, &(const struct camera_range){0, 2}, 1);
    camera_centre_of_mass(&cloud, found);
    assert_true(found[0] == 1 && found[1] == 2);
}

/* A galaxy's radius is the mean over its bodies: a wide part with few bodies hardly matters. */
TEST(a_few_wide_bodies_do_not_widen_the_core)
{
    enum { HEART = 600, TORN = 400, FEW = 10, SUM = HEART + TORN + FEW };
    static const struct camera_part pair[] = {
        {.galaxy = "a", .component = "disk", .count = HEART + TORN, .draw = true, .radius = 1},
        {.galaxy = "a",
         .component = "shell",
         .first = HEART + TORN,
         .count = FEW,
         .draw = true,
         .radius = 50}};
    static float places[SUM][4];
    seed = 5;
    for (size_t i = 0; i < SUM; i++) {
        for (int c = 0; c < 3; c++)
            places[i][c] = (float)((i < HEART ? 0.3 : 3) * (uniform() - 0.5));
        places[i][0] += i < HEART ? 0 : 10;
        places[i][3] = 1;
    }
    const struct view view = {
        .memory = VIEW_HOST, .device = -1, .count = SUM, .position = places[0]};
    const struct camera_follow_setup setup = {
        .follow = "a", .key = "camera.follow", .parts = pair, .part_count = 2};
    struct camera_follow *core;
    double found[3];
    assert_ok(camera_follow_open(&core, &setup));
    camera_follow_centre(core, &view, 0, found);
    camera_follow_close(&core);
    assert_true(apart(found, (double[3]){0}) < 0.05);
}

/* A device's view is read from its sample. */
TEST(samples_of_devices_are_read)
{
    struct view view = make_view();
    static float sample[VIEW_SAMPLE_MOST][4];
    double host[3], device[3];
    assert_true(view_sample_stride(ALL) == 2);
    for (size_t k = 0; 2 * k < ALL; k++)
        memcpy(sample[k], rows[2 * k], sizeof sample[k]);
    centre_of("Dwarf", &view, host);
    view.memory = VIEW_CUDA;
    view.position = NULL;
    view.sample = sample[0];
    centre_of("Dwarf", &view, device);
    assert_memory_equal(host, device, sizeof host);
}

/* A view of some bodies is read from the sample of all. */
TEST(samples_of_all_processes_are_read)
{
    struct view view = make_view();
    static float sample[VIEW_SAMPLE_MOST][4];
    double alone[3], shared[3];
    for (size_t k = 0; 2 * k < ALL; k++)
        memcpy(sample[k], rows[2 * k], sizeof sample[k]);
    centre_of("Dwarf", &view, alone);
    view.position += 4 * (ALL / 3);
    view.count = ALL / 5;
    view.whole_sample = sample[0];
    view.whole = ALL;
    centre_of("Dwarf", &view, shared);
    assert_memory_equal(alone, shared, sizeof alone);
}

static void check_numbers(const char *follow, int count, uint64_t first, uint64_t second)
{
    uint64_t number[2] = {0};
    assert_int_equal(camera_follow_bodies(follow, number), count);
    assert_true(number[0] == first && number[1] == second);
}

TEST(single_bodies_are_followed)
{
    struct view view = make_view();
    const float here[8] = {1, 2, 3, 1, 10, 20, 30, 0};
    memcpy(view.followed[1], here, sizeof here);
    struct camera_follow_setup setup = {.follow = "body 70",
                                        .key = "camera.follow",
                                        .parts = parts,
                                        .part_count = 4,
                                        .bodies = {.count = 2, .number = {3, 70}}};
    struct camera_follow *follow;
    double found[3], core[3];
    assert_ok(camera_follow_open(&follow, &setup));
    camera_follow_centre(follow, &view, 0.5, found);
    assert_true(found[0] == 6 && found[1] == 12 && found[2] == 18);
    camera_follow_close(&follow);
    setup.follow = " Dwarf +body  70 ";
    assert_ok(camera_follow_open(&follow, &setup));
    camera_follow_centre(follow, &view, 0, found);
    camera_follow_close(&follow);
    centre_of("Dwarf", &view, core);
    for (int c = 0; c < 3; c++)
        assert_true(fabs(found[c] - (core[c] + here[c]) / 2) < 1e-9);
    check_numbers("body 70", 1, 70, 0);
    check_numbers("body 1 + body 18446744073709551615", 2, 1, UINT64_MAX);
    check_numbers("Dwarf+ body 0", 1, 0, 0);
    check_numbers("body", 0, 0, 0);
    check_numbers("body -1", 0, 0, 0);
    check_numbers("body 18446744073709551616", 0, 0, 0);
    check_numbers("", 0, 0, 0);
}

TEST(parts_come_before_bodies_of_the_same_name)
{
    const struct view view = make_view();
    struct camera_part named[4];
    memcpy(named, parts, sizeof named);
    for (int i = 0; i < 4; i++)
        if (strcmp(named[i].galaxy, "Dwarf") == 0)
            named[i].galaxy = "body 3";
    const struct camera_follow_setup setup = {.follow = "body 3",
                                              .key = "camera.follow",
                                              .parts = named,
                                              .part_count = 4,
                                              .bodies = {.count = 1, .number = {3}}};
    struct camera_follow *follow;
    double found[3];
    assert_ok(camera_follow_open(&follow, &setup));
    camera_follow_centre(follow, &view, 0, found);
    camera_follow_close(&follow);
    assert_true(apart(found, other) < 0.05);
}

static bool at_time(const struct tracked *tracked, const struct view *view, double place[3])
{
    place[0] = 3 * view->time;
    place[1] = tracked->radius;
    place[2] = 0;
    return true;
}

static const struct tracked *find_one(void *user, const char *name)
{
    static const struct tracked one = {.at = at_time, .radius = 5};
    return user && strcmp(name, "halo 17") == 0 ? &one : NULL;
}

/* What else the film knows by a name, alone and halfway to a body, also where it will be. */
TEST(haloes_are_followed)
{
    struct camera_bodies bodies = {.count = 1, .number = {7}, .find = find_one, .user = &bodies};
    struct camera_follow_setup setup = {.key = "camera.follow", .bodies = bodies};
    struct view view = {.time = 2};
    static const char *const texts[] = {"halo 17", "halo 17 + body 7"};
    view.followed[0][0] = 20;
    for (int i = 0; i < 2; i++) {
        struct camera_follow *follow;
        double centre[3];
        setup.follow = texts[i];
        assert_ok(camera_follow_open(&follow, &setup));
        camera_follow_centre(follow, &view, 0.5, centre);
        assert_true(fabs(centre[0] - (i ? 0.5 * (7.5 + 20) : 7.5)) < 1e-12);
        assert_true(fabs(centre[1] - (i ? 2.5 : 5)) < 1e-12);
        assert_true(camera_follow_finds(texts[i], &bodies));
        camera_follow_close(&follow);
    }
    struct camera_follow *follow;
    setup.follow = "halo 18";
    assert_fails(camera_follow_open(&follow, &setup), STATUS_USAGE, "halo 18 look.halos");
    assert_false(camera_follow_finds("halo 18", &bodies));
}

TEST(unknown_bodies_are_refused)
{
    struct camera_follow *follow;
    struct camera_follow_setup setup = {.follow = "Dwarf + body 12",
                                        .key = "camera.follow",
                                        .parts = parts,
                                        .part_count = 4,
                                        .bodies = {.last = 9}};
    assert_fails(camera_follow_open(&follow, &setup), STATUS_USAGE,
                 "camera.follow body no ids 1 to 9 12");
    setup.bodies.last = 0;
    assert_fails(camera_follow_open(&follow, &setup), STATUS_USAGE, "camera.follow no body id 12");
}

TEST(unknown_names_are_refused)
{
    struct camera *camera;
    char text[64] = "Dwraf";
    struct camera_params params = {.follow = text, .distance = 10, .zoom = 1, .fov = 40};
    struct camera_setup setup = {.params = &params, .parts = parts, .part_count = 4, .frames = 2};
    assert_fails(
        camera_open(&camera, &setup), STATUS_USAGE,
        "camera.follow Dwraf mean Dwarf mass densest Big Old Old/disk Old/halo Dwarf/disk stray");
    assert_null(camera);
    setup.follow_key = "look.panels[2].follow";
    snprintf(text, sizeof text, "Dwarf+Big");
    assert_fails(camera_open(&camera, &setup), STATUS_USAGE, "look.panels[2].follow Big");
    snprintf(text, sizeof text, "disk"); /* of which galaxy? */
    assert_fails(camera_open(&camera, &setup), STATUS_USAGE, "disk");
    snprintf(text, sizeof text, "+");
    assert_fails(camera_open(&camera, &setup), STATUS_USAGE, "+");
    snprintf(text, sizeof text, "mass+");
    assert_fails(camera_open(&camera, &setup), STATUS_USAGE, "mass+");
    const struct camera_part few[] = {
        {.galaxy = "", .component = "many", .count = 99996, .draw = true},
        {.galaxy = "", .component = "pair", .first = 99996, .count = 2, .draw = true}};
    setup.parts = few;
    setup.part_count = 2;
    snprintf(text, sizeof text, "pair");
    assert_fails(camera_open(&camera, &setup), STATUS_USAGE,
                 "look.panels[2].follow 2 99998 bodies camera every 7th");
}

/* Disks in any direction, with a bulk motion, warm bodies and a halo that turns the other way about
 * another axis, are seen face-on, and edge-on with their axis up in the picture. */
TEST(a_disk_is_seen_from_its_axis)
{
    static float velocity[ALL][4];
    for (int n = 0; n < 20; n++) {
        struct view view = make_view();
        seed = 100 + (uint64_t)n;
        const double z = n == 0 ? 1 : n == 1 ? -1 : 2 * uniform() - 1, phi = 2 * M_PI * uniform();
        const double axis[] = {sqrt(1 - z * z) * cos(phi), sqrt(1 - z * z) * sin(phi), z};
        double across[3], along[3], away[3] = {0.3, 0.5, 0.2};
        vector_cross(across, axis, away);
        const double length = vector_length(across);
        for (int a = 0; a < 3; a++)
            across[a] /= length;
        vector_cross(along, axis, across);
        for (size_t i = 0; i < ALL; i++) {
            const double r = 3 * sqrt(uniform()), angle = 2 * M_PI * uniform();
            for (int a = 0; a < 3; a++) {
                const double turned = cos(angle) * along[a] - sin(angle) * across[a];
                if (i < DISK)
                    rows[i][a] =
                        (float)(heart[a] + r * (cos(angle) * across[a] + sin(angle) * along[a]) +
                                0.1 * (uniform() - 0.5) * axis[a]);
                velocity[i][a] = (float)(i < DISK ? turned + 0.3 * (uniform() - 0.5) + away[a]
                                         : i < DISK + TAIL ? away[a]
                                                           : -2 * uniform());
            }
        }
        view.velocity = velocity[0];
        char text[] = "Big + Old/disk";
        struct camera_params params = {.follow = text,
                                       .align = text,
                                       .distance = 10,
                                       .zoom = 1,
                                       .fov = 40,
                                       .elevation = 90,
                                       .azimuth = 70};
        const struct camera_setup setup = {
            .params = &params, .parts = parts, .part_count = 4, .frames = 2};
        for (int edge = 0; edge < 2; edge++) {
            struct camera *camera;
            struct camera_aim aim;
            double right[3], up[3], back[3], target[3];
            params.elevation = edge ? 0 : 90;
            assert_ok(camera_open(&camera, &setup));
            camera_aim(camera, &view, &aim);
            camera_aim_axes(&aim, right, up, back);
            centre_of(text, &view, target);
            camera_close(&camera);
            assert_true(apart(aim.target, target) < 1e-9);
            const double *seen = edge ? up : back;
            const double off = acos(seen[0] * axis[0] + seen[1] * axis[1] + seen[2] * axis[2]);
            if (!(off < 0.5 * M_PI / 180))
                fail_msg("disk %d is seen %g degrees from its axis", n, off * 180 / M_PI);
        }
    }
}

TEST(what_has_no_axis_is_refused)
{
    struct camera *camera;
    char text[64] = "densest";
    const struct camera_params params = {.align = text, .distance = 10, .zoom = 1, .fov = 40};
    const struct camera_setup setup = {
        .params = &params, .parts = parts, .part_count = 4, .frames = 2};
    assert_fails(camera_open(&camera, &setup), STATUS_USAGE, "camera.align angular momentum");
    snprintf(text, sizeof text, "Dwraf");
    assert_fails(camera_open(&camera, &setup), STATUS_USAGE, "camera.align Dwraf mean Dwarf");
}

TESTS(NULL, NULL)
