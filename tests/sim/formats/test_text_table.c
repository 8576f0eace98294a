/* Tables of text as other programs write them: names in comments, units, quotes, decimal commas,
 * line ends, codes of characters, ids, and what columns without names are. */
#include "tests/support/files/bodies_file.h"
#include "tests/support/choose.h"
#include "tests/support/files/folder.h"
#include "tests/support/test.h"

#include "base/log.h"
#include "sim/formats/formats.h"
#include "sim/formats/text_lines.h"
#include "sim/formats/text_rows.h"

#include <fcntl.h>
#include <math.h>
#include <string.h>

#define PLAIN  "1 2 3 4 5 6 0.5\n-1.5 0 0 0 0 -7 2\n"
#define COMMAS "1,2,3,4,5,6,0.5\n-1.5,0,0,0,0,-7,2\n"
#define TABS   "1\t2\t3\t4\t5\t6\t0.5\n-1.5\t0\t0\t0\t0\t-7\t2\n"

static const char *file_of(const char *text)
{
    return bodies_file_write("t.dat", text, strlen(text));
}

static enum status read_text(const char *text, struct snapshot *out)
{
    return format_read(file_of(text), NULL, out);
}

/* The two bodies of PLAIN. */
static void expect_two(const struct snapshot *found, const char *text)
{
    const struct bodies *bodies = found->bodies;
    const double(*x)[3] = (const double(*)[3])bodies->position,
          (*v)[3] = (const double(*)[3])bodies->velocity;
    if (!(bodies->count == 2 && bodies->mass[0] == 0.5 && bodies->mass[1] == 2 && x[0][0] == 1 &&
          x[0][1] == 2 && x[0][2] == 3 && x[1][0] == -1.5 && v[0][0] == 4 && v[0][1] == 5 &&
          v[0][2] == 6 && v[1][2] == -7))
        fail_msg("the bodies are others: %s", text);
}

/* What reading says on standard error. The caller frees it. */
static char *said_of(const char *text, const char *format, struct snapshot *out)
{
    enum { MOST = 4096 };
    char name[4096], *said = calloc(1, MOST);
    snprintf(name, sizeof name, "%s/said", folder_name());
    const int kept = dup(STDERR_FILENO), file = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
    assert_true(said && kept >= 0 && file >= 0);
    fflush(stderr);
    dup2(file, STDERR_FILENO);
    log_set_level(LOG_INFO);
    const enum status status =
        format_read(file_of(text), format ? choose(&body_format_registry, format) : NULL, out);
    log_set_level(LOG_ERROR);
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    assert_true(pread(file, said, MOST - 1, 0) >= 0);
    close(kept);
    close(file);
    assert_ok(status);
    return said;
}

/* ---- names ---- */

