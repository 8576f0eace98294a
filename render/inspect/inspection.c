#include "render/inspect/inspection.h"

#include <stdlib.h>

void inspection_free(struct inspection *inspection)
{
    for (uint64_t i = 0; i < inspection->count; i++)
        free(inspection->frames[i].complaint);
    free(inspection->frames);
    free(inspection->codec);
    free(inspection->pixel_format);
    free(inspection->ending);
    free(inspection->file);
    tags_free(&inspection->tags);
    *inspection = (struct inspection){0};
}
