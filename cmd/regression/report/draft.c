#include "cmd/regression/report/draft.h"

#include "base/file.h"
#include "base/text.h"

#include <stdlib.h>

void draft_open(struct draft *draft)
{
    *draft = (struct draft){0};
    draft->file = text_begin(&draft->text, &draft->size);
}

char *draft_text(struct draft *draft, size_t *size)
{
    text_end(draft->file);
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
