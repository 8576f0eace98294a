#include "cmd/regression/baseline/author.h"

#include "base/memory.h"

#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *author_name(const char *given)
{
    const char *of_git = getenv("GIT_AUTHOR_NAME");
    if (given && *given)
        return memory_text(given);
    if (of_git && *of_git)
        return memory_text(of_git);
    const struct passwd *user = getpwuid(getuid());
    return memory_text(user ? user->pw_name : "unknown");
}

enum status author_allowed(bool in_ci, const char *what)
{
    const char *ci = getenv("CI");
    const bool set = ci && *ci && strcmp(ci, "0") != 0 && strcmp(ci, "false") != 0;
    if (!set || in_ci)
        return STATUS_OK;
    return status_fail(STATUS_USAGE,
                       "%s is refused where CI is set, because baselines would then follow every "
                       "change; accept on a machine of your own, or add --in-ci",
                       what);
}
