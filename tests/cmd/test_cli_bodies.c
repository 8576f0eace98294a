/* Films of bodies from a file: proposed values, kept keys and warnings. */
#include "tests/support/test.h"

#include "base/text.h"
#include "tests/support/programs/cli.h"
#include "tests/support/files/hdf5_maker.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Two groups of bodies that pass each other, with lengths and velocities scaled by these factors.
 */
static void write_pairs(const char *name, double length, double velocity)
{
    char text[8192] = "mass,x,y,z,vx,vy,vz\n", *at = text + strlen(text);
    for (int i = 0; i < 64; i++) {
        const double side = i % 2 ? 1 : -1, u = i * 0.37, w = i * 0.71;
        at += sprintf(at, "%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g\n", velocity * velocity * length / 64,
                      length * (side * 2 + (u - (int)u)), length * (w - (int)w),
                      length * 0.1 * (i % 7), velocity * side * -0.1,
                      velocity * 0.4 * (w - (int)w - 0.5), 0.0);
    }
    cli_write(name, text);
}

static void expect_line(const char *text, const char *line, bool there)
{
    if ((strstr(text, line) != NULL) != there)
        fail_msg("'%s' is %s:\n%s", line, there ? "missing" : "there", text);
}

static double value_of(const char *text, const char *key)
{
    const char *at = strstr(text, key);
    assert_non_null(at);
    return strtod(at + strlen(key), NULL);
}

static char *resolved(const char *scene, const char *file, const char *setting)
{
    cli(0, "render", scene, "--bodies-from", file, "--set", setting, "--save-scene", "kept.yaml",
        "-y");
    return cli_read("kept.yaml");
}

/* The look of the scene stays; keys about its own bodies are dropped. */
TEST(a_file_brings_its_own)
{
    write_pairs("pairs.csv", 1, 1);
    char *text = resolved("milky-way-andromeda", "pairs.csv", "output.crf=30");
    expect_line(text, "Milky Way", false);
    expect_line(text, "time_myr: 0\n", true);
    expect_line(text, "length_kpc: 0\n", true);
    expect_line(text, "  title: false\n", true);
    expect_line(text, "fade_in:", false);
    expect_line(text, "fade_out:", false);
    expect_line(text, "card:", false);
    expect_line(text, "  clock: true\n", true); /* in the file's own time */
    expect_line(text, "orbit: 75\n", true);
    expect_line(text, "follow: mass\n", true);
    expect_line(text, "frame: auto\n", true);
    expect_line(text, "dt: 0.15\n", false);
    free(text);
    text = resolved("plummer", "pairs.csv", "simulation.dt=0.25");
    expect_line(text, "velocity_scale: 1\n", true);
    expect_line(text, "dt: 0.25\n", true); /* requested values stay */
    free(text);
    cli_write("look.yaml", "look: {fade_in: 0.5}\n"); /* applies to many files */
    text = resolved("look.yaml", "pairs.csv", "output.crf=30");
    expect_line(text, "fade_in: 0.5\n", true);
    free(text);
    text = resolved("milky-way-andromeda", "pairs.csv", "output.title=Pairs");
    expect_line(text, "title: Pairs\n", true);
    expect_line(text, "  title: true\n", true);
    free(text);
}

/* The scene's own file in another place: all of the scene applies. */
TEST(its_own_file_keeps_all)
{
    write_pairs("pairs.csv", 1, 1);
    cli_write("mine.yaml", "units: {time_myr: 7}\nbodies: {model: file, file: there/pairs.csv}\n"
                           "simulation: {dt: 0.5, softening: 0.1, steps_per_frame: 3}\n"
                           "output: {title: Mine}\n");
    char *text = resolved("mine.yaml", "pairs.csv", "output.crf=30");
    expect_line(text, "time_myr: 7\n", true);
    expect_line(text, "title: Mine\n", true);
    expect_line(text, "dt: 0.5\n", true);
    expect_line(text, "follow: mass\n", false);
    free(text);
}

/* In other units everything scales, up to the rounding of the proposals. */
TEST(any_units_will_do)
{
    write_pairs("small.csv", 1, 1);
    write_pairs("large.csv", 1000, 100);
    char *small = resolved("plummer", "small.csv", "output.crf=30"),
         *large = resolved("plummer", "large.csv", "output.crf=30");
    const double softening = value_of(large, " softening: ") / value_of(small, " softening: ");
    const double dt = value_of(large, " dt: ") / value_of(small, " dt: ");
    assert_true(softening > 800 && softening < 1200);
    assert_true(dt > 9 && dt < 11);
    assert_true(value_of(small, "steps_per_frame: ") == value_of(large, "steps_per_frame: "));
    free(small);
    free(large);
}

