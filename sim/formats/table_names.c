#include "sim/formats/table_names.h"

#include "base/memory.h"
#include "base/text.h"
#include "sim/formats/columns.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char separators[] = "\t;|, ";

enum { COMMENTS_MAX = 256, NAMED = 3, MANY = 4 };

void table_names_free(struct table_names *names)
{
    for (int i = 0; i < names->count; i++)
        free(names->name[i]);
    names->count = 0;
}

void table_comments_free(struct table_comments *comments)
{
    for (size_t i = 0; i < comments->count; i++)
        free(comments->list[i].text);
    free(comments->list);
    *comments = (struct table_comments){0};
}

/* Skips a column's number: 1:x, 2=y, (3)z, [4] vx. */
static const char *skip_number(const char *name)
{
    const bool bracket = *name == '(' || *name == '[';
    const char *digits = name + bracket, *end = digits;
    while (isdigit((unsigned char)*end))
        end++;
    if (end == digits || !*end || !strchr(bracket ? ")]" : ":=).", *end))
        return name;
    return end + 1 + strspn(end + 1, " \t");
}

static int column_of(const char *name)
{
    int column;
    double unit;
    (void)column_read(name, &column, &unit);
    return column;
}

/* "x / kpc" as "x [kpc]", where x is a column. */
static char *plain_name(const char *name)
{
    const char *slash = strchr(name, '/'), *bracket = strpbrk(name, "[(");
    if (!slash || (bracket && bracket < slash))
        return memory_text(name);
    char *bare = text_format("%.*s", (int)(slash - name), name);
    const char *unit = slash + 1 + strspn(slash + 1, " \t");
    const size_t length = strlen(unit);
    const bool enclosed = length > 1 && *unit == '(' && unit[length - 1] == ')';
    char *plain = column_of(bare) < 0 ? memory_text(name)
                  : enclosed          ? text_format("%s[%.*s]", bare, (int)length - 2, unit + 1)
                                      : text_format("%s[%s]", bare, unit);
    free(bare);
    return plain;
}

void table_names_take(struct table_names *out, const struct fields *fields, size_t line)
{
    table_names_free(out);
    out->line = line;
    for (int i = 0; i < fields->count && i < FIELDS_MAX; i++) {
        const char *name = skip_number(fields->at[i]);
        if (*name || !*fields->at[i])
            out->name[out->count++] = plain_name(name);
    }
}

int table_names_known(const struct table_names *names)
{
    bool seen[COLUMNS] = {false};
    int known = 0;
    for (int i = 0; i < names->count; i++) {
        const int column = column_of(names->name[i]);
        known += column >= 0 && !seen[column];
        if (column >= 0)
            seen[column] = true;
    }
    return known;
}

bool table_names_begin(const struct table_names *names, bool ids)
{
    for (int i = 0; i < COLUMNS_NEEDED + ids; i++) {
        char name[32]; /* without the mark before prose: "mass x y z vx vy vz; two bodies" */
        int column = -1;
        double unit;
        if (i >= names->count || strlen(names->name[i]) >= sizeof name)
            return false;
        strcpy(name, names->name[i]);
        for (size_t end = strlen(name); end > 1 && strchr(";:,.", name[end - 1]); end--)
            name[end - 1] = '\0';
        if (column_read(name, &column, &unit) == COLUMN_UNIT ||
            column != (ids ? (i + COLUMN_ID) % COLUMNS : i))
            return false;
    }
    return true;
}

void table_comments_keep(struct table_comments *comments, const char *text, size_t line)
{
    if (comments->count == COMMENTS_MAX) {
        free(comments->list[0].text);
        memmove(comments->list, comments->list + 1, --comments->count * sizeof *comments->list);
    }
    *MEMORY_ADD(comments->list, comments->count) = (struct table_comment){line, memory_text(text)};
}

static void split_copy(const char *text, char separator, struct fields *fields, char **copy)
{
    *copy = memory_text(text);
    fields_split(*copy, separator, true, fields);
    fields_drop_empty(fields, 1);
}

/* Replaces names of vectors, such as pos and vel, by those of their three columns. */
static void expand_vectors(struct table_names *names)
{
    struct table_names all = {.line = names->line};
    for (int i = 0; i < names->count; i++) {
        const int first = column_find_vector(names->name[i], strlen(names->name[i]));
        for (int k = 0; k < (first >= 0 ? 3 : 1) && all.count < FIELDS_MAX; k++)
            all.name[all.count++] =
                memory_text(first >= 0 ? column_names[first + k] : names->name[i]);
    }
    table_names_free(names);
    *names = all;
}

/* How well the names fit: most are of bodies and, if as many, there are `count` in all. */
static int score(const struct table_names *names, int count)
{
    return 2 * table_names_known(names) + (names->count == count);
}

/* Splits the comment in the way by which the most columns of bodies are named; `count` of them in
 * all if possible. */
