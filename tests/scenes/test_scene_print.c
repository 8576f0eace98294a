/* Scenes printed: round trip, hash, the built-in ones, the reference of keys. */
#include "tests/support/test.h"

#include "base/file.h"
#include "base/text.h"
#include "scenes/keys.h"
#include "scenes/scene_check.h"
#include "scenes/print.h"
#include "scenes/reference.h"
#include "scenes/scene.h"
#include "scenes/value.h"
#include "sim/bodies/bodies.h"
#include "sim/models/models.h"

#include <stdlib.h>
#include <string.h>

static struct scene *parse(const char *text)
{
    struct scene *scene;
    assert_ok(scene_parse(&scene, text, "test.yaml"));
    return scene;
}

static void assert_same_moment(const struct moment *a, const struct moment *b)
{
    assert_int_equal(a->kind, b->kind);
    assert_true(a->value == b->value && a->shift == b->shift);
    assert_string_equal(a->text, b->text);
}

/* Compares every value of both scenes, by the table. */
static void assert_same(const struct key *keys, size_t count, const char *a, const char *b)
{
    for (size_t i = 0; i < count; i++) {
        const struct key *key = &keys[i];
        const char *x = a + key->offset, *y = b + key->offset;
        switch (key->type) {
        case KEY_NUMBER:
            assert_memory_equal(x, y, sizeof(double));
            break;
        case KEY_VECTOR:
            assert_memory_equal(x, y, sizeof(double[3]));
            break;
        case KEY_U32:
            assert_memory_equal(x, y, sizeof(uint32_t));
            break;
        case KEY_U64:
            assert_memory_equal(x, y, sizeof(uint64_t));
            break;
        case KEY_FLAG:
            assert_int_equal(*(const bool *)x, *(const bool *)y);
            break;
        case KEY_LIST: {
            uint32_t n = *(const uint32_t *)(a + key->list->count_offset);
            assert_int_equal(n, *(const uint32_t *)(b + key->list->count_offset));
            for (uint32_t k = 0; k < n; k++)
                assert_same(key->list->keys, key->list->key_count,
                            *(char *const *)x + k * key->list->item_size,
                            *(char *const *)y + k * key->list->item_size);
            break;
        }
        case KEY_CHOICE:
            assert_ptr_equal(*(const void *const *)x, *(const void *const *)y);
            break;
        case KEY_TEXT:
            assert_string_equal(*(char *const *)x, *(char *const *)y);
            break;
        case KEY_MOMENT:
            assert_same_moment((const void *)x, (const void *)y);
            break;
        case KEY_EXPOSURE:
            assert_string_equal(((const struct exposure *)x)->text,
                                ((const struct exposure *)y)->text);
            assert_memory_equal(x, y, offsetof(struct exposure, adapts) + sizeof(bool));
            break;
        case KEY_COLOR:
            assert_string_equal(((const struct shown_colour *)x)->text,
                                ((const struct shown_colour *)y)->text);
            break;
        case KEY_TINTS:
            assert_string_equal(((const struct tints *)x)->text, ((const struct tints *)y)->text);
            break;
        case KEY_SIZE:
            assert_memory_equal(x, y, sizeof(struct picture_size));
            break;
        case KEY_RATE:
            assert_memory_equal(x, y, sizeof(struct frame_rate));
            break;
        }
    }
}

static void assert_round_trip(struct scene *scene)
{
    char *text = scene_print(scene);
    assert_non_null(text);
    struct scene *again;
    assert_ok(scene_parse(&again, text, "printed.yaml"));
    assert_same(scene_keys, scene_key_count, (const char *)scene, (const char *)again);
    char *second = scene_print(again);
    assert_string_equal(text, second);
    free(second);
    free(text);
    scene_close(&again);
}

