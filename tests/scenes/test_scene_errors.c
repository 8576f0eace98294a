/* Scenes that are wrong: each ends in one sentence that names the place, and nothing crashes. */
#include "tests/support/test.h"

#include "base/file.h"
#include "scenes/keys.h"
#include "scenes/check.h"
#include "scenes/print.h"
#include "scenes/builtin.h"
#include "scenes/scene.h"

#include <string.h>

/* Parses and validates. */
static enum status try_text(const char *text)
{
    struct scene *scene;
    enum status status = scene_parse(&scene, text, "film.yaml");
    if (status == STATUS_OK)
        status = scene_validate(scene);
    else
        assert_null(scene);
    scene_close(&scene);
    return status;
}

static const struct {
    const char *text, *said;
} wrong[] = {
    /* names */
    {"simulaton:\n  dt: 1\n",
     "film.yaml:1: unknown section 'simulaton'; did you mean 'simulation'?"},
    {"\n\nxyz: 1\n", "film.yaml:3: unknown section 'xyz'; the sections are units, bodies"},
    {"dt: 1\n", "film.yaml:1: unknown section 'dt'; it belongs below 'simulation':"},
    {"simulation:\n  softning: 1\n",
     "film.yaml:2: unknown key 'softning'; did you mean 'softening'?"},
    {"simulation:\n  seed: 1\n", "film.yaml:2: unknown key 'seed'; did you mean bodies.seed?"},
    {"look:\n  qqqq: 1\n",
     "unknown key 'qqqq'; the keys of look are preset, mode, color, colors, palette, map"},
    {"look:\n  <<: {color: x}\n", "film.yaml:2: unknown key '<<'"},
    {"look:\n  ? [a]\n  : b\n", "film.yaml:2: expected the name of a key, found a list"},
    {"{[]: 1}", "film.yaml:1: expected the name of a key, found a list"},
    {"simulation:\n  dt: 1\n  dt: 2\n", "film.yaml:3: simulation.dt: given twice, first on line 2"},
    {"look: {}\nunits: {}\nlook: {}\n", "film.yaml:3: look: given twice, first on line 1"},
    {"look:\nlook:\n", "film.yaml:2: look: given twice"},
    /* shape */
    {"- a\n", "film.yaml:1: expected sections such as 'simulation:'"},
    {"hello",
     "film.yaml:1: expected sections such as 'simulation:' with keys below them, found 'hello'"},
    {"look: 5\n", "film.yaml:1: look: expected keys of the section, indented below it, found '5'"},
    {"look: [a]\n",
     "film.yaml:1: look: expected keys of the section, indented below it, found a list"},
    {"look: {color: [a]}\n", "look.color: expected one of velocity, speed, "},
    {"look: {color: {a: b}}\n", "quantity, found a mapping"},
    {"simulation:\n  dt:\n",
     "film.yaml:2: simulation.dt: the value is missing; expected a number > 0"},
    {"output:\n  title: ~\n", "film.yaml:2: output.title: the value is missing; expected text"},
    {"camera: {target: 5}", "camera.target: expected three numbers such as [0, 0, 0], found '5'"},
    {"camera: {target: [1, 2]}",
     "camera.target: expected three numbers such as [0, 0, 0], found 2"},
    {"camera: {target: [1, 2, 3, 4]}", "camera.target: expected three numbers"},
    {"camera: {target: [1, 2, x]}",
     "camera.target: expected three numbers such as [0, 0, 0], found 'x'"},
    {"camera: {target: [1, 2, [3]]}", "camera.target: expected three numbers"},
    {"camera: {target: [1, 2, .nan]}", "camera.target: expected three numbers"},
    {"bodies: {components: disk}", "bodies.components: expected a list of at most 256 entries"},
    {"bodies: {components: {a: b}}", "bodies.components: expected a list of at most 256"},
    {"bodies:\n  components:\n", "film.yaml:2: bodies.components: the value is missing"},
    {"bodies: {components: [disk]}",
     "bodies.components[1]: expected an entry of the form {name: ...}"},
    {"bodies: {components: [[a]]}", "bodies.components[1]: expected an entry of the form"},
    {"bodies:\n components:\n - {name: a, first: 1, last: 2}\n - {name: b, first: 3}\n",
     "film.yaml:4: bodies.components[2]: its key 'last' is missing"},
    {"bodies: {components: [{name: a, frist: 1}]}",
     "bodies.components[1]: unknown key 'frist'; did you mean 'first'?"},
    {"bodies: {components: [{name: a, name: b}]}", "bodies.components[1].name: given twice"},
    {"bodies: {components: [{name: a, draw: 5}]}",
     "bodies.components[1].draw: expected true or false, found '5'"},
    {"bodies: {components: [{name: a, light: [1]}]}",
     "bodies.components[1].light: expected a number, 0 or more, found a list"},
    {"bodies: {galaxies: [{name: a}, {name: b}, {name: c}, {name: d}, {name: e}, {name: f}, {name: "
     "g}, {name: h}, {name: i}]}",
     "bodies.galaxies: expected a list of at most 8 entries"},
    /* types */
    {"simulation: {dt: fast}", "simulation.dt: expected a number > 0, found 'fast'"},
    {"simulation: {dt: '0.1'}",
     "simulation.dt: expected a number > 0, found the quoted text '0.1'"},
    {"simulation: {dt: 0x10}", "simulation.dt: expected a number > 0, found '0x10'"},
    {"simulation: {dt: nan}", "simulation.dt: expected a number > 0, found 'nan'"},
    {"simulation: {dt: .inf}", "found '.inf'"},
    {"simulation: {dt: inf}", "found 'inf'"},
    {"simulation: {dt: 1e999}", "found '1e999'"},
    {"simulation: {dt: 1.5.2}", "found '1.5.2'"},
    {"simulation: {dt: 1 2}", "found '1 2'"},
    {"simulation: {dt: '1\\0'}", "found the quoted text"},
    {"simulation: {steps_per_frame: 1.5}",
     "simulation.steps_per_frame: expected a whole number, 1 to 100000, found '1.5'"},
    {"simulation: {steps_per_frame: -1}", "expected a whole number, 1 to 100000, found '-1'"},
    {"simulation: {steps_per_frame: 4294967297}",
     "expected a whole number, 1 to 100000, found '4294967297'"},
    {"bodies: {seed: 18446744073709551616}",
     "bodies.seed: expected a whole number, 0 or more, found '18446744073709551616'"},
    {"bodies: {count: 010}", "bodies.count: expected a whole number, 0 to 100000000, found '010'"},
    {"bodies: {count: true}", "bodies.count: expected a whole number"},
    {"output: {size: big}", "output.size: expected a size such as 1280x720, 1080p, vertical or "
                            "square, 16x16 to 16384x16384, found 'big'"},
    {"output: {fps: fast}",
     "output.fps: expected a frame rate such as 30, 29.97 or 30000/1001, 1 to 1000, found 'fast'"},
    {"output: {title: \"a\\0b\"}", "output.title: the text contains a NUL"},
    /* ranges */
    {"simulation:\n  dt: 0\n", "film.yaml:2: simulation.dt: expected a number > 0, found 0"},
    {"simulation: {dt: -1}", "simulation.dt: expected a number > 0, found -1"},
    {"simulation: {softening: 0}", "simulation.softening: expected a number > 0, found 0"},
    {"simulation: {steps_per_frame: 0}", "expected a whole number, 1 to 100000, found 0"},
    {"simulation: {steps_per_frame: 100001}", "expected a whole number, 1 to 100000, found 100001"},
    {"simulation: {force: slow}",
     "simulation.force: there is no force 'slow'; choose one of fast, exact, double"},
    {"bodies: {model: torus}",
     "bodies.model: there is no model 'torus'; choose one of galaxies, rings, plummer"},
    {"bodies: {model: gal}", "there is no model 'gal'; did you mean 'galaxies'?"},
    {"bodies: {model: ''}", "there is no model ''; choose one of galaxies"},
    {"output: {codec: h264-444}", "codec h264-444 is now h264 with output.chroma 444"},
    {"overlay:\n  captions:\n  - text: a\n    to: mergr\n",
     "film.yaml:4: overlay.captions[1].to: expected seconds of the film"},
    {"overlay: {captions: [{text: a, to: mergr}]}", "did you mean 'merger'?"},
    {"look: {exposure: dark}",
     "look.exposure: expected auto, adapt, surface-density or a number > 0, found 'dark'"},
    {"output: {size: 15x100}", "output.size: expected a size such as"},
    {"output: {size: 100x16385}", "output.size: expected a size such as"},
    {"output: {fps: 0.5}", "output.fps: expected a frame rate such as"},
    {"output: {fps: 1001}", "output.fps: expected a frame rate such as"},
    {"output: {frames: 0}", "output.frames: expected a whole number, 1 to 10000000, found 0"},
    {"output: {frames: 10000001}", "output.frames: expected"},
    {"output: {png_bits: 12}", "output.png_bits: expected a whole number, 8 or 16, found 12"},
    {"output: {png_level: 10}", "output.png_level: expected a whole number, 0 to 9, found 10"},
    {"output: {threads: 65}", "output.threads: expected a whole number, 1 to 64, found 65"},
    {"output: {crf: 63.5}", "output.crf: expected a number, -1 to 63, found 63.5"},
    {"output: {crf: -2}", "output.crf: expected a number, -1 to 63, found -2"},
    {"camera: {fov: 171}", "camera.fov: expected a number, 0.01 to 170, found 171"},
    {"camera: {fov: 0.005}", "camera.fov: expected a number, 0.01 to 170, found 0.005"},
    {"camera: {elevation: 91}", "camera.elevation: expected a number, -90 to 90, found 91"},
    {"camera: {zoom: 0}", "camera.zoom: expected a number > 0, found 0"},
    {"simulation: {damping: 0}", "simulation.damping: expected a number > 0, at most 1, found 0"},
    {"look: {point_size: 2000.5}", "look.point_size: expected a number, 0 to 2000, found 2000.5"},
    {"look: {plain: [1, 1.5, 0]}",
     "look.plain: expected three numbers such as [0, 0, 0], 0 to 1, found 1.5"},
    {"look: {plain: [-0.25, 0, 0]}", "[0, 0, 0], 0 to 1, found -0.25"},
    {"look: {plain: [0, 0, 2.5]}", "[0, 0, 0], 0 to 1, found 2.5"},
    {"overlay: {length_unit: miles}",
     "overlay.length_unit: there is no unit of length 'miles'; choose one of kpc, ly"},
    {"overlay: {captions: [{from: 3}]}", "overlay.captions[1]"},
    {"overlay: {size: 0}", "overlay.size: expected a number > 0, at most 200, found 0"},
    {"look: {saturation: 1.01}", "look.saturation: expected a number, 0 to 1, found 1.01"},
    {"bodies:\n  galaxies:\n  - name: a\n    disk_scale: 0\n",
     "film.yaml:4: bodies.galaxies[1].disk_scale: expected a number > 0, found 0"},
    {"bodies: {model: file, file: a, components: [{name: a, first: 0, last: 1}]}",
     "bodies.components[1]: its first row is 0, and rows count from 1"},
    /* more than one key */
    {"bodies: {model: file}", "bodies.file: model file needs the name of a table"},
    {"bodies:\n  model: plummer\n  file: a.tab\n",
     "film.yaml:3: bodies.file: the file would not be read, because bodies.model is plummer"},
    {"bodies: {count: 0}", "bodies.count: model galaxies needs a number of bodies"},
    {"bodies: {pericentre: 30}",
     "bodies.pericentre: expected at most the separation, 20, found 30"},
    {"bodies: {eccentricity: 0.6, orbit_energy: -1}",
     "bodies.orbit_energy: an orbit has one of energy, eccentricity and time of its pericentre, "
     "and "
     "bodies.eccentricity says it too"},
    {"bodies: {pericentre_time: 6, orbit_energy: -1}", "bodies.pericentre_time says it too"},
    {"bodies: {galaxies: [{name: a, disk_mass: 0, bulge_mass: 0, halo_mass: 0}]}",
     "bodies.galaxies[1]: the galaxy has no mass"},
    {"bodies:\n  model: file\n  file: a\n  components:\n  - {name: a, first: 5, last: 4}\n",
     "film.yaml:5: bodies.components[1]: its last row 4 is before its first row 5"},
    {"bodies:\n  model: file\n  file: a\n  components:\n  - {name: a, first: 1, last: 4}\n  - "
     "{name: b, first: 4, last: 9}\n",
     "film.yaml:6: bodies.components[2]: its rows 4 to 9 overlap those of entry 1, 1 to 4"},
    /* YAML itself */
    {"output: {title: a", "film.yaml:1: not valid YAML: while parsing a flow mapping"},
    {"output:\n\ttitle: a\n",
     "film.yaml:2: the line begins with a tab; YAML allows only spaces for indentation"},
    {"output:\n  title: 'a\n", "not valid YAML: while scanning a quoted scalar"},
    {"output:\n  title: a\n bad: b\n", "film.yaml:3: not valid YAML"},
    {"output:\n  title: b: c\n", "film.yaml:2: not valid YAML: mapping values are not allowed"},
    {"look: {}\n---\nlook: {}\n", "film.yaml:2: a second document starts here"},
    {"look: {}\n...\nrubbish\n",
     "film.yaml:3: not valid YAML: did not find expected <document start>"},
    {"output: &a {title: x}\nunits: *a\n",
     "film.yaml:2: units: aliases such as '*a' are not understood"},
    {"*a", "film.yaml:1: aliases such as '*a'"},
    {"look: {color: \"\\q\"}",
     "not valid YAML: while parsing a quoted scalar, found unknown escape character"},
    {"look: \x01", "film.yaml:1: not a text file in UTF-8 (control characters are not allowed"},
    {"a\n\xff\xfe", "not a text file in UTF-8"},
    {"\x1f\x8b\x08\x04", "not a text file in UTF-8"},
    {"%YAML 3.0\n---\n", "not valid YAML: found incompatible YAML document"},
};

