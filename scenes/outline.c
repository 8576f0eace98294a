#include "scenes/outline.h"

#include "base/suggest.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum { PATH_MAX_TEXT = 128, SHOWN_MAX = 40 };

struct walk {
    yaml_parser_t parser;
    yaml_event_t event;
    const char *origin;
    bool numbered;
    size_t lines;             /* of the text */
    char path[PATH_MAX_TEXT]; /* "bodies.components[2].first" */
    struct outline *out;
};

static uint32_t line_of(const struct walk *walk)
{
    return (uint32_t)walk->event.start_mark.line + 1;
}

/* Puts origin, line and key before the sentence. */
static enum status blame_line(const struct walk *walk, size_t line)
{
    const char *mark = walk->path[0] ? ": " : "";
    if (walk->numbered)
        return status_prefix(STATUS_USAGE, "%s:%zu%s%s", walk->origin, line, mark, walk->path);
    return status_prefix(STATUS_USAGE, "%s%s%s", walk->origin, mark, walk->path);
}

static enum status blame(const struct walk *walk)
{
    return blame_line(walk, line_of(walk));
}

static enum status syntax_error(struct walk *walk)
{
    const yaml_parser_t *parser = &walk->parser;
    const char *problem = parser->problem ? parser->problem : "it cannot be read";
    if (parser->error == YAML_MEMORY_ERROR)
        return status_fail(STATUS_RUNTIME, "no memory left to read the scene '%s'", walk->origin);
    size_t line = parser->problem_mark.line + 1, start = parser->context_mark.line + 1;
    if (line > walk->lines) /* where the end was not expected */
        line = walk->lines;
    if (parser->error == YAML_READER_ERROR) {
        status_fail(STATUS_USAGE, "not %s in UTF-8 (%s at byte %zu)",
                    walk->numbered ? "a text file" : "text", problem, parser->problem_offset);
        line = parser->mark.line + 1;
    } else if (!parser->context) {
        status_fail(STATUS_USAGE, "not valid YAML: %s", problem);
    } else if (walk->numbered && start < line) {
        status_fail(STATUS_USAGE, "not valid YAML: %s that starts on line %zu, %s", parser->context,
                    start, problem);
    } else {
        status_fail(STATUS_USAGE, "not valid YAML: %s, %s", parser->context, problem);
    }
    if (walk->numbered)
        walk->path[0] = '\0'; /* the line says more than the last key that was understood */
    return blame_line(walk, line);
}

static enum status next(struct walk *walk)
{
    yaml_event_delete(&walk->event);
    if (!yaml_parser_parse(&walk->parser, &walk->event))
        return syntax_error(walk);
    if (walk->event.type == YAML_ALIAS_EVENT) {
        status_fail(STATUS_USAGE, "aliases such as '*%s' are not understood; write the value out",
                    (const char *)walk->event.data.alias.anchor);
        return blame(walk);
    }
    return STATUS_OK;
}

static bool is_plain(const struct walk *walk)
{
    return walk->event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
}

/* `key:` with nothing after it, or a null spelled out. */
static bool is_nothing(const struct walk *walk)
{
    static const char *const words[] = {"", "~", "null", "Null", "NULL"};
    if (walk->event.type != YAML_SCALAR_EVENT || !is_plain(walk))
        return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp((const char *)walk->event.data.scalar.value, words[i]) == 0)
            return true;
    return false;
}

static enum status wrong_form(struct walk *walk, const char *wanted)
{
    const yaml_event_t *event = &walk->event;
    if (is_nothing(walk)) {
        status_fail(STATUS_USAGE, "the value is missing; expected %s", wanted);
    } else if (event->type == YAML_SCALAR_EVENT) {
        const char *text = (const char *)event->data.scalar.value;
        const bool cut = strlen(text) > SHOWN_MAX;
        status_fail(STATUS_USAGE, "expected %s, found %s'%.*s%s'", wanted,
                    is_plain(walk) ? "" : "the quoted text ", SHOWN_MAX, text, cut ? "..." : "");
    } else {
        status_fail(STATUS_USAGE, "expected %s, found %s", wanted,
                    event->type == YAML_SEQUENCE_START_EVENT ? "a list" : "a mapping");
    }
    return blame(walk);
}

