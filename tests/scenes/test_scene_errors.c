/* Invalid scenes: each gives one message that names the place, and nothing crashes. */
#include "tests/support/test.h"

#include "base/file.h"
#include "scenes/keys.h"
#include "scenes/scene_check.h"
#include "scenes/print.h"
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
    {"simulaton:\n  dt: 1\n", "film.yaml:1 unknown section simulaton mean simulation"},
    {"\n\nxyz: 1\n", "film.yaml:3 unknown section xyz sections units bodies"},
    {"dt: 1\n", "film.yaml:1 unknown section dt simulation"},
    {"simulation:\n  softning: 1\n", "film.yaml:2 unknown key softning mean softening"},
    {"simulation:\n  seed: 1\n", "film.yaml:2 unknown key seed mean bodies.seed"},
    {"overlay: {captions: [{text: a, at: 3}]}", "overlay.captions[1] unknown key at mean 'from'"},
    {"overlay: {title: My collision}",
     "overlay.title true false 'My collision' text is output.title"},
    {"look:\n  qqqq: 1\n", "unknown key qqqq keys preset mode color colors palette map"},
    {"look:\n  <<: {color: x}\n", "film.yaml:2 unknown key <<"},
    {"look:\n  ? [a]\n  : b\n", "film.yaml:2 name key list"},
    {"{[]: 1}", "film.yaml:1 name key list"},
    {"simulation:\n  dt: 1\n  dt: 2\n", "film.yaml:3 simulation.dt twice line 2"},
    {"look: {}\nunits: {}\nlook: {}\n", "film.yaml:3 twice line 1"},
    {"look:\nlook:\n", "film.yaml:2 twice"},
    /* shape */
    {"- a\n", "film.yaml:1 sections simulation:"},
    {"hello", "film.yaml:1 sections simulation: keys hello"},
    {"look: 5\n", "film.yaml:1 keys section indented 5"},
    {"look: [a]\n", "film.yaml:1 keys section indented list"},
    {"look: {color: [a]}\n", "look.color velocity speed"},
    {"look: {color: {a: b}}\n", "quantity mapping"},
    {"simulation:\n  dt:\n", "film.yaml:2 simulation.dt value number 0 missing"},
    {"output:\n  title: ~\n", "film.yaml:2 output.title value text missing"},
    {"camera: {target: 5}", "camera.target three numbers [0 0 0] 5"},
    {"camera: {target: [1, 2]}", "camera.target three numbers [0 0 0] 2"},
    {"camera: {target: [1, 2, 3, 4]}", "camera.target three numbers"},
    {"camera: {target: [1, 2, x]}", "camera.target three numbers [0 0 0] x"},
    {"camera: {target: [1, 2, [3]]}", "camera.target three numbers"},
    {"camera: {target: [1, 2, .nan]}", "camera.target three numbers"},
    {"bodies: {components: disk}", "bodies.components list 256 entries"},
    {"bodies: {components: {a: b}}", "bodies.components list 256"},
    {"bodies:\n  components:\n", "film.yaml:2 bodies.components value missing"},
    {"bodies: {components: [disk]}", "bodies.components[1] entry form {name"},
    {"bodies: {components: [[a]]}", "bodies.components[1] entry form"},
    {"bodies:\n components:\n - {name: a, first: 1, last: 2}\n - {name: b, first: 3}\n",
     "film.yaml:4 bodies.components[2] key last missing"},
    {"bodies: {components: [{name: a, frist: 1}]}",
     "bodies.components[1] unknown key frist mean first"},
    {"bodies: {components: [{name: a, name: b}]}", "bodies.components[1].name twice"},
    {"bodies: {components: [{name: a, draw: 5}]}", "bodies.components[1].draw true false 5"},
    {"bodies: {components: [{name: a, light: [1]}]}", "bodies.components[1].light number 0 list"},
    {"bodies: {galaxies: [{name: a}, {name: b}, {name: c}, {name: d}, {name: e}, {name: f}, {name: "
     "g}, {name: h}, {name: i}]}",
     "bodies.galaxies list 8 entries"},
    /* types */
    {"simulation: {dt: fast}", "simulation.dt number 0 fast"},
    {"simulation: {dt: '0.1'}", "simulation.dt number 0 quoted text 0.1"},
    {"simulation: {dt: 0x10}", "simulation.dt number 0 0x10"},
    {"simulation: {dt: nan}", "simulation.dt number 0 nan"},
    {"simulation: {dt: .inf}", ".inf"},
    {"simulation: {dt: inf}", "inf"},
    {"simulation: {dt: 1e999}", "1e999"},
    {"simulation: {dt: 1.5.2}", "1.5.2"},
    {"simulation: {dt: 1 2}", "'1 2'"},
    {"simulation: {dt: '1\\0'}", "quoted text"},
    {"simulation: {steps_per_frame: 1.5}", "simulation.steps_per_frame number 1 100000 1.5"},
    {"simulation: {steps_per_frame: -1}", "number 1 100000 -1"},
    {"simulation: {steps_per_frame: 4294967297}", "number 1 100000 4294967297"},
    {"bodies: {seed: 18446744073709551616}", "bodies.seed number 0 18446744073709551616"},
    {"bodies: {count: 010}", "bodies.count number 0 100000000 010"},
    {"bodies: {count: true}", "bodies.count number"},
    {"output: {size: big}",
     "output.size size 1280x720 1080p vertical square 16x16 16384x16384 big"},
    {"output: {fps: fast}", "output.fps frame rate 30 29.97 30000/1001 1 1000 fast"},
    {"output: {title: \"a\\0b\"}", "output.title text NUL"},
    /* ranges */
    {"simulation:\n  dt: 0\n", "film.yaml:2 simulation.dt number 0"},
    {"simulation: {dt: -1}", "simulation.dt number 0 -1"},
    {"simulation: {softening: 0}", "simulation.softening number 0"},
    {"simulation: {steps_per_frame: 0}", "number 1 100000 0"},
    {"simulation: {steps_per_frame: 100001}", "number 1 100000 100001"},
    {"simulation: {force: slow}", "simulation.force force slow fast exact double"},
    {"bodies: {model: torus}", "bodies.model model torus galaxies rings plummer"},
    {"bodies: {model: gal}", "model gal mean galaxies"},
    {"bodies: {model: ''}", "model '' galaxies"},
    {"output: {codec: h264-444}", "codec h264-444 h264 output.chroma 444"},
    {"overlay:\n  captions:\n  - text: a\n    to: mergr\n",
     "film.yaml:4 overlay.captions[1].to film"},
    {"overlay: {captions: [{text: a, to: mergr}]}", "mergr mean merger"},
    {"look: {exposure: dark}", "look.exposure auto adapt surface-density number 0 dark"},
    {"output: {size: 15x100}", "output.size size"},
    {"output: {size: 100x16385}", "output.size size"},
    {"output: {fps: 0.5}", "output.fps frame rate"},
    {"output: {fps: 1001}", "output.fps frame rate"},
    {"output: {frames: 0}", "output.frames number 1 10000000 0"},
    {"output: {frames: 10000001}", "output.frames"},
    {"output: {png_bits: 12}", "output.png_bits number 8 16 12"},
    {"output: {png_level: 10}", "output.png_level number 0 9 10"},
    {"output: {threads: 65}", "output.threads number 1 64 65"},
    {"output: {crf: 63.5}", "output.crf number -1 63 63.5"},
    {"output: {crf: -2}", "output.crf number -1 63 -2"},
    {"camera: {fov: 171}", "camera.fov number 0.01 170 171"},
    {"camera: {fov: 0.005}", "camera.fov number 0.01 170 0.005"},
    {"camera: {elevation: 91}", "camera.elevation number -90 90 91"},
    {"camera: {zoom: 0}", "camera.zoom number 0"},
    {"simulation: {damping: 0}", "simulation.damping number 0 1"},
    {"look: {point_size: 2000.5}", "look.point_size number 0 2000 2000.5"},
    {"look: {plain: [1, 1.5, 0]}", "look.plain three numbers [0 0 0] 1 1.5"},
    {"look: {plain: [-0.25, 0, 0]}", "[0 0 0] 1 -0.25"},
    {"look: {plain: [0, 0, 2.5]}", "[0 0 0] 1 2.5"},
    {"overlay: {length_unit: miles}", "overlay.length_unit unit length miles kpc ly"},
    {"overlay: {captions: [{from: 3}]}", "overlay.captions[1]"},
    {"overlay: {size: 0}", "overlay.size number 0 200"},
    {"look: {saturation: 1.01}", "look.saturation number 0 1 1.01"},
    {"bodies:\n  galaxies:\n  - name: a\n    disk_scale: 0\n",
     "film.yaml:4 bodies.galaxies[1].disk_scale number 0"},
    {"bodies: {model: file, file: a, components: [{name: a, first: 0, last: 1}]}",
     "bodies.components[1] row 0 rows count 1"},
    /* more than one key */
    {"bodies: {model: file}", "bodies.file model file name table"},
    {"bodies:\n  model: plummer\n  file: a.tab\n",
     "film.yaml:3 bodies.file file bodies.model plummer"},
    {"bodies: {count: 0}", "bodies.count model galaxies number bodies"},
    {"bodies: {pericentre: 30}", "bodies.pericentre separation 20 30"},
    {"bodies: {eccentricity: 0.6, orbit_energy: -1}",
     "bodies.orbit_energy orbit energy eccentricity time pericentre bodies.eccentricity"},
    {"bodies: {pericentre_time: 6, orbit_energy: -1}", "bodies.pericentre_time"},
    {"simulation:\n  long_steps: 3\n",
     "film.yaml:2 simulation.long_steps softening at least simulation.double_steps 0 both"},
    {"simulation: {double_steps: 1, adaptive: 0.1}",
     "simulation.double_steps simulation.adaptive 0"},
    {"bodies: {galaxies: [{name: a, disk_mass: 0, bulge_mass: 0, halo_mass: 0}]}",
     "bodies.galaxies[1] galaxy mass"},
    {"bodies:\n  model: file\n  file: a\n  components:\n  - {name: a, first: 5, last: 4}\n",
     "film.yaml:5 bodies.components[1] last row 4 5"},
    {"bodies:\n  model: file\n  file: a\n  components:\n  - {name: a, first: 1, last: 4}\n  - "
     "{name: b, first: 4, last: 9}\n",
     "film.yaml:6 bodies.components[2] rows 4 9 overlap entry 1"},
    /* YAML itself */
    {"output: {title: a", "film.yaml:1 valid YAML parsing flow mapping"},
    {"output:\n\ttitle: a\n", "film.yaml:2 line tab YAML spaces"},
    {"output:\n  title: 'a\n", "valid YAML scanning quoted scalar"},
    {"output:\n  title: a\n bad: b\n", "film.yaml:3 valid YAML"},
    {"output:\n  title: b: c\n", "film.yaml:2 valid YAML mapping values allowed"},
    {"look: {}\n---\nlook: {}\n", "film.yaml:2 second document"},
    {"look: {}\n...\nrubbish\n", "film.yaml:3 valid YAML find document start"},
    {"output: &a {title: x}\nunits: *a\n", "film.yaml:2 units aliases *a understood"},
    {"*a", "film.yaml:1 aliases *a"},
    {"look: {color: \"\\q\"}", "valid YAML parsing quoted scalar unknown escape character"},
    {"look: \x01", "film.yaml:1 text file UTF-8 control characters allowed"},
    {"a\n\xff\xfe", "text file UTF-8"},
    {"\x1f\x8b\x08\x04", "text file UTF-8"},
    {"%YAML 3.0\n---\n", "valid YAML incompatible document"},
};