static void split_names(const char *text, size_t line, int count, struct table_names *out)
{
    int best = -1;
    for (const char *separator = separators; *separator; separator++) {
        struct table_names names = {0};
        struct fields fields;
        char *copy;
        if (*separator != ' ' && !strchr(text, *separator))
            continue;
        split_copy(text, *separator, &fields, &copy);
        table_names_take(&names, &fields, line);
        if (names.count < count)
            expand_vectors(&names);
        if (score(&names, count) > best) {
            table_names_free(out);
            *out = names;
            best = score(out, count);
        } else {
            table_names_free(&names);
        }
        free(copy);
    }
}

/* The text after a title such as "Columns: x y z"; NULL: there is no title. */
static const char *after_title(const char *text)
{
    const char *mark = strpbrk(text, ":=");
    return mark && (mark[1] == ' ' || mark[1] == '\t') ? mark + 1 : NULL;
}

/* A word such as x1 or v_phi, rather than one of a sentence. */
static bool is_symbol(const char *name)
{
    enum { SHORT = 3 };
    return column_of(name) >= 0 || strlen(name) <= SHORT || strpbrk(name, "_0123456789[(");
}

/* Whether the names fit a comment that names `count` columns: several of bodies, or only symbols.
 */
static bool are_names_of(const struct table_names *names, int count)
{
    const int known = table_names_known(names);
    int symbols = 0;
    for (int i = 0; i < names->count; i++)
        symbols += is_symbol(names->name[i]);
    return names->count == count && (known >= NAMED || (known > 0 && symbols == count));
}

/* Splits the text, or what follows its title, into `out` if that fits better. */
static void split_title(const char *text, size_t line, int count, struct table_names *out)
{
    for (int tried = 0; tried < 2 && text; tried++, text = after_title(text)) {
        struct table_names names = {0};
        split_names(text, line, count, &names);
        const bool better = score(&names, count) > score(out, count);
        table_names_free(better ? out : &names);
        if (better)
            *out = names;
    }
}

/* Whether the comment names `count` columns, perhaps as a list of Python or JSON; otherwise,
 * *nearly is whether it names many. */
static bool names_columns(const struct table_comment *comment, int count, struct table_names *out,
                          bool *nearly)
{
    table_names_free(out);
    split_title(comment->text, comment->line, count, out);
    if (!are_names_of(out, count)) {
        char *bare = memory_text(comment->text);
        for (char *at = bare; (at = strpbrk(at, "[](){}\"'"));)
            *at = ' ';
        split_title(bare, comment->line, count, out);
        free(bare);
    }
    *nearly = table_names_known(out) >= MANY;
    return are_names_of(out, count);
}

static void add_unit(char **name, const char *unit, size_t length)
{
    char *longer = text_format("%s [%.*s]", *name, (int)length, unit);
    free(*name);
    *name = longer;
}

/* The name in a comment of a line for each column, "2 x Position [kpc]" or "column 2: x"; NULL
 * unless the comment begins with that number. */
static char *name_of_number(const char *text, int number)
{
    static const char word[] = "column";
    struct fields fields;
    size_t length = 0, mark;
    char *copy, *name, *end;
    while (word[length] && tolower((unsigned char)text[length]) == word[length])
        length++;
    text += length == strlen("col") || length == strlen(word) ? length : 0;
    if (strtol(text, &end, 10) != number || !strspn(end, ":=). \t"))
        return NULL;
    split_copy(end + strspn(end, ":=). \t"), ' ', &fields, &copy);
    name = fields.count > 0 ? plain_name(fields.at[0]) : NULL;
    free(copy);
    const char *unit = strrchr(text, '[');
    mark = unit ? strcspn(unit, "]") : 0;
    if (name && unit && unit[mark] && !strpbrk(name, "[("))
        add_unit(&name, unit + 1, mark - 1);
    return name;
}

/* Names in one comment each, numbered from 1, or from 0, as SExtractor writes them. */
static bool numbered_names(const struct table_comments *comments, int count,
                           struct table_names *out)
{
    int first = 1;
    for (size_t i = 0; i < comments->count; i++) {
        const struct table_comment *comment = &comments->list[i];
        char *name = name_of_number(comment->text, first + out->count);
        if (!name && out->count == 0)
            name = name_of_number(comment->text, first = 0);
        if (!name && out->count == 0)
            first = 1;
        if (name && out->count == FIELDS_MAX)
            free(name);
        else if (name)
            out->name[out->count++] = name;
        out->line = out->count == 1 && name ? comment->line : out->line;
    }
    if (out->count == count && table_names_known(out) >= NAMED)
        return true;
    table_names_free(out);
    return false;
}

/* Adds the units of a comment, or of what follows its title; false if it has none. */
static bool add_units_of(const struct table_comment *comment, struct table_names *names)
{
    bool are_units = false;
    const char *text = comment->text;
    for (int tried = 0; tried < 2 && text && !are_units; tried++, text = after_title(text)) {
        for (const char *separator = separators; *separator && !are_units; separator++) {
            struct fields fields;
            char *copy;
            split_copy(text, *separator, &fields, &copy);
            are_units = table_names_add_units(names, &fields);
            free(copy);
        }
    }
    return are_units;
}

