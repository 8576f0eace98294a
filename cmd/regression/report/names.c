#include "cmd/regression/report/names.h"

#include "base/memory.h"
#include "base/text.h"
#include "cmd/regression/report/escape.h"

#include <ctype.h>
#include <string.h>

enum { ID_MAX = 80 };

/* Returns the next character of an id; '\0' at the end. */
static char next_letter(const char **name)
{
    const uint32_t found = escape_next(name);
    const bool kept = found < 0x80 && (isalnum((int)found) || strchr("._-", (int)found));
    return kept ? (char)found : '-';
}

static void write_id(const char *name, char out[ID_MAX + 1])
{
    int length = 0;
    while (length < ID_MAX && (out[length] = next_letter(&name)))
        length++;
    out[length] = '\0';
}

static const char *name_of(const struct report *report, uint32_t index)
{
    const char *name = report->cases[index].name;
    return name && *name ? name : "case";
}

char *names_case(const struct report *report, uint32_t index)
{
    uint32_t before = 0;
    char id[ID_MAX + 1], other[ID_MAX + 1];
    write_id(name_of(report, index), id);
    for (uint32_t c = 0; c < index; c++) {
        write_id(name_of(report, c), other);
        before += strcmp(id, other) == 0;
    }
    return before == 0 ? memory_text(id) : text_format("%s~%u", id, (unsigned)before + 1);
}

char *names_finding(const char *of_case, const struct finding *finding)
{
    if (finding->frame < 0)
        return text_format("%s/%s", of_case, finding->rule->name);
    return text_format("%s/%s@%lld", of_case, finding->rule->name, (long long)finding->frame);
}
