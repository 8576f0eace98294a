#include "scenes/print.h"

#include "base/memory.h"
#include "base/text.h"
#include "scenes/keys.h"
#include "scenes/value.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static bool key_has_track(const struct key *key, const void *scene)
{
    return key->keyed != KEYED_NOT && key_track_of(key, scene)->count > 0;
}

/* For the scene or the list's item `base`. */
static bool is_default(const void *base, const struct key *key)
{
    enum { VALUE_MAX = sizeof(struct moment) };
    if (key->type == KEY_LIST)
        return *list_count(key, base) == 0;
    if (key_has_track(key, base))
        return false;
    char *fresh = memory_new(1, sizeof(struct scene) + VALUE_MAX);
    value_default(key, fresh + key->offset);
    char *usual = value_text(key, fresh + key->offset);
    char *found = value_text(key, (const char *)base + key->offset);
    const bool same = strcmp(usual, found) == 0;
    free(usual);
    free(found);
    value_free(key, fresh);
    free(fresh);
    return same;
}

static void print_item(FILE *file, const char *item, const struct key_list *list)
{
    char mark = '-';
    for (size_t i = 0; i < list->key_count; i++) {
        const struct key *key = &list->keys[i];
        if (key->rare && is_default(item, key))
            continue;
        fprintf(file, "    %c %s: ", mark, key->name);
        value_print(file, key, item + key->offset);
        fputc('\n', file);
        mark = ' ';
    }
}

static void print_list(FILE *file, const struct scene *scene, const struct key *key)
{
    const struct key_list *list = key->list;
    const char *items = list_items(key, scene);
    const uint32_t count = *list_count(key, scene);
    fputs(count ? "\n" : " []\n", file);
    for (uint32_t n = 0; n < count; n++)
        print_item(file, items + n * list->item_size, list);
}

/* Whether a section that is printed only when needed has nothing to print. */
static bool is_left_out(const struct scene *scene, const char *section)
{
    if (!scene_sections[key_section_find(section, strlen(section))].limits)
        return false;
    for (size_t i = 0; i < scene_key_count; i++)
        if (strcmp(scene_keys[i].section, section) == 0 && !is_default(scene, &scene_keys[i]))
            return false;
    return true;
}

static bool is_listed(const char *const *list, const struct key *key)
{
    char path[KEY_PATH];
    key_path(key, path);
    while (*list && strcmp(*list, path) != 0)
        list++;
    return *list != NULL;
}

static void print_key(FILE *file, const struct scene *scene, const struct key *key)
{
    struct key_track track;
    fprintf(file, "  %s:", key->name);
    if (key->type == KEY_LIST || (key_has_track(key, scene) && key_track(key, &track))) {
        print_list(file, scene, key->type == KEY_LIST ? key : &track.key);
        return;
    }
    fputc(' ', file);
    value_print(file, key, (const char *)scene + key->offset);
    fputc('\n', file);
}

char *scene_print_short(const struct scene *scene, const char *const *also)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = text_begin(&text, &size);
    const char *section = "";
    for (size_t i = 0; i < scene_key_count; i++) {
        const struct key *key = &scene_keys[i];
        if (is_default(scene, key) && !is_listed(also, key))
            continue;
        if (strcmp(section, key->section) != 0)
            fprintf(file, "%s%s:\n", *section ? "\n" : "", key->section);
        section = key->section;
        print_key(file, scene, key);
    }
    text_end(file);
    return text;
}

enum status scene_copy(struct scene **out, const struct scene *scene)
{
    char *text = scene_print(scene);
    const enum status status = scene_parse(out, text, "a copy of the scene");
    free(text);
    if (status != STATUS_OK)
        return status;
    (*out)->bodies.softening = scene->bodies.softening;
    (*out)->bodies.all_columns = scene->bodies.all_columns;
    (*out)->bodies.components_optional = scene->bodies.components_optional;
    (*out)->run = scene->run;
    scene_take_origins(*out, scene);
    return STATUS_OK;
}