TEST(printing_round_trips)
{
    static const char *const titles[] = {
        "",     "~",      "null", "Null", "true", "a: b", "# x",      "'", "\"", "\\n", "- a",
        "[a]",  "{a: b}", "*a",   "&a",   "!a",   "%a",   "@a",       "`", "a ", " a",  "a/b.gz",
        "0x10", "1e5",    "a#b",  "a, b", "...",  "---",  "\xc3\xa9", "=", "<<", "?",   "|",
    };
    static const char *const escapes[] = {
        "\"\\n\\t\\r\"",
        "\"\\x01\\x7f\\e\"",
        "\"\\N\\_\\L\\P\"",
        "\"\\u0080\\uFEFF\\uFFFE\"",
        "\"\\U0001F300 spiral\"",
        "\"\\u200e\\u202a\\u202e\\u2066\\u2069\\u061c\"",
        "\"line one\\nline two\\n\"",
        "\"\\xe9\"",
    };
    struct scene *scene = parse("");
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++) {
        char quoted[64];
        snprintf(quoted, sizeof quoted, "'%s'", titles[i][0] == '\'' ? "''" : titles[i]);
        assert_ok(scene_set(scene, "output.title", quoted, "--set"));
        assert_string_equal(scene->output.title, titles[i]);
        assert_round_trip(scene);
    }
    for (size_t i = 0; i < sizeof escapes / sizeof *escapes; i++) {
        assert_ok(scene_set(scene, "output.title", escapes[i], "--set"));
        assert_round_trip(scene);
        char *text = scene_print(scene);
        for (const char *at = text; *at; at++)
            assert_true(*at == '\n' || text_control(at) == 0);
        free(text);
    }
    uint64_t random = 88172645463325252u;
    for (int i = 0; i < 2000; i++) {
        for (int k = 0; k < 4; k++) {
            double value;
            do {
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                memcpy(&value, &random, sizeof value);
            } while (!(value - value == 0)); /* finite */
            *(k == 3 ? &scene->simulation.dt : &scene->camera.target[k]) = value;
        }
        scene->bodies.seed = random;
        assert_round_trip(scene);
    }
    scene->camera.target[0] = -0.0;
    scene->simulation.dt = 0.1 + 0.2;
    assert_round_trip(scene);
    scene_close(&scene);
}

/* Scenes printed before limits existed keep their text and their hash. */
TEST(limits_are_printed_only_where_there_are_any)
{
    struct scene *plain = parse(""), *zero = parse("expect: {energy_drift: 0, virial_max: 0.0}"),
                 *given = parse("expect: {virial_max: 2}");
    char *a = scene_print(plain), *b = scene_print(zero), *c = scene_print(given);
    assert_lacks(a, "expect");
    assert_string_equal(a, b);
    assert_memory_equal(a, c, strlen(a));
    assert_string_equal(c + strlen(a),
                        "expect:\n  energy_drift: 0\n  momentum_drift: 0\n"
                        "  angular_momentum_drift: 0\n  centre_drift: 0\n  virial_min: 0\n"
                        "  virial_max: 2\n");
    assert_round_trip(given);
    free(a);
    free(b);
    free(c);
    scene_close(&plain);
    scene_close(&zero);
    scene_close(&given);
}

TEST(hash_follows_the_values)
{
    char a[17], b[17], c[17];
    struct scene *scene = parse("output: {size: 720p}"), *same = parse("output: {size: 1280X720}");
    assert_ok(scene_validate(scene));
    assert_ok(scene_validate(same));
    scene_hash(scene, a);
    scene_hash(same, b);
    assert_string_equal(a, b);
    assert_ok(scene_set(scene, "bodies.seed", "2", "--seed"));
    scene_hash(scene, c);
    assert_string_not_equal(a, c);
    scene_close(&scene);
    scene_close(&same);
}