TEST(names_in_a_comment)
{
    static const struct {
        const char *text;
        bool units; /* pc, km/s and solar masses */
    } cases[] = {
        {"# x y z vx vy vz mass\n" PLAIN, false},
        {"#x,y,z,vx,vy,vz,mass\n" COMMAS, false},
        {"# x, y, z, vx, vy, vz, mass\n" PLAIN, false},
        {"! x y z vx vy vz mass\n" PLAIN, false},
        {"% x y z vx vy vz mass\n" PLAIN, false},
        {"// x y z vx vy vz mass\n" PLAIN, false},
        {"## x\ty\tz\tvx\tvy\tvz\tmass\n" TABS, false},
        {"# X Y Z VX VY VZ Mass\n" PLAIN, false},
        {"# posx pos_y position_z vel_x vely velocity_z m\n" PLAIN, false},
        {"# Coordinates_0 pos_1 position_z vel_0 Velocities_1 velz masses\n" PLAIN, false},
        {"# made by hand\n# x y z vx vy vz mass\n# seed 7\n\n#\n" PLAIN, false},
        {"# mass x y z vx vy vz\n# x y z vx vy vz mass\n" PLAIN, false}, /* the last one */
        {"# 1:x 2:y 3:z 4:vx 5:vy 6:vz 7:mass\n" PLAIN, false},
        {"# 1: x 2: y 3: z 4: vx 5: vy 6: vz 7: mass\n" PLAIN, false},
        {"# (1) x (2) y (3) z (4) vx (5) vy (6) vz (7) mass\n" PLAIN, false},
        {"# [1]x [2]y [3]z [4]vx [5]vy [6]vz [7]mass\n" PLAIN, false},
        {"# Columns: x, y, z, vx, vy, vz, mass\n" PLAIN, false},
        {"# columns = x y z vx vy vz mass\n" PLAIN, false},
        {"# 1 x Position\n# 2 y\n# 3 z\n# 4 vx\n# 5 vy\n# 6 vz\n# 7 mass\n" PLAIN, false},
        {"# column 1: x\n# column 2: y\n# col 3 z\n#4 vx\n#5 vy\n#6 vz\n#7 mass\n" PLAIN, false},
        {"# pos vel mass\n" PLAIN, false},
        {"# x | y | z | vx | vy | vz | mass\n" PLAIN, false},
        {"# (x, y, z, vx, vy, vz, mass)\n" PLAIN, false},
        {"# columns: ['x', 'y', 'z', 'vx', 'vy', 'vz', 'mass']\n" PLAIN, false},
        {"# {\"columns\":[\"x\",\"y\",\"z\",\"vx\",\"vy\",\"vz\",\"mass\"]}\n" PLAIN, false},
        {"| x | y | z | vx | vy | vz | mass |\n|---|:--|---|---|---|---|---|\n"
         "| 1 | 2 | 3 | 4 | 5 | 6 | 0.5 |\n| -1.5 | 0 | 0 | 0 | 0 | -7 | 2 |\n",
         false},
        {"# pc pc pc km/s km/s km/s Msun\n# x y z vx vy vz mass\n" PLAIN, true},
        {"# x [pc] y [pc] z [pc] vx [km/s] vy [km s-1] vz [km/s] mass [Msun]\n" PLAIN, true},
        {"# X[pc] Y[pc] Z[pc] VX[km/s] VY[km/s] VZ[km/s] M[Msun]\n" PLAIN, true},
        {"# pos_x (pc) pos_y (pc) pos_z (pc) vx (km/s) vy (km/s) vz (km/s) m (Msun)\n" PLAIN, true},
        {"# x / pc, y / pc, z/pc, vx / (km/s), vy / (km/s), vz / (km/s), mass / Msun\n" COMMAS,
         true},
        {"# x / pc  y / pc  z / pc  vx / (km/s)  vy / (km/s)  vz / (km/s)  mass / Msun\n" PLAIN,
         true},
        {"# x y z vx vy vz mass\n# pc pc pc km/s km/s km/s Msun\n" PLAIN, true},
        {"# x y z vx vy vz mass\n# Units: pc pc pc km/s km/s km/s Msun\n" PLAIN, true},
        {"# x y z vx vy vz mass\n# --- --- --- --- --- --- ---\n# [pc] [pc] [pc] [km/s] [km/s] "
         "[km/s] [Msun]\n" PLAIN,
         true},
        {"# %ECSV 1.0\n# ---\n# datatype:\n# - {name: x, unit: pc, datatype: float64}\n"
         "# - {name: y, unit: pc, datatype: float64}\n# - {name: z, unit: pc, datatype: float64}\n"
         "# - {name: vx, unit: km / s, datatype: float64}\n"
         "# - {name: vy, unit: 'km / s', datatype: float64}\n"
         "# - {name: vz, unit: km s-1, datatype: float64}\n"
         "# - {name: mass, unit: Msun, datatype: float64}\n# schema: astropy-2.0\n"
         "x y z vx vy vz mass\n" PLAIN,
         true},
        {"x,y,z,vx,vy,vz,mass\npc,pc,pc,km/s,km/s,km/s,Msun\n" COMMAS, true},
        {"x y z vx vy vz mass\n-- -- -- -- -- -- --\n" PLAIN, false},
        {"x\ty\tz\tvx\tvy\tvz\tmass\nN\tN\tN\tN\tN\tN\t10N\n" TABS, false},
        {"x\t\ty\t\tz\tvx\tvy\tvz\tmass\n1\t\t2\t\t3\t4\t5\t6\t0.5\n"
         "-1.5 0 0 0 0 -7 2\n", /* tabs that align columns */
         false},
        {"x (pc)\ty (pc)\tz (pc)\tvx (km/s)\tvy (km/s)\tvz (km/s)\tmass (Msun)\n" TABS, true},
        {"name\tx\ty\tz\tvx\tvy\tvz\tmass\nstar one\t1\t2\t3\t4\t5\t6\t0.5\nb\t-1.5\t0\t0\t0\t0"
         "\t-7\t2\n",
         false},
    };
    static const double PC = 3.0856775814913673e18, SUN = 1.98840987e33;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct snapshot found, alone = {.bodies = NULL};
        if (read_text(cases[i].text, &found) != STATUS_OK)
            fail_msg("%s: %s", status_text(), cases[i].text);
        expect_two(&found, cases[i].text);
        const struct snapshot_units *units = &found.units;
        const bool known = fabs(units->length_cm / PC - 1) < 1e-9 &&
                           fabs(units->mass_g / SUN - 1) < 1e-7 &&
                           fabs(units->velocity_cms / 1e5 - 1) < 1e-9;
        if (cases[i].units ? !known : units->length_cm != 0)
            fail_msg("the units are others: %s", cases[i].text);
        assert_ok(format_read_units(file_of(cases[i].text), NULL, &alone));
        assert_memory_equal(&alone.units, units, sizeof *units);
        snapshot_free(&found);
    }
}

