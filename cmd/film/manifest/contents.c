#include "cmd/film/manifest/contents.h"

#include <stdlib.h>

void manifest_contents_free(struct manifest *manifest)
{
    const char *const texts[] = {manifest->plan.program,    manifest->plan.scene,
                                 manifest->plan.scene_hash, manifest->plan.start,
                                 manifest->plan.codec,      manifest->plan.container};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
        free((char *)texts[t]);
    free(manifest->values);
    free(manifest->segments);
    free(manifest->pictures);
    free(manifest->checkpoints);
    manifest->plan = (struct manifest_plan){0};
    manifest->values = NULL;
    manifest->segments = manifest->pictures = NULL;
    manifest->checkpoints = NULL;
    manifest->value_count = manifest->segment_count = manifest->checkpoint_count = 0;
    manifest->picture_count = 0;
}