TEST(each_says_what_is_wrong)
{
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_fails(try_text(wrong[i].text), STATUS_USAGE, wrong[i].said);
    }
}

TEST(settings_say_what_is_wrong)
{
    static const struct {
        const char *key, *value, *said;
    } bad[] = {
        {"simulation.dt", "abc", "--set simulation.dt number 0 abc"},
        {"simulation.dt", "", "--set simulation.dt value missing"},
        {"simulation.dt", "nan", "--set simulation.dt number"},
        {"simulation.dt", "1\n  softening: 2", "--set simulation.dt value control"},
        {"simulation.dt", "1, softening: 2", "--set simulation.dt number 0"},
        {"simulation.dt", "*a", "--set simulation.dt aliases"},
        {"simulation.dd", "1",
         "--set unknown key simulation.dd mean simulation.dt keys dt softening"},
        {"simulation", "1", "--set unknown key simulation keys section.key dt"},
        {"look", "cinema", "--set look section value mean look.preset=cinema"},
        {"bodies", "plummer", "mean bodies.model=plummer"},
        {"softening", "1", "mean simulation.softening"},
        {"outputs.fps", "1", "mean output.fps"},
        {"", "1", "--set unknown key ''"},
        {".", "1", "--set unknown key '.'"},
        {"output.size", "huge", "--set output.size size 1280x720"},
        {"output.fps", "0", "--set output.fps frame rate"},
        {"camera.target", "1,2,3", "--set camera.target three numbers"},
        {"bodies.components", "disk", "--set bodies.components list"},
        {"bodies.galaxies", "[{name: a, disk_mas: 1}]",
         "--set bodies.galaxies[1] unknown key disk_mas mean disk_mass"},
        {"bodies.galaxies", "[{name: a", "--set bodies.galaxies[1] valid YAML"},
        {"output.title", "\"open", "--set output.title valid YAML"},
        {"output.title", "\xff\xff", "--set output.title text UTF-8 invalid leading"},
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
    assert_fails(scene_validate(scene), STATUS_USAGE, "--set output.threads number");
    char *long_key = malloc(100001);
    memset(long_key, 'a', 100000);
    long_key[100000] = '\0';
    assert_fails(scene_set(scene, long_key, "1", "--set"), STATUS_USAGE, "--set unknown key");
    long_key[50000] = '.';
    assert_fails(scene_set(scene, long_key, "1", "--set"), STATUS_USAGE, "--set unknown key");
    free(long_key);
    scene_close(&scene);
}

TEST(blame_names_the_place)
{
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

TEST(a_copy_blames_the_same_places)
{
    struct scene *scene, *copy;
    char hashes[2][17];
    assert_ok(scene_parse(&scene,
                          "output:\n  title: pink\noverlay:\n  captions:\n"
                          "    - text: one\n    - text: two\n      from: 3\n",
                          "film.yaml"));
    assert_ok(scene_set(scene, "output.frames", "7", "--frames"));
    assert_ok(scene_validate(scene));
    scene->bodies.components_optional = true;
    assert_ok(scene_copy(&copy, scene));
    scene_hash(scene, hashes[0]);
    scene_hash(copy, hashes[1]);
    assert_string_equal(hashes[0], hashes[1]);
    scene_close(&scene);
    status_fail(STATUS_RUNTIME, "why");
    scene_blame(copy, "output.title");
    assert_string_equal(status_text(), "film.yaml:2: output.title: why");
    status_fail(STATUS_RUNTIME, "why");
    scene_blame(copy, "overlay.captions[2].from");
    assert_string_equal(status_text(), "film.yaml:7: overlay.captions[2].from: why");
    status_fail(STATUS_RUNTIME, "why");
    scene_blame(copy, "look.tone");
    assert_string_equal(status_text(), "look.tone: why");
    assert_true(scene_is_option(copy, "output.frames") && !scene_is_given(copy, "look.tone"));
    assert_true(copy->bodies.components_optional);
    scene_close(&copy);
}

TEST(opening_says_what_is_wrong)
{
    struct scene *scene;
    assert_fails(scene_open(&scene, "dubinsky"), STATUS_USAGE,
                 "scene dubinsky mean dubinski built-in milky-way-andromeda antennae mice");
    assert_fails(scene_open(&scene, "milky-way"), STATUS_USAGE, "mean milky-way-andromeda");
    assert_fails(scene_open(&scene, "zzz"), STATUS_USAGE, "scene zzz built-in");
    assert_fails(scene_open(&scene, ""), STATUS_USAGE, "no scene");
    assert_fails(scene_open(&scene, "missing.yaml"), STATUS_IO, "missing.yaml");
    assert_fails(scene_open(&scene, "./missing"), STATUS_IO, "./missing");
    assert_fails(scene_open(&scene, "/tmp/"), STATUS_IO, "/tmp/");
    char path[] = "/tmp/test_scene_XXXXXX.yml";
    int file = mkstemps(path, 4);
    assert_true(file >= 0);
    assert_int_equal(ftruncate(file, (1 << 20) + 1), 0);
    assert_fails(scene_open(&scene, path), STATUS_USAGE, "larger");
    assert_int_equal(ftruncate(file, 100), 0); /* a hundred NULs */
    assert_fails(scene_open(&scene, path), STATUS_USAGE, "text file UTF-8");
    assert_int_equal(close(file), 0);
    assert_int_equal(unlink(path), 0);
    assert_null(scene);
}

/* Texts that make careless parsers slow or use much stack or memory: `head`, then `unit` over and
 * over. */
TEST(hostile_texts_end_quickly)
{
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
    assert_says(status_text(), "large");
    free(text);
}

static uint64_t next_random(uint64_t *random)
{
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    return *random >> 11;
}

/* The built-in texts with bytes flipped, removed and doubled: any outcome except a crash or a leak;
 * an accepted text prints and parses again. */
TEST(damaged_texts_never_crash)
{
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
            assert_says(status_text(), "damaged.yaml");
        }
        scene_close(&scene);
        free(text);
    }
    free(printed);
    assert_in_range(accepted, 200,
                    4800); /* otherwise the damage was too small or too large to detect */
}

TESTS(NULL, NULL)
