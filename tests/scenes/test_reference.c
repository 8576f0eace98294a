/* The reference of each key, as text and as a manual page. */
#include "tests/support/test.h"

#include "base/text.h"
#include "scenes/scene_check.h"
#include "scenes/reference.h"
#include "scenes/scene.h"
#include "scenes/value.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 79 };

static char *print_one(const struct reference *one, enum reference_form form)
{
    char *text;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    reference_print_one(file, one, form);
    assert_int_equal(fclose(file), 0);
    return text;
}

/* Joins wrapped lines. */
static void unwrap(char *text)
{
    for (char *at = text; (at = strchr(at, '\n')); at++) {
        const size_t indent = strspn(at + 1, " ");
        memmove(at + 1, at + 1 + indent, strlen(at + 1 + indent) + 1);
        *at = ' ';
    }
}

/* An example that does not read as a scene would mislead. */
static void check_example(const struct key *key, const char *path, const char *said)
{
    struct scene *scene;
    assert_contains(said, key->list->example);
    assert_ok(scene_parse(&scene, "", "test"));
    assert_ok(scene_set(scene, path, key->list->example, "--set"));
    assert_true(*list_count(key, scene) > 0);
    if (strcmp(path, "bodies.components") != 0) /* of a file */
        assert_ok(scene_validate(scene));
    scene_close(&scene);
}

static void check_key(const struct key *key)
{
    char *path = text_format("%s.%s", key->section, key->name), expected[EXPECTED_MAX];
    struct reference one;
    assert_ok(reference_find(path, &one));
    assert_ptr_equal(one.key, key);
    char *text = print_one(&one, REFERENCE_TEXT);
    unwrap(text);
    assert_memory_equal(text, path, strlen(path));
    assert_contains(text, key->doc);
    assert_contains(text, strcmp(key->fallback, "\"\"") == 0 ? "default empty" : key->fallback);
    if (key->unit) {
        char *unit = text_format("; in %s", key->unit);
        assert_contains(text, unit);
        free(unit);
    }
    value_expected(key, expected, sizeof expected);
    if (key->type == KEY_LIST)
        check_example(key, path, text);
    if (!key->registry)
        assert_contains(text, expected);
    const struct choice *entry;
    for (size_t i = 0; key->registry && (entry = choice_at(key->registry, i)); i++)
        assert_contains(text, entry->doc);
    for (size_t i = 0; key->list && i < key->list->key_count; i++)
        assert_contains(text, key->list->keys[i].doc);
    free(text);
    free(path);
}

TEST(every_key_is_explained)
{
    for (size_t i = 0; i < scene_key_count; i++)
        check_key(&scene_keys[i]);
}

TEST(sections_and_lists)
{
    struct reference one;
    for (size_t i = 0; i < SECTION_COUNT; i++) {
        assert_ok(reference_find(scene_sections[i].name, &one));
        assert_ptr_equal(one.section, &scene_sections[i]);
        char *text = print_one(&one, REFERENCE_TEXT);
        for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
            assert_true(strcspn(line, "\n") <= WIDTH);
        unwrap(text);
        for (size_t k = 0; k < scene_key_count; k++)
            if (strcmp(scene_keys[k].section, one.section->name) == 0)
                assert_contains(text, scene_keys[k].doc);
        free(text);
    }
}

TEST(others_are_refused)
{
    struct reference one;
    static const char *const rows[][2] = {{"camra", "'camera'?"},
                                          {"camera.orbt", "'camera.orbit'?"},
                                          {"orbit", "'camera.orbit'?"},
                                          {"camera.", "the sections are units"},
                                          {"", "the sections are units"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(reference_find(rows[i][0], &one), STATUS_USAGE);
        assert_contains(status_text(), rows[i][1]);
    }
}

/* No part of the text is taken for a roff request, or lost. */
TEST(the_manual_page_is_whole)
{
    char *text;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    reference_print(file, REFERENCE_MANUAL);
    assert_int_equal(fclose(file), 0);
    assert_memory_equal(text, ".TH GRAVREEL-SCENE 5 ", 21);
    static const char *const requests[] = {".TH ", ".SH ", ".TP", ".PP", ".br", ".nf", ".fi"};
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
        bool known = *line != '.' && *line != '\'';
        for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
            known |= strncmp(line, requests[i], strlen(requests[i])) == 0;
        if (!known)
            fail_msg("a line of the page is no request: %.60s", line);
    }
    for (size_t i = 0; i < scene_key_count; i++)
        assert_contains(text, scene_keys[i].name);
    assert_contains(text, "\\fBt=30\\fR");
    assert_contains(text, "\\-\\-set simulation.dt=0.005");
    assert_lacks(text, "```");
    assert_lacks(text, "|---");
    free(text);
}

TESTS(NULL, NULL)