static void each_says_what_is_wrong(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        enum status status = try_text(wrong[i].text);
        if (status != STATUS_USAGE || !strstr(status_text(), wrong[i].said))
            fail_msg("\n%s\n-> %d '%s'\nwanted '%s'", wrong[i].text, (int)status, status_text(),
                     wrong[i].said);
        assert_null(strchr(status_text(), '\n'));
    }
}

static void settings_say_what_is_wrong(void **state)
{
    (void)state;
    static const struct {
        const char *key, *value, *said;
    } bad[] = {
        {"simulation.dt", "abc", "--set: simulation.dt: expected a number > 0, found 'abc'"},
        {"simulation.dt", "", "--set: simulation.dt: the value is missing"},
        {"simulation.dt", "nan", "--set: simulation.dt: expected a number"},
        {"simulation.dt", "1\n  softening: 2", "--set: simulation.dt: the value contains a control"},
        {"simulation.dt", "1, softening: 2", "--set: simulation.dt: expected a number > 0, found"},
        {"simulation.dt", "*a", "--set: simulation.dt: aliases"},
        {"simulation.dd", "1",
         "--set: unknown key 'simulation.dd'; did you mean 'simulation.dt'? the keys of simulation "
         "are dt, softening"},
        {"simulation", "1",
         "--set: unknown key 'simulation'; keys are written section.key; the keys of simulation "
         "are dt"},
        {"look", "cinema",
         "--set: 'look' is a section and has no value of its own; did you mean "
         "look.preset=cinema?"},
        {"bodies", "plummer", "did you mean bodies.model=plummer?"},
        {"softening", "1", "did you mean 'simulation.softening'?"},
        {"outputs.fps", "1", "did you mean 'output.fps'?"},
        {"", "1", "--set: unknown key ''"},
        {".", "1", "--set: unknown key '.'"},
        {"output.size", "huge", "--set: output.size: expected a size such as 1280x720"},
        {"output.fps", "0", "--set: output.fps: expected a frame rate"},
        {"camera.target", "1,2,3", "--set: camera.target: expected three numbers"},
        {"bodies.components", "disk", "--set: bodies.components: expected a list"},
        {"bodies.galaxies", "[{name: a, disk_mas: 1}]",
         "--set: bodies.galaxies[1]: unknown key 'disk_mas'; did you mean 'disk_mass'?"},
        {"bodies.galaxies", "[{name: a", "--set: bodies.galaxies[1]: not valid YAML"},
        {"output.title", "\"open", "--set: output.title: not valid YAML"},
        {"output.title", "\xff\xff", "--set: output.title: not text in UTF-8 (invalid leading"},
    };
    struct scene *scene;
    assert_ok(scene_parse(&scene, "output: {title: kept}", "film.yaml"));
    char before[17], after[17];
    scene_hash(scene, before);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_fails(scene_set(scene, bad[i].key, bad[i].value, "--set"), STATUS_USAGE,
                     bad[i].said);
    scene_hash(scene, after);
    assert_string_equal(before, after);

    assert_ok(scene_set(scene, "output.threads", "99", "--set"));
    assert_fails(scene_validate(scene), STATUS_USAGE,
                 "--set: output.threads: expected a whole number");
    char *long_key = malloc(100001);
    memset(long_key, 'a', 100000);
    long_key[100000] = '\0';
    assert_fails(scene_set(scene, long_key, "1", "--set"), STATUS_USAGE, "--set: unknown key 'aaa");
    long_key[50000] = '.';
    assert_fails(scene_set(scene, long_key, "1", "--set"), STATUS_USAGE, "--set: unknown key 'aaa");
    free(long_key);
    scene_close(&scene);
}

