/* What labels choose: galaxies, components and bodies; and the sentences where they cannot. */
#include "tests/support/test.h"

#include "cmd/film/start/panels.h"
#include "cmd/film/start/tracking.h"
#include "scenes/scene_check.h"
#include "sim/bodies/bodies.h"
#include "sim/models/models.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Six bodies in the components sun (1), planets (3) and dust (2); ids from 11 on. */
static struct bodies *bodies_of(void)
{
    static const char *const names[] = {"Sun", "Venus", "Earth", "Mars", NULL, NULL};
    static const struct component components[] = {
        {.name = "sun", .first = 0, .count = 1, .draw = true},
        {.name = "planets", .first = 1, .count = 3, .draw = true},
        {.name = "dust", .galaxy = "Belt", .first = 4, .count = 2, .draw = true}};
    struct bodies *bodies;
    assert_ok(bodies_create(&bodies, 6, 3));
    memcpy(bodies->components, components, sizeof components);
    assert_ok(bodies_add_ids(bodies, 6));
    assert_ok(body_columns_add(&bodies->columns, "name", "", false, 6));
    assert_ok(body_columns_add(&bodies->columns, "age", "Gyr", false, 6));
    body_column_begin_words(&bodies->columns.list[0]);
    for (size_t i = 0; i < 6; i++) {
        bodies->id[i] = 11 + i;
        bodies->mass[i] = i == 0 ? 1 : 1e-3 * (double)i;
        bodies->position[i][0] = (double)i;
        bodies->columns.list[0].value[i] =
            names[i] ? body_column_word(&bodies->columns.list[0], names[i]) : (double)NAN;
        bodies->columns.list[1].value[i] = (double)(6 - i);
    }
    return bodies;
}

static enum status choose_by(const char *of, const char *more, struct tracking *out)
{
    char text[512];
    struct scene *scene;
    int count;
    struct bodies *bodies = bodies_of();
    snprintf(text, sizeof text, "%s\noverlay: {labels: [{of: '%s'}]}\n", more, of);
    assert_ok(scene_parse(&scene, text, "test.yaml"));
    assert_ok(scene_validate(scene));
    struct camera_part *parts = film_camera_names(bodies, &count);
    const enum status status = tracking_find(out, scene, bodies, NULL, parts, count);
    free(parts);
    scene_close(&scene);
    bodies_destroy(&bodies);
    return status;
}

/* The names of the labels, separated by commas. */
static void chooses(const char *of, const char *names)
{
    struct tracking tracking;
    char list[256] = "";
    assert_ok(choose_by(of, "", &tracking));
    for (size_t i = 0; i < tracking.count; i++) {
        strcat(list, i > 0 ? "," : "");
        strcat(list, tracking.list[i].name);
    }
    if (strcmp(list, names) != 0)
        fail_msg("'%s' chooses '%s', not '%s'", of, list, names);
    tracking_free(&tracking);
}

static void fails(const char *of, const char *words)
{
    struct tracking tracking;
    assert_fails(choose_by(of, "", &tracking), STATUS_USAGE, words);
    tracking_free(&tracking);
}

TEST(one_language_for_all)
{
    (void)state;
    chooses("galaxies", "Belt");
    chooses("components", "sun,planets,dust");
    chooses("bodies", "Sun,Venus,Earth,Mars");
    chooses("planets", "planets");
    chooses("Belt/dust", "Belt/dust");
    chooses("id=14", "Mars");
    chooses("id >= 15", "15,16");
    chooses(" name = Earth ", "Earth");
    chooses("name != Sun", "Venus,Earth,Mars");
    chooses("mass > 2.5e-3", "Sun,Mars,15,16");
    chooses("age<=2", "15,16");
    chooses("age == 6", "Sun");
}

/* Bodies are where their rows are, and the others where a camera would follow them. */
TEST(places_are_those_of_bodies)
{
    (void)state;
    static float rows[VIEW_FOLLOWED_MAX + 2][8] = {
        [VIEW_FOLLOWED_MAX] = {1, 2, 3}, [VIEW_FOLLOWED_MAX + 1] = {4, 5, 6, 0, 0, 0, 0, 1}};
    struct tracking tracking;
    struct view view = {.watched = rows, .watched_count = VIEW_FOLLOWED_MAX + 2};
    double at[3];
    assert_ok(choose_by("id >= 15", "", &tracking));
    assert_int_equal(tracking.body_count, 2);
    assert_true(tracking.bodies[0] == 4 && tracking.bodies[1] == 5);
    assert_true(tracking.list[0].at(&tracking.list[0], &view, at));
    assert_true(at[0] == 1 && at[1] == 2 && at[2] == 3 && tracking.list[0].radius == 0);
    assert_false(tracking.list[1].at(&tracking.list[1], &view, at)); /* it is absent */
    tracking_free(&tracking);
}

TEST(solar_masses)
{
    (void)state;
    struct tracking tracking;
    assert_ok(choose_by("mass > 5e9 Msun", "units: {mass_msun: 1e10, length_kpc: 1}", &tracking));
    assert_int_equal(tracking.count, 1);
    tracking_free(&tracking);
    fails("mass > 5e9 Msun", "units.mass_msun");
}

TEST(sentences)
{
    (void)state;
    fails("id=99", "test.yaml:2: overlay.labels[1].of: 'id=99' chooses none of the 6 bodies");
    fails("id=x", "not a whole number");
    fails("nmae=Mars", "no column 'nmae'; did you mean 'name'? choose from id, mass, name, age");
    fails("mass > heavy", "of: 'heavy' is not a mass; write a number such as 1e9 or 1e9 Msun");
    fails("age > old", "of: 'old' is not a number, but age has numbers; write 'age > 1'");
    fails("name > A", "= or !=");
    fails("mass >", "is no condition");
    fails("Pluto", "of: nothing is called 'Pluto'");
}

TESTS(NULL, NULL)
