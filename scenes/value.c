#include "scenes/value.h"

#include "base/functions/fn.h"
#include "base/memory.h"
#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_TEXT_MAX = 40 };

/* The shortest decimal text that reads back as exactly this number. */
static void number_print(double value, char out[NUMBER_TEXT_MAX])
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(out, NUMBER_TEXT_MAX, "%.*g", digits, value);
        if (strtod(out, NULL) == value)
            return;
    }
}

static const char *default_text(const struct key *key)
{
    return strcmp(key->fallback, "\"\"") == 0 ? "" : key->fallback;
}

/* The word, such as "auto", that stands for 0 in a number whose default is a word; else NULL. */
static const char *word_of(const struct key *key)
{
    const bool whole = key->type == KEY_U32 && key->fallback;
    return whole && !isdigit((unsigned char)key->fallback[0]) ? key->fallback : NULL;
}

void value_default(const struct key *key, void *at)
{
    double *vector = at;
    if (key->type == KEY_VECTOR && key->fallback)
        sscanf(key->fallback, "[%lf, %lf, %lf]", &vector[0], &vector[1], &vector[2]);
    else if (key->type == KEY_TEXT && !key->fallback)
        *(char **)at = memory_text("");
    else if (key->type != KEY_VECTOR && key->type != KEY_LIST && key->fallback)
        (void)value_read(key, default_text(key), false, at);
}

/* A bound without an exponent, for people: "0.00001". */
static const char *print_bound(double bound, char out[NUMBER_TEXT_MAX])
{
    int places = 0;
    while (places < 15 &&
           fabs(bound * fn_pow(10, places) - round(bound * fn_pow(10, places))) > 1e-6)
        places++;
    snprintf(out, NUMBER_TEXT_MAX, "%.*f", places, bound);
    return out;
}

static void range_words(const char *choices, char *out, size_t size)
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

void value_range(const struct key *key, char *out, size_t size)
{
    const bool any = !(key->min < key->max); /* no number */
    const bool low = !any && key->min > -INFINITY, high = !any && key->max < INFINITY;
    char least[NUMBER_TEXT_MAX], most[NUMBER_TEXT_MAX];
    if (key->choices)
        range_words(key->choices, out, size);
    else if (key->registry)
        choice_names(key->registry, out, size);
    else if (key->type == KEY_SIZE)
        snprintf(out, size, "%.0fx%.0f to %.0fx%.0f", key->min, key->min, key->max, key->max);
    else if (low && high)
        snprintf(out, size, key->above ? "> %s, at most %s" : "%s to %s",
                 print_bound(key->min, least), print_bound(key->max, most));
    else if (low)
        snprintf(out, size, key->above ? "> %s" : "%s or more", print_bound(key->min, least));
    else
        snprintf(out, size, "%s", "");
    if (key->type == KEY_EXPOSURE)
        snprintf(out + strlen(out), size - strlen(out), " or a number > 0");
}