static void blame_names_the_place(void **state)
{
    (void)state;
    struct scene *scene;
    assert_ok(scene_parse(&scene, "output:\n  title: pink\n", "film.yaml"));
    status_fail(STATUS_RUNTIME, "there is no pink");
    assert_int_equal(scene_blame(scene, "output.title"), STATUS_USAGE);
    assert_string_equal(status_text(), "film.yaml:2: output.title: there is no pink");
    assert_ok(scene_set(scene, "output.codec", "ffv1", "--codec"));
    status_fail(STATUS_RUNTIME, "no such codec");
    scene_blame(scene, "output.codec");
    assert_string_equal(status_text(), "--codec: output.codec: no such codec");
    status_fail(STATUS_RUNTIME, "why");
    scene_blame(scene, "output.preset"); /* never given: the default */
    assert_string_equal(status_text(), "output.preset: why");
    scene_close(&scene);
}

static void opening_says_what_is_wrong(void **state)
{
    (void)state;
    struct scene *scene;
    assert_fails(scene_open(&scene, "dubinsky"), STATUS_USAGE,
                 "there is no scene 'dubinsky'; did you mean 'dubinski'? the built-in ones are "
                 "milky-way-andromeda, antennae, mice");
    assert_fails(scene_open(&scene, "milky-way"), STATUS_USAGE,
                 "did you mean 'milky-way-andromeda'?");
    assert_fails(scene_open(&scene, "zzz"), STATUS_USAGE, "there is no scene 'zzz'; the built-in");
    assert_fails(scene_open(&scene, ""), STATUS_USAGE, "there is no scene ''");
    assert_fails(scene_open(&scene, "missing.yaml"), STATUS_IO, "'missing.yaml'");
    assert_fails(scene_open(&scene, "./missing"), STATUS_IO, "'./missing'");
    assert_fails(scene_open(&scene, "/tmp/"), STATUS_IO, "/tmp/");
    char path[] = "/tmp/test_scene_XXXXXX.yml";
    int file = mkstemps(path, 4);
    assert_true(file >= 0);
    assert_int_equal(ftruncate(file, (1 << 20) + 1), 0);
    assert_fails(scene_open(&scene, path), STATUS_USAGE, "larger than");
    assert_int_equal(ftruncate(file, 100), 0); /* a hundred NULs */
    assert_fails(scene_open(&scene, path), STATUS_USAGE, "not a text file in UTF-8");
    assert_int_equal(close(file), 0);
    assert_int_equal(unlink(path), 0);
    assert_null(scene);
}

