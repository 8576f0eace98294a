#include "cmd/report/names.h"

#include "base/memory.h"
#include "base/text.h"
#include "cmd/report/escape.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The next letter of an id; '\0' at the end. */
static char next_letter(const char **name)
{
    const uint32_t found = escape_next(name);
    const bool kept = found < 0x80 && (isalnum((int)found) || strchr("._-", (int)found));
    return kept ? (char)found : '-';
}

static bool same_id(const char *a, const char *b)
{
    char one;
    while ((one = next_letter(&a)) == next_letter(&b))
        if (!one)
            return true;
    return false;
}

static const char *name_of(const struct report *report, uint32_t index)
{
    const char *name = report->cases[index].name;
    return name && *name ? name : "case";
}

char *names_case(const struct report *report, uint32_t index)
{
    uint32_t before = 0;
    for (uint32_t c = 0; c < index; c++)
        before += same_id(name_of(report, c), name_of(report, index));
    const char *name = name_of(report, index);
    char *id = memory_new(strlen(name) + 1, 1);
    for (char *at = id; (*at = next_letter(&name)); at++)
        ;
    if (before == 0)
        return id;
    char *numbered = text_format("%s~%u", id, (unsigned)before + 1);
    free(id);
    return numbered;
}

char *names_finding(const char *of_case, const struct finding *finding)
{
    if (finding->frame < 0)
        return text_format("%s/%s", of_case, finding->rule->name);
    return text_format("%s/%s@%lld", of_case, finding->rule->name, (long long)finding->frame);
}

bool names_verdict(const char *name, enum verdict *verdict)
{
    for (int v = VERDICT_NOT_APPLICABLE; v <= VERDICT_CHANGED; v++)
        if (strcmp(verdict_name((enum verdict)v), name) == 0) {
            *verdict = (enum verdict)v;
            return true;
        }
    return false;
}