char *scene_print(const struct scene *scene)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = text_begin(&text, &size);
    const char *section = "";
    bool left_out = false;
    for (size_t i = 0; i < scene_key_count; i++) {
        const struct key *key = &scene_keys[i];
        const bool begins = strcmp(section, key->section) != 0;
        section = key->section;
        left_out = begins ? is_left_out(scene, section) : left_out;
        if (left_out)
            continue;
        if (begins)
            fprintf(file, "%s:\n", section);
        if (key->rare && is_default(scene, key))
            continue;
        print_key(file, scene, key);
    }
    text_end(file);
    return text;
}

char *scene_print_motion(const struct scene *scene, bool clock)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = text_begin(&text, &size);
    const char *section = "";
    for (size_t i = 0; i < scene_key_count; i++) {
        const struct key *key = &scene_keys[i];
        if (key_half(key, NULL) != HALF_MOTION || (key->clock && !clock) ||
            (key->rare && is_default(scene, key)))
            continue;
        if (strcmp(section, key->section) != 0)
            fprintf(file, "%s:\n", key->section);
        section = key->section;
        print_key(file, scene, key);
    }
    text_end(file);
    return text;
}

void scene_text_hash(const char *text, char out[17])
{
    snprintf(out, 17, "%016" PRIx64, (uint64_t)XXH3_64bits(text, strlen(text)));
}

void scene_hash(const struct scene *scene, char out[17])
{
    char *text = scene_print(scene);
    scene_text_hash(text, out);
    free(text);
}

struct entry {
    char key[DIFFERENCE_KEY_MAX];
    const char *value;
    int length;
};

struct entries {
    struct entry *entry;
    size_t count;
};

/* Where the current line is in the hierarchy. */
struct place {
    char section[64], list[64];
    unsigned item, line;
};

static size_t spaces(const char *text)
{
    return strspn(text, " ");
}

/* Reads "name: value" or "name:"; a line of another form gets its number as key. */
static void read_entry(struct entry *entry, const char *prefix, const char *text, int length,
                       unsigned line)
{
    const char *colon = memchr(text, ':', (size_t)length);
    if (!colon || (colon + 1 < text + length && colon[1] != ' ')) {
        snprintf(entry->key, sizeof entry->key, "line %u", line);
        entry->value = text;
        entry->length = length;
        return;
    }
    snprintf(entry->key, sizeof entry->key, "%s%.*s", prefix, (int)(colon - text), text);
    entry->value = colon + 1;
    entry->length = (int)(text + length - entry->value);
    if (entry->length > 0) {
        entry->value++;
        entry->length--;
    }
}

/* True when the line is an entry; sections and heads of lists only change the place. */
static bool read_line(struct place *place, const char *text, int length, struct entry *entry)
{
    const size_t indent = spaces(text);
    char prefix[DIFFERENCE_KEY_MAX];
    const bool head = length > 0 && text[length - 1] == ':';
    place->line++;
    if (length == 0 || (length > 4 && memcmp(text + length - 4, ": []", 4) == 0))
        return false; /* a list without items has no entries */
    if (indent == 0 && head) {
        snprintf(place->section, sizeof place->section, "%.*s", length - 1, text);
        place->list[0] = '\0';
        return false;
    }
    if (indent == 2 && head) {
        snprintf(place->list, sizeof place->list, "%.*s", length - 3, text + 2);
        place->item = 0;
        return false;
    }
    if (indent >= 4 && place->list[0] && length > 6) {
        place->item += text[4] == '-';
        snprintf(prefix, sizeof prefix, "%s.%s[%u].", place->section, place->list, place->item);
        read_entry(entry, prefix, text + 6, length - 6, place->line);
        return true;
    }
    snprintf(prefix, sizeof prefix, "%s.", place->section);
    read_entry(entry, prefix, text + indent, length - (int)indent, place->line);
    return true;
}

static struct entries read_entries(const char *text)
{
    size_t lines = 1;
    for (const char *at = text; *at; at++)
        lines += *at == '\n';
    struct entries entries = {.entry = memory_new(lines, sizeof *entries.entry)};
    struct place place = {0};
    for (const char *at = text; *at;) {
        const size_t length = strcspn(at, "\n");
        const int used = length < 1 << 20 ? (int)length : 1 << 20;
        if (read_line(&place, at, used, &entries.entry[entries.count]))
            entries.count++;
        at += length + (at[length] != '\0');
    }
    return entries;
}

/* Searches from the expected position, because texts mostly have the same keys in the same
 * order. */
