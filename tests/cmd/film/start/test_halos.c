/* Haloes of catalogues beside snapshots: their tracks along main progenitors, in the words of
 * labels and cameras; and the sentences where there are none. */
#include "tests/support/test.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/film/start/halos.h"
#include "cmd/film/start/tracking.h"
#include "scenes/scene_check.h"
#include "tests/support/files/folder.h"
#include "tests/support/files/hdf5_maker.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TIMES = 6 };

static void folder_write(const char *name, const char *text)
{
    assert_ok(file_write(folder_path(name), text, strlen(text)));
}

/* Two bodies at 0, 2, 4 ... */
static void write_snapshots(void)
{
    for (int k = 0; k < TIMES; k++) {
        char name[32], text[128];
        snprintf(name, sizeof name, "snap_%d.mpv", k);
        snprintf(text, sizeof text, "2 %d\n1 0 0 0 0 0 0\n1 1 0 0 0 0 0\n", 2 * k);
        folder_write(name, text);
    }
}

static enum status open_with(const char *more, struct scene **scene, struct halos **out)
{
    char *text =
        text_format("bodies: {model: snapshots, file: '%s/snap_*.mpv'}\n%s", folder_name(), more);
    assert_ok(scene_parse(scene, text, "test.yaml"));
    assert_ok(scene_validate(*scene));
    free(text);
    return halos_open(out, *scene);
}

static void place_at(const struct tracked *tracked, double time, double x, double y, double radius)
{
    struct view view = {.time = time};
    double place[3];
    assert_true(tracked->at(tracked, &view, place));
    const double found = tracked->radius_at(tracked, &view);
    if (fabs(place[0] - x) > 1e-6 || fabs(place[1] - y) > 1e-6 || fabs(found - radius) > 1e-6)
        fail_msg("at %g: %g, %g, radius %g instead of %g, %g, %g", time, place[0], place[1], found,
                 x, y, radius);
}

/* consistent-trees: halo 17 moves along x = t^2, y = 3 t; it is missing from two catalogues, where
 * its link skips them, and a smaller halo merges into it. */
TEST(rockstar_with_a_gap)
{
    write_snapshots();
    for (int k = 0; k < TIMES; k++) {
        const double t = 2 * k, a = 0.1 * (k + 1);
        const int next = k == 1 ? 4 : k + 1;
        char name[32];
        snprintf(name, sizeof name, "hlist_%d.list", k);
        char *text =
            text_format("#scale(0) id(1) desc_scale(2) desc_id(3) Mvir(4) Rvir(5) x(6) y(7) "
                        "z(8)\n#Omega_M = 0.3; h0 = 0.7\n");
        if (k != 2 && k != 3)
            text_append(&text, "", "%.4f %d %.4f %d 1e12 %g %g %g 5\n", a,
                        k == TIMES - 1 ? 17 : 100 + k, 0.1 * (next + 1),
                        k == TIMES - 1      ? -1
                        : next == TIMES - 1 ? 17
                                            : 100 + next,
                        1000 + 100 * t, t * t, 3 * t);
        text_append(&text, "", "%.4f %d %.4f %d 1e11 200 50 50 50\n", a, 200 + k, a + 0.1,
                    k == TIMES - 2   ? 17
                    : k == TIMES - 1 ? -1
                                     : 201 + k);
        folder_write(name, text);
        free(text);
    }
    struct scene *scene;
    struct halos *halos;
    char *more = text_format("look: {halos: '%s/hlist_*.list'}\n", folder_name());
    assert_ok(open_with(more, &scene, &halos));
    const struct tracked *halo = halos_find(halos, "halo 17");
    assert_non_null(halo);
    assert_true(halo == halos_find(halos, "halo 17"));
    /* The slopes of parabolas are those of x = t^2, but for the first and the last knot. */
    for (double t = 2; t <= 8; t += 0.5)
        place_at(halo, t, t * t, 3 * t, 1 + 0.1 * t);
    place_at(halo, 0, 0, 0, 1);
    place_at(halo, 10, 100, 30, 2);
    assert_null(halos_find(halos, "halo 18"));
    assert_null(halos_find(halos, "halo 1x"));
    /* All, the most massive first; and what there is not. */
    static const struct {
        const char *of, *says;
    } cases[] = {{"halos", NULL},
                 {"halo 18", "labels[1].of no halo 18 last catalogue hlist_5.list 2 haloes"}};
    for (int i = 0; i < 2; i++) {
        struct tracking tracking;
        struct scene *labelled;
        char *text = text_format("overlay: {labels: [{of: '%s'}]}\n", cases[i].of);
        assert_ok(scene_parse(&labelled, text, "test.yaml"));
        assert_ok(scene_validate(labelled));
        free(text);
        const enum status status = tracking_find(&tracking, labelled, NULL, halos, NULL, 0);
        if (cases[i].says) {
            assert_fails(status, STATUS_USAGE, cases[i].says);
            tracking_free(&tracking);
            scene_close(&labelled);
            continue;
        }
        assert_ok(status);
        assert_true(tracking.count == 2);
        assert_string_equal(tracking.list[0].name, "halo 17");
        assert_string_equal(tracking.list[1].name, "halo 205");
        tracking_free(&tracking);
        scene_close(&labelled);
    }
    halos_close(&halos);
    scene_close(&scene);
    free(more);
}

