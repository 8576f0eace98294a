/* The radius of kernels from programs' smoothing lengths, in the unit of the positions. */
#include "tests/support/files/bodies_file.h"
#include "tests/support/files/folder.h"
#include "tests/support/files/hdf5_maker.h"
#include "tests/support/test.h"

#include "base/log.h"
#include "sim/bodies/edit.h"

#include <math.h>
#include <string.h>

enum { GAS = 5, STARS = 3, ALL = GAS + STARS };

static const struct column_choice kernel_only = {.kernel = true};

/* Masses 2, and numbers 0.5, 1, 1.5 and so on in the tables of gas and, where named, of stars. */
struct file {
    const char *gas, *stars; /* tables; NULL: none */
    bool swift;
    double a, h; /* 0: not comoving */
};

static const char *make(const struct file *file)
{
    static const uint64_t here[6] = {GAS, 0, 0, 0, STARS, 0};
    static const struct maker_layout doubles = {.type = MAKER_F64};
    const char *path = folder_path("gas.hdf5");
    const uint64_t files = 1;
    double numbers[3 * ALL], masses[ALL];
    char name[64];
    struct maker *maker = maker_open(path);
    for (int i = 0; i < 3 * ALL; i++)
        numbers[i] = 0.5 + 0.5 * i;
    for (int i = 0; i < ALL; i++)
        masses[i] = 2;
    maker_group(maker, "Header");
    maker_wholes(maker, "Header", "NumPart_ThisFile", here, 6, 4);
    maker_wholes(maker, "Header", "NumPart_Total", here, 6, 4);
    maker_wholes(maker, "Header", "NumFilesPerSnapshot", &files, 0, 4);
    maker_number(maker, "Header", "Time", file->a > 0 ? file->a : 0);
    if (file->a > 0) {
        maker_number(maker, "Header", "Redshift", 1 / file->a - 1);
        maker_number(maker, "Header", "Omega0", 0.3);
        maker_number(maker, "Header", "OmegaLambda", 0.7);
        maker_number(maker, "Header", "HubbleParam", file->h);
    }
    if (file->swift) {
        maker_group(maker, "Units");
        maker_number(maker, "Units", "Unit length in cgs (U_L)", 3e21);
        maker_number(maker, "Units", "Unit mass in cgs (U_M)", 2e43);
        maker_number(maker, "Units", "Unit time in cgs (U_t)", 3e16);
    }
    for (int t = 0; t < 5; t += 4) {
        const size_t count = t ? STARS : GAS;
        const char *own = t ? file->stars : file->gas;
        snprintf(name, sizeof name, "PartType%d", t);
        maker_group(maker, name);
        snprintf(name, sizeof name, "PartType%d/Coordinates", t);
        maker_doubles(maker, name, count, 3, numbers, &doubles);
        snprintf(name, sizeof name, "PartType%d/Velocities", t);
        maker_doubles(maker, name, count, 3, numbers, &doubles);
        snprintf(name, sizeof name, "PartType%d/Masses", t);
        maker_doubles(maker, name, count, 0, masses, &doubles);
        snprintf(name, sizeof name, "PartType%d/%s", t, own ? own : "");
        if (own)
            maker_doubles(maker, name, count, 0, numbers, &doubles);
    }
    maker_close(&maker);
    return path;
}

static const double *kernels_of(const char *path, const struct column_choice *choice,
                                struct snapshot *out)
{
    assert_ok(format_read_chosen(path, NULL, choice, out));
    const struct body_column *column = body_columns_find(&out->bodies->columns, BODY_KERNEL);
    return column ? column->value : NULL;
}

TEST(lengths_of_programs)
{
    static const struct {
        struct file file;
        double factor;
    } cases[] = {
        {{.gas = "SmoothingLength", .stars = "SmoothingLength"}, 1},
        {{.gas = "SmoothingLengths", .stars = "SmoothingLengths", .swift = true}, 1.825742},
        {{.gas = "SmoothingLength", .swift = true}, 1.825742}, /* its earlier name */
        {{.gas = "SmoothingLength", .a = 0.25, .h = 0.5}, 0.5},
    };
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        struct snapshot got;
        const double *kernels = kernels_of(make(&cases[n].file), &kernel_only, &got);
        assert_non_null(kernels);
        assert_int_equal(got.bodies->columns.count, 1); /* what it comes from is not kept */
        for (int i = 0; i < GAS; i++)
            assert_true(fabs(kernels[i] / (cases[n].factor * (0.5 + 0.5 * i)) - 1) < 1e-12);
        for (int i = GAS; i < ALL; i++)
            assert_true(isnan(kernels[i]));
        snapshot_free(&got);
        bodies_file_check_slices(folder_path("gas.hdf5"), NULL);
    }
}