/* Comments that are no names, or other names than there are columns. */
TEST(comments_that_do_not_fit)
{
    static const char *const taken[] = {
        "# seven bodies of unit mass in a\n0.5 1 2 3 4 5 6\n2 -1.5 0 0 0 0 -7\n",
        "#col1 col2\n0.5 1 2 3 4 5 6\n2 -1.5 0 0 0 0 -7\n",
        "# mass x y z vx vy vz (G = 1), for tests\n0.5 1 2 3 4 5 6\n2 -1.5 0 0 0 0 -7\n",
        "0.5 1 2 3 4 5 6\n# x y z vx vy vz mass\n2 -1.5 0 0 0 0 -7\n",
    };
    static const struct {
        const char *text, *says;
    } refused[] = {
        {"# x y z vx vy vz\n" PLAIN, ":1 comment 6 columns line 2 7 format table"},
        {"# x1 x2 x3 v1 v2 v3 m\n" PLAIN, ":1 comment names columns x, y, z"},
        {"# x y z mass\n" PLAIN, ":1 comment 4 columns 7"},
        {"# x y z vx vy vz mass id\n" PLAIN, ":1 comment 8 columns 7"},
        {"#\n# x y z a b c mass\n" PLAIN, ":2 comment names columns vx, vy, vz"},
        {"# x y z vx vy vz mass\n# furlong pc pc km/s km/s km/s Msun\n" PLAIN,
         ":1 unit 'x [furlong]'"},
        {"x,y,z,vx,vy,vz,mass\nfurlong,pc,pc,km/s,km/s,km/s,Msun\n" COMMAS,
         ":1 unit 'x [furlong]'"},
        {"# x [furlong] y z vx vy vz mass\n" PLAIN, ":1 unit 'x [furlong]'"},
        {"# x [pc] y z vx vy vz mass\n" PLAIN, ":1 'x [pc]' mass none"},
        {"# x y z vx vy vz mass\n2 0.5\n" PLAIN, ":1 comment mass x y z vx vy vz two"}, /* mpv */
    };
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
        struct snapshot found;
        assert_ok(read_text(taken[i], &found));
        expect_two(&found, taken[i]);
        snapshot_free(&found);
    }
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct snapshot found;
        assert_fails(read_text(refused[i].text, &found), STATUS_USAGE, refused[i].says);
    }
}

