#include "cmd/environment.h"

#include "base/file.h"
#include "base/text.h"

#include <limits.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

/* Whether FOLDER/NAME exists, or one mkdir can create it. */
static bool can_have(const char *folder, const char *name)
{
    char *path = text_format("%s/%s", folder, name);
    const bool can = file_exists(path) ? file_is_folder(path)
                                       : file_is_folder(folder) && access(folder, W_OK | X_OK) == 0;
    free(path);
    return can;
}

/* Whether FOLDER and the cache in it exist or can be created. */
static bool can_cache_in(const char *folder)
{
    char *above = file_folder(folder);
    const char *slash = file_exists(folder) ? NULL : folder;
    const bool can = slash ? file_is_folder(above) && access(above, W_OK | X_OK) == 0
                           : can_have(folder, "mesa_shader_cache");
    free(above);
    return can;
}

/* Versions of Mesa differ in how they find the home directory. */
static bool can_cache_at_home(const char *home)
{
    if (!home)
        return true;
    char *folder = text_format("%s/.cache", home);
    const bool can = can_cache_in(folder);
    free(folder);
    return can;
}

static bool can_cache(void)
{
    static const char *const names[] = {"MESA_SHADER_CACHE_DIR", "MESA_GLSL_CACHE_DIR",
                                        "XDG_CACHE_HOME"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *folder = getenv(names[i]);
        if (folder)
            return can_cache_in(folder);
    }
    const struct passwd *user = getpwuid(getuid());
    return can_cache_at_home(getenv("HOME")) && can_cache_at_home(user ? user->pw_dir : NULL);
}

void shader_cache_choose(void)
{
    static const char name[] = "MESA_SHADER_CACHE_DISABLE";
    if (!getenv(name) && !getenv("MESA_GLSL_CACHE_DISABLE") && !can_cache())
        setenv(name, "true", 0);
}

void fonts_prepare(void)
{
    char program[PATH_MAX];
    setenv("FC_LANG", "en", 1);
    setenv("PANGO_LANGUAGE", "en", 1);
    if (getenv("FONTCONFIG_FILE") || getenv("FONTCONFIG_PATH") ||
        file_exists("/etc/fonts/fonts.conf"))
        return;
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0)
        return;
    program[length] = '\0';
    char *folder = file_folder(program);
    char *config = text_format("%s/../share/fonts/fonts.conf", folder);
    if (file_exists(config))
        setenv("FONTCONFIG_FILE", config, 0);
    free(config);
    free(folder);
}