/* Texts that make careless parsers slow, deep or large: `head`, then `unit` over and over. */
static void hostile_texts_end_quickly(void **state)
{
    (void)state;
    static const struct {
        const char *head, *unit;
    } cases[] = {
        {"", "["},
        {"", "{"},
        {"", "- "},
        {"", "? "},
        {"", "{a: "},
        {"look: ", "["},
        {"", "a: "},
        {"", "!"},
        {"", "&a "},
        {"", "'"},
        {"", "\""},
        {"", "#"},
        {"", "\n "},
        {"", "a:\n "},
        {"", "\xc2\x85"},
        {"%", "x"},
        {"", "%TAG ! x\n"},
        {"bodies: {components: [", "{name: a, first: 1, last: 1},"},
        {"output: {title: ", "x"},
        {"output: {title: \"", "\\n"},
        {"output: {title: ", "1"},
        {"simulation: {dt: ", "1"},
        {"output: &a {title: x}\n", "units: *a\n"},
        {"bodies: {count: ", "0"},
        {"? ", "|\n"},
    };
    enum { SIZE = 1 << 20 };
    char *text = malloc(SIZE + 2);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t used = (size_t)sprintf(text, "%s", cases[i].head);
        const size_t unit = strlen(cases[i].unit);
        for (; used + unit < SIZE; used += unit)
            memcpy(text + used, cases[i].unit, unit);
        text[used] = '\0';
        enum status status = try_text(text);
        assert_true(status == STATUS_USAGE || status == STATUS_OK);
    }
    memset(text, '#', SIZE + 1);
    text[SIZE + 1] = '\0';
    assert_int_equal(try_text(text), STATUS_USAGE);
    assert_non_null(strstr(status_text(), "too large"));
    free(text);
}