static enum status check_scalar(struct walk *walk, const struct key *key,
                                const struct choice **choice)
{
    char wanted[256];
    key_wants(key, wanted, sizeof wanted);
    if (walk->event.type != YAML_SCALAR_EVENT || is_nothing(walk))
        return wrong_form(walk, wanted);
    const char *text = (const char *)walk->event.data.scalar.value;
    if (strlen(text) != walk->event.data.scalar.length) {
        status_fail(STATUS_USAGE, "the text holds a NUL character, which no text here may");
        return blame(walk);
    }
    if (key->type == KEY_CHOICE)
        return key_choose(key, text, choice) == STATUS_OK ? STATUS_OK : blame(walk);
    return key_accepts(key, text, !is_plain(walk)) ? STATUS_OK : wrong_form(walk, wanted);
}

static enum status check_vector(struct walk *walk, const struct key *key)
{
    char wanted[256];
    key_wants(key, wanted, sizeof wanted);
    if (walk->event.type != YAML_SEQUENCE_START_EVENT)
        return wrong_form(walk, wanted);
    int count = 0;
    for (;; count++) {
        enum status status = next(walk);
        if (status != STATUS_OK)
            return status;
        if (walk->event.type == YAML_SEQUENCE_END_EVENT)
            break;
        if (count == 3 || walk->event.type != YAML_SCALAR_EVENT || is_nothing(walk) ||
            !key_accepts(key, (const char *)walk->event.data.scalar.value, !is_plain(walk)))
            return wrong_form(walk, wanted);
    }
    if (count == 3)
        return STATUS_OK;
    status_fail(STATUS_USAGE, "expected %s, found %d", wanted, count);
    return blame(walk);
}

/* A name before a colon: plain text without surprises. */
static enum status read_name(struct walk *walk, char *name, size_t size)
{
    if (walk->event.type != YAML_SCALAR_EVENT)
        return wrong_form(walk, "the name of a key");
    snprintf(name, size, "%s", (const char *)walk->event.data.scalar.value);
    return STATUS_OK;
}

static enum status repeated(struct walk *walk, uint32_t first)
{
    if (walk->numbered)
        status_fail(STATUS_USAGE, "given twice, first on line %u; remove one", first);
    else
        status_fail(STATUS_USAGE, "given twice; remove one");
    return blame(walk);
}

static enum status unknown_item_key(struct walk *walk, const struct key_list *list,
                                    const char *name)
{
    struct suggestion near = {name, NULL, 0};
    char names[256] = "";
    for (size_t i = 0; i < list->key_count; i++) {
        suggest_offer(&near, list->keys[i].name);
        text_list(names, sizeof names, list->keys[i].name);
    }
    status_fail(STATUS_USAGE, "unknown key '%.*s'%s the keys here are %s", SHOWN_MAX, name,
                near.best ? suggest_text(&near) : ";", names);
    return blame(walk);
}

static enum status check_item(struct walk *walk, const struct key_list *list,
                              struct outline_item *item)
{
    if (walk->event.type != YAML_MAPPING_START_EVENT)
        return wrong_form(walk, "an entry of the form {name: ...}");
    item->start = line_of(walk);
    const size_t length = strlen(walk->path);
    for (;;) {
        char name[64];
        enum status status = next(walk);
        if (status != STATUS_OK)
            return status;
        if (walk->event.type == YAML_MAPPING_END_EVENT)
            break;
        if ((status = read_name(walk, name, sizeof name)) != STATUS_OK)
            return status;
        size_t i = 0;
        while (i < list->key_count && strcmp(list->keys[i].name, name) != 0)
            i++;
        if (i == list->key_count)
            return unknown_item_key(walk, list, name);
        snprintf(walk->path + length, sizeof walk->path - length, ".%s", name);
        if (item->line[i])
            return repeated(walk, item->line[i]);
        item->line[i] = line_of(walk);
        if ((status = next(walk)) != STATUS_OK)
            return status;
        status = list->keys[i].type == KEY_VECTOR
                     ? check_vector(walk, &list->keys[i])
                     : check_scalar(walk, &list->keys[i], &item->choice[i]);
        if (status != STATUS_OK)
            return status;
        walk->path[length] = '\0';
    }
    for (size_t i = 0; i < list->key_count; i++) {
        if (!list->keys[i].fallback && !item->line[i]) {
            status_fail(STATUS_USAGE, "its key '%s' is missing", list->keys[i].name);
            return blame_line(walk, item->start);
        }
    }
    return STATUS_OK;
}

