/* Valid scenes: defaults, every type from file and --set, round trip, the built-in ones. */
#include "tests/support/choose.h"
#include "tests/support/test.h"

#include "base/file.h"
#include "base/text.h"
#include "scenes/value.h"
#include "scenes/scene_check.h"
#include "scenes/print.h"
#include "scenes/scene.h"

#include <string.h>

static struct scene *parse(const char *text)
{
    struct scene *scene;
    assert_ok(scene_parse(&scene, text, "test.yaml"));
    return scene;
}

TEST(empty_text_is_all_defaults)
{
    static const char *const texts[] = {
        "", "\n", "# nothing\n", "---\n", "~", "{}", "look:\n", "look: {}\nbodies:\n  # none\n",
    };
    char first[17] = "";
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct scene *scene = parse(texts[i]);
        assert_ok(scene_validate(scene));
        char hash[17];
        scene_hash(scene, hash);
        assert_int_equal(strlen(hash), 16);
        if (i == 0)
            memcpy(first, hash, sizeof hash);
        assert_string_equal(hash, first);
        assert_ptr_equal(scene->bodies.model, choose(&model_registry, "galaxies"));
        assert_int_equal(scene->bodies.count, 16384);
        assert_int_equal(scene->bodies.seed, 1);
        assert_string_equal(scene->bodies.use, "all");
        assert_string_equal(scene->bodies.file, "");
        assert_int_equal(scene->bodies.galaxy_count, 2);
        for (int g = 0; g < 2; g++) {
            const struct galaxy_params *galaxy = &scene->bodies.galaxies[g];
            assert_string_equal(galaxy->name, g ? "second" : "first");
            assert_true(galaxy->disk_mass == 1 && galaxy->disk_scale == 1);
            assert_true(galaxy->toomre_q == 1.8);
            assert_true(galaxy->bulge_mass == 0.5 && galaxy->bulge_scale == 0.9);
            assert_true(galaxy->halo_mass == 9 && galaxy->halo_scale == 5);
            assert_true(galaxy->inclination == (g ? 60 : 0) && galaxy->node == 0);
        }
        assert_int_equal(scene->bodies.component_count, 0);
        assert_true(scene->bodies.mass_scale == 1);
        assert_true(scene->simulation.dt == 0.01);
        assert_true(scene->simulation.softening == 0.05);
        assert_int_equal(scene->simulation.steps_per_frame, 4);
        assert_ptr_equal(scene->simulation.force, choose(&force_registry, "auto"));
        assert_ptr_equal(scene->simulation.integrator, choose(&integrator_registry, "kdk"));
        assert_true(scene->camera.elevation == 35 && scene->camera.orbit == 60);
        assert_true(scene->camera.fov == 40 && scene->camera.zoom == 1);
        assert_true(scene->look.saturation == 1 && scene->look.point_size == 0);
        assert_ptr_equal(scene->look.color, choose(&colour_registry, "velocity"));
        assert_int_equal(scene->output.size.width, 1280);
        assert_int_equal(scene->output.size.height, 720);
        assert_int_equal(scene->output.fps.num, 30);
        assert_int_equal(scene->output.fps.den, 1);
        assert_int_equal(scene->output.frames, 300);
        assert_null(scene->output.codec);
        assert_true(scene->output.crf == -1);
        assert_int_equal(scene->output.threads, 8);
        assert_int_equal(scene->output.png_bits, 8);
        assert_int_equal(scene->output.png_level, 3);
        scene_close(&scene);
        assert_null(scene);
        scene_close(&scene);
    }
}

