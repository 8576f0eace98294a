/* What a key's row says about values: its range in words, and whether a text has the right form. */
#include "scenes/frame.h"

#include "base/text.h"
#include "scenes/keys.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int key_section_find(const char *name, size_t length)
{
    for (int i = 0; i < SECTION_COUNT; i++)
        if (strlen(scene_sections[i].name) == length &&
            memcmp(scene_sections[i].name, name, length) == 0)
            return i;
    return -1;
}

int key_find(const char *section, const char *name)
{
    for (size_t i = 0; i < scene_key_count; i++)
        if (strcmp(scene_keys[i].section, section) == 0 && strcmp(scene_keys[i].name, name) == 0)
            return (int)i;
    return -1;
}

static void list_choices(const char *choices, char *out, size_t size)
{
    size_t used = 0;
    const char *last = strrchr(choices, ' ');
    for (const char *at = choices; *at && used + 5 < size; at++) {
        if (*at == ' ')
            used += (size_t)snprintf(out + used, size - used, at == last ? " or " : ", ");
        else
            out[used++] = *at;
    }
    out[used] = '\0';
}

void key_range(const struct key *key, char *out, size_t size)
{
    const bool low = key->min > -INFINITY, high = key->max < INFINITY;
    if (key->choices)
        list_choices(key->choices, out, size);
    else if (key->registry)
        choice_names(key->registry, out, size);
    else if (key->type == KEY_SIZE)
        snprintf(out, size, "%.0fx%.0f to %.0fx%.0f", key->min, key->min, key->max, key->max);
    else if (low && high)
        snprintf(out, size, key->above ? "> %.0f, at most %.0f" : "%.0f to %.0f", key->min,
                 key->max);
    else if (low)
        snprintf(out, size, key->above ? "> %.0f" : "%.0f or more", key->min);
    else
        snprintf(out, size, "%s", "");
}

void key_wants(const struct key *key, char *out, size_t size)
{
    char range[KEY_RANGE_MAX];
    key_range(key, range, sizeof range);
    const char *comma = range[0] == '\0' ? "" : key->above ? " " : ", ";
    switch (key->type) {
    case KEY_NUMBER:
        snprintf(out, size, "a number%s%s", comma, range);
        break;
    case KEY_U32:
    case KEY_U64:
        snprintf(out, size, "a whole number%s%s", comma, range);
        break;
    case KEY_FLAG:
        snprintf(out, size, "true or false");
        break;
    case KEY_TEXT:
        snprintf(out, size, "text");
        break;
    case KEY_CHOICE:
        snprintf(out, size, "one of %s", range);
        break;
    case KEY_SIZE:
        snprintf(out, size, "a size such as 1280x720 or 1080p, %s", range);
        break;
    case KEY_RATE:
        snprintf(out, size, "a frame rate such as 30, 29.97 or 30000/1001, %s", range);
        break;
    case KEY_VECTOR:
        snprintf(out, size, "three numbers such as [0, 0, 0]%s%s", comma, range);
        break;
    case KEY_LIST:
        snprintf(out, size, "a list of at most %zu entries of the form {%s: ...}",
                 key->list->item_max, key->list->keys[0].name);
        break;
    }
}

static size_t skip_digits(const char **at)
{
    const char *start = *at;
    while (isdigit((unsigned char)**at))
        ++*at;
    return (size_t)(*at - start);
}

/* Decimal only: strtod alone would also take hexadecimal, "nan" and "inf". */
static bool is_number(const char *text)
{
    const char *at = text + (*text == '-' || *text == '+');
    size_t digits = skip_digits(&at);
    if (*at == '.') {
        at++;
        digits += skip_digits(&at);
    }
    if (digits == 0)
        return false;
    if (*at == 'e' || *at == 'E') {
        at += 1 + (at[1] == '-' || at[1] == '+');
        if (skip_digits(&at) == 0)
            return false;
    }
    return *at == '\0' && isfinite(strtod(text, NULL));
}

/* No leading zero: YAML 1.1 and strtoull read 010 as eight. */
static bool is_whole(const char *text, uint64_t limit)
{
    const char *at = text;
    if (skip_digits(&at) == 0 || *at != '\0' || (text[0] == '0' && text[1] != '\0'))
        return false;
    errno = 0;
    unsigned long long value = strtoull(text, NULL, 10);
    return errno == 0 && value <= limit;
}

static bool is_flag(const char *text)
{
    static const char *const words[] = {"true", "false", "yes", "no", "on", "off"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(text, words[i]) == 0)
            return true;
    return false;
}

bool key_accepts(const struct key *key, const char *text, bool quoted)
{
    uint32_t a, b;
    switch (key->type) {
    case KEY_NUMBER:
    case KEY_VECTOR:
        return !quoted && is_number(text);
    case KEY_U32:
        return !quoted && is_whole(text, UINT32_MAX);
    case KEY_U64:
        return !quoted && is_whole(text, UINT64_MAX);
    case KEY_FLAG:
        return !quoted && is_flag(text);
    case KEY_TEXT:
    case KEY_CHOICE:
        return true;
    case KEY_SIZE:
        return frame_size_parse(text, &a, &b);
    case KEY_RATE:
        return frame_rate_parse(text, &a, &b);
    case KEY_LIST:
        break;
    }
    return false;
}

bool key_offers(const struct key *key, const char *number)
{
    if (!key->choices)
        return true;
    const size_t length = strlen(number);
    for (const char *at = key->choices; length > 0 && at; at = strchr(at, ' ')) {
        at += *at == ' ';
        if (strncmp(at, number, length) == 0 && (at[length] == ' ' || at[length] == '\0'))
            return true;
    }
    return false;
}

static const char *default_word(const struct key *key)
{
    return strcmp(key->fallback, "\"\"") == 0 ? "" : key->fallback;
}

enum status key_choose(const struct key *key, const char *word, const struct choice **out)
{
    *out = choice_find(key->registry, word);
    if (*out || (key->fallback && strcmp(word, default_word(key)) == 0))
        return STATUS_OK;
    return choice_require(key->registry, word, out);
}

const char *key_word(const struct key *key, const struct choice *entry)
{
    return entry ? entry->name : default_word(key);
}

void key_names(const char *section, char *out, size_t size)
{
    out[0] = '\0';
    for (size_t i = 0; section && i < scene_key_count; i++)
        if (strcmp(scene_keys[i].section, section) == 0)
            text_list(out, size, scene_keys[i].name);
    for (size_t i = 0; !section && i < SECTION_COUNT; i++)
        text_list(out, size, scene_sections[i].name);
}