/* A cell of AREPO has the size given by its mass and density, also for comoving ones. */
TEST(cells)
{
    for (int comoving = 0; comoving < 2; comoving++) {
        const struct file file = {
            .gas = "Density", .a = comoving ? 0.25 : 0, .h = comoving ? 0.5 : 0};
        struct snapshot got;
        const double *kernels = kernels_of(make(&file), &kernel_only, &got);
        assert_non_null(kernels);
        for (int i = 0; i < GAS; i++) {
            const double volume = 2 / (0.5 + 0.5 * i);
            const double radius = cbrt(3 * volume / (4 * M_PI)) * (comoving ? 0.5 : 1);
            assert_true(fabs(kernels[i] / (2 * radius) - 1) < 1e-12);
        }
        snapshot_free(&got);
    }
}

TEST(only_where_asked_for)
{
    const struct file file = {.gas = "SmoothingLength"}, none = {.gas = NULL};
    static const char *const names[] = {"SmoothingLength", NULL};
    const struct column_choice all = {.all = true}, both = {.names = names, .kernel = true};
    struct snapshot got;
    assert_null(kernels_of(make(&file), &all, &got));
    snapshot_free(&got);
    assert_non_null(kernels_of(make(&file), &both, &got));
    assert_non_null(body_columns_find(&got.bodies->columns, "SmoothingLength"));
    snapshot_free(&got);
    assert_null(kernels_of(make(&none), &kernel_only, &got));
    snapshot_free(&got);
}

static const char *text_file(const char *text)
{
    return bodies_file_write("gas.csv", text, strlen(text));
}

TEST(columns_of_tables)
{
    static const struct {
        const char *head;
        double factor; /* 0: it cannot be used */
    } cases[] = {
        {"mass,x,y,z,vx,vy,vz,hsml", 1},
        {"mass,x,y,z,vx,vy,vz,SmoothingLength", 1},
        {"mass,x,y,z,vx,vy,vz,SmoothingLengths", 1.825742},
        {"mass,x,y,z,vx,vy,vz,h", 2},
        {"mass,x,y,z,vx,vy,vz,smooth", 2},
        {"mass [Msun],x [kpc],y [kpc],z [kpc],vx [km/s],vy [km/s],vz [km/s],h [pc]", 2e-3},
        {"mass [Msun],x [kpc],y [kpc],z [kpc],vx [km/s],vy [km/s],vz [km/s],h [fathom]", 0},
        {"mass,x,y,z,vx,vy,vz,h [pc]", 0},
    };
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        char text[256];
        struct snapshot got;
        snprintf(text, sizeof text, "%s\n1,0,0,0,0,0,0,3\n1,1,0,0,0,0,0,nan\n1,2,0,0,0,0,0,0\n",
                 cases[n].head);
        const double *kernels = kernels_of(text_file(text), &kernel_only, &got);
        assert_true((kernels != NULL) == (cases[n].factor > 0));
        if (kernels) {
            assert_true(fabs(kernels[0] / (3 * cases[n].factor) - 1) < 1e-9);
            assert_true(isnan(kernels[1]) && isnan(kernels[2])); /* no length of 0 */
        }
        snapshot_free(&got);
    }
}

/* A file written by `convert` has the numbers of the original, and physical positions. */
TEST(after_conversion)
{
    const struct file plain = {.gas = "SmoothingLength"},
                      comoving = {.gas = "SmoothingLength", .a = 0.25, .h = 0.5};
    struct snapshot from, got;
    for (int n = 0; n < 2; n++) {
        const char *path = make(n ? &comoving : &plain), *to = folder_path("again.hdf5");
        assert_ok(format_read(path, NULL, &from));
        struct body_column *length = body_columns_find(&from.bodies->columns, "SmoothingLength");
        if (n)
            strcpy(length->unit, "U_L a h^-1");
        assert_ok(from.format->write(to, &from));
        snapshot_free(&from);
        const double *kernels = kernels_of(to, &kernel_only, &got);
        assert_true(n ? kernels == NULL : kernels[1] == 1);
        snapshot_free(&got);
    }
}

/* Kernels are scaled with positions, and grow if bodies are left out. */
TEST(units_and_fewer_bodies)
{
    char text[4096] = "mass [Msun],x [pc],y [pc],z [pc],vx [km/s],vy [km/s],vz [km/s],hsml\n";
    struct bodies *bodies;
    for (int i = 0; i < 64; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "1,%d,0,0,0,0,0,20\n", i);
    struct bodies_params params = {.file = (char *)(uintptr_t)text_file(text),
                                   .units = {.length_kpc = 0.01, .velocity_kms = 1},
                                   .kernel = true,
                                   .use = "all"};
    assert_ok(bodies_read(&params, &bodies));
    const struct body_column *column = body_columns_find(&bodies->columns, BODY_KERNEL);
    assert_true(fabs(column->value[7] - 2) < 1e-9);
    assert_ok(bodies_thin(bodies, 8));
    assert_true(fabs(column->value[7] - 4) < 1e-9);
    bodies_destroy(&bodies);
}

int main(void)
{
    log_set_level(LOG_ERROR);
    return tests_run(__FILE__, folder_set_up, folder_tear_down);
}
