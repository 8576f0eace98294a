/* Tables of text without names of columns: the collision table, and the same with ids. */
#include "sim/formats/columns.h"
#include "sim/formats/formats.h"
#include "sim/formats/text_rows.h"

#include <string.h>

/* ---- ids ---- */

/* Tables of id mass x y z vx vy vz. A table whose eighth column is a galaxy has equally many
 * columns; rows at the beginning of the file decide which it is. It is this format if every row
 * begins with an integer, and either the last column has a value that cannot be a galaxy's index,
 * or the first numbers count the rows or are all -1, which masses are not. */

enum { NUMBERS = COLUMNS_NEEDED + 1 };

/* An id as an integer, not as a float, which could be a mass. */
static bool is_whole(const char *word)
{
    return strcmp(word, "-1") == 0 || (*word && !word[strspn(word, "0123456789")]);
}

static bool is_galaxy(const char *word)
{
    double value;
    return body_number(word, &value) && column_is_galaxy(value);
}

static bool probe_ids(const struct format_head *head)
{
    char line[WORDS_LINE], *words[NUMBERS];
    const char *at = (const char *)head->bytes, *end = at + head->size;
    bool galaxies = true, floats = false, any_none = false, counting = true;
    int rows = 0;
    for (uint64_t id = 0, last = 0;; last = id, rows++) {
        const int count = words_of_head(&at, end, line, words, NUMBERS);
        double number;
        if (count == 0)
            break;
        const enum body_id what = count == NUMBERS ? body_id_read(words[0], &id) : BODY_ID_BAD;
        const bool none = what == BODY_ID_NONE;
        if (what == BODY_ID_BAD || !body_number(words[1], &number))
            return false;
        floats |= !is_whole(words[0]);
        any_none |= none;
        counting &= !none && (rows == 0 || id == last + 1);
        galaxies &= is_galaxy(words[NUMBERS - 1]);
    }
    counting &= rows > 1;
    if (floats)
        return counting && !galaxies;
    return rows > 0 && (!galaxies || any_none || counting);
}

static enum status read_ids(const char *path, struct snapshot *out)
{
    return text_table_read(path, out, TEXT_IDS);
}

static enum status write_ids(const char *path, const struct snapshot *snapshot)
{
    const struct bodies *bodies = snapshot->bodies;
    struct body_output *output;
    enum status status = body_output_open(&output, path);
    if (status != STATUS_OK)
        return status;
    body_output_print(output, "# id mass x y z vx vy vz\n");
    for (size_t i = 0; i < bodies->count; i++) {
        if (bodies->id)
            body_output_print(output, "%llu ", (unsigned long long)bodies->id[i]);
        else
            body_output_print(output, "-1 ");
        words_put(output, bodies, i, ' ');
        body_output_put(output, "\n", 1);
    }
    return body_output_close(&output, STATUS_OK);
}

const struct format format_ids = {
    .name = "ids",
    .doc = "text: id mass x y z vx vy vz per line",
    .extensions = "ids",
    .keeps = KEEPS_IDS | KEEPS_DOUBLES,
    .text = true,
    .probe = probe_ids,
    .read = read_ids,
    .read_units = text_table_read_units,
    .write = write_ids,
};

/* ---- table ---- */

/* The collision table: mass x y z vx vy vz, separated by white space. An 8th column is the galaxy's
 * index and makes one component per galaxy. A comment may name other columns; see text_rows.h. */

static bool probe(const struct format_head *head)
{
    (void)head;
    return true;
}

static enum status read(const char *path, struct snapshot *out)
{
    return text_table_read(path, out, TEXT_PLAIN);
}

static enum status write(const char *path, const struct snapshot *snapshot)
{
    const struct bodies *bodies = snapshot->bodies;
    const bool galaxies = bodies->component_count > 1;
    struct body_output *output;
    enum status status = body_output_open(&output, path);
    if (status != STATUS_OK)
        return status;
    body_output_print(output, "# mass x y z vx vy vz%s\n", galaxies ? " galaxy" : "");
    for (size_t c = 0, i = 0; c < bodies->component_count; c++)
        for (size_t last = i + bodies->components[c].count; i < last; i++) {
            words_put(output, bodies, i, ' ');
            if (galaxies)
                body_output_print(output, " %zu", c);
            body_output_put(output, "\n", 1);
        }
    return body_output_close(&output, STATUS_OK);
}

const struct format format_table = {
    .name = "table",
    .doc = "text: mass x y z vx vy vz per line, and the galaxy's index if any",
    .extensions = "tab dat txt",
    .text = true,
    .probe = probe,
    .read = read,
    .read_units = text_table_read_units,
    .write = write,
    .keeps = KEEPS_COMPONENTS | KEEPS_DOUBLES,
};
