/* The column that colours the bodies, and its range. */
#include "tests/support/files/folder.h"
#include "tests/support/test.h"

#include "base/file.h"
#include "base/log.h"
#include "cmd/film/start/quantity.h"
#include "render/colour/colour.h"
#include "render/sprites/modes.h"
#include "scenes/scene_check.h"
#include "sim/bodies/bodies_whole.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COUNT = 1001, HIDDEN = 100 };

/* Body i has "number" i and "sign" i - 10; the second galaxy's values are a thousand times as
 * large; "half" is missing for every other body, "none" for all; "one" is equal for all. */
static const char *make_file(void)
{
    const char *path = folder_path("bodies.csv");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("mass,x,y,z,vx,vy,vz,galaxy,number [K],sign,half,none,one\n", file);
    for (int i = 0; i < COUNT + HIDDEN; i++) {
        const int value = i < COUNT ? i : 1000 * i;
        fprintf(file, "1,%d,0,0,0,0,0,%d,%d,%d,%s,nan,7\n", i, i >= COUNT, value, value - 10,
                i % 2 ? "nan" : "5");
    }
    assert_int_equal(fclose(file), 0);
    return path;
}

static struct scene *scene_of(const char *look)
{
    char text[1024];
    struct scene *scene;
    snprintf(text, sizeof text,
             "bodies:\n  model: file\n  count: 0\n  file: %s\n  components:\n"
             "    - {name: seen, first: 1, last: %d}\n"
             "    - {name: hidden, first: %d, last: %d, draw: false}\n"
             "look: {%s%s}\n",
             make_file(), COUNT, COUNT + 1, COUNT + HIDDEN,
             strstr(look, "color") ? "" : "color: quantity, ", look);
    assert_ok(scene_parse(&scene, text, "test.yaml"));
    assert_ok(scene_validate(scene));
    return scene;
}

static float places[COUNT + HIDDEN];

static void take_places(const struct quantity *quantity, const struct bodies *bodies)
{
    const struct column_ask ask = quantity_ask(quantity, bodies, COLUMN_QUANTITY);
    assert_string_equal(ask.name, COLUMN_QUANTITY);
    const struct body_column *column = body_columns_find(&bodies->columns, ask.of);
    assert_non_null(column);
    for (size_t i = 0; i < bodies->count; i++)
        places[i] = ask.as(ask.by, column->value[i]);
}

static enum status find(const char *look, struct quantity *out)
{
    struct scene *scene = scene_of(look);
    struct bodies *bodies;
    *out = (struct quantity){0};
    enum status status = quantity_bodies(scene, DIVIDE_NOT, &bodies);
    if (status == STATUS_OK) {
        assert_int_equal(bodies->columns.count, 1); /* the others are not read */
        assert_int_equal(bodies->count, COUNT + HIDDEN);
        status = quantity_find(out, scene, bodies);
        if (status == STATUS_OK) {
            assert_string_equal(out->unit, strstr(look, "number") ? "K" : "");
            assert_string_equal(out->name, scene->look.quantity);
            take_places(out, bodies);
        }
    }
    bodies_destroy(&bodies);
    scene_close(&scene);
    return status;
}

static void assert_place(int i, double place)
{
    if (!(fabs((double)places[i] - place) < 1e-6))
        fail_msg("body %d is at %g instead of %g", i, (double)places[i], place);
}

TEST(percentiles_of_what_is_drawn)
{
    struct quantity quantity;
    assert_ok(find("quantity: number", &quantity));
    assert_true(quantity.from == 10 && quantity.to == 990);
    assert_place(0, 0);
    assert_place(500, 0.5);
    assert_place(745, 0.75);
    assert_place(COUNT + 5, 1);
}

/* On a logarithmic scale values that are not above 0 have no place, and do not count. */
TEST(logarithms)
{
    struct quantity quantity;
    assert_ok(find("quantity: sign, quantity_scale: log", &quantity));
    assert_true(quantity.from == 10 && quantity.to == 981);
    for (int i = 0; i <= 10; i++)
        assert_place(i, -1);
    assert_place(11, 0);
    assert_place(110, 1 / log10(98.1));
}

TEST(what_is_given_or_missing)
{
    struct quantity quantity;
    assert_ok(find("quantity: number, quantity_from: -100, quantity_to: 300", &quantity));
    assert_true(quantity.from == -100 && quantity.to == 300);
    assert_place(0, 0.25);
    assert_place(400, 1);
    assert_ok(find("quantity: half", &quantity));
    assert_true(quantity.from == 2.5 && quantity.to == 7.5); /* a range around equal values */
    for (int i = 0; i < COUNT; i++)
        assert_place(i, i % 2 ? -1 : 0.5);
    assert_ok(find("quantity: one, quantity_scale: log", &quantity));
    assert_place(3, 0.5);
}

