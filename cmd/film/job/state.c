#include "cmd/film/job/state.h"

#include "base/memory.h"
#include "base/ranks/ranks.h"
#include "render/picture/png_pdf.h"

uint64_t job_segment_first(const struct job *job, uint64_t index)
{
    const uint64_t first = index * job->plan.segment_length;
    return first > job->plan.first ? first : job->plan.first;
}

uint64_t job_segment_end(const struct job *job, uint64_t index)
{
    const uint64_t end = (index + 1) * job->plan.segment_length;
    return end < job->plan.last + 1 ? end : job->plan.last + 1;
}

char *job_frame_file(void *user, uint64_t frame)
{
    const struct job *job = user;
    char name[4096];
    return png_name(job->target->params.path, frame, name, sizeof name) == STATUS_OK
               ? memory_text(name)
               : NULL;
}

bool job_follows(void)
{
    return ranks_are_together() && ranks_own() > 0;
}