/* Adds the units of the nearest comment after that of the names or, if none has any, before it. */
static void add_units(const struct table_comments *comments, size_t named,
                      struct table_names *names)
{
    for (size_t i = named + 1; i < comments->count; i++)
        if (add_units_of(&comments->list[i], names))
            return;
    for (size_t i = named; i-- > 0;)
        if (add_units_of(&comments->list[i], names))
            return;
}

void table_comments_find(const struct table_comments *comments, int count, struct table_names *out)
{
    struct table_names other = {0};
    for (size_t i = comments->count; i-- > 0;) {
        bool nearly;
        if (names_columns(&comments->list[i], count, out, &nearly)) {
            table_names_free(&other);
            add_units(comments, i, out);
            return;
        }
        if (nearly && other.count == 0) {
            other = *out;
            *out = (struct table_names){0};
        }
    }
    table_names_free(out);
    if (numbered_names(comments, count, out))
        table_names_free(&other);
    else
        *out = other;
}

static bool has_unit(const char *name)
{
    int column;
    double unit;
    return strpbrk(name, "[(") || column_read(name, &column, &unit) == COLUMN_UNIT;
}

/* The unit without its brackets. */
static const char *bare_unit(const char *unit, size_t *length)
{
    *length = strlen(unit);
    const bool enclosed = *length > 1 && strchr("[(", *unit) && strchr("])", unit[*length - 1]);
    *length -= enclosed ? 2 : 0;
    return unit + enclosed;
}

/* Whether the field is a unit of the named column; *refused counts columns of bodies that have
 * none. */
static bool is_unit(const char *name, const char *field, int *refused)
{
    int column;
    double unit;
    size_t length;
    const char *bare = bare_unit(field, &length);
    if (column_of(name) < 0 || column_kind(column_of(name)) == COLUMN_KINDS || has_unit(name))
        return false;
    char *with = memory_text(name);
    add_unit(&with, bare, length);
    const enum column_unit what = column_read(with, &column, &unit);
    *refused += what == COLUMN_REFUSED;
    free(with);
    return what == COLUMN_UNIT;
}

bool table_names_add_units(struct table_names *names, const struct fields *fields)
{
    int units = 0, refused = 0;
    if (fields->count != names->count)
        return false;
    for (int i = 0; i < fields->count; i++)
        units += is_unit(names->name[i], fields->at[i], &refused);
    if (refused >= units) /* words; an unknown unit among known ones is refused later */
        return false;
    for (int i = 0; i < fields->count; i++) {
        size_t length;
        const char *bare = bare_unit(fields->at[i], &length);
        if (length > 0 && strcmp(bare, "-") != 0 && !has_unit(names->name[i]))
            add_unit(&names->name[i], bare, length);
    }
    return true;
}

/* The value of a key in "{name: x, unit: 'km / s', datatype: float64}"; NULL: there is none. */
static char *value_of(const char *text, const char *key)
{
    const char *at = strstr(text, key);
    if (!at)
        return NULL;
    at += strlen(key);
    const bool quoted = *at == '\'' || *at == '"';
    const char end[] = {quoted ? *at : ',', '\0'};
    const size_t length = strcspn(at + quoted, quoted ? end : ",}");
    return text_format("%.*s", (int)length, at + quoted);
}

void table_comments_add_units(const struct table_comments *comments, struct table_names *names)
{
    for (size_t k = 0; k < comments->count; k++) {
        const char *text = comments->list[k].text;
        if (strncmp(text, "- {name: ", strlen("- {name: ")) != 0)
            continue;
        char *name = value_of(text, "{name: "), *unit = value_of(text, ", unit: ");
        for (int i = 0; unit && *unit && i < names->count; i++)
            if (strcmp(names->name[i], name) == 0)
                add_unit(&names->name[i], unit, strlen(unit));
        free(name);
        free(unit);
    }
}

static bool is_word_of_unit(const char *word)
{
    static const char *const columns[] = {"mass", "x", "vx"};
    bool is = false;
    for (int k = 0; k < COLUMN_KINDS && strlen(word) > 1 && !is; k++) {
        int column;
        double unit;
        char *with = text_format("%s [%s]", columns[k], word);
        is = column_read(with, &column, &unit) == COLUMN_UNIT;
        free(with);
    }
    return is;
}

char *table_comments_unit(const struct table_comments *comments, size_t *line)
{
    for (size_t i = 0; i < comments->count; i++) {
        char *copy = memory_text(comments->list[i].text), *rest = copy, *word;
        while ((word = strsep(&rest, " \t,;:=()[]")) && !is_word_of_unit(word))
            ;
        char *found = word ? memory_text(word) : NULL;
        *line = comments->list[i].line;
        free(copy);
        if (found)
            return found;
    }
    return NULL;
}
