#include "base/tag.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- tag ---- */

void tags_add(struct tags *tags, const char *name, const char *value)
{
    *MEMORY_ADD(tags->list, tags->count) = (struct tag){memory_text(name), memory_text(value)};
}

void tags_copy(struct tags *tags, const struct tags *from)
{
    for (size_t i = 0; i < from->count; i++)
        tags_add(tags, from->list[i].name, from->list[i].value);
}

const char *tags_find(const struct tags *tags, const char *name)
{
    for (size_t i = 0; i < tags->count; i++)
        if (strcasecmp(tags->list[i].name, name) == 0)
            return tags->list[i].value;
    return NULL;
}

void tags_free(struct tags *tags)
{
    for (size_t i = 0; i < tags->count; i++) {
        free((char *)tags->list[i].name);
        free((char *)tags->list[i].value);
    }
    free(tags->list);
    *tags = (struct tags){0};
}

/* ---- packed tags ---- */

static const char seal_name[] = PACKED_TAG "_seal", packed_begins[] = "{\"" PACKED_TAG "_",
                  packed_capitals[] = "GRAVREEL";

enum { NAME_MAX_LENGTH = 79, PACKED_MAX = 64, CONTROL = 0x20 };

static bool is_of_program(const char *name)
{
    return strncasecmp(name, PACKED_TAG "_", sizeof PACKED_TAG) == 0;
}

/* ---- packing ---- */

static void put_text(FILE *file, const char *text)
{
    fputc('"', file);
    for (const char *at = text; *at; at++)
        if (*at == '\n')
            fputs("\\n", file);
        else if (*at == '"' || *at == '\\')
            fprintf(file, "\\%c", *at);
        else if ((unsigned char)*at < CONTROL)
            fprintf(file, "\\u%04x", (unsigned)*at);
        else
            fputc(*at, file);
    fputc('"', file);
}

void tags_pack(struct tags *tags)
{
    char *text = NULL;
    size_t size = 0, packed = 0;
    struct tags rest = {0};
    FILE *file = text_begin(&text, &size);
    for (size_t i = 0; i < tags->count; i++) {
        const struct tag *tag = &tags->list[i];
        if (!is_of_program(tag->name)) {
            tags_add(&rest, tag->name, tag->value);
            continue;
        }
        fputc(packed++ ? ',' : '{', file);
        put_text(file, tag->name);
        fputc(':', file);
        put_text(file, tag->value);
    }
    if (fflush(file) != 0)
        memory_exhausted();
    char hash[HASH_TEXT];
    hash_parts(&(struct hash_part){text, size}, 1, hash);
    fputc(',', file);
    put_text(file, seal_name);
    fputc(':', file);
    put_text(file, hash);
    fputc('}', file);
    text_end(file);
    if (packed > 0)
        tags_add(&rest, PACKED_TAG, text);
    free(text);
    tags_free(tags);
    *tags = rest;
}

/* ---- unpacking ---- */

static int hexadecimal(const char *at)
{
    int value = 0;
    for (int i = 0; i < 4; i++) {
        const char *digits = "0123456789abcdef", *digit = at[i] ? strchr(digits, at[i]) : NULL;
        if (!digit)
            return -1;
        value = 16 * value + (int)(digit - digits);
    }
    return value;
}

/* Reads the text at *at into new memory; NULL if it does not have the form that put_text writes. */
static char *get_text(const char **at)
{
    const char *from = *at;
    if (*from++ != '"')
        return NULL;
    char *text = memory_new(strlen(from) + 1, 1), *to = text;
    for (; *from && *from != '"'; from++) {
        if (*from != '\\') {
            *to++ = *from;
            continue;
        }
        const char code = *++from;
        const int control = code == 'u' ? hexadecimal(from + 1) : -1;
        if (code == 'n' || code == '"' || code == '\\')
            *to++ = code == 'n' ? '\n' : code;
        else if (control > 0 && control < CONTROL)
            *to++ = (char)control, from += 4;
        else
            break;
    }
    if (*from == '"') {
        *to = '\0';
        *at = from + 1;
        return text;
    }
    free(text);
    return NULL;
}

static bool get_tag(const char **at, struct tag *out)
{
    out->name = get_text(at);
    out->value = out->name && **at == ':' ? (++*at, get_text(at)) : NULL;
    return out->value && is_of_program(out->name) && strlen(out->name) <= NAME_MAX_LENGTH;
}

static void free_tag(const struct tag *tag)
{
    free((char *)tag->name);
    free((char *)tag->value);
}

/* Whether the tag is the hash of everything before it. */
static bool seals(const struct tag *tag, const char *text, const char *before)
{
    char hash[HASH_TEXT];
    hash_parts(&(struct hash_part){text, (size_t)(before - text)}, 1, hash);
    return strcmp(tag->name, seal_name) == 0 && strcmp(tag->value, hash) == 0;
}

static bool parse(const char *text, struct tags *out)
{
    const char *at = text;
    bool sealed = false, good = *at == '{';
    while (good && !sealed) {
        const char *before = at++; /* the brace, or the comma */
        struct tag tag = {0};
        good = out->count < PACKED_MAX && get_tag(&at, &tag);
        sealed = good && seals(&tag, text, before);
        if (good && !sealed)
            tags_add(out, tag.name, tag.value);
        good = good && (sealed || *at == ',');
        free_tag(&tag);
    }
    return good && strcmp(at, "}") == 0;
}

/* Adds the tags of `packed` that are missing in `there`. */
static void add_missing(struct tags *all, const struct tags *packed, const struct tags *there)
{
    for (size_t i = 0; i < packed->count; i++)
        if (!tags_find(there, packed->list[i].name))
            tags_add(all, packed->list[i].name, packed->list[i].value);
}

/* Either in lower case or, as Matroska stores it, in upper case. */
static bool is_spelt(const char *name)
{
    return strcmp(name, PACKED_TAG) == 0 || strcmp(name, packed_capitals) == 0;
}

static const char *find_packed(const struct tags *tags)
{
    for (size_t i = 0; i < tags->count; i++)
        if (is_spelt(tags->list[i].name))
            return tags->list[i].value;
    return NULL;
}

void tags_unpack(struct tags *tags)
{
    struct tags packed = {0}, all = {0};
    const char *text = find_packed(tags);
    if (text && parse(text, &packed)) {
        for (size_t i = 0; i < tags->count; i++)
            if (tags->list[i].value != text)
                tags_add(&all, tags->list[i].name, tags->list[i].value);
            else
                add_missing(&all, &packed, tags);
        tags_free(tags);
        *tags = all;
    }
    tags_free(&packed);
}

const char *tags_damaged(const struct tags *tags)
{
    for (size_t i = 0; i < tags->count; i++)
        if (strcasecmp(tags->list[i].name, PACKED_TAG) == 0 ||
            strncmp(tags->list[i].value, packed_begins, sizeof packed_begins - 1) == 0)
            return PACKED_TAG;
    return NULL;
}