/* AHF names progenitors; a halo that appears late is not shown before. */
TEST(ahf_with_progenitors)
{
    write_snapshots();
    for (int k = 0; k < TIMES; k++) {
        char name[64];
        char *text =
            memory_text("#ID(1)\thostHalo(2)\tnumSubStruct(3)\tMvir(4)\tnpart(5)\tXc(6)\tYc(7)"
                        "\tZc(8)\tRvir(9)\n");
        char *tree = memory_text("");
        if (k >= 1) {
            text_append(&text, "", "%d\t0\t0\t1e12\t99\t%d\t7\t0\t2.5\n", 10 * k + 3, 4 * k);
            text_append(&tree, "", "%d  %d\n", 10 * k + 3, 10 * k - 7);
        }
        text_append(&text, "", "%d\t0\t0\t1e10\t9\t1\t1\t1\t0.5\n", 10 * k + 4);
        snprintf(name, sizeof name, "run_%d.AHF_halos", k + 7); /* 10 comes after 9 */
        folder_write(name, text);
        snprintf(name, sizeof name, "run_%d.AHF_mtree_idx", k + 7);
        if (k >= 2)
            folder_write(name, tree);
        free(text);
        free(tree);
    }
    struct scene *scene;
    struct halos *halos;
    char *more = text_format("look: {halos: '%s/run_*.AHF_halos'}\n", folder_name());
    assert_ok(open_with(more, &scene, &halos));
    const struct tracked *halo = halos_find(halos, "halo 53");
    assert_non_null(halo);
    place_at(halo, 2, 4, 7, 2.5);
    place_at(halo, 5, 10, 7, 2.5);
    place_at(halo, 10, 20, 7, 2.5);
    struct view early = {.time = 1};
    double place[3];
    assert_false(halo->at(halo, &early, place));
    assert_true(fabs(place[0] - 4) < 1e-9);
    halos_close(&halos);
    scene_close(&scene);
    free(more);
}

/* Subhaloes are numbered by their rows; a group is where its first subhalo is. */
TEST(subfind_with_descendants)
{
    static const struct maker_layout layout = {.type = MAKER_F32}, whole = {.type = MAKER_I64};
    write_snapshots();
    for (int k = 0; k < TIMES; k++) {
        char name[64];
        const double place[] = {9, 9, 9, 3 * k, 2, 1}, radius[] = {0.1, 0.2}, mass[] = {1, 7};
        const double first[] = {1, -1}, r200[] = {4, 0}, next[] = {-1, k < TIMES - 1 ? 1 : -1};
        snprintf(name, sizeof name, "fof_subhalo_tab_%03d.hdf5", k);
        struct maker *maker = maker_open(folder_path(name));
        maker_group(maker, "Header");
        maker_number(maker, "Header", "NumFiles", 1);
        maker_group(maker, "Subhalo");
        maker_doubles(maker, "Subhalo/SubhaloPos", 2, 3, place, &layout);
        maker_doubles(maker, "Subhalo/SubhaloHalfmassRad", 2, 0, radius, &layout);
        maker_doubles(maker, "Subhalo/SubhaloMass", 2, 0, mass, &layout);
        maker_group(maker, "Group");
        maker_doubles(maker, "Group/GroupFirstSub", 2, 0, first, &whole);
        maker_doubles(maker, "Group/Group_R_Crit200", 2, 0, r200, &layout);
        maker_close(&maker);
        snprintf(name, sizeof name, "subhalo_desc_%03d.hdf5", k);
        maker = maker_open(folder_path(name));
        maker_group(maker, "Subhalo");
        maker_doubles(maker, "Subhalo/DescSubhaloNr", 2, 0, next, &whole);
        maker_close(&maker);
    }
    struct scene *scene;
    struct halos *halos;
    char *more = text_format("look: {halos: '%s/fof_*.hdf5'}\n", folder_name());
    assert_ok(open_with(more, &scene, &halos));
    const struct tracked *halo = halos_find(halos, "halo 1"), *group = halos_find(halos, "group 0");
    assert_true(halo && group);
    for (int k = 0; k < TIMES; k++) {
        place_at(halo, 2 * k, 3 * k, 2, 4);
        place_at(group, 2 * k, 3 * k, 2, 4);
    }
    assert_null(halos_find(halos, "group 1"));
    halos_close(&halos);
    scene_close(&scene);
    free(more);
}

