/* Views of the CPU solver with distances to neighbours. */
#include "tests/support/forces/near_checks.h"
#include "tests/support/test.h"

#include <string.h>

static void copy(const struct view *view, const char *column, float *out)
{
    memcpy(out, view_values(view, column), view->count * sizeof *out);
}

TEST(near_in_views)
{
    check_near_views("cpu", copy);
}

TESTS(NULL, NULL)
