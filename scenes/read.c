#include "scenes/read.h"

#include "base/choice.h"
#include "base/memory.h"
#include "base/text.h"
#include "scenes/value.h"

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
    const char *text; /* [size] */
    size_t size, lines;
    char path[PATH_MAX_TEXT]; /* "bodies.components[2].first" */
    struct given *out;
    /* of items_read */
    const struct registry *names;
    const struct key_list *list;
    enum status (*take)(void *user, const struct choice *of, const void *item);
    void *user;
};

static uint32_t line_of(const struct walk *walk)
{
    return (uint32_t)walk->event.start_mark.line + 1;
}

/* Puts origin, line and key before the message. */
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

/* Whether the line, counted from 1, is indented with a tab. */
static bool has_tab(const struct walk *walk, size_t line)
{
    const char *at = walk->text, *end = at + walk->size;
    for (; line > 1 && at < end; line--) {
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        at = feed ? feed + 1 : end;
    }
    while (at < end && *at == ' ')
        at++;
    return at < end && *at == '\t';
}

static enum status syntax_error(struct walk *walk)
{
    const yaml_parser_t *parser = &walk->parser;
    const char *problem = parser->problem ? parser->problem : "it cannot be read";
    if (parser->error == YAML_MEMORY_ERROR)
        memory_exhausted();
    size_t line = parser->problem_mark.line + 1, start = parser->context_mark.line + 1;
    if (line > walk->lines) /* at an unexpected end of the text */
        line = walk->lines;
    if (parser->error == YAML_READER_ERROR) {
        status_fail(STATUS_USAGE, "not %s in UTF-8 (%s at byte %zu)",
                    walk->numbered ? "a text file" : "text", problem, parser->problem_offset);
        line = parser->mark.line + 1;
    } else if (has_tab(walk, line)) {
        status_fail(STATUS_USAGE,
                    "the line begins with a tab; YAML allows only spaces for indentation");
    } else if (!parser->context) {
        status_fail(STATUS_USAGE, "not valid YAML: %s", problem);
    } else if (walk->numbered && start < line) {
        status_fail(STATUS_USAGE, "not valid YAML: %s that starts on line %zu, %s", parser->context,
                    start, problem);
    } else {
        status_fail(STATUS_USAGE, "not valid YAML: %s, %s", parser->context, problem);
    }
    if (walk->numbered)
        walk->path[0] = '\0'; /* the line is more precise than the last key that was read */
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

/* `key:` with nothing after it, or an explicit null. */
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

static enum status wrong_form(struct walk *walk, const char *expected)
{
    const yaml_event_t *event = &walk->event;
    if (is_nothing(walk)) {
        status_fail(STATUS_USAGE, "the value is missing; expected %s", expected);
    } else if (event->type == YAML_SCALAR_EVENT) {
        const char *text = (const char *)event->data.scalar.value;
        const bool cut = strlen(text) > SHOWN_MAX;
        status_fail(STATUS_USAGE, "expected %s, found %s'%.*s%s'", expected,
                    is_plain(walk) ? "" : "the quoted text ", SHOWN_MAX, text, cut ? "..." : "");
    } else {
        status_fail(STATUS_USAGE, "expected %s, found %s", expected,
                    event->type == YAML_SEQUENCE_START_EVENT ? "a list" : "a mapping");
    }
    return blame(walk);
}

/* Whether the key is a number of a section whose numbers have keyframes. */
static bool looks(const struct key *key)
{
    const bool number = key->type == KEY_NUMBER || key->type == KEY_U32 || key->type == KEY_U64;
    return number && (strcmp(key->section, "camera") == 0 || strcmp(key->section, "look") == 0 ||
                      strcmp(key->section, "overlay") == 0);
}

static enum status wrong_value(struct walk *walk, const struct key *key)
{
    char expected[EXPECTED_MAX];
    value_expected(key, expected, sizeof expected);
    if (walk->event.type == YAML_SEQUENCE_START_EVENT && key->keyed == KEYED_NOT && looks(key)) {
        status_fail(STATUS_USAGE, "expected %s, found a list, and this key cannot have keyframes",
                    expected);
        return blame(walk);
    }
    return wrong_form(walk, expected);
}

static enum status wrong_count(struct walk *walk, const struct key *key, const char *found)
{
    char expected[EXPECTED_MAX];
    value_expected(key, expected, sizeof expected);
    status_fail(STATUS_USAGE, "expected %s, found %s", expected, found);
    return blame(walk);
}

static enum status read_scalar(struct walk *walk, const struct key *key, void *at)
{
    if (walk->event.type != YAML_SCALAR_EVENT || is_nothing(walk))
        return wrong_value(walk, key);
    const char *text = (const char *)walk->event.data.scalar.value;
    if (strlen(text) != walk->event.data.scalar.length) {
        status_fail(STATUS_USAGE, "the text contains a NUL character, which is not allowed");
        return blame(walk);
    }
    return value_read(key, text, !is_plain(walk), at) == STATUS_OK ? STATUS_OK : blame(walk);
}

static enum status read_vector(struct walk *walk, const struct key *key, double *at)
{
    static const struct key number = {.type = KEY_NUMBER};
    static const char *const counts[] = {"0", "1", "2"};
    if (walk->event.type != YAML_SEQUENCE_START_EVENT)
        return wrong_value(walk, key);
    for (int count = 0;; count++) {
        enum status status = next(walk);
        if (status != STATUS_OK)
            return status;
        if (walk->event.type == YAML_SEQUENCE_END_EVENT && count == 3)
            return STATUS_OK;
        if (walk->event.type == YAML_SEQUENCE_END_EVENT)
            return wrong_count(walk, key, counts[count]);
        if (count == 3 || walk->event.type != YAML_SCALAR_EVENT || is_nothing(walk) ||
            value_read(&number, (const char *)walk->event.data.scalar.value, !is_plain(walk),
                       &at[count]) != STATUS_OK)
            return wrong_value(walk, key);
    }
}

static enum status read_list(struct walk *walk, const struct key *key, size_t index);

/* Reads keyframes instead of a value. */
static enum status read_track(struct walk *walk, const struct key *key)
{
    struct key_track track;
    key_track(key, &track);
    const enum status status = read_list(walk, &track.key, (size_t)(key - scene_keys));
    if (status != STATUS_OK)
        return status;
    return value_settle(key, &walk->out->scene) == STATUS_OK ? STATUS_OK : blame(walk);
}

/* Reads a key's value, which begins with the next event, into the scene or item `base`. */
static enum status read_value(struct walk *walk, const struct key *key, void *base)
{
    void *at = (char *)base + key->offset;
    enum status status = next(walk);
    if (status != STATUS_OK)
        return status;
    if (key->type == KEY_LIST)
        return read_list(walk, key, (size_t)(key - scene_keys));
    if (key->keyed != KEYED_NOT && walk->event.type == YAML_SEQUENCE_START_EVENT)
        return read_track(walk, key);
    return key->type == KEY_VECTOR ? read_vector(walk, key, at) : read_scalar(walk, key, at);
}

/* Reads the name of a key. */
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
    char names[256] = "", whole[PATH_MAX_TEXT] = "";
    for (size_t i = 0; i < list->key_count; i++) {
        suggest_offer(&near, list->keys[i].name);
        text_list(names, sizeof names, list->keys[i].name);
    }
    for (size_t i = 0; i < scene_key_count; i++)
        if (strcmp(scene_keys[i].name, name) == 0)
            snprintf(whole, sizeof whole, "; %s.%s is one for the whole film;",
                     scene_keys[i].section, name);
    const char *hint = whole[0] ? whole : near.best ? suggest_text(&near) : ";";
    status_fail(STATUS_USAGE, "unknown key '%.*s'%s the keys here are %s", SHOWN_MAX, name, hint,
                names);
    return blame(walk);
}