TEST(every_type_is_read)
{
    struct scene *scene =
        parse("%YAML 1.1\n---\n"
              "simulation:\n  dt: 1e-3\n  steps_per_frame: 7\n"
              "bodies: {model: file, file: 'a b.tab', seed: 18446744073709551615,\n"
              "         components: [{name: disk, first: 1, last: 5},\n"
              "                      {last: 9, first: 6, name: \"h\", draw: no,\n"
              "                       galaxy: M 31, light: .5}]}\n"
              "camera:\n  target: [1, -2.5, +3e2]\n"
              "output:\n  size: 4K\n  fps: 29.97\n"
              "  title: \"caf\\u00e9: \\\"x\\\"\\\\\"\n  crf: -0.5\n");
    assert_ok(scene_validate(scene));
    assert_true(scene->simulation.dt == 1e-3);
    assert_int_equal(scene->simulation.steps_per_frame, 7);
    assert_true(scene->bodies.seed == UINT64_MAX);
    assert_string_equal(scene->bodies.file, "a b.tab");
    assert_int_equal(scene->bodies.component_count, 2);
    const struct component_params *one = scene->bodies.components, *two = one + 1;
    assert_string_equal(one->name, "disk");
    assert_string_equal(one->galaxy, "");
    assert_true(one->first == 1 && one->last == 5 && one->draw && one->light == 1);
    assert_string_equal(two->name, "h");
    assert_string_equal(two->galaxy, "M 31");
    assert_true(two->first == 6 && two->last == 9 && !two->draw && two->light == 0.5);
    assert_true(scene->camera.target[0] == 1 && scene->camera.target[1] == -2.5 &&
                scene->camera.target[2] == 300);
    assert_int_equal(scene->output.size.width, 3840);
    assert_int_equal(scene->output.size.height, 2160);
    assert_int_equal(scene->output.fps.num, 30000);
    assert_int_equal(scene->output.fps.den, 1001);
    assert_string_equal(scene->output.title, "caf\xc3\xa9: \"x\"\\");
    scene_close(&scene);
}

TEST(flags_have_six_words)
{
    static const char *const words[] = {"true", "false", "yes", "no", "on", "off"};
    struct scene *scene = parse("");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char value[80];
        snprintf(value, sizeof value, "[{name: a, first: 1, last: 2, draw: %s}]", words[i]);
        assert_ok(scene_set(scene, "bodies.components", value, "--set"));
        assert_int_equal(scene->bodies.components[0].draw, i % 2 == 0);
    }
    scene_close(&scene);
}

TEST(set_takes_every_type)
{
    struct scene *scene = parse("output: {title: old}");
    assert_ok(scene_set(scene, "simulation.dt", "0.125", "--set"));
    assert_ok(scene_set(scene, "output.threads", "64", "--set"));
    assert_ok(scene_set(scene, "bodies.count", "5000000", "--bodies"));
    assert_ok(scene_set(scene, "camera.target", "[1,2,3]", "--set"));
    assert_ok(scene_set(scene, "output.size", "320x200", "--size"));
    assert_ok(scene_set(scene, "output.fps", "24000/1001", "--fps"));
    assert_ok(scene_set(scene, "bodies.model", "galaxies", "--set"));
    assert_ok(scene_set(scene, "bodies.galaxies", "[{name: one, halo_mass: 3}]", "--set"));
    assert_ok(scene_set(scene, "bodies.components", "[]", "--set"));
    assert_ok(scene_validate(scene));
    assert_true(scene->simulation.dt == 0.125 && scene->camera.target[2] == 3);
    assert_int_equal(scene->output.threads, 64);
    assert_int_equal(scene->bodies.count, 5000000);
    assert_int_equal(scene->output.size.width, 320);
    assert_int_equal(scene->output.fps.num, 24000);
    assert_int_equal(scene->bodies.galaxy_count, 1);
    assert_string_equal(scene->bodies.galaxies[0].name, "one");
    assert_true(scene->bodies.galaxies[0].halo_mass == 3 && scene->bodies.galaxies[0].toomre_q > 0);
    assert_string_equal(scene->output.title, "old");
    static const struct {
        const char *given, *kept;
    } titles[] = {
        {"a: b # c", "a: b # c"},
        {"", ""},
        {"null", "null"},
        {"\"q: \\u0041\"", "q: A"},
        {"'it''s'", "it's"},
        {"say \"hi\"", "say \"hi\""},
        {"back\\slash", "back\\slash"},
        {"*star &and", "*star &and"},
        {"- [", "- ["},
        {"42", "42"},
    };
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++) {
        assert_ok(scene_set(scene, "output.title", titles[i].given, "--set"));
        assert_string_equal(scene->output.title, titles[i].kept);
    }
    scene_close(&scene);
}