TEST(builtins_are_sound)
{
    assert_string_equal(builtin_default(), "milky-way-andromeda");
    const struct scene_builtin *at = choice_at(&builtin_registry, 0);
    assert_non_null(at);
    assert_string_equal(at->name, builtin_default());
    for (size_t i = 0; (at = choice_at(&builtin_registry, i)); i++) {
        struct scene *scene;
        assert_ptr_equal(choice_find(&builtin_registry, at->name), at);
        assert_true(strlen(at->doc) > 20 && strlen(at->doc) < 100);
        assert_null(strpbrk(at->doc, "\n\r"));
        assert_ok(scene_open(&scene, at->name));
        assert_ok(scene_validate(scene));
        assert_true(scene->output.title[0] != '\0');
        assert_round_trip(scene);
        if (!scene->bodies.model->reads_file) {
            struct bodies *bodies;
            scene->bodies.count = 200;
            assert_ok(bodies_make(&scene->bodies, &bodies));
            bodies_destroy(&bodies);
        }
        scene_close(&scene);
    }

    struct scene *scene;
    assert_ok(scene_open(&scene, "dubinski"));
    assert_ok(scene_validate(scene));
    uint64_t bodies = 0;
    for (uint32_t i = 0; i < scene->bodies.component_count; i++) {
        const struct component_params *part = &scene->bodies.components[i];
        bodies += part->last - part->first + 1;
        assert_int_equal(part->draw, strcmp(part->name, "halo") != 0);
    }
    assert_int_equal(bodies, 81920);
    double time = scene->simulation.dt * scene->simulation.steps_per_frame * scene->output.frames;
    assert_true(time > 64.799 && time < 64.801);
    scene_close(&scene);
}

/* docs/scene.md is what the program prints. GRAVREEL_UPDATE=1 writes it anew. */
TEST(reference_is_up_to_date)
{
    const char *source = getenv("GRAVREEL_TEST_SOURCE");
    char *path = text_format("%s/docs/scene.md", source ? source : "."), *printed = NULL, *kept;
    size_t size;
    FILE *file = open_memstream(&printed, &size);
    assert_non_null(file);
    reference_print(file, REFERENCE_MARKDOWN);
    assert_int_equal(fclose(file), 0);
    if (getenv("GRAVREEL_UPDATE"))
        assert_ok(file_write(path, printed, size));
    assert_ok(file_read(path, 1 << 20, &kept, NULL));
    if (strcmp(printed, kept) != 0)
        fail_msg("%s is out of date; run test_scene with GRAVREEL_UPDATE=1", path);
    for (size_t i = 0; i < scene_key_count; i++) {
        assert_contains(printed, scene_keys[i].name);
        assert_true(strlen(scene_keys[i].doc) > 5);
        assert_null(strchr(scene_keys[i].doc, '|'));
    }
    free(kept);
    free(path);
    free(printed);
    file = open_memstream(&printed, &size);
    assert_non_null(file);
    reference_print(file, REFERENCE_TEXT);
    assert_int_equal(fclose(file), 0);
    assert_contains(printed, "steps_per_frame");
    assert_null(strchr(printed, '|'));
    free(printed);
}

/* A changed key of the look leaves the half that moves as it is; keys of the clock do too, because
 * the clock itself is compared. */
TEST(what_moves_is_printed_apart)
{
    static const struct {
        const char *path, *value;
        bool moves;
    } rows[] = {
        {"bodies.seed", "7", true},
        {"bodies.galaxies", "[{name: a}, {name: b, halo_mass: 3}]", true},
        {"simulation.dt", "0.02", true},
        {"simulation.damping", "0.5", true},
        {"units.length_kpc", "3", true},
        {"simulation.diagnostics_every", "5", false},
        {"simulation.slow", "[{at: pericentre}]", false},
        {"output.frames", "9", false},
        {"output.fps", "25", false},
        {"output.title", "another", false},
        {"camera.azimuth", "3", false},
        {"look.color", "speed", false},
        {"overlay.energy", "true", false},
        {"expect.energy_drift", "0.1", false},
    };
    struct scene *scene = parse("bodies: {count: 100}\n");
    char *usual = scene_print_motion(scene, false);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct scene *changed = parse("bodies: {count: 100}\n");
        assert_ok(scene_set(changed, rows[i].path, rows[i].value, "test"));
        char *text = scene_print_motion(changed, false);
        assert_int_equal(strcmp(text, usual) != 0, rows[i].moves);
        free(text);
        scene_close(&changed);
    }
    free(usual);
    scene_close(&scene);
    assert_int_equal(key_path_half("bodies.galaxies[2].name"), HALF_MOTION);
    assert_int_equal(key_path_half("look.panels[1].force"), HALF_MOTION);
    assert_int_equal(key_path_half("look.panels[1].title"), HALF_LOOK);
    assert_int_equal(key_path_half("simulation.diagnostics_every"), HALF_LOOK);
    assert_int_equal(key_path_half("output.fps"), HALF_MOTION);
    assert_int_equal(key_path_half("output.size"), HALF_LOOK);
    assert_int_equal(key_path_half("nothing.else"), HALF_LOOK);
}