static const struct entry *find(const struct entries *entries, const char *key, size_t *hint)
{
    for (size_t k = 0; k < entries->count; k++) {
        const size_t at = (*hint + k) % entries->count;
        if (strcmp(entries->entry[at].key, key) == 0) {
            *hint = at + 1;
            return &entries->entry[at];
        }
    }
    return NULL;
}

static bool same(const struct entry *a, const struct entry *b)
{
    return a && b && a->length == b->length && memcmp(a->value, b->value, (size_t)a->length) == 0;
}

static void show(const struct entry *entry, char out[DIFFERENCE_VALUE_MAX])
{
    const int room = DIFFERENCE_VALUE_MAX - 1;
    if (!entry)
        snprintf(out, DIFFERENCE_VALUE_MAX, "not given");
    else if (entry->length <= room)
        snprintf(out, DIFFERENCE_VALUE_MAX, "%.*s", entry->length, entry->value);
    else
        snprintf(out, DIFFERENCE_VALUE_MAX, "%.*s...", room - 3, entry->value);
}

struct found {
    struct scene_difference *out;
    size_t room, count;
};

static void add(struct found *found, const struct entry *here, const struct entry *there)
{
    if (found->count < found->room) {
        struct scene_difference *out = &found->out[found->count];
        snprintf(out->key, sizeof out->key, "%s", here ? here->key : there->key);
        show(here, out->a);
        show(there, out->b);
    }
    found->count++;
}

size_t scene_differences(const char *a, const char *b, struct scene_difference *out, size_t room)
{
    const struct entries left = read_entries(a), right = read_entries(b);
    struct found found = {out, room, 0};
    size_t hint = 0;
    for (size_t k = 0; k < left.count; k++) {
        const struct entry *there = find(&right, left.entry[k].key, &hint);
        if (!same(&left.entry[k], there))
            add(&found, &left.entry[k], there);
    }
    const bool equal = found.count == 0; /* a key may occur twice, with two values */
    hint = 0;
    for (size_t k = 0; k < right.count; k++) {
        const struct entry *there = find(&left, right.entry[k].key, &hint);
        if (equal ? !same(&right.entry[k], there) : !there)
            add(&found, there, &right.entry[k]);
    }
    free(left.entry);
    free(right.entry);
    return found.count;
}

bool scene_difference(const char *a, const char *b, struct scene_difference *out)
{
    *out = (struct scene_difference){0};
    return scene_differences(a, b, out, 1) > 0;
}

/* Splits "libx264 medium crf 23": the encoder, its preset, and its quality with the option's name;
 * all but the first may be missing. */
static void read_encoding(const char *encoding, char *preset, char *quality, size_t size)
{
    char words[4][32] = {""};
    const int count = encoding ? sscanf(encoding, "%31[^ ,] %31[^ ,] %31[^ ,] %31[^ ,]", words[0],
                                        words[1], words[2], words[3])
                               : 0;
    snprintf(preset, size, "%s", count == 2 || count == 4 ? words[1] : "");
    snprintf(quality, size, "%s", count >= 3 ? words[count - 1] : "");
}

static void say_default(char *value, const char *chosen)
{
    snprintf(value, DIFFERENCE_VALUE_MAX, *chosen ? "default (%s)" : "default", chosen);
}

static void say_one(const char *key, char *value, const char *encoding)
{
    char preset[32], quality[32];
    read_encoding(encoding, preset, quality, sizeof preset);
    if (strcmp(key, "output.crf") == 0 && *value == '-')
        say_default(value, quality);
    else if (strcmp(key, "output.preset") == 0 && strcmp(value, "\"\"") == 0)
        say_default(value, preset);
}

void scene_differences_say(struct scene_difference *found, size_t count, const char *encoding_a,
                           const char *encoding_b)
{
    for (size_t i = 0; i < count; i++) {
        say_one(found[i].key, found[i].a, encoding_a);
        say_one(found[i].key, found[i].b, encoding_b);
    }
}

size_t scene_differences_in_motion(struct scene_difference *found, size_t count)
{
    size_t moved = 0;
    for (size_t i = 0; i < count; i++) {
        if (key_path_half(found[i].key) != HALF_MOTION)
            continue;
        const struct scene_difference one = found[i];
        memmove(found + moved + 1, found + moved, (i - moved) * sizeof *found);
        found[moved++] = one;
    }
    return moved;
}