void value_expected(const struct key *key, char *out, size_t size)
{
    char range[EXPECTED_MAX];
    value_range(key, range, sizeof range);
    const char *comma = range[0] == '\0' ? "" : key->above ? " " : ", ";
    const char *word = word_of(key);
    switch (key->type) {
    case KEY_NUMBER:
        snprintf(out, size, "a number%s%s", comma, range);
        break;
    case KEY_U32:
    case KEY_U64:
        snprintf(out, size, "%s%sa whole number%s%s", word ? word : "", word ? " or " : "", comma,
                 range);
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
    case KEY_MOMENT:
        snprintf(out, size, "a moment such as 12.5, frame 100 or pericentre");
        break;
    case KEY_EXPOSURE:
        snprintf(out, size, "%s", range);
        break;
    case KEY_SIZE:
        snprintf(out, size, "a size such as 1280x720, 1080p, vertical or square, %s", range);
        break;
    case KEY_RATE:
        snprintf(out, size, "a frame rate such as 30, 29.97 or 30000/1001, %s", range);
        break;
    case KEY_COLOR:
        snprintf(out, size, "a colour such as orange or \"#ff8800\", in quotes in a scene file");
        break;
    case KEY_TINTS:
        snprintf(out, size, "colours such as disk=orange, bulge=#ffeecc");
        break;
    case KEY_VECTOR:
        snprintf(out, size, "three numbers such as [0, 0, 0]%s%s", comma, range);
        break;
    case KEY_LIST:
        snprintf(out, size, "a list of at most %zu entries such as %s", key->list->item_max,
                 key->list->example);
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

/* Accepts only decimals; strtod would also accept hexadecimal, "nan" and "inf". */
static bool read_number(const char *text, double *out)
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
    const double value = strtod(text, NULL);
    if (*at != '\0' || !isfinite(value))
        return false;
    *out = value;
    return true;
}

/* Rejects leading zeros, because YAML 1.1 and strtoull read 010 as eight. */
static bool read_whole(const char *text, uint64_t limit, uint64_t *out)
{
    const char *at = text;
    if (skip_digits(&at) == 0 || *at != '\0' || (text[0] == '0' && text[1] != '\0'))
        return false;
    errno = 0;
    *out = strtoull(text, NULL, 10);
    return errno == 0 && *out <= limit;
}

static bool read_u32(const char *text, uint32_t *out)
{
    uint64_t value;
    if (!read_whole(text, UINT32_MAX, &value))
        return false;
    *out = (uint32_t)value;
    return true;
}

/* Rejects 0 if a word stands for it. */
static bool read_u32_or_word(const struct key *key, const char *text, bool quoted, uint32_t *out)
{
    const char *word = word_of(key);
    if (!word)
        return !quoted && read_u32(text, out);
    if (strcmp(text, word) != 0)
        return !quoted && read_u32(text, out) && *out > 0;
    *out = 0;
    return true;
}

static bool read_flag(const char *text, bool *out)
{
    static const char *const words[] = {"false", "true", "no", "yes", "off", "on"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(text, words[i]) == 0) {
            *out = i % 2;
            return true;
        }
    return false;
}

static bool read_text(const char *text, char **out)
{
    free(*out);
    *out = memory_text(text);
    return true;
}

/* Also accepts the default if that is a word without an entry: "auto", "". */
static enum status read_choice(const struct key *key, const char *text, const void **out)
{
    const struct choice *entry = NULL;
    if (!key->fallback || strcmp(text, default_text(key)) != 0 ||
        choice_find(key->registry, text)) {
        if (choice_require(key->registry, text, &entry) != STATUS_OK)
            return STATUS_USAGE;
    }
    *out = entry;
    return STATUS_OK;
}

static enum status read_moment(const char *text, struct moment *out)
{
    struct moment moment;
    if (moment_parse(text, &moment) != STATUS_OK)
        return STATUS_USAGE;
    moment.text = memory_text(text);
    free(out->text);
    *out = moment;
    return STATUS_OK;
}

static bool read_exposure(const struct key *key, const char *text, struct exposure *out)
{
    const struct metering *metering = choice_find(key->registry, text);
    struct exposure exposure = {.adapts = metering && metering->adapts,
                                .surface = metering && metering->surface};
    if (!metering && !(read_number(text, &exposure.factor) && exposure.factor > 0))
        return false;
    exposure.text = memory_text(text);
    free(out->text);
    *out = exposure;
    return true;
}

static enum status read_colour(const char *text, struct shown_colour *out)
{
    double shown[3];
    if (colour_parse(text, strlen(text), shown) != STATUS_OK)
        return STATUS_USAGE;
    free(out->text);
    memcpy(out->shown, shown, sizeof out->shown);
    out->text = memory_text(text);
    return STATUS_OK;
}

/* False: `text` has another form; then *status is STATUS_OK, or the status of a more precise
 * message. */
static bool read_scalar(const struct key *key, const char *text, bool quoted, void *at,
                        enum status *status)
{
    struct picture_size *size = at;
    struct frame_rate *rate = at;
    switch (key->type) {
    case KEY_NUMBER:
        return !quoted && read_number(text, at);
    case KEY_U32:
        return read_u32_or_word(key, text, quoted, at);
    case KEY_U64:
        return !quoted && read_whole(text, UINT64_MAX, at);
    case KEY_FLAG:
        return !quoted && read_flag(text, at);
    case KEY_TEXT:
        return read_text(text, at);
    case KEY_CHOICE:
        *status = read_choice(key, text, at);
        return *status == STATUS_OK;
    case KEY_MOMENT:
        *status = read_moment(text, at);
        return *status == STATUS_OK;
    case KEY_EXPOSURE:
        return read_exposure(key, text, at);
    case KEY_SIZE:
        return frame_size_parse(text, &size->width, &size->height);
    case KEY_RATE:
        return frame_rate_parse(text, &rate->num, &rate->den);
    case KEY_COLOR:
        *status = read_colour(text, at);
        return *status == STATUS_OK;
    case KEY_TINTS:
        *status = tints_parse(text, at);
        return *status == STATUS_OK;
    case KEY_VECTOR:
    case KEY_LIST:
        break;
    }
    return false;
}

/* The key that has the text of what a flag shows; NULL: none. */
static const struct key *text_of(const struct key *flag)
{
    const struct key *text = NULL;
    for (size_t i = 0; i < scene_key_count && flag->type == KEY_FLAG; i++)
        if (scene_keys[i].type == KEY_TEXT && strcmp(scene_keys[i].name, flag->name) == 0)
            text = &scene_keys[i];
    return text;
}

enum status value_read(const struct key *key, const char *text, bool quoted, void *at)
{
    enum { SHOWN_MAX = 40 };
    enum status status = STATUS_OK;
    if (read_scalar(key, text, quoted, at, &status) || status != STATUS_OK)
        return status;
    char expected[EXPECTED_MAX];
    const struct key *other = text_of(key);
    char *hint =
        other ? text_format("; the %s's text is %s.%s", key->name, other->section, other->name)
              : memory_text("");
    value_expected(key, expected, sizeof expected);
    status = status_fail(STATUS_USAGE, "expected %s, found %s'%.*s%s'%s", expected,
                         quoted && !key_is_word(key) ? "the quoted text " : "", SHOWN_MAX, text,
                         strlen(text) > SHOWN_MAX ? "..." : "", hint);
    free(hint);
    return status;
}

static bool within(const struct key *key, double value)
{
    return isfinite(value) && (key->above ? value > key->min : value >= key->min) &&
           value <= key->max;
}

/* Whether the number is one of the key's choices, if it has any. */
static bool is_offered(const struct key *key, const char *number)
{
    const size_t length = strlen(number);
    for (const char *at = key->choices; at; at = strchr(at, ' ')) {
        at += *at == ' ';
        if (strncmp(at, number, length) == 0 && (at[length] == ' ' || at[length] == '\0'))
            return true;
    }
    return !key->choices;
}

static enum status check_number(const struct key *key, double value)
{
    char expected[EXPECTED_MAX], found[NUMBER_TEXT_MAX];
    if (within(key, value))
        return STATUS_OK;
    value_expected(key, expected, sizeof expected);
    number_print(value, found);
    return status_fail(STATUS_USAGE, "expected %s, found %s", expected, found);
}

char *value_text(const struct key *key, const void *at)
{
    char *text = NULL;
    size_t size;
    FILE *file = text_begin(&text, &size);
    value_print(file, key, at);
    text_end(file);
    return text;
}

static enum status found_text(const struct key *key, const void *at)
{
    char expected[EXPECTED_MAX], *found = value_text(key, at);
    value_expected(key, expected, sizeof expected);
    status_fail(STATUS_USAGE, "expected %s, found %s", expected, found);
    free(found);
    return STATUS_USAGE;
}

static bool whole_fits(const struct key *key, uint64_t value)
{
    char text[NUMBER_TEXT_MAX];
    snprintf(text, sizeof text, "%" PRIu64, value);
    return within(key, (double)value) && is_offered(key, text);
}

enum status value_check(const struct key *key, const void *at)
{
    const struct picture_size *size = at;
    const struct frame_rate *rate = at;
    enum status status = STATUS_OK;
    bool fits = true;
    switch (key->type) {
    case KEY_NUMBER:
        return check_number(key, *(const double *)at);
    case KEY_VECTOR:
        for (int i = 0; i < 3 && status == STATUS_OK; i++)
            status = check_number(key, ((const double *)at)[i]);
        return status;
    case KEY_U32:
        fits =
            whole_fits(key, *(const uint32_t *)at) || (word_of(key) && *(const uint32_t *)at == 0);
        break;
    case KEY_U64:
        fits = whole_fits(key, *(const uint64_t *)at);
        break;
    case KEY_SIZE:
        fits = within(key, size->width) && within(key, size->height);
        break;
    case KEY_RATE:
        fits = within(key, (double)rate->num / rate->den);
        break;
    case KEY_FLAG:
    case KEY_TEXT:
    case KEY_CHOICE:
    case KEY_MOMENT:
    case KEY_EXPOSURE:
    case KEY_COLOR:
    case KEY_TINTS:
    case KEY_LIST:
        break;
    }
    return fits ? STATUS_OK : found_text(key, at);
}

void value_print(FILE *file, const struct key *key, const void *at)
{
    const struct choice *entry;
    const struct picture_size *size = at;
    const struct frame_rate *rate = at;
    char number[3][NUMBER_TEXT_MAX];
    switch (key->type) {
    case KEY_NUMBER:
        number_print(*(const double *)at, number[0]);
        fputs(number[0], file);
        break;
    case KEY_U32:
        if (word_of(key) && *(const uint32_t *)at == 0)
            fputs(word_of(key), file);
        else
            fprintf(file, "%" PRIu32, *(const uint32_t *)at);
        break;
    case KEY_U64:
        fprintf(file, "%" PRIu64, *(const uint64_t *)at);
        break;
    case KEY_FLAG:
        fputs(*(const bool *)at ? "true" : "false", file);
        break;
    case KEY_TEXT:
        quote_print(file, *(char *const *)at);
        break;
    case KEY_CHOICE:
        entry = *(const struct choice *const *)at;
        quote_print(file, entry ? entry->name : default_text(key));
        break;
    case KEY_MOMENT:
        quote_print(file, ((const struct moment *)at)->text);
        break;
    case KEY_EXPOSURE:
        quote_print(file, ((const struct exposure *)at)->text);
        break;
    case KEY_COLOR:
        quote_print(file, ((const struct shown_colour *)at)->text);
        break;
    case KEY_TINTS:
        quote_print(file, ((const struct tints *)at)->text);
        break;
    case KEY_SIZE:
        fprintf(file, "%" PRIu32 "x%" PRIu32, size->width, size->height);
        break;
    case KEY_RATE:
        fprintf(file, "%" PRIu32, rate->num);
        if (rate->den != 1)
            fprintf(file, "/%" PRIu32, rate->den);
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

static size_t value_size(const struct key *key)
{
    switch (key->type) {
    case KEY_NUMBER:
        return sizeof(double);
    case KEY_U32:
        return sizeof(uint32_t);
    case KEY_U64:
        return sizeof(uint64_t);
    case KEY_FLAG:
        return sizeof(bool);
    case KEY_VECTOR:
        return sizeof(double[3]);
    case KEY_SIZE:
        return sizeof(struct picture_size);
    case KEY_RATE:
        return sizeof(struct frame_rate);
    case KEY_MOMENT:
        return sizeof(struct moment);
    case KEY_EXPOSURE:
        return sizeof(struct exposure);
    case KEY_COLOR:
        return sizeof(struct shown_colour);
    case KEY_TINTS:
        return sizeof(struct tints);
    case KEY_TEXT:
    case KEY_CHOICE:
    case KEY_LIST:
        break;
    }
    return sizeof(void *);
}

static void swap_bytes(void *a, void *b, size_t size)
{
    char kept[sizeof(struct moment)];
    _Static_assert(sizeof(struct tints) <= sizeof kept &&
                       sizeof(struct shown_colour) <= sizeof kept,
                   "make room for the largest value");
    memcpy(kept, a, size);
    memcpy(a, b, size);
    memcpy(b, kept, size);
}

static enum status set_number(const struct key *key, struct scene *scene, double value)
{
    char number[NUMBER_TEXT_MAX];
    number_print(value, number);
    return value_read(key, number, false, (char *)scene + key->offset);
}

enum status value_settle(const struct key *key, struct scene *scene)
{
    const struct track *track = key_track_of(key, scene);
    if (track->count == 0)
        return status_fail(STATUS_USAGE, "expected keyframes such as %s, found none",
                           key_list_of(key)->example);
    double all = track->points[0].value;
    for (uint32_t i = 1; i < track->count; i++)
        all = key->keyed == KEYED_LEAST ? fmin(all, track->points[i].value)
                                        : fmax(all, track->points[i].value);
    return set_number(key, scene, all);
}

void value_hold(const struct key *key, struct scene *scene)
{
    struct key_track track;
    if (!key_track(key, &track) || *list_count(&track.key, scene) == 0)
        return;
    struct track *own = key_track_of(key, scene);
    const struct key *at = &track.list.keys[0];
    for (uint32_t i = 1; i < own->count; i++)
        value_free(at, &own->points[i]);
    own->count = 1;
    (void)value_read(at, "start", false, &own->points[0].at);
    (void)set_number(key, scene, own->points[0].value);
}

char *value_in_scene(const struct key *key, const struct scene *scene)
{
    const struct track *track = key_track_of(key, scene);
    char *text = NULL;
    size_t size;
    if (!track || track->count == 0)
        return value_text(key, (const char *)scene + key->offset);
    FILE *file = text_begin(&text, &size);
    for (uint32_t i = 0; i < track->count; i++) {
        const struct track_point *point = &track->points[i];
        char number[NUMBER_TEXT_MAX];
        number_print(point->value, number);
        fprintf(file, "%s{at: ", i > 0 ? ", " : "[");
        quote_print(file, point->at.text);
        fprintf(file, ", value: %s, ease: %s}", number, ((const struct choice *)point->ease)->name);
    }
    fputc(']', file);
    text_end(file);
    return text;
}

void value_free(const struct key *key, void *base)
{
    struct key_track track;
    if (key_track(key, &track))
        value_free(&track.key, base);
    void *at = (char *)base + key->offset;
    if (key->type == KEY_TEXT)
        free(*(char **)at);
    else if (key->type == KEY_MOMENT)
        free(((struct moment *)at)->text);
    else if (key->type == KEY_EXPOSURE)
        free(((struct exposure *)at)->text);
    else if (key->type == KEY_COLOR)
        free(((struct shown_colour *)at)->text);
    else if (key->type == KEY_TINTS)
        tints_free(at);
    for (uint32_t n = 0; key->type == KEY_LIST && n < *list_count(key, base); n++)
        for (size_t i = 0; i < key->list->key_count; i++)
            value_free(&key->list->keys[i], list_items(key, base) + n * key->list->item_size);
    if (key->type == KEY_LIST)
        free(list_items(key, base));
}

void value_swap(const struct key *key, void *a, void *b)
{
    struct key_track track;
    if (key_track(key, &track))
        value_swap(&track.key, a, b);
    swap_bytes((char *)a + key->offset, (char *)b + key->offset, value_size(key));
    if (key->type == KEY_LIST)
        swap_bytes(list_count(key, a), list_count(key, b), sizeof(uint32_t));
}

char *list_create(const struct key *key, void *scene)
{
    char *items = memory_new(key->list->item_max, key->list->item_size);
    memcpy((char *)scene + key->offset, &items, sizeof items);
    return items;
}

char *list_items(const struct key *key, const void *scene)
{
    return *(char *const *)((const char *)scene + key->offset);
}

uint32_t *list_count(const struct key *key, const void *scene)
{
    return (uint32_t *)((char *)scene + key->list->count_offset);
}