/* The same in three files, of which the second has no subhaloes and groups begin in the last. */
TEST(subfind_in_several_files)
{
    static const struct maker_layout layout = {.type = MAKER_F32}, whole = {.type = MAKER_I64};
    write_snapshots();
    for (int k = 0; k < TIMES; k++)
        for (int part = 0; part < 3; part++) {
            char name[64];
            const double place[] = {9, 9, 9, 3 * k, 2, 1}, radius[] = {0.1, 0.2}, mass[] = {1, 7};
            const double first[] = {2, -1}, r200[] = {4, 0}, next[] = {-1, 7};
            const double link[] = {k < TIMES - 1 ? 2 : -1};
            const size_t rows = part == 0 ? 2 : 1;
            const int from = part == 0 ? 0 : 1;
            snprintf(name, sizeof name, "fof_subhalo_tab_%03d.%d.hdf5", k, part);
            struct maker *maker = maker_open(folder_path(name));
            maker_group(maker, "Header");
            maker_number(maker, "Header", "NumFiles", 3);
            if (part != 1) {
                maker_group(maker, "Subhalo");
                maker_doubles(maker, "Subhalo/SubhaloPos", rows, 3, place + 3 * from, &layout);
                maker_doubles(maker, "Subhalo/SubhaloHalfmassRad", rows, 0, radius + from, &layout);
                maker_doubles(maker, "Subhalo/SubhaloMass", rows, 0, mass + from, &layout);
            }
            if (part == 2) {
                maker_group(maker, "Group");
                maker_doubles(maker, "Group/GroupFirstSub", 2, 0, first, &whole);
                maker_doubles(maker, "Group/Group_R_Crit200", 2, 0, r200, &layout);
            }
            maker_close(&maker);
            snprintf(name, sizeof name, "subhalo_desc_%03d.%d.hdf5", k, part);
            maker = maker_open(folder_path(name));
            maker_group(maker, "Header");
            maker_number(maker, "Header", "NumFiles", 3);
            if (part != 1) {
                maker_group(maker, "Subhalo");
                maker_doubles(maker, "Subhalo/DescSubhaloNr", rows, 0, part == 0 ? next : link,
                              &whole);
            }
            maker_close(&maker);
        }
    struct scene *scene;
    struct halos *halos;
    char *more = text_format("look: {halos: '%s/fof_*.0.hdf5'}\n", folder_name());
    assert_ok(open_with(more, &scene, &halos));
    const struct tracked *halo = halos_find(halos, "halo 2"), *group = halos_find(halos, "group 0");
    assert_true(halo && group);
    for (int k = 0; k < TIMES; k++) {
        place_at(halo, 2 * k, 3 * k, 2, 4);
        place_at(group, 2 * k, 3 * k, 2, 4);
    }
    halos_close(&halos);
    scene_close(&scene);
    free(more);
    more = text_format("look: {halos: '%s/fof_*.1.hdf5'}\n", folder_name());
    assert_fails(open_with(more, &scene, &halos), STATUS_USAGE,
                 "one of the 3 files name the first");
    scene_close(&scene);
    assert_int_equal(unlink(folder_path("fof_subhalo_tab_002.1.hdf5")), 0);
    free(more);
    more = text_format("look: {halos: '%s/fof_*.0.hdf5'}\n", folder_name());
    assert_fails(open_with(more, &scene, &halos), STATUS_IO, "fof_subhalo_tab_002.1.hdf5");
    scene_close(&scene);
    free(more);
}