/* Columns without names: what they are taken to be is said. */
TEST(assumed_columns_are_said)
{
    static const struct {
        const char *text, *format, *says;
    } cases[] = {
        {"1 2 3 4 5 6 7\n", NULL, "no line names columns mass x y z vx vy vz"},
        {"1,2,3,4,5,6,7,0\n", NULL, "no line names columns mass x y z vx vy vz galaxy"},
        {"1 1 2 3 4 5 6 0\n2 1 2 3 4 5 6 0\n", NULL, "read as id mass x y z vx vy vz"},
        {"1 2 3 4 5 6 7\n", "table", ""},
        {"# mass x y z vx vy vz\n1 2 3 4 5 6 7\n", NULL, ""},
        {"# id mass x y z vx vy vz\n1 1 2 3 4 5 6 0\n", NULL, ""},
        {"# x y z vx vy vz mass\n1 2 3 4 5 6 7\n", "table", "mass x y z vx vy vz table line 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct snapshot found;
        char *said = said_of(cases[i].text, cases[i].format, &found);
        if (*cases[i].says ? !*said || !strstr(said, "mass x y z vx vy vz") : *said)
            fail_msg("'%s' is said of %s", said, cases[i].text);
        if (*cases[i].says)
            assert_sentence(strtok(said, "\n"), cases[i].says);
        free(said);
        snapshot_free(&found);
    }
}

/* Units in prose are not taken silently for nothing. */
TEST(units_in_prose_are_said)
{
    static const struct {
        const char *head, *says;
    } cases[] = {
        {"# positions in kpc, velocities in km/s\n", ":1: the comment speaks of 'kpc'"},
        {"# seed 7\n# unit of mass: Msun\n", ":2: the comment speaks of 'Msun'"},
        {"# all in a box of size m, at 1 s\n", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct snapshot found;
        char text[256];
        snprintf(text, sizeof text, "%smass x y z vx vy vz\n1 2 3 4 5 6 7\n", cases[i].head);
        char *said = said_of(text, NULL, &found);
        if (cases[i].says ? !strstr(said, cases[i].says) : *said)
            fail_msg("'%s' is said of %s", said, text);
        free(said);
        snapshot_free(&found);
    }
}

/* ---- lines and fields ---- */

static size_t to_utf16(const char *text, bool big, bool mark, unsigned char *out)
{
    size_t size = 0;
    if (mark) {
        out[size++] = big ? 0xfe : 0xff;
        out[size++] = big ? 0xff : 0xfe;
    }
    for (; *text; text++) {
        out[size++] = big ? 0 : (unsigned char)*text;
        out[size++] = big ? (unsigned char)*text : 0;
    }
    return size;
}

TEST(codes_of_characters)
{
    static const char *const texts[] = {"x,y,z,vx,vy,vz,mass\r\n" COMMAS,
                                        "# x y z vx vy vz mass\n" PLAIN};
    unsigned char bytes[1024];
    struct snapshot found;
    for (int kind = 0; kind < 8; kind++) {
        const char *text = texts[kind & 1];
        const size_t size = to_utf16(text, kind & 2, kind & 4, bytes);
        assert_ok(format_read(bodies_file_write("t", bytes, size), NULL, &found));
        expect_two(&found, text);
        snapshot_free(&found);
        assert_fails(format_read(bodies_file_write("t", bytes, size - 1), NULL, &found),
                     STATUS_USAGE, "UTF-16 ends within character");
    }
    static const unsigned char wide[] = {0xff, 0xfe, 0, 0, 'x', 0, 0, 0};
    assert_fails(format_read(bodies_file_write("t", wide, sizeof wide), NULL, &found), STATUS_USAGE,
                 "UTF-32 UTF-8");
    /* names beyond ASCII, a pair of surrogates, half a pair */
    static const unsigned char names[] = {0xff, 0xfe, 0xe9, 0,    0x3d, 0xd8,
                                          0,    0xde, 0xac, 0x20, 0,    0xdc};
    char plain[2 * sizeof names];
    const size_t size = table_lines_plain(names, sizeof names, plain);
    static const char want[] = "\xc3\xa9\xf0\x9f\x98\x80\xe2\x82\xac\xef\xbf\xbd";
    assert_int_equal(size, sizeof want - 1);
    assert_memory_equal(plain, want, size);
}

TEST(ends_of_lines)
{
    static const char *const texts[] = {
        "x,y,z,vx,vy,vz,mass\r1,2,3,4,5,6,0.5\r-1.5,0,0,0,0,-7,2\r",
        "x,y,z,vx,vy,vz,mass\r1,2,3,4,5,6,0.5\r-1.5,0,0,0,0,-7,2",
        "x,y,z,vx,vy,vz,mass\r\n1,2,3,4,5,6,0.5\r-1.5,0,0,0,0,-7,2\n",
        "# x y z vx vy vz mass\r1 2 3 4 5 6 0.5\r\r-1.5 0 0 0 0 -7 2\n\r",
        "x,y,z,vx,vy,vz,mass\n1,2,3,4,5,6,0.5\n,,,,,,\n-1.5,0,0,0,0,-7,2\n,,\n",
    };
    struct snapshot found;
    for (size_t i = 0; i < sizeof texts / sizeof *texts - 1; i++) {
        assert_ok(read_text(texts[i], &found));
        expect_two(&found, texts[i]);
        snapshot_free(&found);
    }
    assert_ok(read_text(texts[4], &found)); /* rows of a spreadsheet without content */
    expect_two(&found, texts[4]);
    snapshot_free(&found);
    assert_fails(read_text("x,y,z,vx,vy,vz,mass\r1,2,3,4,5,6,x\r", &found), STATUS_USAGE,
                 ":2 mass");
    enum { ROWS = 20000 };
    char *text = malloc(ROWS * 24), *end = text; /* across the buffer */
    assert_non_null(text);
    for (int i = 0; i < ROWS; i++)
        end += sprintf(end, "1 %d 0 0 0 0 1%s", i, i % 3 == 0 ? "\r\n" : i % 3 == 1 ? "\r" : "\n");
    assert_ok(format_read(bodies_file_write("t", text, (size_t)(end - text)), NULL, &found));
    assert_int_equal(found.bodies->count, ROWS);
    for (int i = 0; i < ROWS; i++)
        assert_true(found.bodies->position[i][0] == i);
    snapshot_free(&found);
    free(text);
}

TEST(fields_of_lines)
{
    static const struct {
        const char *line;
        char separator;
        bool names;
        const char *fields; /* between bars */
        int open;
    } cases[] = {
        {"1,2,3", ',', false, "1|2|3", 0},
        {" 1 ,\t2 , 3\t", ',', false, "1|2|3", 0},
        {"1,,3,", ',', false, "1||3|", 0},
        {"1\t\t3\t", '\t', false, "1||3|", 0},
        {"  1 2\t 3  ", ' ', false, "1|2|3", 0},
        {"\xc2\xa0"
         "1\xc2\xa0,2",
         ',', false, "1|2", 0},
        {"\"Star 0, A\",2", ',', false, "Star 0, A|2", 0},
        {"\"a \"\"b\"\"\",\"\",\" c \"", ',', false, "a \"b\"|| c ", 0},
        {"\"a b\" 'c d' e'f", ' ', false, "a b|c d|e'f", 0},
        {"'a, b',O'Neill,'tis,2", ',', false, "a, b|O'Neill|'tis|2", 0},
        {"1,\"2,3", ',', false, "1|\"2|3", 2},
        {"1,\"2\"3,4", ',', false, "1|\"2\"3|4", 2},
        {"a;b [x;y];c", ';', true, "a|b [x;y]|c", 0},
        {"a;b [x;y];c", ';', false, "a|b [x|y]|c", 0},
        {"a [x,b [y],c", ',', true, "a [x|b [y]|c", 0},
        {"x [pc] y / pc (3) z", ' ', true, "x [pc]|y / pc|(3)|z", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fields fields;
        char line[64], joined[128] = "";
        snprintf(line, sizeof line, "%s", cases[i].line);
        fields_split(line, cases[i].separator, cases[i].names, &fields);
        for (int k = 0; k < fields.count; k++) {
            strcat(joined, k ? "|" : "");
            strcat(joined, fields.at[k]);
        }
        if (strcmp(joined, cases[i].fields) != 0 || fields.open != cases[i].open)
            fail_msg("'%s' is split as '%s', open %d", cases[i].line, joined, fields.open);
    }
}

TEST(quotes_and_ends_of_rows)
{
    static const char *const texts[] = {
        "\"x\",\"y\",\"z\",\"vx\",\"vy\",\"vz\",\"mass\"\n\"1\",2,3,4,5,6,\"0.5\"\n-1.5,0,0,0,0,-7,"
        "2",
        "name,x,y,z,vx,vy,vz,mass\n\"Star 0, A\",1,2,3,4,5,6,0.5\n'b, c',-1.5,0,0,0,0,-7,2\n",
        "\"a name, long\"\tx\ty\tz\tvx\tvy\tvz\tmass\n\"s\tt\"\t1\t2\t3\t4\t5\t6\t0.5\n"
        "b\t-1.5\t0\t0\t0\t0\t-7\t2\n",
        "# x y z vx vy vz mass \"star name\"\n1 2 3 4 5 6 0.5 \"a b\"\n-1.5 0 0 0 0 -7 2 c\n",
        "x,y,z,vx,vy,vz,mass\n1,2,3,4,5,6,0.5,\n-1.5,0,0,0,0,-7,2,\n",
        "x,y,z,vx,vy,vz,mass,\n1,2,3,4,5,6,0.5\n-1.5,0,0,0,0,-7,2,,,\n",
        "x;y;z;vx;vy;vz;mass;\n1;2;3;4;5;6;0.5;\n-1.5;0;0;0;0;-7;2;\n",
        "x\ty\tz\tvx\tvy\tvz\tmass\t\n1\t2\t3\t4\t5\t6\t0.5\t\n-1.5\t0\t0\t0\t0\t-7\t2\n",
        "0.5,1,2,3,4,5,6,\n2,-1.5,0,0,0,0,-7,\n",
        "# x,y,z,vx,vy,vz,mass,note\n1,2,3,4,5,6,0.5,\n-1.5,0,0,0,0,-7,2,\n",
        "sep=;\nx;y;z;vx;vy;vz;mass\n1;2;3;4;5;6;0.5\n-1.5;0;0;0;0;-7;2\n",
        ",x,y,z,vx,vy,vz,mass\n0,1,2,3,4,5,6,0.5\n1,-1.5,0,0,0,0,-7,2\n", /* an index of pandas */
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct snapshot found;
        assert_ok(read_text(texts[i], &found));
        expect_two(&found, texts[i]);
        snapshot_free(&found);
    }
}

/* ---- numbers ---- */

TEST(numbers_of_fortran)
{
    static const struct {
        const char *word;
        double value;
    } numbers[] = {
        {"1.0D-02", 0.01},
        {"-2.5d+3", -2500},
        {"1q3", 1000},
        {"1.5Q0", 1.5},
        {"1.0-114", 1e-114},
        {"-1.5+100", -1.5e100},
        {".5D1", 5},
        {"3.D0", 3},
        {"0.1", 0.1},
        {"-0", 0},
        {"1e22", 1e22},
        {"1e23", 1e23},
        {"1e-22", 1e-22},
        {"123456789012345e-5", 1234567890.12345},
        {"9007199254740993", 9007199254740992},
        {"+7", 7},
        {"5e-324", 5e-324},
        {"\xe2\x88\x92"
         "1.5D1",
         -15},
    };
    static const char *const others[] = {
        "",         "-",          ".",     "e5",    "1e",       "1D",      "1.0-14", "10-114",
        "1.0-1140", "2020-01-02", "1.0D+", "D5",    "1.0DD5",   "1.0D5D5", "+-1.0",  "1.0e-114-5",
        "0x1p3",    "nan",        "inf",   "1e999", "1.0+999",  "*****",   "1,5",    "1 2",
        "1.0e--5",  "1..5",       "1.5.2", "1_000", "\xd9\xa1",
    };
    double value;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!body_number(numbers[i].word, &value) || value != numbers[i].value)
            fail_msg("%s is %.17g", numbers[i].word, value);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (body_number(others[i], &value))
            fail_msg("'%s' is taken as a number", others[i]);
    uint64_t x = 88172645463325252u; /* the same as strtod, digit by digit */
    for (int i = 0; i < 20000; i++) {
        char word[64];
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        snprintf(word, sizeof word, x & 4 ? "%s%.*g" : "%s%.*e", x & 1 ? "-" : "",
                 (int)(x >> 8 & 31) % 20 + 1,
                 (double)(x >> 16) * exp2((double)(x >> 3 & 127) - 80));
        assert_true(body_number(word, &value));
        if (value != strtod(word, NULL))
            fail_msg("%s is read as %.17g", word, value);
    }
}

TEST(decimal_commas)
{
    static const char *const texts[] = {
        "x;y;z;vx;vy;vz;mass\n1;2;3;4;5;6;0,5\n-1,5;0;0;0;0;-7,0;2,0\n",
        "x\ty\tz\tvx\tvy\tvz\tmass\n1,0\t2\t3\t4\t5\t6\t0,5\n-1,5\t0\t0\t0\t0\t-7\t2\n",
        "# x y z vx vy vz mass\n1,0 2,0 3,0 4,0 5,0 6,0 0,5\n-1,5 0 0 0 0 -7 2\n",
        "x,y,z,vx,vy,vz,mass\n\"1,0\",2,3,4,5,6,\"0,5\"\n\"-1,5\",0,0,0,0,-7,2\n",
        "0,5;1,000;2;3;4;5;6\n2;-1,5;0;0;0;0;-7E+0\n", /* 1,000 is clear by the others */
        "1,000\t2,000\t3\t4\t5\t6\t0,5\n1,5\t0\t0\t0\t0\t-7\t2\n",
    };
    static const struct {
        const char *text, *says;
    } refused[] = {
        {"x;y;z;vx;vy;vz;mass\n1,234;0;0;0;0;0;2\n", ":2 '1,234' decimal comma thousands points"},
        {"x;y;z;vx;vy;vz;mass\n1.234,5;0;0;0;0;0;2\n", ":2 x column 1 thousands points"},
        {"x;y;z;vx;vy;vz;mass\n0;1,234,567;0;0;0;0;2\n", ":2 y column 2 thousands"},
        {"x;y;z;vx;vy;vz;mass\n1,5;0;0;0;0;0;2\n1.5;0;0;0;0;0;1\n", ":3 x '1.5' other decimal"},
        {"x;y;z;vx;vy;vz;mass\n1.5;0;0;0;0;0;2\n1,5;0;0;0;0;0;1\n", ":3 x '1,5' other decimal"},
        {"x;y;z;vx;vy;vz;mass\n1,234;0;0;0;0;0;2.5\n", ":2 mass '2.5' other decimal"},
        {"x,y,z,vx,vy,vz,mass\n0,1,0,2,0,3,0,4,0,5,0,6,0,7\n", ":2 7 columns 14 decimal commas"},
    };
    struct snapshot found;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const bool named = i < 4;
        assert_ok(read_text(texts[i], &found));
        if (named)
            expect_two(&found, texts[i]);
        else
            assert_true(found.bodies->count == 2);
        if (i == 4)
            assert_true(found.bodies->mass[0] == 0.5 && found.bodies->position[0][0] == 1 &&
                        found.bodies->position[1][0] == -1.5);
        snapshot_free(&found);
    }
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        assert_fails(read_text(refused[i].text, &found), STATUS_USAGE, refused[i].says);
}

/* A number that is missing: the cause is named. */
TEST(missing_numbers)
{
    static const struct {
        const char *text, *says;
    } refused[] = {
        {"x,y,z,vx,vy,vz,mass\n1,2,3,4,5,6,7\n1,2,3,,5,6,7\n", ":3 vx column 4 empty"},
        {"x\ty\tz\tvx\tvy\tvz\tmass\n1\t2\t\t4\t5\t6\t7\n", ":2 z column 3 empty"},
        {"x;y;z;vx;vy;vz;mass\n1;2;3;4;5;6;\n", ":2 mass column 7 empty"},
        {"x,y,z,vx,vy,vz,mass\n1,NA,3,4,5,6,7\n", ":2 y column 2 'NA' missing"},
        {"x y z vx vy vz mass\n1 -- 3 4 5 6 7\n", ":2 y column 2 '--' missing"},
        {"x,y,z,vx,vy,vz,mass\n1,2,3,4,5,6,nan\n", ":2 mass 'nan' missing"},
        {"x,y,z,vx,vy,vz,mass\n1,2,3,4,5,6,inf\n", ":2 mass 'inf' finite"},
        {"x,y,z,vx,vy,vz,mass\n1,2,3,4,5,6,null\n", ":2 mass 'null' missing"},
        {"x,y,z,vx,vy,vz,mass\n1,2,3,4,5,6,*****\n", ":2 mass '*****' Fortran"},
        {"x,y,z,vx,vy,vz,mass\n1,\"2,3,4,5,6,7\n", ":2 quotes column 2 separator"},
        {"x,y,\"z,vx,vy,vz,mass\n1,2,3,4,5,6,7\n", ":1 quotes column 3 separator"},
        {"x,y,z,vx,vy,vz,mass\n1,2,3,4,5,6,7,8\n", ":2 7 columns line 1 8"},
        {"x,y,z,vx,vy,vz,mass,galaxy\n1,2,3,4,5,6,7,\n", ":2 galaxy column 8 empty"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct snapshot found;
        assert_fails(read_text(refused[i].text, &found), STATUS_USAGE, refused[i].says);
    }
}

/* ---- ids ---- */

TEST(ids_are_kept_or_said)
{
    static const struct {
        const char *name, *first, *second;
        uint64_t ids[2]; /* 0 0: none */
        const char *says;
    } cases[] = {
        {"id", "1", "12", {1, 12}, ""},
        {"id", "1.0", "12.0", {1, 12}, ""},
        {"id", "1e3", "1.2D+01", {1000, 12}, ""},
        {"id",
         "1152921504606846977",
         "18446744073709551615",
         {1152921504606846977u, 18446744073709551615u},
         ""},
        {"source_id",
         "5853498713160606720",
         "5853498713160606722",
         {5853498713160606720u, 5853498713160606722u},
         ""},
        {"gaia_id", "4", "007", {4, 7}, ""},
        {"ParticleIDs", "4", "\"5\"", {4, 5}, ""},
        {"particle_id",
         "9007199254740993",
         "9007199254740991.0",
         {9007199254740993u, 9007199254740991u},
         ""},
        {"id", "1.5", "2", {0, 0}, ":2 ids '1.5' whole"},
        {"id", "1", "2.5", {0, 0}, ":3 ids '2.5' whole"},
        {"id", "-5", "2", {0, 0}, ":2 ids '-5' whole"},
        {"id", "18446744073709551616", "2", {0, 0}, ":2 ids 2^64"},
        {"id", "5853498713160606720.0", "2", {0, 0}, ":2 ids rounded"},
        {"id", "9007199254740992.0", "2", {0, 0}, ":2 ids rounded"},
        {"id", "", "2", {0, 0}, ":2 ids missing"},
        {"id", "A1", "2", {0, 0}, ":2 ids 'A1' whole"},
        {"id", "-1", "2", {0, 0}, ":3 ids '2' -1 none"},
        {"id", "2", "-1", {0, 0}, ":3 ids '-1' none"},
        {"id", "-1", "-1", {0, 0}, ""},
    };
    const struct format *csv = (const void *)choose(&body_format_registry, "csv");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256];
        struct snapshot found;
        snprintf(text, sizeof text,
                 "%s,x,y,z,vx,vy,vz,mass\n%s,1,2,3,4,5,6,0.5\n%s,-1.5,0,0,0,0,-7,2\n",
                 cases[i].name, cases[i].first, cases[i].second);
        char *said = said_of(text, NULL, &found), *lost = snapshot_lost(&found, csv);
        const uint64_t *id = found.bodies->id, *want = cases[i].ids;
        expect_two(&found, text);
        if (want[0] ? !id || id[0] != want[0] || id[1] != want[1] : id != NULL)
            fail_msg("other ids than those of %s", text);
        assert_true((lost != NULL) == (*cases[i].says != '\0')); /* not "nothing lost" */
        if (*cases[i].says)
            assert_sentence(strtok(said, "\n"), cases[i].says);
        else
            assert_string_equal(said, "");
        free(said);
        free(lost);
        snapshot_free(&found);
    }
}

