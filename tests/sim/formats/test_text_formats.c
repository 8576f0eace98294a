/* Text files with ids or a line of their own for the time. */
#include "tests/support/files/bodies_file.h"
#include "tests/support/files/folder.h"
#include "tests/support/choose.h"
#include "tests/support/test.h"

#include "base/log.h"
#include "sim/diagnostics.h"
#include "sim/models/models.h"

#include "sim/formats/columns.h"
#include "sim/formats/snapshot.h"
#include "sim/formats/text_rows.h"

#include <math.h>
#include <string.h>

static enum status read_text(const char *text, struct snapshot *out)
{
    return format_read(bodies_file_write("t", text, strlen(text)), NULL, out);
}

TEST(a_line_of_number_and_time)
{
    struct snapshot found;
    assert_ok(read_text("# three\n2 0.5\n1 1 2 3 4 5 6\n\n2 7 8 9 10 11 12\n", &found));
    assert_string_equal(found.format->name, "mpv");
    assert_true(found.time_known && found.time == 0.5);
    assert_true(found.bodies->count == 2 && found.bodies->velocity[1][2] == 12);
    snapshot_free(&found);
    assert_ok(read_text("1 0\n1 1 2 3 4 5 6\n1 1\n1 2 2 3 4 5 6\n", &found)); /* the first time */
    assert_true(found.bodies->count == 1 && found.bodies->position[0][0] == 1);
    snapshot_free(&found);
    assert_fails(read_text("3 0\n1 1 2 3 4 5 6\n", &found), STATUS_USAGE, "'1 of 3' bodies");
    assert_fails(read_text("1 0\n1 1 2 3 4 5 6\n1 1 2 3 4 5 6\n", &found), STATUS_USAGE,
                 ":3 rows 1");
    assert_fails(read_text("2000000000 0\n1 1 2 3 4 5 6\n", &found), STATUS_USAGE, "most");
    assert_fails(read_text("0 0\n1 1 2 3 4 5 6\n", &found), STATUS_USAGE, ":1 7 numbers");
    assert_fails(read_text("1 0\n1 1 2 nan 4 5 6\n", &found), STATUS_USAGE, ":2 z column 4");
}

/* Other programs' names for kinds of particles. */
TEST(kinds_by_any_name)
{
    static const struct {
        const char *name;
        enum species species;
    } names[] = {{"gas", SPECIES_GAS},
                 {"SPH", SPECIES_GAS},
                 {"halo", SPECIES_HALO},
                 {"dark", SPECIES_HALO},
                 {"Dark Matter", SPECIES_HALO},
                 {"disk", SPECIES_DISK},
                 {"disc", SPECIES_DISK},
                 {"bulge", SPECIES_BULGE},
                 {"stars", SPECIES_STARS},
                 {"star", SPECIES_STARS},
                 {"boundary", SPECIES_BOUNDARY},
                 {"bndry", SPECIES_BOUNDARY},
                 {"sinks", SPECIES_BOUNDARY},
                 {"black holes", SPECIES_BOUNDARY},
                 {"", SPECIES_HALO},
                 {"whatever", SPECIES_HALO}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct component component = {.count = 1};
        snprintf(component.name, sizeof component.name, "%s", names[i].name);
        assert_int_equal(species_of(&component), names[i].species);
    }
}

/* The shortest of 9 digits and 15 to 17 that is read back as the same number. */
TEST(numbers_are_short)
{
    static const char *const texts[] = {"0.1",
                                        "-2.5e-300",
                                        "3.14159265",
                                        "1.23456789012345",
                                        "0.7999999999999999",
                                        "0.30000000000000004"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char text[BODY_NUMBER_BYTES];
        assert_int_equal(body_number_text(strtod(texts[i], NULL), text), strlen(texts[i]));
        assert_string_equal(text, texts[i]);
    }
}