/* Through the edge of a periodic box of 10. */
TEST(the_shortest_way)
{
    static const struct maker_layout layout = {.type = MAKER_F64};
    for (int k = 0; k < 2; k++) {
        const double place[] = {1, 2, 3, 9, 8, 7}, still[6] = {0}, mass[] = {1, 1};
        const uint64_t ids[] = {1, 2}, counts[] = {0, 2, 0, 0, 0, 0};
        char name[64], text[128];
        snprintf(name, sizeof name, "box_%d.hdf5", k);
        struct maker *maker = maker_open(folder_path(name));
        maker_group(maker, "Header");
        maker_number(maker, "Header", "Time", k);
        maker_number(maker, "Header", "BoxSize", 10);
        maker_wholes(maker, "Header", "NumPart_ThisFile", counts, 6, 4);
        maker_group(maker, "PartType1");
        maker_doubles(maker, "PartType1/Coordinates", 2, 3, place, &layout);
        maker_doubles(maker, "PartType1/Velocities", 2, 3, still, &layout);
        maker_doubles(maker, "PartType1/Masses", 2, 0, mass, &layout);
        maker_ids(maker, "PartType1/ParticleIDs", 2, ids,
                  &(struct maker_layout){.type = MAKER_U64});
        maker_close(&maker);
        snprintf(name, sizeof name, "box_%d.list", k);
        snprintf(text, sizeof text, "#ID DescID Mvir Rvir X Y Z\n#a = 1\n5 %d 1 1000 %s 5 5\n",
                 k ? -1 : 5, k ? "0.4" : "9.2");
        folder_write(name, text);
    }
    struct scene *scene;
    struct halos *halos;
    char *more = text_format("bodies: {model: snapshots, units: none, file: '%s/box_*.hdf5'}\n"
                             "look: {halos: '%s/box_*.list'}\n",
                             folder_name(), folder_name());
    assert_ok(scene_parse(&scene, more, "test.yaml"));
    assert_ok(scene_validate(scene));
    assert_ok(halos_open(&halos, scene));
    const struct tracked *halo = halos_find(halos, "halo 5");
    assert_non_null(halo);
    place_at(halo, 0, 9.2, 5, 1);
    place_at(halo, 0.5, 9.8, 5, 1);
    place_at(halo, 0.75, 0.1, 5, 1);
    halos_close(&halos);
    scene_close(&scene);
    free(more);
}

/* Rockstar's comoving Mpc / h and kpc / h, at a = 0.5 and 1 and h = 0.5, in Mpc of both frames. */
static void write_growing(bool snapshots_have_h, bool catalogues_have_h)
{
    static const struct maker_layout layout = {.type = MAKER_F64};
    for (int k = 0; k < 2; k++) {
        const double place[] = {1, 2, 3, 9, 8, 7}, still[6] = {0}, mass[] = {1, 1};
        const double a = 0.5 * (k + 1);
        const uint64_t ids[] = {1, 2}, counts[] = {0, 2, 0, 0, 0, 0};
        char name[64], text[160];
        snprintf(name, sizeof name, "grows_%d.hdf5", k);
        struct maker *maker = maker_open(folder_path(name));
        maker_group(maker, "Header");
        maker_number(maker, "Header", "Time", a);
        maker_number(maker, "Header", "Redshift", 1 / a - 1);
        maker_number(maker, "Header", "BoxSize", 10);
        maker_number(maker, "Header", "Omega0", 1);
        maker_number(maker, "Header", "OmegaLambda", 0);
        if (snapshots_have_h)
            maker_number(maker, "Header", "HubbleParam", 0.5);
        maker_number(maker, "Header", "UnitLength_in_cm", 3.0856775814913673e24);
        maker_number(maker, "Header", "UnitMass_in_g", 2e43);
        maker_number(maker, "Header", "UnitVelocity_in_cm_per_s", 1e5);
        maker_wholes(maker, "Header", "NumPart_ThisFile", counts, 6, 4);
        maker_group(maker, "PartType1");
        maker_doubles(maker, "PartType1/Coordinates", 2, 3, place, &layout);
        maker_doubles(maker, "PartType1/Velocities", 2, 3, still, &layout);
        maker_doubles(maker, "PartType1/Masses", 2, 0, mass, &layout);
        maker_ids(maker, "PartType1/ParticleIDs", 2, ids,
                  &(struct maker_layout){.type = MAKER_U64});
        maker_close(&maker);
        snprintf(name, sizeof name, "grows_%d.list", k);
        snprintf(text, sizeof text, "#ID DescID Mvir Rvir X Y Z\n#a = %g\n%s5 %d 1 100 %d 7 5\n", a,
                 catalogues_have_h ? "#h0 = 0.5\n" : "#h0 = inf\n", k ? -1 : 5, 4 + k);
        folder_write(name, text);
    }
}

