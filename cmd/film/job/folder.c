#include "cmd/film/job/folder.h"

#include "base/file.h"
#include "base/text.h"
#include "cmd/film/manifest/lock.h"
#include "cmd/film/manifest/manifest.h"

#include <unistd.h>

char *work_folder_path(const char *output, bool range, uint64_t first, uint64_t last)
{
    return range ? text_format("%s.%llu-%llu.parts", output, (unsigned long long)first,
                               (unsigned long long)last)
                 : text_format("%s.parts", output);
}

bool work_folder_used(const char *folder)
{
    return folder && manifest_exists(folder);
}

enum status work_folder_check(const char *folder, const char *output, bool resume, bool overwrite)
{
    int lock = -1;
    if (resume && !folder)
        return status_fail(
            STATUS_USAGE,
            "--resume needs a film made in segments (mp4, mov, mkv, webm) or a PNG sequence, "
            "and '%s' is neither",
            output);
    enum status status = folder ? folder_check(folder) : STATUS_OK;
    if (status != STATUS_OK || !work_folder_used(folder))
        return status;
    status = folder_lock(folder, false, &lock);
    if (lock >= 0)
        close(lock);
    if (status == STATUS_USAGE || resume || overwrite)
        return status == STATUS_USAGE ? status : STATUS_OK;
    return status_fail(STATUS_USAGE,
                       "an earlier run of '%s' was interrupted, and '%s' holds what it made; "
                       "continue with `gravreel resume '%s'`, or discard it and start over with -y",
                       output, folder, output);
}

enum status work_folder_sweep(const char *folder)
{
    int lock = -1;
    if (!folder || !file_exists(folder))
        return STATUS_OK;
    enum status status = folder_lock(folder, false, &lock);
    if (status == STATUS_OK)
        status = folder_clear(folder, true);
    if (lock >= 0)
        close(lock);
    return status;
}
