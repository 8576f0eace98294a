/* Tables whose first line names the columns, or that are separated by commas or semicolons; see
 * text_rows.h. Written with commas and names. */
#include "sim/formats/formats.h"

#include "base/text.h"
#include "sim/formats/columns.h"
#include "sim/formats/text_lines.h"
#include "sim/formats/text_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum status read(const char *path, struct snapshot *out)
{
    return text_table_read(path, out, TEXT_PLAIN);
}

/* A word in quotes, if it has characters that separate, quote or begin a comment. */
static void put_word(struct body_output *output, const char *word)
{
    const size_t length = strlen(word);
    if (!word[strcspn(word, ",;|\t #\"'")]) {
        body_output_put(output, word, length);
        return;
    }
    body_output_put(output, "\"", 1);
    for (const char *at = word; *at; at++)
        body_output_put(output, *at == '"' ? "\"\"" : at, *at == '"' ? 2 : 1);
    body_output_put(output, "\"", 1);
}

static void put_further(struct body_output *output, const struct body_columns *columns, size_t i)
{
    for (size_t k = 0; k < columns->count; k++) {
        char text[BODY_NUMBER_BYTES];
        const double value = columns->list[k].value[i];
        const char *word = body_column_word_of(&columns->list[k], i);
        if (columns->list[k].words) {
            body_output_put(output, ",", 1);
            put_word(output, word ? word : "");
            continue;
        }
        const int length =
            isnan(value) ? snprintf(text, sizeof text, "nan") : body_number_text(value, text);
        body_output_put(output, ",", 1);
        body_output_put(output, text, (size_t)length);
    }
}

static enum status write(const char *path, const struct snapshot *snapshot)
{
    const struct bodies *bodies = snapshot->bodies;
    const bool galaxies = bodies->component_count > 1;
    struct body_output *output;
    enum status status = body_output_open(&output, path);
    if (status != STATUS_OK)
        return status;
    body_output_print(output, "mass,x,y,z,vx,vy,vz%s%s", galaxies ? ",galaxy" : "",
                      bodies->id ? ",id" : "");
    for (size_t k = 0; k < bodies->columns.count; k++) {
        const struct body_column *column = &bodies->columns.list[k];
        body_output_print(output, ",%s%s%s%s", column->name, *column->unit ? " [" : "",
                          column->unit, *column->unit ? "]" : "");
    }
    body_output_put(output, "\n", 1);
    for (size_t c = 0, i = 0; c < bodies->component_count; c++)
        for (size_t last = i + bodies->components[c].count; i < last; i++) {
            words_put(output, bodies, i, ',');
            if (galaxies)
                body_output_print(output, ",%zu", c);
            if (bodies->id)
                body_output_print(output, ",%llu", (unsigned long long)bodies->id[i]);
            put_further(output, &bodies->columns, i);
            body_output_put(output, "\n", 1);
        }
    return body_output_close(&output, STATUS_OK);
}

/* Whether a separator is found, or names of columns, where "vx" is unambiguous. */
static bool is_table(char *line)
{
    char *words[FIELDS_MAX];
    const char separator = text_table_separator(line, strlen(line));
    if (separator == ',' || separator == ';' || separator == '|')
        return true;
    const int count = words_split(line, words, FIELDS_MAX);
    for (int i = 0; i < count && i < FIELDS_MAX; i++)
        if (column_find(words[i], strlen(words[i])) == COLUMN_VX)
            return true;
    return false;
}

/* Looks at the first line that is neither blank nor a comment. */
static bool probe(const struct format_head *head)
{
    const char *at = (const char *)head->bytes, *end = at + head->size;
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        const size_t length = (size_t)((stop ? stop : end) - at);
        if (memchr(at, '\0', length))
            return false;
        char *line = text_format("%.*s", (int)length, at);
        const bool first = line[strspn(line, " \t\v\f")] && !words_of_comment(line);
        const bool found = first && is_table(line);
        free(line);
        if (first)
            return found;
        at += length + 1;
    }
    return false;
}

const struct format format_csv = {
    .name = "csv",
    .doc = "text: columns separated by commas or semicolons; a first line may name them and their "
           "units",
    .extensions = "csv tsv",
    .text = true,
    .probe = probe,
    .read = read,
    .read_units = text_table_read_units,
    .write = write,
    .keeps = KEEPS_COMPONENTS | KEEPS_IDS | KEEPS_DOUBLES | KEEPS_COLUMNS | KEEPS_COLUMN_UNITS |
             KEEPS_WORDS,
};