/* Films of a file with units use those units; the clock counts in years. */
TEST(units_in_a_header)
{
    write_pairs("pairs.csv", 1, 1);
    char *text = cli_read("pairs.csv");
    const char *rows = strchr(text, '\n');
    char *named = malloc(strlen(text) + 128);
    sprintf(named, "mass [1e10 Msun],x [kpc],y [kpc],z [kpc],vx [km/s],vy [km/s],vz [km/s]%s",
            rows);
    cli_write("named.csv", named);
    free(named);
    free(text);
    text = resolved("plummer", "named.csv", "output.crf=30");
    expect_line(text, "length_kpc: 1\n", true);
    expect_line(text, "velocity_kms: 1\n", true);
    assert_true(value_of(text, "time_myr: ") > 977 && value_of(text, "time_myr: ") < 978);
    assert_true(value_of(text, "mass_msun: ") > 232500 && value_of(text, "mass_msun: ") < 232520);
    free(text);
    assert_contains(cli(0, "info", "named.csv")->out,
                    "units:      G = 1, length 1 kpc, time 977.792 Myr");
    cli_write("two.yaml", "units: {length_kpc: 1, velocity_kms: 100}\nbodies: {model: plummer}\n");
    assert_contains(cli(0, "info", "two.yaml")->out, "time 9.77792 Myr");
    static const char *const contradictions[][2] = {
        {"units.mass_msun=1e10", "units.mass_msun is 1e+10, but with G = 1 the other units make it "
                                 "2.32509e+09"},
        {"units.time_myr=3", "units.time_myr is 3, but units.length_kpc 1 and units.velocity_kms "
                             "100 make it 9.77792"},
    };
    for (int i = 0; i < 2; i++)
        assert_says(cli(0, "render", "two.yaml", "--set", contradictions[i][0], "--save-scene",
                        "kept.yaml", "-y")
                        ->err,
                    contradictions[i][1]);
    assert_lacks(cli(0, "render", "two.yaml", "--set", "units.mass_msun=2.33e9", "--save-scene",
                     "kept.yaml", "-y")
                     ->err,
                 "mass_msun is");
}

/* Particles of AMUSE in SI, in a sphere of this size. */
static void write_metres(const char *name, double metres)
{
    enum { COUNT = 64 };
    static const char *const names[] = {"mass", "x", "y", "z", "vx", "vy", "vz"}, *const units[] = {
                                                                                      "kg", "m",
                                                                                      "m * s**-1"};
    static const struct maker_layout doubles = {.type = MAKER_F64}, whole = {.type = MAKER_U64};
    static const char set[] = "data/0000000001";
    struct maker *maker = maker_open(cli_path(name));
    double values[COUNT];
    uint64_t keys[COUNT];
    char table[64];
    maker_group(maker, "data");
    maker_group(maker, set);
    for (size_t i = 0; i < COUNT; i++)
        keys[i] = i + 1;
    snprintf(table, sizeof table, "%s/keys", set);
    maker_ids(maker, table, COUNT, keys, &whole);
    snprintf(table, sizeof table, "%s/attributes", set);
    maker_group(maker, table);
    for (size_t c = 0; c < 7; c++) {
        for (size_t i = 0; i < COUNT; i++)
            values[i] =
                c == 0 ? 2e30 : (c < 4 ? metres : 1e4) * sin((double)(i * (c + 1)) * 1.7 + 0.3);
        snprintf(table, sizeof table, "%s/attributes/%s", set, names[c]);
        maker_doubles(maker, table, COUNT, 0, values, &doubles);
        maker_text(maker, table, "units", units[c == 0 ? 0 : c < 4 ? 1 : 2], false);
    }
    maker_close(&maker);
}

