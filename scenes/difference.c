#include "scenes/difference.h"

#include "base/memory.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