static enum status check_list(struct walk *walk, int index)
{
    const struct key *key = &scene_keys[index];
    struct outline *out = walk->out;
    char wanted[256];
    key_wants(key, wanted, sizeof wanted);
    if (walk->event.type != YAML_SEQUENCE_START_EVENT)
        return wrong_form(walk, wanted);
    out->items[index] = calloc(key->list->item_max, sizeof *out->items[index]);
    if (!out->items[index])
        return status_fail(STATUS_RUNTIME, "no memory left to read the scene '%s'", walk->origin);
    const size_t length = strlen(walk->path);
    for (uint32_t count = 0;; out->item_count[index] = ++count) {
        enum status status = next(walk);
        if (status != STATUS_OK)
            return status;
        if (walk->event.type == YAML_SEQUENCE_END_EVENT)
            return STATUS_OK;
        if (count == key->list->item_max) {
            status_fail(STATUS_USAGE, "expected %s, found more", wanted);
            return blame(walk);
        }
        snprintf(walk->path + length, sizeof walk->path - length, "[%u]", count + 1);
        if ((status = check_item(walk, key->list, &out->items[index][count])) != STATUS_OK)
            return status;
        walk->path[length] = '\0';
    }
}

static enum status unknown_key(struct walk *walk, const char *section, const char *name)
{
    struct suggestion near = {name, NULL, 0};
    char names[512], elsewhere[PATH_MAX_TEXT] = "";
    key_names(section, names, sizeof names);
    for (size_t i = 0; i < scene_key_count; i++) {
        if (strcmp(scene_keys[i].section, section) == 0)
            suggest_offer(&near, scene_keys[i].name);
        else if (strcmp(scene_keys[i].name, name) == 0)
            snprintf(elsewhere, sizeof elsewhere, "; did you mean %s.%s?", scene_keys[i].section,
                     name);
    }
    const char *hint = elsewhere[0] ? elsewhere : suggest_text(&near);
    status_fail(STATUS_USAGE, "unknown key '%.*s'%s the keys of %s are %s", SHOWN_MAX, name,
                hint[0] ? hint : ";", section, names);
    return blame(walk);
}

static enum status check_section(struct walk *walk, const char *section)
{
    for (;;) {
        char name[64];
        enum status status = next(walk);
        if (status != STATUS_OK)
            return status;
        if (walk->event.type == YAML_MAPPING_END_EVENT)
            return STATUS_OK;
        walk->path[0] = '\0';
        if ((status = read_name(walk, name, sizeof name)) != STATUS_OK)
            return status;
        int i = key_find(section, name);
        if (i < 0)
            return unknown_key(walk, section, name);
        snprintf(walk->path, sizeof walk->path, "%s.%s", section, name);
        if (walk->out->line[i])
            return repeated(walk, walk->out->line[i]);
        walk->out->line[i] = line_of(walk);
        if ((status = next(walk)) != STATUS_OK)
            return status;
        status = scene_keys[i].type == KEY_LIST ? check_list(walk, i)
                 : scene_keys[i].type == KEY_VECTOR
                     ? check_vector(walk, &scene_keys[i])
                     : check_scalar(walk, &scene_keys[i], &walk->out->choice[i]);
        if (status != STATUS_OK)
            return status;
    }
}