TEST(words_become_entries)
{
    struct scene *scene = parse(
        "look: {color: speed, exposure: adapt, panels: [{map: turbo}, {force: double}]}\n"
        "output: {codec: ffv1, chroma: 444}\n"
        "camera: {moves: [{move: zoom, from: pericentre 2 - 1.5, to: frame 9, ease: out}]}\n");
    assert_ptr_equal(scene->look.color, choose(&colour_registry, "speed"));
    assert_true(scene->look.exposure.adapts && scene->look.exposure.factor == 0);
    const struct panel_params *panels = scene->look.panels;
    assert_ptr_equal(panels[0].map, choose(&colour_map_registry, "turbo"));
    assert_true(!panels[0].mode && !panels[0].color && !panels[0].force);
    assert_ptr_equal(panels[1].force, choose(&force_registry, "double"));
    assert_ptr_equal(scene->output.codec, choose(&codec_registry, "ffv1"));
    assert_ptr_equal(scene->output.chroma, choose(&chroma_registry, "444"));
    const struct move_params *move = scene->camera.moves;
    assert_ptr_equal(move->move, choose(&move_registry, "zoom"));
    assert_ptr_equal(move->ease, choose(&ease_registry, "out"));
    assert_int_equal(move->from.kind, MOMENT_PERICENTRE);
    assert_true(move->from.value == 2 && move->from.shift == -1.5);
    assert_string_equal(move->from.text, "pericentre 2 - 1.5");
    assert_true(move->to.kind == MOMENT_FRAME && move->to.value == 9);
    assert_ok(scene_set(scene, "output.codec", "auto", "--codec"));
    assert_null(scene->output.codec);
    assert_ok(scene_set(scene, "look.exposure", "0.25", "--set"));
    assert_true(!scene->look.exposure.adapts && scene->look.exposure.factor == 0.25);
    scene_close(&scene);
}

/* Without the error, each value would be valid. */
TEST(failed_settings_change_nothing)
{
    static const char *const wrong[][2] = {
        {"camera.target", "[7, 7, x]"},
        {"camera.target", "[7, 7, 7] ]"},
        {"bodies.galaxies", "[{name: a}, {name: b, halo: 1}]"},
        {"look.color", "sped"},
        {"look.exposure", "-1"},
        {"output.size", "20x"},
        {"simulation.slow", "[{at: pericenter}]"},
    };
    struct scene *scene = parse("camera: {target: [1, 2, 3]}\nlook: {color: radial}\n");
    char *before = scene_print(scene);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(scene_set(scene, wrong[i][0], wrong[i][1], "--set"), STATUS_USAGE);
        char *after = scene_print(scene);
        assert_string_equal(before, after);
        free(after);
    }
    free(before);
    scene_close(&scene);
}

