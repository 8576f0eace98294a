/* Files of bodies from one format into another, and films of them. */
#include "tests/support/test.h"

#include "tests/support/programs/cli.h"

#include <string.h>

static void write_table(const char *name)
{
    static const char text[] = "1.5 0 0 0 0 0 0 0\n0.1 1 2 3 4 5 6 0\n0.2 2 3 4 -5 6 7 1\n";
    cli_write(name, text);
}

TEST(there_and_back)
{
    write_table("a.tab");
    cli(0, "convert", "a.tab", "b.csv");
    cli(0, "convert", "b.csv", "c.npy");
    cli(0, "convert", "c.npy", "d.g2");
    cli(0, "convert", "d.g2", "e.tipsy");
    cli(0, "convert", "e.tipsy", "-f", "table", "f");
    cli(0, "convert", "c.npy", "g.tab");
    char *a = cli_read("a.tab"), *g = cli_read("g.tab"), *f = cli_read("f");
    assert_string_equal(strchr(g, '\n') + 1, a);
    assert_contains(f, "\n1.5 0 0 0 0 0 0"); /* its galaxies became one halo */
    free(a);
    free(f);
    free(g);
}

TEST(what_is_lost_is_said)
{
    write_table("l.tab");
    assert_says(cli(0, "convert", "l.tab", "l.csv")->err, "csv names components");
    assert_says(cli(0, "convert", "l.tab", "l.tipsy")->err, "digits beyond float32");
    assert_says(cli(0, "convert", "-y", "l.tab", "l.mpv")->err, "components");
}

/* Additional columns in formats without columns, and masses that float32 rounds although positions
 * are float32. */
TEST(what_is_rounded_or_left_is_said)
{
    cli_write("gas.csv", "mass,x,y,z,vx,vy,vz,rho,temp\n1,0.5,0,0,0,0,0,7,8\n"
                         "0.1,1.5,0,0,0,0,0,7,8\n");
    assert_says(cli(0, "convert", "gas.csv", "gas.hdf5")->err, "hdf5 lost");
    assert_says(cli(0, "convert", "gas.hdf5", "gas.tipsy")->err,
                "rho temp digits beyond float32 masses");
    assert_says(cli(0, "convert", "gas.tipsy", "again.hdf5")->err, "hdf5 lost");
}

/* Additional columns survive conversion, and info shows them. */
TEST(columns_go_round)
{
    cli_write("c.csv", "mass,x,y,z,vx,vy,vz,Age [Gyr],Metallicity\n1,0,0,0,0,0,0,nan,0.02\n"
                       "1,1,0,0,0,0,0,2.5,0.01\n1,2,0,0,0,0,0,7,nan\n");
    assert_says(cli(0, "convert", "c.csv", "c.hdf5")->err, "lost");
    assert_says(cli(0, "convert", "c.hdf5", "c.npz")->err, "units Age");
    cli(0, "convert", "c.hdf5", "again.csv");
    char *again = cli_read("again.csv");
    assert_contains(again, "vz,id,Age [Gyr],Metallicity\n");
    assert_contains(again, ",3,7,nan\n");
    free(again);
    assert_contains(cli(0, "info", "c.hdf5")->out,
                    "columns:    Age [Gyr]  2.5..7, missing for 1 body\n"
                    "            Metallicity  0.01..0.02, missing for 1 body\n");
    assert_contains(cli(0, "info", "c.npz", "--json")->out, "\"name\": \"Age\"");
    assert_contains(cli(0, "info", "c.csv", "--json")->out, "\"unit\": \"Gyr\"");
    assert_contains(cli(0, "info", "c.csv", "--json")->out, "\"least\": 2.5");
    assert_contains(cli(0, "info", "c.csv", "--json")->out, "\"missing\": 1");
}

TEST(refusals)
{
    write_table("r.tab");
    write_table("there.csv");
    cli_fails(2, "-y", "convert", "r.tab", "there.csv");
    cli(0, "convert", "-y", "r.tab", "there.csv");
    cli_fails(2, "files packed", "convert", "r.tab", "x.csv.gz");
    cli_fails(2, "file read write", "convert", "r.tab");
    cli_fails(2, "--format format", "convert", "r.tab", "x.unheard");
    cli_fails(2, "USD render --snapshots", "convert", "r.tab", "x.usda");
    cli_fails(2, "cvs mean csv", "convert", "r.tab", "-f", "cvs", "x");
    cli_fails(2, "third file", "convert", "r.tab", "x.csv", "y.csv");
    cli(2, "convert", "--from", "npy", "r.tab", "x.csv");
    cli(5, "convert", "nowhere.tab", "x.csv");
    assert_false(cli_exists("x.csv"));
}

TEST(a_film_of_any_format)
{
    write_table("film.tab");
    cli(0, "convert", "film.tab", "film.g2");
    assert_contains(cli(0, "info", "film.g2")->out, "units:      G = 1, length 1 kpc");
    assert_says(cli(0, "render", "--bodies-from", "film.g2", "--size", "64x48", "--set",
                    "output.frames=2", "--backend", "cpu", "--format", "null", "--save-scene",
                    "film.yaml")
                    ->err,
                "format states units");
    char *scene = cli_read("film.yaml");
    assert_contains(scene, "length_kpc: 1");
    assert_contains(scene, "velocity_kms: 1");
    free(scene);
    cli_fails(2, "film.tab NumPy file format", "render", "--bodies-from", "film.tab",
              "--bodies-format", "npy", "--format", "null");
}

TESTS(cli_set_up, cli_tear_down)