char *scene_differences_text(const struct scene_difference *found, size_t count,
                             char *(*say)(const struct scene_difference *one))
{
    enum { NAMED_MAX = 3 };
    char list[NAMED_MAX * (DIFFERENCE_KEY_MAX + 2 * DIFFERENCE_VALUE_MAX + 16)] = "";
    for (size_t i = 0; i < count && i < NAMED_MAX; i++) {
        char *one = say(&found[i]);
        text_list(list, sizeof list, one);
        free(one);
    }
    return count > NAMED_MAX ? text_format("%s and %zu more", list, count - NAMED_MAX)
                             : text_format("%s", list);
}

/* ---- what captions say ---- */

static enum status unknown(const char *path)
{
    return status_fail(STATUS_USAGE,
                       "there is no key '%.80s'; write section.key, or "
                       "section.list[1].key for an item of a list",
                       path);
}

enum status condition_value(const struct scene *scene, const char *path, char **out)
{
    char section[32] = "", name[64] = "", field[64] = "", whole[100];
    unsigned item = 0;
    int used = 0;
    *out = NULL;
    const int found = sscanf(path, "%31[^.[].%63[a-z_]%n[%u].%63[a-z_]%n", section, name, &used,
                             &item, field, &used);
    snprintf(whole, sizeof whole, "%s.%s", section, name);
    const struct key *key = found >= 2 ? key_path_find(whole) : NULL;
    if (!key || path[used] || (item > 0) != (field[0] != '\0'))
        return unknown(path);
    if (key->type != KEY_LIST && item == 0) {
        *out = value_in_scene(key, scene);
        return STATUS_OK;
    }
    if (key->type != KEY_LIST)
        return unknown(path);
    const uint32_t count = *list_count(key, (void *)(size_t)scene);
    if (item == 0) {
        *out = text_format("%u", count);
        return STATUS_OK;
    }
    const int at = key_list_find(key->list, field);
    if (at < 0)
        return unknown(path);
    if (item > count)
        return STATUS_OK;
    *out = value_text(&key->list->keys[at], list_items(key, scene) +
                                                (item - 1) * key->list->item_size +
                                                key->list->keys[at].offset);
    return STATUS_OK;
}

static bool compare(double value, const char *sign, double bound)
{
    const bool equal = value == bound && strchr(sign, '=');
    return equal || (sign[0] == '<' && value < bound) || (sign[0] == '>' && value > bound);
}

static enum status check_one(const struct scene *scene, const char *text, bool *holds)
{
    char path[CONDITION_MAX], sign[3], *value = NULL, *end;
    double bound;
    int used = 0;
    if (sscanf(text, " %127[^<>= ] %2[<>=] %lf %n", path, sign, &bound, &used) != 3 || text[used] ||
        (sign[0] == '=' && sign[1]) || (sign[0] != '=' && sign[1] && sign[1] != '='))
        return status_fail(STATUS_USAGE,
                           "expected conditions such as 'bodies.pericentre <= 20', separated by "
                           "commas, found '%.80s'",
                           text);
    const enum status status = condition_value(scene, path, &value);
    if (status != STATUS_OK)
        return status;
    *holds = false;
    if (!value)
        return STATUS_OK;
    const double number = strtod(value, &end);
    const bool is_number = end != value && !*end;
    free(value);
    if (!is_number)
        return status_fail(STATUS_USAGE, "'%.80s' is not a number, so it cannot be compared", path);
    *holds = compare(number, sign, bound);
    return STATUS_OK;
}

enum status condition_holds(const struct scene *scene, const char *text, bool *holds,
                            char failed[CONDITION_MAX])
{
    char one[CONDITION_MAX];
    *holds = true;
    failed[0] = '\0';
    while (*text && *holds) {
        const size_t length = strcspn(text, ",");
        snprintf(one, sizeof one, "%.*s", (int)length, text);
        const enum status status = check_one(scene, one, holds);
        if (status != STATUS_OK)
            return status;
        if (!*holds)
            snprintf(failed, CONDITION_MAX, "%s", one + strspn(one, " "));
        text += length + (text[length] == ',');
    }
    return STATUS_OK;
}
