#include "sim/formats/text_rows.h"

#include "sim/formats/columns.h"
#include "sim/formats/text_lines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char blanks[] = " \t\v\f\r";

int words_split(char *line, char **words, int room)
{
    int count = 0;
    char *rest = NULL;
    for (char *word = strtok_r(line, blanks, &rest); word; word = strtok_r(NULL, blanks, &rest)) {
        if (count < room)
            words[count] = word;
        count++;
    }
    return count;
}

const char *words_of_comment(const char *line)
{
    const char *at = line + strspn(line, " \t");
    if (!strchr("#%!", *at) && strncmp(at, "//", 2) != 0)
        return NULL;
    return *at ? at + strspn(at, "#%!/ \t") : NULL;
}

enum status words_refuse(struct place at, const char *name, int column, const char *word,
                         const char *expected)
{
    return status_fail(STATUS_USAGE,
                       "%s:%zu: %s (column %d) is '%.40s', expected %s; correct the line, or "
                       "comment it out with #",
                       at.path, at.line, name, column, word, expected);
}

enum status words_row(struct place at, char *const words[], int column, struct body_row *row)
{
    double *const numbers[COLUMNS_NEEDED] = {
        &row->mass,        &row->position[0], &row->position[1], &row->position[2],
        &row->velocity[0], &row->velocity[1], &row->velocity[2],
    };
    for (int i = 0; i < COLUMNS_NEEDED; i++)
        if (!body_number(words[i], numbers[i]))
            return words_refuse(at, column_names[i], column + i, words[i], "a finite number");
    if (row->mass < 0)
        return words_refuse(at, column_names[0], column, words[0], "a mass that is not negative");
    return STATUS_OK;
}

int words_of_head(const char **at, const char *end, char line[WORDS_LINE], char **words, int room)
{
    for (const char *stop; *at < end && (stop = memchr(*at, '\n', (size_t)(end - *at)));) {
        const size_t length = (size_t)(stop - *at);
        const bool fits = length < WORDS_LINE && !memchr(*at, '\0', length);
        if (!fits)
            return 0;
        memcpy(line, *at, length);
        line[length] = '\0';
        *at = stop + 1;
        const int count = words_of_comment(line) ? 0 : words_split(line, words, room);
        if (count > 0)
            return count;
    }
    return 0;
}

void words_put(struct body_output *output, const struct bodies *bodies, size_t i, char separator)
{
    const double *x = bodies->position[i], *v = bodies->velocity[i];
    const double numbers[COLUMNS_NEEDED] = {bodies->mass[i], x[0], x[1], x[2], v[0], v[1], v[2]};
    for (int k = 0; k < COLUMNS_NEEDED; k++) {
        char text[BODY_NUMBER_BYTES];
        const int length = body_number_text(numbers[k], text);
        if (k > 0)
            body_output_put(output, &separator, 1);
        body_output_put(output, text, (size_t)length);
    }
}

/* whole / 10^power for 1 <= power <= 19, rounded once: the quotient has 63 or 64 bits, the lowest
 * of which also stands for a remainder. */
static double ratio(uint64_t whole, int power)
{
    uint64_t ten = 1;
    for (int i = 0; i < power; i++)
        ten *= 10;
    if (whole == 0)
        return 0;
    const int up = __builtin_clzll(whole), down = __builtin_clzll(ten);
    const unsigned __int128 number = (unsigned __int128)(whole << up) << 63;
    const uint64_t quotient = (uint64_t)(number / (ten << down));
    const bool rest = (unsigned __int128)quotient * (ten << down) != number;
    return ldexp((double)(quotient | rest), down - up - 63);
}

/* Reads decimal numbers as strtod does. Numbers of few digits are exact without it: the digits and
 * the power of ten are doubles, so that their product or quotient is rounded once. */
static bool plain_number(const char *word, double *out, bool *point)
{
    enum { DIGITS = 15, MANY = 19, POWERS = 23, FAR = 10000 };
    static const double powers[POWERS] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                          1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                          1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const char *at = word + (*word == '-' || *word == '+'), *first = at;
    uint64_t whole = 0; /* wraps where there are too many digits, and is not used then */
    for (; *at >= '0' && *at <= '9'; at++)
        whole = whole * 10 + (uint64_t)(*at - '0');
    *point = *at == '.';
    const char *places = at + *point;
    for (at = places; *at >= '0' && *at <= '9'; at++)
        whole = whole * 10 + (uint64_t)(*at - '0');
    const ptrdiff_t digits = at - first - *point;
    ptrdiff_t exponent = 0;
    if (digits == 0)
        return false;
    const ptrdiff_t after = at - places;
    if (*at == 'e' || *at == 'E') {
        const bool below = *++at == '-';
        at += *at == '-' || *at == '+';
        if (!*at)
            return false;
        for (; *at >= '0' && *at <= '9'; at++)
            exponent = exponent < FAR ? exponent * 10 + (*at - '0') : FAR;
        exponent = below ? -exponent : exponent;
    }
    if (*at)
        return false;
    exponent -= after;
    if (digits > DIGITS && digits <= MANY && exponent < 0 && exponent >= -MANY) {
        const double size = ratio(whole, (int)-exponent);
        *out = *word == '-' ? -size : size;
        return true;
    }
    if (digits > DIGITS || exponent >= POWERS || exponent <= -POWERS) {
        *out = strtod(word, NULL);
        return isfinite(*out);
    }
    const double size =
        exponent < 0 ? (double)whole / powers[-exponent] : (double)whole * powers[exponent];
    *out = *word == '-' ? -size : size;
    return true;
}

