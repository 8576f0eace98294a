#include "base/packed_tags.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { NAME_MAX_LENGTH = 79, PACKED_MAX = 64, CONTROL = 0x20 };

static bool is_ours(const char *name)
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
    FILE *file = open_memstream(&text, &size);
    if (!file)
        memory_exhausted();
    for (size_t i = 0; i < tags->count; i++) {
        const struct tag *tag = &tags->list[i];
        if (!is_ours(tag->name)) {
            tags_add(&rest, tag->name, tag->value);
            continue;
        }
        fputc(packed++ ? ',' : '{', file);
        put_text(file, tag->name);
        fputc(':', file);
        put_text(file, tag->value);
    }
    fputc('}', file);
    if (fclose(file) != 0)
        memory_exhausted();
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

/* Reads the text at *at into memory of the caller's; NULL if it is none as put_text writes it. */
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

static bool get_tag(const char **at, struct tags *out)
{
    char *name = get_text(at);
    char *value = name && **at == ':' ? (++*at, get_text(at)) : NULL;
    const bool good = value && is_ours(name) && strlen(name) <= NAME_MAX_LENGTH;
    if (good)
        tags_add(out, name, value);
    free(name);
    free(value);
    return good;
}

static bool parse(const char *text, struct tags *out)
{
    const char *at = text;
    bool more = *at++ == '{';
    if (!more)
        return false;
    while (more) {
        if (out->count == PACKED_MAX || !get_tag(&at, out))
            return false;
        more = *at == ',';
        at += more;
    }
    return strcmp(at, "}") == 0;
}

/* Those of `packed` that are not `there`. */
static void add_missing(struct tags *all, const struct tags *packed, const struct tags *there)
{
    for (size_t i = 0; i < packed->count; i++)
        if (!tags_find(there, packed->list[i].name))
            tags_add(all, packed->list[i].name, packed->list[i].value);
}

void tags_unpack(struct tags *tags)
{
    struct tags packed = {0}, all = {0};
    const char *text = tags_find(tags, PACKED_TAG);
    if (text && parse(text, &packed)) {
        for (size_t i = 0; i < tags->count; i++)
            if (strcasecmp(tags->list[i].name, PACKED_TAG) != 0)
                tags_add(&all, tags->list[i].name, tags->list[i].value);
            else
                add_missing(&all, &packed, tags);
        tags_free(tags);
        *tags = all;
    }
    tags_free(&packed);
}