void item_defaults(const struct key_list *list, void *item)
{
    for (size_t i = 0; i < list->key_count; i++)
        value_default(&list->keys[i], (char *)item + list->keys[i].offset);
}

static enum status read_item(struct walk *walk, const struct key_list *list, char *item,
                             struct item_lines *lines)
{
    if (walk->event.type != YAML_MAPPING_START_EVENT)
        return wrong_form(walk, "an entry of the form {name: ...}");
    lines->start = line_of(walk);
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
        const int i = key_list_find(list, name);
        if (i < 0)
            return unknown_item_key(walk, list, name);
        snprintf(walk->path + length, sizeof walk->path - length, ".%s", name);
        if (lines->line[i])
            return repeated(walk, lines->line[i]);
        lines->line[i] = line_of(walk);
        if ((status = read_value(walk, &list->keys[i], item)) != STATUS_OK)
            return status;
        walk->path[length] = '\0';
    }
    for (size_t i = 0; i < list->key_count; i++) {
        if (!list->keys[i].fallback && !lines->line[i]) {
            status_fail(STATUS_USAGE, "its key '%s' is missing", list->keys[i].name);
            return blame_line(walk, lines->start);
        }
    }
    return STATUS_OK;
}

static enum status read_list(struct walk *walk, const struct key *key, size_t index)
{
    const struct key_list *list = key->list;
    if (walk->event.type != YAML_SEQUENCE_START_EVENT)
        return wrong_value(walk, key);
    struct item_lines *lines = memory_new(list->item_max, sizeof *lines);
    char *items = list_create(key, &walk->out->scene);
    uint32_t *count = list_count(key, &walk->out->scene);
    walk->out->items[index] = lines;
    const size_t length = strlen(walk->path);
    for (;;) {
        enum status status = next(walk);
        if (status != STATUS_OK)
            return status;
        if (walk->event.type == YAML_SEQUENCE_END_EVENT)
            return STATUS_OK;
        if (*count == list->item_max)
            return wrong_count(walk, key, "more");
        char *item = items + *count * list->item_size;
        item_defaults(list, item);
        snprintf(walk->path + length, sizeof walk->path - length, "[%u]", ++*count);
        if ((status = read_item(walk, list, item, &lines[*count - 1])) != STATUS_OK)
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

static enum status read_section(struct walk *walk, const char *section)
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
        if ((status = read_value(walk, &scene_keys[i], &walk->out->scene)) != STATUS_OK)
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

static enum status read_root(struct walk *walk)
{
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
        if (lines[i])
            return repeated(walk, lines[i]);
        lines[i] = line_of(walk);
        if ((status = next(walk)) != STATUS_OK)
            return status;
        if (is_nothing(walk))
            continue;
        if (walk->event.type != YAML_MAPPING_START_EVENT)
            return wrong_form(walk, "keys of the section, indented below it");
        if ((status = read_section(walk, name)) != STATUS_OK)
            return status;
    }
}

/* Reads an item with the next event, and hands it over. */
static enum status take_item(struct walk *walk, size_t line)
{
    const struct key_list *list = walk->list;
    const struct choice *of;
    struct item_lines lines = {0};
    if (choice_require(walk->names, walk->path, &of) != STATUS_OK)
        return blame(walk);
    char *item = memory_new(list->item_size, 1);
    item_defaults(list, item);
    enum status status = next(walk);
    if (status == STATUS_OK)
        status = read_item(walk, list, item, &lines);
    if (status == STATUS_OK && walk->take(walk->user, of, item) != STATUS_OK)
        status = blame_line(walk, line);
    for (size_t i = 0; i < list->key_count; i++)
        value_free(&list->keys[i], item);
    free(item);
    return status;
}

static enum status read_items(struct walk *walk)
{
    if (walk->event.type != YAML_MAPPING_START_EVENT)
        return wrong_form(walk, walk->list->example);
    for (;;) {
        enum status status = next(walk);
        walk->path[0] = '\0';
        if (status != STATUS_OK || walk->event.type == YAML_MAPPING_END_EVENT)
            return status;
        if ((status = read_name(walk, walk->path, sizeof walk->path)) != STATUS_OK)
            return status;
        if ((status = take_item(walk, line_of(walk))) != STATUS_OK)
            return status;
    }
}

static enum status read_stream(struct walk *walk)
{
    enum status status;
    if ((status = next(walk)) != STATUS_OK || (status = next(walk)) != STATUS_OK)
        return status;
    if (walk->event.type == YAML_STREAM_END_EVENT)
        return STATUS_OK; /* an empty file: all defaults */
    if ((status = next(walk)) != STATUS_OK)
        return status;
    if (!is_nothing(walk))
        status = walk->list ? read_items(walk) : read_root(walk);
    if (status != STATUS_OK)
        return status;
    if ((status = next(walk)) != STATUS_OK || (status = next(walk)) != STATUS_OK)
        return status;
    if (walk->event.type == YAML_STREAM_END_EVENT)
        return STATUS_OK;
    status_fail(STATUS_USAGE, "a second document starts here; write one document");
    return blame(walk);
}

static enum status read_text(struct walk *walk)
{
    for (size_t i = 0; i + 1 < walk->size; i++)
        walk->lines += walk->text[i] == '\n';
    if (!yaml_parser_initialize(&walk->parser))
        memory_exhausted();
    yaml_parser_set_input_string(&walk->parser, (const unsigned char *)walk->text, walk->size);
    enum status status = read_stream(walk);
    yaml_event_delete(&walk->event);
    yaml_parser_delete(&walk->parser);
    return status;
}

enum status given_read(struct given *out, const char *text, size_t size, const char *origin,
                       const char *setting)
{
    struct walk walk = {
        .origin = origin, .numbered = !setting, .out = out, .text = text, .size = size, .lines = 1};
    *out = (struct given){0};
    snprintf(walk.path, sizeof walk.path, "%s", setting ? setting : "");
    return read_text(&walk);
}

enum status items_read(const char *text, size_t size, const char *origin,
                       const struct registry *names, const struct key_list *list,
                       enum status (*take)(void *user, const struct choice *of, const void *item),
                       void *user)
{
    struct walk walk = {.origin = origin,
                        .numbered = true,
                        .text = text,
                        .size = size,
                        .lines = 1,
                        .names = names,
                        .list = list,
                        .take = take,
                        .user = user};
    return read_text(&walk);
}

void given_free(struct given *given)
{
    for (size_t i = 0; i < scene_key_count; i++) {
        value_free(&scene_keys[i], &given->scene);
        free(given->items[i]);
    }
}