/* Rewrites the exponents of Fortran for strtod. One without a letter has three digits, after a
 * mantissa with a point; anything else, such as a date, is no number. */
static bool fortran_number(const char *word, double *out, bool *point)
{
    enum { THREE = 3 };
    char text[128];
    const size_t mantissa = strcspn(word + 1, "dDqQ+-") + 1; /* after its own sign, if any */
    const char *rest = word + mantissa;
    const bool letter = *rest && strchr("dDqQ", *rest);
    const bool bare = *rest && !letter && memchr(word, '.', mantissa) &&
                      strspn(rest + 1, "0123456789") == THREE && !rest[1 + THREE];
    if (!(letter || bare) || strlen(word) + 2 > sizeof text)
        return false;
    snprintf(text, sizeof text, "%.*se%s", (int)mantissa, word, rest + letter);
    return plain_number(text, out, point);
}

bool body_number_point(const char *word, double *out, bool *point)
{
    static const char minus[] = "\xe2\x88\x92"; /* U+2212, as in printed tables */
    if (plain_number(word, out, point))
        return true;
    if (strncmp(word, minus, sizeof minus - 1) != 0)
        return *word && fortran_number(word, out, point);
    word += sizeof minus - 1;
    const bool number = *word != '-' && *word != '+' && *word &&
                        (plain_number(word, out, point) || fortran_number(word, out, point));
    *out = -*out;
    return number;
}

bool body_number(const char *word, double *out)
{
    bool point;
    return body_number_point(word, out, &point);
}

enum body_id body_id_read(const char *word, uint64_t *out)
{
    static const double rounded = 9007199254740992; /* 2^53; larger ones may have become this */
    uint64_t id = 0;
    const char *at = word;
    double value;
    for (; *at >= '0' && *at <= '9'; at++) {
        const uint64_t digit = (uint64_t)(*at - '0');
        if (id > (UINT64_MAX - digit) / 10)
            return BODY_ID_BAD;
        id = id * 10 + digit;
    }
    *out = id;
    if (at > word && !*at)
        return BODY_ID;
    if (!body_number(word, &value))
        return BODY_ID_BAD;
    *out = value >= 0 && value < rounded ? (uint64_t)value : 0;
    return value == -1 ? BODY_ID_NONE : (double)*out == value ? BODY_ID : BODY_ID_BAD;
}

int body_number_text(double value, char text[BODY_NUMBER_BYTES])
{
    static const int digits[] = {9, 15, 16};
    for (size_t i = 0; i < sizeof digits / sizeof digits[0]; i++) {
        const int length = snprintf(text, BODY_NUMBER_BYTES, "%.*g", digits[i], value);
        if (strtod(text, NULL) == value)
            return length;
    }
    return snprintf(text, BODY_NUMBER_BYTES, "%.17g", value);
}

static enum status read_lines(struct table_lines *lines, const char *path, struct body_rows *rows,
                              text_parse parse, void *user)
{
    struct snapshot *out = rows->snapshot;
    for (;;) {
        char *line;
        struct body_row row = {.mass = 0};
        enum text_line what = TEXT_NO_ROW;
        enum status status = table_lines_next(lines, &line);
        if (status != STATUS_OK || !line)
            return status;
        const struct place at = {path, table_lines_number(lines)};
        status = parse(user, at, line, rows, &row, &what);
        if (status == STATUS_OK && what == TEXT_ROW && !out->bodies)
            status = body_rows_begin(rows, out, 0);
        if (status == STATUS_OK && what == TEXT_ROW)
            status = body_rows_add(rows, &row);
        if (status != STATUS_OK || what == TEXT_END)
            return status;
    }
}

enum status text_rows_read(const char *path, struct snapshot *out, text_parse parse, void *user,
                           const char *advice)
{
    struct table_lines *lines;
    struct body_rows rows = {.snapshot = out};
    enum status status = table_lines_open(&lines, path);
    if (status == STATUS_OK)
        status = read_lines(lines, path, &rows, parse, user);
    if (status == STATUS_OK && !out->bodies)
        status = status_fail(STATUS_USAGE, "%s:%zu: the file ends without a single body%s", path,
                             table_lines_number(lines), advice);
    table_lines_close(&lines);
    body_columns_free(&rows.further);
    if (status == STATUS_OK)
        body_rows_end(&rows);
    return status;
}