/* Which of the two tables with eight columns a file is. */
TEST(ids_or_galaxies)
{
    static const struct {
        const char *text, *format;
    } cases[] = {
        {"-1 0.5 1 2 3 4 5 6.5\n", "ids"},
        {"7 0.5 1 2 3 4 5 6.5\n3 0.5 1 2 3 4 5 0\n", "ids"},
        {"1 0.5 1 2 3 4 5 0\n2 0.5 1 2 3 4 5 0\n3 0.5 1 2 3 4 5 0\n", "ids"},
        {"-1 0.5 1 2 3 4 5 0\n", "ids"},
        {"1.0 0.5 1 2 3 4 5 6.5\n2.0 0.5 1 2 3 4 5 0\n", "ids"},
        {"1.0 0.5 1 2 3 4 5 1\n2.0 0.5 1 2 3 4 5 0\n", "table"},
        {"0.5 1 2 3 4 5 6 0\n0.5 1 2 3 4 5 6 1\n", "table"},
        {"1 1 2 3 4 5 6 0\n1 1 2 3 4 5 6 1\n", "table"},
        {"1 1 2 3 4 5 6 0\n", "table"},
        {"1 1 2 3 4 5 6\n2 1 2 3 4 5 6\n", "table"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct snapshot found;
        assert_ok(read_text(cases[i].text, &found));
        assert_string_equal(found.format->name, cases[i].format);
        snapshot_free(&found);
    }
    struct snapshot found;
    assert_ok(read_text("7 0.5 1 2 3 4 5 6.5\n3 0.25 1 2 3 4 5 0\n", &found));
    assert_true(found.bodies->id[0] == 7 && found.bodies->id[1] == 3);
    assert_true(found.bodies->mass[1] == 0.25 && found.bodies->velocity[0][2] == 6.5);
    snapshot_free(&found);
    assert_fails(read_text("7 0.5 1 2 3 4 5 6.5\nx 0.25 1 2 3 4 5 0\n", &found), STATUS_USAGE,
                 "format ids columns");
}

/* Components by ids, in any order; bodies in none are left out. */
TEST(components_by_ids)
{
    static const char text[] = "id,mass,x,y,z,vx,vy,vz\n0,1,0,0,0,0,0,0\n30,2,0,0,0,0,0,0\n"
                               "7,3,0,0,0,0,0,0\n31,4,0,0,0,0,0,0\n99,5,0,0,0,0,0,0\n";
    struct component_params ranges[] = {{"disk", "B", 30, 40, true, 2, 0},
                                        {"disk", "A", 0, 7, true, 1, 0}};
    struct bodies_params params = {
        .model = choose(&model_registry, "file"),
        .file = (char *)bodies_file_write("t", text, sizeof text - 1),
        .use = "",
        .components = ranges,
        .component_count = 2,
        .by_id = true,
        .position_scale = 1,
        .velocity_scale = 1,
        .mass_scale = 1,
    };
    struct bodies *bodies;
    assert_ok(bodies_make(&params, &bodies));
    static const double masses[] = {2, 4, 1, 3};
    assert_int_equal(bodies->count, 4);
    assert_memory_equal(bodies->mass, masses, sizeof masses);
    assert_true(bodies->id[0] == 30 && bodies->id[1] == 31 && bodies->id[2] == 0);
    assert_string_equal(bodies->components[1].galaxy, "A");
    assert_int_equal(bodies->components[1].first, 2);
    bodies_destroy(&bodies);
    ranges[0].last = 30;
    ranges[1] = (struct component_params){"disk", "A", 50, 60, true, 1, 0};
    assert_fails(bodies_make(&params, &bodies), STATUS_USAGE, "no body");
    ranges[1].first = 30;
    assert_fails(bodies_make(&params, &bodies), STATUS_USAGE, "id 30");
    params.file = (char *)bodies_file_write("u", "1 1 1 1 1 1 1\n", 14);
    assert_fails(bodies_make(&params, &bodies), STATUS_USAGE, "bodies.by_id ids bodies");
}

/* Rows of several galaxies in turn, one of which has a single row, with ids and without. */
TEST(slices_of_mixed_rows)
{
    enum { ROWS = 40 };
    for (int ids = 0; ids < 2; ids++) {
        char text[4096];
        int at =
            snprintf(text, sizeof text, "mass,x,y,z,vx,vy,vz,galaxy,rho%s\n", ids ? ",id" : "");
        for (int i = 0; i < ROWS; i++) {
            const int galaxy = i == 5 ? 4 : i * i % 3;
            at += snprintf(text + at, sizeof text - (size_t)at, "%d.5,%d,%d,0,1,2,%d.25,%d,%g", i,
                           i, 3 * i, i, galaxy, 1.0 / (i + 1));
            at += snprintf(text + at, sizeof text - (size_t)at, ids ? ",%d\n" : "\n", 7 * i + 3);
        }
        bodies_file_check_slices(bodies_file_write("m.csv", text, strlen(text)), NULL);
        struct snapshot slice;
        assert_ok(format_read_slice(folder_path("m.csv"), NULL,
                                    &(struct column_choice){.all = true}, 1, 2, &slice));
        assert_string_equal(slice.bodies->components[2].name, "galaxy 4");
        assert_int_equal(slice.bodies->components[2].count, 1);
        assert_int_equal(slice.bodies->columns.count, 1);
        assert_true(!slice.bodies->id == !ids);
        snapshot_free(&slice);
    }
}

TEST(ids_of_csv)
{
    struct snapshot found;
    assert_ok(read_text("id,mass,x,y,z,vx,vy,vz\n123456789012345678,1,1,2,3,4,5,6\n"
                        "0,1,1,2,3,4,5,6\n",
                        &found));
    assert_true(found.bodies->id[0] == 123456789012345678u && found.bodies->id[1] == 0);
    snapshot_free(&found);
    assert_ok(read_text("id,mass,x,y,z,vx,vy,vz\n1,1,1,2,3,4,5,6\nsun,1,1,2,3,4,5,6\n", &found));
    assert_null(found.bodies->id);
    assert_int_equal(found.bodies->count, 2);
    snapshot_free(&found);
}

static bool near(double a, double b)
{
    return fabs(a / b - 1) < 1e-9;
}

/* One body, whose header names units, in centimetres, grams and seconds. */
TEST(units_of_csv)
{
    static const double KPC = 3.0856775814913673e21, AU = 1.495978707e13, SUN = 1.98840987e33,
                        GYR = 3.15576e16;
    static const struct {
        const char *header;
        double mass, length, velocity;
    } cases[] = {
        {"mass [Msun],x [kpc],y [kpc],z [kpc],vx [km/s],vy [km/s],vz [km/s]", SUN, KPC, 1e5},
        {"m [1e10 M_sun],x [Mpc],y (Mpc),z[Mpc],vx [km s-1],vy [km s^-1],vz [km s**-1]", 1e10 * SUN,
         1e3 * KPC, 1e5},
        {"mass_msun,x_au,y_au,z_au,vx_kms,vy_km_s,vz_kms", SUN, AU, 1e5},
        {"mass_kg,x_m,pos_y_m,z_m,v_x_mps,vy_m_s,vz_mps", 1e3, 1e2, 1e2},
        {"mass (kg),x (m),y (km),z (m),vx (m/s),vy (cm/s),vz (m/s)", 1e3, 1e2, 1e2},
        {"mass [$M_{\\odot}$],x [pc],y [pc],z [pc],vx [kpc Gyr^{-1}],vy [kpc/Gyr],vz [kpc/Gyr]",
         SUN, KPC / 1e3, KPC / GYR},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        struct snapshot found, alone = {.bodies = NULL};
        snprintf(text, sizeof text, "%s\n2,3,4,5,6,7,8\n", cases[i].header);
        assert_ok(read_text(text, &found));
        const struct snapshot_units *units = &found.units;
        const struct bodies *bodies = found.bodies;
        const double y = strstr(cases[i].header, "(km)") ? 4e3 : 4;
        const double vy = strstr(cases[i].header, "(cm/s)") ? 0.07 : 7;
        assert_true(fabs(bodies->mass[0] * units->mass_g / (2 * cases[i].mass) - 1) < 1e-7);
        assert_true(near(bodies->position[0][0] * units->length_cm, 3 * cases[i].length));
        assert_true(near(bodies->position[0][1] * units->length_cm, y * cases[i].length));
        assert_true(near(bodies->velocity[0][0] * units->velocity_cms, 6 * cases[i].velocity));
        assert_true(near(bodies->velocity[0][1] * units->velocity_cms, vy * cases[i].velocity));
        assert_true(units->length_cm >= AU && units->velocity_cms >= 9e4); /* numbers stay small */
        assert_ok(format_read_units(bodies_file_write("t", text, strlen(text)), NULL, &alone));
        assert_memory_equal(&alone.units, units, sizeof *units);
        snapshot_free(&found);
    }
    static const struct {
        const char *header, *says;
    } refused[] = {
        {"mass,x [kpc],y,z,vx,vy,vz", ":1 'x [kpc]' names unit vz none"},
        {"mass,x_kpc,y_kpc,z_kpc,vx_kms,vy_kms,vz_kms", "names unit mass none"},
        {"mass [Msun],x [furlong],y,z,vx,vy,vz", "unit 'x [furlong]'"},
        {"mass [Msun],x [km/s],y,z,vx,vy,vz", "unit 'x [km/s]'"},
        {"mass [Msun,x [kpc /],y,z,vx,vy,vz", "unit 'x [kpc /]'"},
        {"mass,x_err,y,z,vx,vy,vz", "names column x"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        char text[512];
        struct snapshot found;
        snprintf(text, sizeof text, "%s\n2,3,4,5,6,7,8\n", refused[i].header);
        assert_fails(read_text(text, &found), STATUS_USAGE, refused[i].says);
    }
    struct snapshot plain;
    assert_ok(read_text("mass [1],x [],y,z,vx (code),vy,vz\n2,3,4,5,6,7,8\n", &plain));
    assert_true(plain.units.length_cm == 0 && plain.bodies->velocity[0][2] == 8);
    snapshot_free(&plain);
}

static double potential(const struct bodies *bodies)
{
    double sum = 0;
    for (size_t i = 0; i < bodies->count; i++)
        for (size_t j = 0; j < i; j++) {
            const double *a = bodies->position[i], *b = bodies->position[j];
            sum -= bodies->mass[i] * bodies->mass[j] /
                   hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
        }
    return sum;
}

TEST(real_files)
{
    static const struct {
        const char *name, *format;
        size_t count;
    } files[] = {
        {"smalln/figure8.mpv", "mpv", 3},       {"smalln/pyth.mpv", "mpv", 3},
        {"smalln/star_of_david.mpv", "mpv", 0}, {"smalln/input16", "ids", 16},
        {"smalln/input64", "ids", 64},          {"smalln/input256", "ids", 256},
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        struct snapshot found;
        struct diagnostics energies;
        assert_ok(format_read(test_data(files[i].name), NULL, &found));
        assert_string_equal(found.format->name, files[i].format);
        if (files[i].count > 0)
            assert_int_equal(found.bodies->count, files[i].count);
        assert_null(found.bodies->id);
        snapshot_sort(&found);
        diagnostics_compute(found.bodies, potential(found.bodies), &energies);
        if (strcmp(files[i].format, "ids") == 0)
            if (!(fabs(energies.kinetic + energies.potential + 0.25) < 1e-9))
                fail_msg("%s: energy %.17g", files[i].name, energies.kinetic + energies.potential);
        snapshot_free(&found);
    }
}

/* Velocities in every spelling that a length has, and others that are none. */
TEST(units_of_velocity)
{
    static const double AU = 1.495978707e11, PC = 3.0856775814913673e16, DAY = 86400,
                        YR = 3.15576e7;
    const struct {
        const char *word;
        double unit;
    } cases[] = {{"vx_au_d", AU / DAY},
                 {"vx_au_day", AU / DAY},
                 {"VX_AU_PER_DAY", AU / DAY},
                 {"vx (au/d)", AU / DAY},
                 {"vx [AU/day]", AU / DAY},
                 {"vx [au d^-1]", AU / DAY},
                 {"vx [AU yr-1]", AU / YR},
                 {"vx [au/years]", AU / YR},
                 {"vx_au_yr", AU / YR},
                 {"vx [AU / a]", AU / YR},
                 {"vx (astronomical_units per day)", AU / DAY},
                 {"vx_pc_myr", PC / YR * 1e-6},
                 {"vx [pc/Myr]", PC / YR * 1e-6},
                 {"vx [pc Myr**-1]", PC / YR * 1e-6},
                 {"vx_kpc_gyr", PC / YR * 1e-6},
                 {"vx [kpc Gyr-1]", PC / YR * 1e-6},
                 {"vx [km s^-1]", 1e3},
                 {"vx [km.s-1]", 1e3},
                 {"vx [km.s^{-1}]", 1e3},
                 {"vx [$\\rm km s^{-1}$]", 1e3},
                 {"vx [$\\mathrm{km}\\,\\mathrm{s}^{-1}$]", 1e3},
                 {"vx [$\\mathrm{km~s^{-1}}$]", 1e3},
                 {"vx [km*s**-1]", 1e3},
                 {"vx [km\xc2\xb7s\xe2\x81\xbb\xc2\xb9]", 1e3},
                 {"vx [km/sec]", 1e3},
                 {"vx [kilometers per second]", 1e3},
                 {"vx_km_s", 1e3},
                 {"vx_kms", 1e3},
                 {"vx_km_sec", 1e3},
                 {"vx [km/h]", 1e3 / 3600},
                 {"vx [m/s]", 1},
                 {"vx_m_s", 1},
                 {"vx_cm_s", 1e-2},
                 {"vx [cm/s]", 1e-2},
                 {"vx [ly/yr]", 299792458},
                 {"vx [c]", 299792458},
                 {"vx [km]", 0},
                 {"vx [furlong/fortnight]", 0},
                 {"vx [au//d]", 0},
                 {"vx [d/au]", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int column;
        double unit = 0;
        const enum column_unit what = column_read(cases[i].word, &column, &unit);
        if (column != 4 || what != (cases[i].unit > 0 ? COLUMN_UNIT : COLUMN_REFUSED) ||
            (cases[i].unit > 0 && !(fabs(unit / cases[i].unit - 1) < 1e-9)))
            fail_msg("'%s': column %d, unit %g instead of %g", cases[i].word, column, unit,
                     cases[i].unit);
    }
    static const char *const others[] = {"vx_error", "vx_km",  "vx_au_x",
                                         "v",        "x_d_au", "mass_loss"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        int column;
        double unit;
        column_read(others[i], &column, &unit);
        assert_int_equal(column, -1);
    }
}

int main(void)
{
    log_set_level(LOG_ERROR);
    return tests_run(__FILE__, folder_set_up, folder_tear_down);
}
