/* The resolved scene as text, and its hash. */
#include "scenes/keys.h"
#include "scenes/number.h"
#include "scenes/scene.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* Next code point of UTF-8 and its length; a byte that is none counts as itself. */
static size_t decode(const unsigned char *text, uint32_t *code)
{
    const size_t length = text[0] < 0xc0 ? 1 : text[0] < 0xe0 ? 2 : text[0] < 0xf0 ? 3 : 4;
    *code = text[0] & (length == 1 ? 0xff : 0x7f >> length);
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80) {
            *code = text[0];
            return 1;
        }
        *code = *code << 6 | (text[i] & 0x3f);
    }
    return length;
}

static bool is_printable(uint32_t code)
{
    return (code >= 0x20 && code < 0x7f) ||
           (code >= 0xa0 && code < 0xd800 && code != 0x2028 && code != 0x2029) ||
           (code >= 0xe000 && code <= 0xfffd && code != 0xfeff) ||
           (code >= 0x10000 && code <= 0x10ffff);
}

static bool is_plain_word(const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    return text[0] != '\0' && strchr(letters, text[0]) &&
           strspn(text, "-./abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") ==
               strlen(text) &&
           strcasecmp(text, "null") != 0;
}

static void print_text(FILE *file, const char *text)
{
    if (is_plain_word(text)) {
        fputs(text, file);
        return;
    }
    fputc('"', file);
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        uint32_t code;
        size_t length = decode(at, &code);
        if (*at == '"' || *at == '\\')
            fprintf(file, "\\%c", *at);
        else if (is_printable(code))
            fwrite(at, 1, length, file);
        else if (code <= 0xffff)
            fprintf(file, "\\u%04X", (unsigned)code);
        else
            fprintf(file, "\\U%08X", (unsigned)code);
        at += length;
    }
    fputc('"', file);
}

static void print_value(FILE *file, const struct key *key, const void *base)
{
    const char *at = (const char *)base + key->offset;
    char number[3][NUMBER_TEXT_MAX];
    switch (key->type) {
    case KEY_NUMBER:
        number_print(*(const double *)at, number[0]);
        fputs(number[0], file);
        break;
    case KEY_U32:
        fprintf(file, "%" PRIu32, *(const uint32_t *)at);
        break;
    case KEY_U64:
        fprintf(file, "%" PRIu64, *(const uint64_t *)at);
        break;
    case KEY_FLAG:
        fputs(*(const bool *)at ? "true" : "false", file);
        break;
    case KEY_TEXT:
    case KEY_SIZE:
    case KEY_RATE:
        print_text(file, *(char *const *)at);
        break;
    case KEY_CHOICE:
        print_text(file, key_word(key, *(const struct choice *const *)at));
        break;
    case KEY_VECTOR:
        for (int i = 0; i < 3; i++)
            number_print(((const double *)at)[i], number[i]);
        fprintf(file, "[%s, %s, %s]", number[0], number[1], number[2]);
        break;
    case KEY_LIST:
        break;
    }
}

static void print_list(FILE *file, const struct scene *scene, const struct key *key)
{
    const struct key_list *list = key->list;
    const char *items = *(char *const *)((const char *)scene + key->offset);
    const uint32_t count = *(const uint32_t *)((const char *)scene + list->count_offset);
    fputs(count ? "\n" : " []\n", file);
    for (uint32_t n = 0; n < count; n++) {
        for (size_t i = 0; i < list->key_count; i++) {
            fprintf(file, "    %c %s: ", i ? ' ' : '-', list->keys[i].name);
            print_value(file, &list->keys[i], items + n * list->item_size);
            fputc('\n', file);
        }
    }
}

char *scene_print(const struct scene *scene)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (!file)
        return NULL;
    const char *section = "";
    for (size_t i = 0; i < scene_key_count; i++) {
        const struct key *key = &scene_keys[i];
        if (strcmp(section, key->section) != 0)
            fprintf(file, "%s:\n", key->section);
        section = key->section;
        fprintf(file, "  %s:", key->name);
        if (key->type == KEY_LIST) {
            print_list(file, scene, key);
            continue;
        }
        fputc(' ', file);
        print_value(file, key, scene);
        fputc('\n', file);
    }
    const bool failed = ferror(file) != 0;
    if (fclose(file) != 0 || failed) {
        free(text);
        return NULL;
    }
    return text;
}

void scene_hash(const struct scene *scene, char out[17])
{
    char *text = scene_print(scene);
    XXH64_hash_t hash = text ? XXH3_64bits(text, strlen(text)) : 0;
    snprintf(out, 17, "%016" PRIx64, (uint64_t)hash);
    free(text);
}