static uint64_t next_random(uint64_t *random)
{
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    return *random >> 11;
}

/* The built-in texts with bytes flipped, cut out and doubled: any outcome but a crash or a leak;
 * what is accepted prints and parses again. */
static void damaged_texts_never_crash(void **state)
{
    (void)state;
    uint64_t random = 0x9e3779b97f4a7c15u;
    const char *sources[32];
    size_t accepted = 0, scenes = 0;
    const struct scene_builtin *builtin;
    for (size_t k = 0; (builtin = choice_at(&builtin_registry, k)); k++)
        sources[scenes++] = builtin->text;
    assert_true(scenes < sizeof sources / sizeof sources[0]);
    struct scene *scene;
    assert_ok(scene_open(&scene, "plummer"));
    assert_ok(scene_validate(scene));
    char *printed = scene_print(scene);
    scene_close(&scene);
    sources[scenes++] = printed;
    for (int i = 0; i < 5000; i++) {
        const char *source = sources[next_random(&random) % scenes];
        size_t size = strlen(source);
        char *text = malloc(2 * size + 1);
        memcpy(text, source, size + 1);
        for (size_t edits = 1 + next_random(&random) % 4; edits > 0; edits--) {
            size_t at = next_random(&random) % size, length = 1 + next_random(&random) % 40;
            if (length > size - at)
                length = size - at;
            switch (next_random(&random) % 3) {
            case 0:
                text[at] = (char)(text[at] ^ (1 << next_random(&random) % 8));
                if (text[at] == '\0')
                    text[at] = ' ';
                break;
            case 1:
                if (length < size) {
                    memmove(text + at, text + at + length, size - at - length + 1);
                    size -= length;
                }
                break;
            default:
                if (size + length <= 2 * strlen(source)) {
                    memmove(text + at + length, text + at, size - at + 1);
                    size += length;
                }
            }
        }
        if (scene_parse(&scene, text, "damaged.yaml") == STATUS_OK) {
            accepted++;
            if (scene_validate(scene) == STATUS_OK) {
                char *again = scene_print(scene);
                struct scene *second;
                assert_ok(scene_parse(&second, again, "again.yaml"));
                scene_close(&second);
                free(again);
            }
        } else {
            assert_non_null(strstr(status_text(), "damaged.yaml"));
        }
        scene_close(&scene);
        free(text);
    }
    free(printed);
    assert_in_range(accepted, 200, 4800); /* else the damage was too small or too large to tell */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_says_what_is_wrong),   cmocka_unit_test(settings_say_what_is_wrong),
        cmocka_unit_test(blame_names_the_place),     cmocka_unit_test(opening_says_what_is_wrong),
        cmocka_unit_test(hostile_texts_end_quickly), cmocka_unit_test(damaged_texts_never_crash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
