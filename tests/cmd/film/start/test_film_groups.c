/* Colours of galaxies and components: from the palette, and from look.colors. */
#include "tests/support/test.h"

#include "cmd/film/start/panels.h"
#include "scenes/scene_check.h"
#include "sim/bodies/bodies.h"
#include "sim/models/models.h"
#include "tests/support/films/overlay_fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct opened {
    struct scene *scene;
    struct bodies *bodies;
    struct film_groups groups;
};

static enum status begin_with(struct opened *opened, const char *bodies, const char *look)
{
    char text[512];
    snprintf(text, sizeof text, "bodies: {%s}\nlook: {%s}\n", bodies, look);
    assert_ok(scene_parse(&opened->scene, text, "test.yaml"));
    assert_ok(scene_validate(opened->scene));
    assert_ok(bodies_make(&opened->scene->bodies, &opened->bodies));
    opened->groups = (struct film_groups){0};
    const enum status status = film_groups_check(opened->scene, opened->bodies);
    return status == STATUS_OK ? film_groups_make(&opened->groups, opened->scene, opened->bodies)
                               : status;
}

static enum status begin(struct opened *opened, const char *look)
{
    return begin_with(opened, "count: 600, galaxies: [{name: near}, {name: far}]", look);
}

static void end(struct opened *opened)
{
    film_groups_free(&opened->groups);
    bodies_destroy(&opened->bodies);
    scene_close(&opened->scene);
}

/* Disk and bulge of near, then those of far: haloes are not drawn. */
static void assert_group(const struct draw_group *group, const char *name, bool given, double r,
                         double g, double b)
{
    assert_string_equal(group->name, name);
    assert_int_equal(group->given, given);
    assert_true(fabs(group->tint[0] - r) < 1e-6);
    assert_true(fabs(group->tint[1] - g) < 1e-6);
    assert_true(fabs(group->tint[2] - b) < 1e-6);
}

TEST(without_colours_the_palette)
{
    struct opened opened;
    assert_ok(begin(&opened, "color: galaxy"));
    const struct draw_group *groups = opened.groups.list[0];
    assert_int_equal(opened.groups.count, 4);
    for (int i = 0; i < 2; i++) {
        assert_group(&groups[i], "near", false, 0.35, 0.6, 1);
        assert_group(&groups[2 + i], "far", false, 1, 0.62, 0.3);
    }
    end(&opened);
}

TEST(stars_and_palettes)
{
    struct opened opened;
    assert_ok(begin(&opened, "color: stars"));
    const struct draw_group *groups = opened.groups.list[0];
    for (int i = 0; i < 4; i += 2) {
        assert_string_equal(groups[i].name, "disk");
        assert_true(groups[i].tint[2] > groups[i].tint[0]);
        assert_string_equal(groups[i + 1].name, "bulge");
        assert_true(groups[i + 1].tint[0] > groups[i + 1].tint[2]);
        assert_true(groups[i].light == 1);
    }
    end(&opened);
    assert_ok(begin(&opened, "color: stars, colors: 'disk=lime'"));
    assert_group(&opened.groups.list[0][0], "disk", true, 0, 1, 0);
    end(&opened);
    assert_ok(begin(&opened, "color: galaxy, palette: okabe-ito"));
    groups = opened.groups.list[0];
    assert_group(&groups[0], "near", false, 0x56 / 255.0, 0xb4 / 255.0, 0xe9 / 255.0);
    assert_group(&groups[2], "far", false, 0xe6 / 255.0, 0x9f / 255.0, 0);
    end(&opened);
}

/* Also components whose names say nothing about their stars. */
TEST(any_component_has_its_named_colour)
{
    static const char *const models[] = {"king", "plummer", "hernquist", "nfw", "cube"};
    static const char *const modes[] = {"stars", "component"};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        for (size_t k = 0; k < sizeof modes / sizeof *modes; k++) {
            struct opened opened;
            char bodies[64], look[64];
            snprintf(bodies, sizeof bodies, "model: %s, count: 64", models[i]);
            snprintf(look, sizeof look, "color: %s, colors: '%s=lime'", modes[k], models[i]);
            assert_ok(begin_with(&opened, bodies, look));
            assert_group(&opened.groups.list[0][0], models[i], true, 0, 1, 0);
            end(&opened);
        }
}

TEST(clusters_are_old)
{
    static const char *const models[] = {"king", "plummer", "hernquist"};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        struct opened opened;
        char bodies[64];
        snprintf(bodies, sizeof bodies, "model: %s, count: 64", models[i]);
        assert_ok(begin_with(&opened, bodies, "preset: cinema"));
        const float *tint = opened.groups.list[0][0].tint;
        assert_true(tint[0] > tint[1] && tint[1] > tint[2]);
        end(&opened);
    }
}

TEST(galaxies_and_components)
{
    struct opened opened;
    assert_ok(begin(&opened, "color: galaxy, colors: 'far=#ff0080, far/bulge=white'"));
    const struct draw_group *groups = opened.groups.list[0];
    assert_group(&groups[0], "near", false, 0.35, 0.6, 1);
    assert_group(&groups[2], "far", true, 1, 0, 128 / 255.0);
    assert_group(&groups[3], "far/bulge", true, 1, 1, 1);
    end(&opened);

    /* The full name takes precedence, wherever it is listed. */
    assert_ok(begin(&opened, "color: component, colors: 'near/disk=lime, disk=blue'"));
    groups = opened.groups.list[0];
    assert_group(&groups[0], "near/disk", true, 0, 1, 0);
    assert_group(&groups[1], "bulge", false, 1, 0.62, 0.3);
    assert_group(&groups[2], "disk", true, 0, 0, 1);
    end(&opened);
}

TEST(each_panel_by_its_mode)
{
    struct opened opened;
    assert_ok(begin(&opened, "colors: 'near=red, disk=blue', panels: [{color: galaxy}, {color: "
                             "component}, {color: speed}]"));
    assert_group(&opened.groups.list[0][0], "near", true, 1, 0, 0);
    assert_group(&opened.groups.list[1][0], "disk", true, 0, 0, 1);
    assert_false(opened.groups.list[2][0].given);
    assert_null(opened.groups.list[3]);
    end(&opened);
}

TEST(names_that_are_not_there)
{
    struct opened opened;
    assert_fails(begin(&opened, "color: component, colors: 'disc=red'"), STATUS_USAGE,
                 "test.yaml:2 look.colors galaxy component disc mean disk near far bulge halo "
                 "GALAXY/COMPONENT");
    end(&opened);
    assert_fails(begin(&opened, "color: component, colors: 'near/gas=red'"), STATUS_USAGE,
                 "look.colors galaxy component near/gas");
    end(&opened);
}

static void begin_and_end(void *look)
{
    struct opened opened;
    assert_ok(begin(&opened, look));
    end(&opened);
}

/* A galaxy is visible if any of its components is drawn. */
TEST(colours_that_are_not_seen)
{
    static const struct {
        char look[64];
        const char *says;
    } cases[] = {{"color: galaxy, colors: 'near=red, far=blue'", NULL},
                 {"color: component, colors: 'disk=red'", NULL},
                 {"color: component, colors: 'halo=red'", "drawn"},
                 {"color: component, colors: 'near=red'", "look.color galaxy"},
                 {"color: galaxy, colors: 'disk=red'", "look.color component"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char look[64], told[512];
        memcpy(look, cases[i].look, sizeof look);
        stderr_of(begin_and_end, look, told, sizeof told);
        if (cases[i].says ? !has_words(told, cases[i].says) : *told)
            fail_msg("%s: %s", look, told);
    }
}

TESTS(NULL, NULL)