/* Names of groups are components, in the order in which they appear, and under `galaxy` galaxies;
 * numbers stay indices. */
TEST(groups_by_name)
{
    (void)state;
    static const char rows[] = "\nSun,star,1,0,0,0,0,0,0\nMars,rocks,1,1,0,0,0,1,0\n"
                               "Moon,,1,2,0,0,0,1,0\nNova,star,1,3,0,0,0,1,0\n";
    static const char *const names[] = {"star", "rocks", "others"};
    for (int by = 0; by < 2; by++) {
        char text[512];
        struct snapshot found;
        snprintf(text, sizeof text, "name,%s,mass,x,y,z,vx,vy,vz%s", by ? "Galaxy" : "group", rows);
        assert_ok(read_text(text, &found));
        snapshot_sort(&found);
        assert_int_equal(found.bodies->component_count, 3);
        for (size_t c = 0; c < 3; c++) {
            const struct component *component = &found.bodies->components[c];
            assert_string_equal(component->name, names[c]);
            assert_string_equal(component->galaxy, by ? names[c] : "");
            assert_int_equal(component->count, c == 0 ? 2 : 1);
        }
        assert_string_equal(body_column_word_of(&found.bodies->columns.list[0], 1), "Nova");
        snapshot_free(&found);
    }
    struct snapshot found;
    assert_fails(
        read_text("group,mass,x,y,z,vx,vy,vz\n1,1,0,0,0,0,0,0\nrocks,1,0,0,0,0,0,0\n", &found),
        STATUS_USAGE, ":3: 'rocks' galaxy's index");
    snapshot_free(&found);
}