/* They are drawn in a suitable unit, unless the scene states one. */
TEST(metres_become_something_larger)
{
    static const struct {
        double metres, kpc;
        const char *unit;
    } sizes[] = {{3e19, 1, "kpc"}, {6e17, 1e-3, "pc"}, {3e11, 4.848136811e-9, "au"}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char sentence[64];
        write_metres("si.hdf5", sizes[i].metres);
        char *text = resolved("plummer", "si.hdf5", "output.crf=30");
        assert_true(fabs(value_of(text, "length_kpc: ") / sizes[i].kpc - 1) < 1e-9);
        assert_true(fabs(value_of(text, "velocity_kms: ") - 1) < 1e-12);
        free(text);
        sprintf(sentence, "the scene's is %s (set units.length_kpc", sizes[i].unit);
        const struct run *run = cli(0, "info", "si.hdf5");
        assert_says(run->err, sentence);
        assert_says(run->err, "unit length 1 m numbers large");
    }
    char *text = resolved("plummer", "si.hdf5", "units.length_kpc=2");
    assert_true(value_of(text, "length_kpc: ") == 2);
    free(text);
}

TEST(a_new_scene_is_one)
{
    write_pairs("pairs.csv", 1, 1);
    const struct run *run = cli(0, "scenes", "new", "--from", "pairs.csv");
    expect_line(run->out, "file: pairs.csv\n", true);
    expect_line(run->out, "softening: ", true);
    cli_write("own.yaml", run->out);
    cli(0, "render", "own.yaml", "--save-scene", "kept.yaml", "-y");
    char *kept = cli_read("kept.yaml");
    char *same = resolved("milky-way-andromeda", "pairs.csv", "output.title=pairs");
    assert_string_equal(kept, same); /* the film that --bodies-from makes, with a title */
    free(kept);
    free(same);
    char text[1024] = "mass,x,y,z,vx,vy,vz,galaxy\n", *at = text + strlen(text);
    for (int i = 0; i < 8; i++)
        at += sprintf(at, "1,%d,%d,0,0,0.1,0,%d\n", i, i % 3, i % 2);
    cli_write("two.csv", text);
    run = cli(0, "scenes", "new", "--from", "two.csv");
    assert_contains(run->out, "# galaxy 1, 4 bodies\n");
    assert_contains(run->out, "color: galaxy\n");
    assert_contains(run->out, "title: two\n");
    cli_fails(2, "name file --from", "scenes", "new");
    cli_fails(2, "scenes new --from", "scenes", "plummer", "--from", "pairs.csv");
    cli_write("alone.csv", "mass,x,y,z,vx,vy,vz\n1,0,0,0,0,0,0\n");
    cli_fails(2, "cannot derive a time step", "scenes", "new", "--from", "alone.csv");
}