static enum status unknown_section(struct walk *walk, const char *name)
{
    struct suggestion near = {name, NULL, 0};
    char names[256], owner[PATH_MAX_TEXT] = "";
    key_names(NULL, names, sizeof names);
    for (size_t i = 0; i < SECTION_COUNT; i++)
        suggest_offer(&near, scene_sections[i].name);
    for (size_t i = 0; i < scene_key_count; i++)
        if (strcmp(scene_keys[i].name, name) == 0)
            snprintf(owner, sizeof owner, "; it belongs below '%s':", scene_keys[i].section);
    const char *hint = owner[0] ? owner : suggest_text(&near);
    status_fail(STATUS_USAGE, "unknown section '%.*s'%s the sections are %s", SHOWN_MAX, name,
                hint[0] ? hint : ";", names);
    return blame(walk);
}

static enum status check_root(struct walk *walk)
{
    struct outline *out = walk->out;
    if (walk->event.type != YAML_MAPPING_START_EVENT)
        return wrong_form(walk, "sections such as 'simulation:' with keys below them");
    uint32_t lines[SECTION_COUNT] = {0};
    for (;;) {
        char name[64];
        enum status status = next(walk);
        if (status != STATUS_OK)
            return status;
        walk->path[0] = '\0';
        if (walk->event.type == YAML_MAPPING_END_EVENT)
            return STATUS_OK;
        if ((status = read_name(walk, name, sizeof name)) != STATUS_OK)
            return status;
        int i = key_section_find(name, strlen(name));
        if (i < 0)
            return unknown_section(walk, name);
        snprintf(walk->path, sizeof walk->path, "%s", name);
        if (out->section_given[i])
            return repeated(walk, lines[i]);
        out->section_given[i] = true;
        lines[i] = line_of(walk);
        if ((status = next(walk)) != STATUS_OK)
            return status;
        if (is_nothing(walk))
            continue;
        if (walk->event.type != YAML_MAPPING_START_EVENT)
            return wrong_form(walk, "keys of the section, indented below it");
        out->section_filled[i] = true;
        if ((status = check_section(walk, name)) != STATUS_OK)
            return status;
    }
}

static enum status check_stream(struct walk *walk)
{
    enum status status;
    if ((status = next(walk)) != STATUS_OK || (status = next(walk)) != STATUS_OK)
        return status;
    if (walk->event.type == YAML_STREAM_END_EVENT)
        return STATUS_OK; /* an empty file: all defaults */
    if ((status = next(walk)) != STATUS_OK)
        return status;
    if (!is_nothing(walk) && (status = check_root(walk)) != STATUS_OK)
        return status;
    if ((status = next(walk)) != STATUS_OK || (status = next(walk)) != STATUS_OK)
        return status;
    if (walk->event.type == YAML_STREAM_END_EVENT)
        return STATUS_OK;
    status_fail(STATUS_USAGE, "a second document starts here; a scene is one document");
    return blame(walk);
}

enum status outline_read(struct outline *out, const char *text, size_t size, const char *origin,
                         const char *setting)
{
    struct walk walk = {.origin = origin, .numbered = !setting, .out = out};
    *out = (struct outline){0};
    snprintf(walk.path, sizeof walk.path, "%s", setting ? setting : "");
    walk.lines = 1;
    for (size_t i = 0; i + 1 < size; i++)
        walk.lines += text[i] == '\n';
    if (!yaml_parser_initialize(&walk.parser))
        return status_fail(STATUS_RUNTIME, "no memory left to read the scene '%s'", origin);
    yaml_parser_set_input_string(&walk.parser, (const unsigned char *)text, size);
    enum status status = check_stream(&walk);
    yaml_event_delete(&walk.event);
    yaml_parser_delete(&walk.parser);
    return status;
}

void outline_free(struct outline *outline)
{
    for (size_t i = 0; i < KEYS_MAX; i++)
        free(outline->items[i]);
    *outline = (struct outline){0};
}