TEST(digits_beyond_doubles)
{
    static const struct {
        const char *number;
        bool rounded;
    } cases[] = {{"9007199254740992", false},     {"9007199254740993", true},
                 {"-9007199254740993", true},     {"18014398509481984", false},
                 {"18446744073709551615", true},  {"1e300", false},
                 {"123456789012345678901", true}, {"0.1", false}};
    const struct format *csv = (const void *)choose(&body_format_registry, "csv");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256];
        struct snapshot found;
        snprintf(text, sizeof text,
                 "a,b,tag,x,y,z,vx,vy,vz,mass\n1,1,3,1,2,3,4,5,6,0.5\nno,1,%s,-1.5,0,0,0,0,-7,2\n",
                 cases[i].number);
        assert_ok(read_text(text, &found));
        char *lost = snapshot_lost(&found, csv);
        assert_non_null(lost);
        if ((strstr(lost, "all digits of tag") != NULL) != cases[i].rounded || strstr(lost, "of b"))
            fail_msg("%s: lost is %s", cases[i].number, lost);
        free(lost);
        snapshot_free(&found);
    }
}

/* The files of other situations, where they are present. */
TEST(files_that_people_have)
{
    static const struct {
        const char *name;
        double mass;
    } files[] = {
        {"hash_box.txt", 1.02979837},
        {"hash_units.csv", 1.02979837},
        {"savetxt.txt", 1.02979837},
        {"bigid.csv", 1.02979837},
        {"gaia_id.csv", 1.02979837},
        {"fid.npz", 1.02979837},
        {"fortran_d.txt", 1.02979837},
        {"quoted_comma.csv", 1.02979837},
        {"trailing_noheader.csv", 1.02979837},
        {"euro.csv", 1.02979837},
        {"utf16.csv", 1.02979837},
        {"cr_only.csv", 1.02979837},
        {"id_float.csv", 3},
        {"id_19digits.csv", 3},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char name[128];
        struct snapshot found;
        double mass = 0;
        snprintf(name, sizeof name, "../cases/%s", files[i].name);
        assert_ok(format_read(test_data(name), NULL, &found));
        for (size_t k = 0; k < found.bodies->count; k++)
            mass += found.bodies->mass[k];
        if (!(fabs(mass - files[i].mass) < 1e-8))
            fail_msg("%s: mass %.9g", name, mass);
        snapshot_free(&found);
    }
}

int main(void)
{
    log_set_level(LOG_ERROR);
    return tests_run(__FILE__, folder_set_up, folder_tear_down);
}