TEST(sizes_and_rates)
{
    static const struct {
        const char *text;
        uint32_t a, b; /* 0: refused */
    } sizes[] =
        {
            {"1280x720", 1280, 720},  {"720p", 1280, 720},
            {"1080P", 1920, 1080},    {"1440p", 2560, 1440},
            {"2160p", 3840, 2160},    {"4k", 3840, 2160},
            {"16X16", 16, 16},        {"1280", 0, 0},
            {"x720", 0, 0},           {"1280x", 0, 0},
            {"1280x720x3", 0, 0},     {"-5x5", 0, 0},
            {"1e3x5", 0, 0},          {"99999999999x9", 0, 0},
            {" 1x1", 0, 0},           {"", 0, 0},
            {"8k", 7680, 4320},       {"vertical", 1080, 1920},
            {"square", 1080, 1080},   {"upright", 0, 0},
            {"9:16", 1080, 1920},     {"16:9", 1920, 1080},
            {"1:1", 1080, 1080},      {"4:5", 1080, 1350},
            {"portrait", 1080, 1920}, {"landscape", 1920, 1080},
            {"9:17", 0, 0},           {"9:16x", 0, 0},
        },
      rates[] = {
          {"30", 30, 1},
          {"29.97", 30000, 1001},
          {"23.976", 24000, 1001},
          {"23.98", 24000, 1001},
          {"59.94", 60000, 1001},
          {"119.88", 120000, 1001},
          {"47.952", 48000, 1001},
          {"30000/1001", 30000, 1001},
          {"30.0", 30, 1},
          {"12.5", 25, 2},
          {"50/2", 25, 1},
          {"0.125", 1, 8},
          {"0", 0, 0},
          {"30/0", 0, 0},
          {"-30", 0, 0},
          {"30/", 0, 0},
          {"/3", 0, 0},
          {"30.", 0, 0},
          {"30.12345", 0, 0},
          {"nan", 0, 0},
          {"30fps", 0, 0},
          {"1e3", 0, 0},
          {"9999999.5", 0, 0},
          {"", 0, 0},
      };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint32_t a, b;
        assert_int_equal(frame_size_parse(sizes[i].text, &a, &b), sizes[i].a != 0);
        if (sizes[i].a)
            assert_true(a == sizes[i].a && b == sizes[i].b);
    }
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        uint32_t a, b;
        assert_int_equal(frame_rate_parse(rates[i].text, &a, &b), rates[i].a != 0);
        if (rates[i].a)
            assert_true(a == rates[i].a && b == rates[i].b);
    }
}

static void write_file(const char *folder, const char *name, const char *text)
{
    char *path = text_format("%s/%s", folder, name);
    assert_ok(file_write(path, text, strlen(text)));
    free(path);
}

TEST(bodies_file_is_found)
{
    char root[] = "/tmp/test_scene_XXXXXX";
    assert_non_null(mkdtemp(root));
    char *beside = text_format("%s/a:b", root), *data = text_format("%s/data", root);
    char *path = text_format("%s/film.yaml", beside), *list = text_format("/nowhere::%s", data);
    assert_ok(file_make_folder(beside));
    assert_ok(file_make_folder(data));
    write_file(beside, "film.yaml", "bodies: {model: file, file: t.tab}\n");
    unsetenv("GRAVREEL_DATA");

    struct scene *scene;
    assert_ok(scene_open(&scene, path));
    assert_string_equal(scene->bodies.file, "t.tab"); /* nowhere: the name stays */
    scene_close(&scene);

    write_file(data, "t.tab", "1 0 0 0 0 0 0\n");
    setenv("GRAVREEL_DATA", list, 1);
    char *expected = text_format("%s/t.tab", data);
    assert_ok(scene_open(&scene, path));
    assert_string_equal(scene->bodies.file, expected);
    assert_ok(scene_set(scene, "bodies.file", "/absolute", "--set"));
    assert_string_equal(scene->bodies.file, "/absolute");
    assert_ok(scene_set(scene, "bodies.file", "t.tab", "--set"));
    assert_string_equal(scene->bodies.file, expected);
    scene_close(&scene);
    free(expected);

    write_file(beside, "t.tab", "1 0 0 0 0 0 0\n"); /* beside the scene comes first */
    expected = text_format("%s/t.tab", beside);
    assert_ok(scene_open(&scene, path));
    assert_string_equal(scene->bodies.file, expected);
    assert_ok(scene_validate(scene));
    free(expected);
    write_file(data, "snap.0.hdf5",
               ""); /* a snapshot in several files: the common beginning of their names */
    expected = text_format("%s/snap", data);
    assert_ok(scene_set(scene, "bodies.file", "snap", "--set"));
    assert_string_equal(scene->bodies.file, expected);
    scene_close(&scene);
    free(expected);
    unsetenv("GRAVREEL_DATA");

    static const char *const files[] = {"a:b/film.yaml", "a:b/t.tab", "data/snap.0.hdf5",
                                        "data/t.tab",    "a:b",       "data"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char *name = text_format("%s/%s", root, files[i]);
        assert_int_equal(remove(name), 0);
        free(name);
    }
    assert_int_equal(remove(root), 0);
    free(beside);
    free(data);
    free(path);
    free(list);
}

TESTS(NULL, NULL)
