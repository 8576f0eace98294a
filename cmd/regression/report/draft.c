#include "cmd/regression/report/draft.h"

#include "base/file.h"
#include "base/memory.h"

#include <stdlib.h>

void draft_open(struct draft *draft)
{
    *draft = (struct draft){0};
    draft->file = open_memstream(&draft->text, &draft->size);
    if (!draft->file)
        memory_exhausted();
}

char *draft_text(struct draft *draft, size_t *size)
{
    if (ferror(draft->file) || fclose(draft->file) != 0)
        memory_exhausted();
    if (size)
        *size = draft->size;
    return draft->text;
}

enum status draft_save(struct draft *draft, const char *path)
{
    size_t size;
    char *text = draft_text(draft, &size);
    enum status status = STATUS_OK;
    if (path)
        status = file_write(path, text, size);
    else if (fwrite(text, 1, size, stdout) != size || fflush(stdout) != 0)
        status = status_fail(STATUS_IO, "cannot write to the standard output");
    free(text);
    return status;
}