TEST(what_cannot_be)
{
    static const struct {
        const char *look, *says;
    } cases[] = {
        {"quantity: Number", "column Number mean number sign half none"},
        {"quantity: ''", "column named number sign half none"},
        {"quantity: none", "body number column none"},
        {"quantity: none, quantity_scale: log", "column none 0"},
        {"quantity: sign, quantity_scale: log, quantity_from: -1, quantity_to: 5",
         "look.quantity_from number 0 look.quantity_scale log -1"},
    };
    struct quantity quantity;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_fails(find(cases[i].look, &quantity), STATUS_USAGE, cases[i].says);
    struct scene *scene;
    struct bodies *bodies;
    assert_ok(scene_parse(&scene,
                          "bodies: {model: plummer, count: 9}\n"
                          "look: {color: quantity, quantity: Age}\n",
                          "test.yaml"));
    assert_ok(scene_validate(scene));
    assert_fails(quantity_bodies(scene, DIVIDE_NOT, &bodies), STATUS_USAGE,
                 "look.quantity columns");
    assert_null(bodies);
    scene_close(&scene);
    assert_ok(scene_parse(&scene, "look: {quantity_from: 3, quantity_to: 2}\n", "test.yaml"));
    assert_fails(scene_validate(scene), STATUS_USAGE, "look.quantity_to");
    scene_close(&scene);
}

/* A film that shows something else reads no column, even if it names one. */
TEST(only_where_it_is_seen)
{
    static const char *const looks[] = {"quantity: unheard, color: speed",
                                        "quantity: unheard, mode: sprites-plain",
                                        "quantity: unheard, mode: activity"};
    for (size_t i = 0; i < 3; i++) {
        struct scene *scene = scene_of(looks[i]);
        struct bodies *bodies;
        struct quantity quantity;
        assert_ok(quantity_bodies(scene, DIVIDE_NOT, &bodies));
        assert_int_equal(bodies->columns.count, 0);
        assert_ok(quantity_find(&quantity, scene, bodies));
        assert_null(quantity.name);
        bodies_destroy(&bodies);
        scene_close(&scene);
    }
}

/* The colour of stars reads the ages of a file, if they are in Gyr. */
TEST(ages_of_a_file)
{
    static const char *const units[] = {"age [Gyr]", "age [s]"};
    for (int u = 0; u < 2; u++) {
        char table[256], text[512];
        struct scene *scene;
        struct bodies *bodies;
        snprintf(table, sizeof table, "mass,x,y,z,vx,vy,vz,other,%s\n1,0,0,0,0,0,0,5,2.5\n",
                 units[u]);
        assert_ok(file_write(folder_path("ages.csv"), table, strlen(table)));
        snprintf(text, sizeof text,
                 "bodies: {model: file, count: 0, file: %s}\nlook: {color: stars}\n",
                 folder_path("ages.csv"));
        assert_ok(scene_parse(&scene, text, "test.yaml"));
        assert_ok(scene_validate(scene));
        assert_ok(quantity_bodies(scene, DIVIDE_NOT, &bodies));
        assert_int_equal(bodies->columns.count, 1);
        const struct column_ask ask = quantity_ask(NULL, bodies, COLUMN_AGE);
        assert_string_equal(ask.name, COLUMN_AGE);
        assert_string_equal(ask.of, u == 0 ? "age" : "");
        assert_true(ask.as(ask.by, 2.5) == 2.5f && ask.as(ask.by, (double)NAN) < 0);
        bodies_destroy(&bodies);
        scene_close(&scene);
    }
}

/* If the look may use kernels, they are read; if it must, some must exist. */
TEST(kernels_of_gas)
{
    static const struct {
        const char *column, *look;
        bool read, used;
    } cases[] = {
        {"hsml", "", true, true},
        {"hsml", "size: kernel", true, true},
        {"hsml", "size: adaptive", false, false},
        {"hsml", "point_size: 4", false, false},
        {"other", "", false, false},
    };
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        struct scene *scene;
        struct bodies *bodies;
        char text[512];
        const char *path = folder_path("gas.csv");
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fprintf(file, "mass,x,y,z,vx,vy,vz,%s\n1,0,0,0,0,0,0,0.5\n1,1,0,0,0,0,0,nan\n",
                cases[n].column);
        assert_int_equal(fclose(file), 0);
        snprintf(text, sizeof text, "bodies: {model: file, count: 0, file: %s}\nlook: {%s}\n", path,
                 cases[n].look);
        assert_ok(scene_parse(&scene, text, "test.yaml"));
        assert_ok(scene_validate(scene));
        assert_ok(quantity_bodies(scene, DIVIDE_NOT, &bodies));
        assert_int_equal(bodies->columns.count, cases[n].read);
        struct look_params look = scene->look;
        bool kernels;
        assert_ok(kernel_drawn(bodies, &kernels));
        look.size = sizing_choose(&look, bodies_whole(bodies), kernels);
        assert_ok(kernel_check(scene, &look, bodies));
        assert_true(look_needs_column(&look, COLUMN_KERNEL) == cases[n].used);
        const struct column_ask ask = quantity_ask(NULL, bodies, COLUMN_KERNEL);
        const struct body_column *column = body_columns_find(&bodies->columns, ask.of);
        if (cases[n].used)
            assert_true(ask.as(ask.by, column->value[0]) == 0.5F &&
                        ask.as(ask.by, column->value[1]) == 0);
        if (n == 4) {
            look.size = &sizing_kernel;
            assert_fails(kernel_check(scene, &look, bodies), STATUS_USAGE,
                         "look.size body smoothing length");
        }
        bodies_destroy(&bodies);
        scene_close(&scene);
    }
}

int main(void)
{
    log_set_level(LOG_ERROR);
    return tests_run(__FILE__, folder_set_up, folder_tear_down);
}