TEST(frames_of_an_expanding_universe)
{
    for (int k = 0; k < 4; k++) {
        const bool comoves = k % 2;
        write_growing(true, k < 2); /* h is also found in the snapshots */
        struct scene *scene;
        struct halos *halos;
        char *more = text_format("units: {length_kpc: 1000, velocity_kms: 1}\n"
                                 "bodies: {model: snapshots, file: '%s/grows_*.hdf5', frame: %s}\n"
                                 "look: {halos: '%s/grows_*.list'}\n",
                                 folder_name(), comoves ? "comoving" : "physical", folder_name());
        assert_ok(scene_parse(&scene, more, "test.yaml"));
        assert_ok(scene_validate(scene));
        assert_ok(halos_open(&halos, scene));
        const struct tracked *halo = halos_find(halos, "halo 5");
        assert_non_null(halo);
        /* The physical box is centred where it is at a = 0.5, at 5. */
        place_at(halo, 0, comoves ? 8 : 4, comoves ? 14 : 7, comoves ? 0.2 : 0.1);
        place_at(halo, 1e9, comoves ? 10 : 5, comoves ? 14 : 9, 0.2);
        /* At a = 0.75: of matter alone, the age is 2 / 3 a^1.5 / H0; H0 is 50 km/s/Mpc. */
        if (comoves)
            place_at(halo, 2 / 150.0 * (pow(0.75, 1.5) - pow(0.5, 1.5)), 9, 14, 0.2);
        halos_close(&halos);
        scene_close(&scene);
        free(more);
    }
    write_growing(false, false);
    struct scene *scene;
    struct halos *halos;
    char *more = text_format("units: {length_kpc: 1000, velocity_kms: 1}\n"
                             "bodies: {model: snapshots, file: '%s/grows_*.hdf5'}\n"
                             "look: {halos: '%s/grows_*.list'}\n",
                             folder_name(), folder_name());
    assert_ok(scene_parse(&scene, more, "test.yaml"));
    assert_ok(scene_validate(scene));
    assert_fails(halos_open(&halos, scene), STATUS_USAGE, "grows_0.list 1/h grows_0.hdf5");
    scene_close(&scene);
    free(more);
}

TEST(what_is_no_catalogue)
{
    struct scene *scene;
    struct halos *halos;
    write_snapshots();
    folder_write("one.list", "#ID DescID Mvir Rvir X Y Z\n#a = 1\n3 -1 1e12 200 1 2 3\n");
    folder_write("text.txt", "some words\n");
    static const struct {
        const char *file, *says;
        enum status status;
    } cases[] = {{"nothing_*.list", "no catalogue nothing_*.list", STATUS_IO},
                 {"one.list", "1 catalogues 6 snapshots", STATUS_USAGE},
                 {"text_*.txt", "text_0.txt no catalogue of haloes Rockstar", STATUS_USAGE},
                 {"bad_*.list", "bad_0.list line 2 column 5 'seven'", STATUS_USAGE},
                 {"alone_*.list", "alone_0.list no merger tree DescID", STATUS_USAGE}};
    for (int k = 0; k < TIMES; k++) {
        char name[32];
        snprintf(name, sizeof name, "text_%d.txt", k);
        folder_write(name, "some words\n");
        snprintf(name, sizeof name, "bad_%d.list", k);
        folder_write(name, "#ID DescID Mvir Rvir X Y Z\n3 -1 1e12 200 seven 2 3\n");
        snprintf(name, sizeof name, "alone_%d.list", k);
        folder_write(name, "#ID Mvir Rvir X Y Z\n3 1e12 200 7 2 3\n");
    }
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *more = text_format("look: {halos: '%s/%s'}\n", folder_name(), cases[i].file);
        assert_fails(open_with(more, &scene, &halos), cases[i].status, cases[i].says);
        assert_null(halos);
        scene_close(&scene);
        free(more);
    }
    assert_ok(scene_parse(&scene, "bodies: {model: plummer}\nlook: {halos: a}\n", "test.yaml"));
    assert_ok(scene_validate(scene));
    assert_fails(halos_open(&halos, scene), STATUS_USAGE, "look.halos snapshots");
    scene_close(&scene);
}

TESTS(folder_set_up, folder_tear_down)
