#include "cmd/fonts.h"

#include "base/file.h"
#include "base/text.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

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