/* Keyframes of numbers: read, printed and read again, set, refused. */
TEST(keyframes_of_numbers)
{
    static const char text[] =
        "camera: {fov: [{at: start, value: 40}, {at: pericentre + 2, value: "
        "10, ease: linear}]}\nlook: {quantity_from: [{at: 1, value: 3}, {at: "
        "2, value: -1}], exposure: [{at: 0, value: 2}]}\n";
    struct scene *scene = parse(text), *again;
    char hash[17], other[17];
    assert_ok(scene_validate(scene));
    assert_true(scene->camera.fov == 40 && scene->look.quantity_from == -1);
    assert_true(scene->look.exposure.factor == 2);
    char *printed = scene_print(scene), *brief = scene_print_short(scene, (const char *[]){NULL});
    assert_non_null(strstr(printed, "  fov:\n    - at: start\n      value: 40\n    - at: "
                                    "\"pericentre + 2\"\n      value: 10\n      ease: linear\n"));
    scene_hash(scene, hash);
    for (int i = 0; i < 2; i++) {
        again = parse(i ? brief : printed);
        scene_hash(again, other);
        assert_string_equal(hash, other);
        scene_close(&again);
    }
    free(printed);
    free(brief);
    char *flow = value_in_scene(key_path_find("camera.fov"), scene);
    assert_ok(scene_set(scene, "camera.fov", "20", "--set"));
    scene_hash(scene, other);
    assert_string_not_equal(hash, other);
    assert_ok(scene_set(scene, "camera.fov", flow, "--set"));
    assert_ok(scene_set(scene, "look.exposure", "[{at: 0, value: 2}]", "--set"));
    scene_hash(scene, other);
    assert_string_equal(hash, other);
    free(flow);
    value_hold(key_path_find("look.quantity_from"), scene);
    assert_true(scene->look.quantity_from == 3);
    const struct track *held = &scene->tracks[key_find("look", "quantity_from")];
    assert_true(held->count == 1 && held->points[0].at.kind == MOMENT_START);
    assert_fails(scene_set(scene, "look.samples", "[{at: 0, value: 2}]", "--set"), STATUS_USAGE,
                 "cannot have keyframes");
    assert_fails(scene_set(scene, "look.glow", "[]", "--set"), STATUS_USAGE, "found none");
    assert_fails(scene_set(scene, "look.glow", "[{at: 0}]", "--set"), STATUS_USAGE,
                 "'value' is missing");
    assert_ok(scene_set(scene, "look.glow", "[{at: 0, value: 3}]", "--set"));
    assert_fails(scene_validate(scene), STATUS_USAGE, "look.glow");
    assert_ok(scene_set(scene, "look.glow", "0.1", "--set"));
    assert_ok(scene_set(scene, "look.speed", "[{at: 0, value: 1}, {at: 1, value: 0}]", "--set"));
    assert_fails(scene_validate(scene), STATUS_USAGE, "> 0, found 0");
    scene_close(&scene);
}

TESTS(NULL, NULL)