TEST(what_will_not_be_seen_is_said)
{
    cli_need_gl();
    write_pairs("pairs.csv", 1, 1);
    static const struct {
        const char *setting, *warning;
    } cases[] = {
        {"bodies.velocity_scale=20", "too fast to be bound"},
        {"bodies.velocity_scale=1e-3", "too slow for their own gravity (virial ratio"},
        {"simulation.dt=9", "they will fly apart; set simulation.dt to"},
        {"simulation.dt=1e-6", "nearly nothing will happen"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_says(cli(0, "render", "--bodies-from", "pairs.csv", "--size", "64x36", "--frames",
                        "0..0", "--set", cases[i].setting, "--set", "simulation.steps_per_frame=2",
                        "-y", "-o", "x.hash")
                        ->err,
                    cases[i].warning);
    const struct run *run = cli(0, "render", "--bodies-from", "pairs.csv", "--size", "640x360",
                                "--frames", "0..0", "-y", "-o", "x.hash");
    expect_line(run->err, "warning", false);
}

/* Numbers in solar masses, kpc and km/s: G is 4.3e-6 in these units. The pairs are near equilibrium
 * at 4.6 times their velocities. */
TEST(units_that_a_table_does_not_name_are_guessed)
{
    static const struct {
        double factor;
        bool guessed;
    } cases[] = {{4.6, true}, {0.6, false}};
    cli_need_gl();
    write_pairs("pairs.csv", 1, 1);
    cli(0, "convert", "pairs.csv", "pairs.tab");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *setting =
            text_format("bodies.velocity_scale=%.9g", cases[i].factor * sqrt(4.30091e-6));
        const struct run *run = cli(0, "render", "--bodies-from", "pairs.tab", "--size", "64x36",
                                    "--frames", "0..0", "--set", setting, "-y", "-o", "x.hash");
        free(setting);
        expect_line(run->err, "too slow for their own gravity", true);
        expect_line(run->err, "'# mass [Msun] x [kpc]", cases[i].guessed);
    }
    char *rows = cli_read("pairs.tab"), *first = rows;
    while (*first == '#') /* the names without units */
        first = strchr(first, '\n') + 1;
    char *named = text_format(
        "# mass [Msun] x [kpc] y [kpc] z [kpc] vx [km/s] vy [km/s] vz [km/s]\n%s", first);
    cli_write("named.tab", named);
    free(rows);
    free(named);
    expect_line(
        cli(0, "render", "--bodies-from", "named.tab", "--save-scene", "kept.yaml", "-y")->err,
        "the scene's units are 1 kpc, 1 km/s", true);
}

TEST(bodies_are_no_scene)
{
    write_pairs("pairs.csv", 1, 1);
    cli(0, "convert", "-f", "gadget2", "pairs.csv", "pairs");
    cli(0, "convert", "pairs.csv", "pairs.hdf5");
    static const char *const names[] = {"pairs.csv", "./pairs.csv", "pairs", "pairs.hdf5"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        cli_fails(2, "file bodies --bodies-from pairs", "render", names[i], "-o", "x.hash");
    cli_fails(2, "file bodies --bodies-from pairs", "still", "pairs.csv", "--at", "1", "-o",
              "x.png");
    cli_fails(2, "no scene there.csv", "render", "there.csv", "-o", "x.hash");
    const struct run *run =
        cli(0, "render", "--bodies-from", "pairs", "--save-scene", "kept.yaml", "-y");
    expect_line(run->err, "kpc, km/s and 1e10 solar masses", true);
}

/* A scene that asks for no number gets all bodies, be they fewer or more than a model makes. */
TEST(all_bodies_of_a_file_are_taken)
{
    enum { MANY = 20000 };
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    for (int i = 0; i < MANY; i++)
        fprintf(file, "1 %d %d %d 0 0 0\n", i % 27, i / 27 % 27, i / 729);
    (void)fclose(file);
    cli_write("many.tab", text);
    free(text);
    write_pairs("pairs.csv", 1, 1);
    cli_write("many.yaml", "bodies: {model: file, file: many.tab}\n"
                           "simulation: {dt: 0.1, softening: 1, steps_per_frame: 1}\n"
                           "output: {frames: 1}\n");
    cli_write("some.yaml", "bodies: {model: file, file: pairs.csv}\noutput: {frames: 1}\n");
    for (int k = 0; k < 2; k++) {
        cli(0, "render", k ? "many.yaml" : "some.yaml", "--save-scene", "kept.yaml", "-y");
        text = cli_read("kept.yaml");
        expect_line(text, "  count: 0\n", true);
        free(text);
    }
    cli(0, "render", "many.yaml", "-n", "300", "--save-scene", "kept.yaml", "-y");
    text = cli_read("kept.yaml");
    expect_line(text, "  count: 300\n", true);
    free(text);
}

/* Half as many bodies are twice as heavy, and rotate by a radian in sqrt(1/2) of the time. */
TEST(too_few_of_a_table_are_said)
{
    cli_need_gl();
    write_pairs("pairs.csv", 1, 1);
    const char *const settings[] = {"simulation.softening=0.05", "simulation.softening=0.07",
                                    "simulation.adaptive=0.05"};
    for (int i = 0; i < 3; i++) {
        const struct run *run =
            cli(0, "render", "--bodies-from", "pairs.csv", "-n", "8", "--size", "64x36", "--frames",
                "0..0", "--set", "simulation.dt=0.03", "--set", settings[0], "--set", settings[i],
                "-y", "-o", "x.hash");
        expect_line(run->err, "8 bodies are so heavy", i == 0);
        expect_line(run->err, "orbit each other within the softening in 0.022,", i == 0);
        expect_line(run->err, "set simulation.softening to 0.097 ", i == 0);
    }
    const struct run *all =
        cli(0, "render", "--bodies-from", "pairs.csv", "--size", "64x36", "--frames", "0..0",
            "--set", "simulation.dt=0.03", "--set", settings[0], "-y", "-o", "x.hash");
    expect_line(all->err, "so heavy", false);
}

static void write_rows(const char *name, size_t count, const char *even, const char *odd)
{
    FILE *file = fopen(cli_path(name), "w");
    assert_non_null(file);
    for (size_t i = 0; i < count; i++)
        fputs(i % 2 ? odd : even, file);
    assert_int_equal(fclose(file), 0);
}

/* For too many bodies `info` uses a tree, or says why there is no potential. */
TEST(the_potential_of_many)
{
    cli_write("many.yaml", "bodies: {model: plummer, count: 210000}\n"
                           "simulation: {softening: 0.001}\n");
    const struct run *run = cli(0, "info", "--json", "many.yaml");
    assert_contains(run->out, "\"potential_by\": \"tree\"");
    assert_true(fabs(value_of(run->out, "\"potential\": ") + 0.5) < 0.01);
    assert_true(fabs(value_of(run->out, "\"virial_ratio\": ") - 1) < 0.02);
    assert_says(cli(0, "info", "many.yaml")->out, "softening 0.001 tree");
    write_rows("same.tab", 210000, "1 1 2 3 0 0 0\n", "1 -1 2 3 0 0 0\n");
    assert_says(cli(0, "info", "same.tab")->out, "potential 1e+10 pairs bodies place");
    run = cli(0, "info", "--json", "same.tab");
    assert_contains(run->out, "\"potential\": null");
    assert_contains(run->out, "\"potential_by\": \"about 1e+10 pairs");
}

/* A gigabyte of comments, packed a thousand to one, and three bodies. */
TEST(what_unpacks_to_much_is_said)
{
    enum { LINE = 4096, PART = 1 << 24 };
    static char text[PART];
    for (size_t i = 0; i < PART; i++)
        text[i] = i % LINE == 0 ? '#' : i % LINE == LINE - 1 ? '\n' : ' ';
    uLongf size = compressBound(PART) + 64;
    unsigned char *packed = malloc(size);
    z_stream stream = {.next_in = (unsigned char *)text, .avail_in = PART};
    assert_int_equal(deflateInit2(&stream, 1, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
    stream.next_out = packed;
    stream.avail_out = (uInt)size;
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    size = stream.total_out;
    deflateEnd(&stream);
    for (int parts = 60; parts <= 65; parts += 5) {
        FILE *file = fopen(cli_path("rows.tab.gz"), "wb");
        assert_non_null(file);
        for (int i = 0; i < parts; i++)
            assert_int_equal(fwrite(packed, 1, size, file), size);
        assert_int_equal(fclose(file), 0);
        gzFile rows = gzopen(cli_path("rows.tab.gz"), "ab");
        assert_true(gzputs(rows, "1 1 2 3 0 0 0\n1 2 2 3 0 0 0\n1 3 2 3 0 0 0\n") > 0);
        assert_int_equal(gzclose(rows), Z_OK);
        expect_line(cli(0, "info", "rows.tab.gz")->err, "unpacks to more than 1073 MB", parts > 64);
    }
    free(packed);
}

/* A film coloured by a column of its file, and the message if there is no column of that name. */
TEST(colour_by_a_column)
{
    char text[4096] = "mass,x,y,z,vx,vy,vz,Age [Gyr],Metals\n", *at = text + strlen(text);
    for (int i = 0; i < 40; i++)
        at +=
            sprintf(at, "1,%d,%d,%d,0,0,0,%d,%s\n", i % 5, i % 7, i % 3, i, i % 2 ? "nan" : "0.1");
    cli_write("ages.csv", text);
    static const char *const looks[] = {
        "look: {color: quantity, quantity: Age, panels: [{title: a}, {title: b, color: speed}]}",
        "look: {color: speed, quantity: Metals, quantity_scale: log, panels: [{title: a}, {title: "
        "b, "
        "color: quantity}]}",
        "look: {color: quantity, quantity: Metals, size: fixed, tone: filmic}"};
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++) {
        snprintf(
            text, sizeof text,
            "bodies: {model: file, file: ages.csv, count: 0}\noutput: {size: 96x54, frames: 2}\n"
            "overlay: {legend: true}\n%s\n",
            looks[i]);
        cli_write("ages.yaml", text);
        const struct run *run =
            cli(0, "render", "ages.yaml", "-o", "ages.mkv", "-y", "--backend", "cpu");
        assert_lacks(run->err, i == 0 ? "Age is not read" : "Metals is not read");
        cli(0, "verify", "ages.mkv", "--redraw", "2"); /* by the scene that it contains */
    }
    cli_fails(2, "bodies column age mean Age Metals", "render", "--bodies-from", "ages.csv",
              "--set", "look.color=quantity", "--set", "look.quantity=age", "-o", "no.mkv");
    cli_write("ages.yaml", "bodies: {model: file, file: ages.csv, count: 0}\n"
                           "look: {color: quantity, quantity: Ages}\n");
    cli_fails(2, "ages.yaml:2 look.quantity bodies column", "info", "ages.yaml");
}

TESTS(cli_set_up, cli_tear_down)
