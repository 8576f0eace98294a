/* Files of bodies from one format into another, and films of them. */
#include "tests/support/test.h"

#include "tests/support/cli.h"

#include <string.h>

static void write_table(const char *name)
{
    static const char text[] = "1.5 0 0 0 0 0 0 0\n0.1 1 2 3 4 5 6 0\n0.2 2 3 4 -5 6 7 1\n";
    cli_write(name, text);
}

static void there_and_back(void **state)
{
    (void)state;
    write_table("a.tab");
    cli(0, "convert", "a.tab", "b.csv");
    cli(0, "convert", "b.csv", "c.npy");
    cli(0, "convert", "c.npy", "d.g2");
    cli(0, "convert", "d.g2", "e.tipsy");
    cli(0, "convert", "e.tipsy", "-f", "table", "f");
    cli(0, "convert", "c.npy", "g.tab");
    char *a = cli_read("a.tab"), *g = cli_read("g.tab"), *f = cli_read("f");
    assert_string_equal(strchr(g, '\n') + 1, a);
    assert_non_null(strstr(f, "\n1.5 0 0 0 0 0 0")); /* its galaxies became one halo */
    free(a);
    free(f);
    free(g);
}

static void what_is_lost_is_said(void **state)
{
    (void)state;
    write_table("l.tab");
    cli_says(cli(0, "convert", "l.tab", "l.csv")->err,
             "as csv, which does not keep the names of the components");
    cli_says(cli(0, "convert", "l.tab", "l.tipsy")->err, "digits beyond those of float32 (");
    cli_says(cli(0, "convert", "-y", "l.tab", "l.mpv")->err, "which does not keep the components");
}

/* Further columns where there is no place for them, and masses that float32 rounds though places
 * are float32. */
static void what_is_rounded_or_left_is_said(void **state)
{
    (void)state;
    cli_write("gas.csv", "mass,x,y,z,vx,vy,vz,rho,temp\n1,0.5,0,0,0,0,0,7,8\n"
                         "0.1,1.5,0,0,0,0,0,7,8\n");
    cli_says(cli(0, "convert", "gas.csv", "gas.hdf5")->err, "as hdf5, nothing lost\n");
    cli_says(cli(0, "convert", "gas.hdf5", "gas.tipsy")->err,
             "which does not keep rho, temp, digits beyond those of float32 (masses)\n");
    cli_says(cli(0, "convert", "gas.tipsy", "again.hdf5")->err, "as hdf5, nothing lost");
}

/* Further columns go round, and info shows them. */
static void columns_go_round(void **state)
{
    (void)state;
    cli_write("c.csv", "mass,x,y,z,vx,vy,vz,Age [Gyr],Metallicity\n1,0,0,0,0,0,0,nan,0.02\n"
                       "1,1,0,0,0,0,0,2.5,0.01\n1,2,0,0,0,0,0,7,nan\n");
    cli_says(cli(0, "convert", "c.csv", "c.hdf5")->err, "nothing lost");
    cli_says(cli(0, "convert", "c.hdf5", "c.npz")->err, "which does not keep the units of Age\n");
    cli(0, "convert", "c.hdf5", "again.csv");
    char *again = cli_read("again.csv");
    assert_non_null(strstr(again, "vz,id,Age [Gyr],Metallicity\n"));
    assert_non_null(strstr(again, ",3,7,nan\n"));
    free(again);
    cli_says(cli(0, "info", "c.hdf5")->out,
             "columns:    Age [Gyr]  2.5..7, missing for 1 body\n"
             "            Metallicity  0.01..0.02, missing for 1 body\n");
    cli_says(cli(0, "info", "c.npz", "--json")->out, "\"name\": \"Age\"");
    cli_says(cli(0, "info", "c.csv", "--json")->out, "\"unit\": \"Gyr\"");
    cli_says(cli(0, "info", "c.csv", "--json")->out, "\"least\": 2.5");
    cli_says(cli(0, "info", "c.csv", "--json")->out, "\"missing\": 1");
}

static void refusals(void **state)
{
    (void)state;
    write_table("r.tab");
    write_table("there.csv");
    cli_says(cli(2, "convert", "r.tab", "there.csv")->err, "exists already; replace it with -y");
    cli(0, "convert", "-y", "r.tab", "there.csv");
    cli_says(cli(2, "convert", "r.tab", "x.csv.gz")->err,
             "files are read packed, but not written so");
    cli_says(cli(2, "convert", "r.tab")->err, "a file to read and one to write are needed");
    cli_says(cli(2, "convert", "r.tab", "x.unheard")->err, "does not say which format");
    cli_says(cli(2, "convert", "r.tab", "-f", "cvs", "x")->err, "csv");
    cli_says(cli(2, "convert", "r.tab", "x.csv", "y.csv")->err, "is a third file");
    cli(2, "convert", "--from", "npy", "r.tab", "x.csv");
    cli(5, "convert", "nowhere.tab", "x.csv");
    assert_false(cli_exists("x.csv"));
}

static void a_film_of_any_format(void **state)
{
    (void)state;
    write_table("film.tab");
    cli(0, "convert", "film.tab", "film.g2");
    cli_says(cli(0, "info", "film.g2")->out, "units:      G = 1, length 1 kpc");
    cli_says(cli(0, "render", "--bodies-from", "film.g2", "--size", "64x48", "--set",
                 "output.frames=2", "--backend", "cpu", "--format", "null", "--save-scene",
                 "film.yaml")
                 ->err,
             "its format states no units");
    char *scene = cli_read("film.yaml");
    assert_non_null(strstr(scene, "length_kpc: 1"));
    assert_non_null(strstr(scene, "velocity_kms: 1"));
    free(scene);
    cli_says(
        cli(2, "render", "--bodies-from", "film.tab", "--bodies-format", "npy", "--format", "null")
            ->err,
        "film.tab is a NumPy file of format");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_and_back),
        cmocka_unit_test(what_is_lost_is_said),
        cmocka_unit_test(what_is_rounded_or_left_is_said),
        cmocka_unit_test(columns_go_round),
        cmocka_unit_test(refusals),
        cmocka_unit_test(a_film_of_any_format),
    };
    return cmocka_run_group_tests(tests, cli_set_up, cli_tear_down);
}
