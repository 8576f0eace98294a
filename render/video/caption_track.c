#include "render/video/caption_track.h"

#include "base/choice.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "render/video/muxer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct caption_use uses[] = {
    {"burn", "drawn into the picture", .burns = true},
    {"track",
     "a subtitle track for each language, in mp4, mov, mkv and webm, or files beside a "
     "sequence of pictures",
     .tracks = true},
    {"both", "both", .burns = true, .tracks = true},
};

const struct registry caption_use_registry = REGISTRY_OF("use of captions", uses);

void caption_tracks_free(struct caption_track *tracks, size_t count)
{
    for (size_t t = 0; t < count; t++) {
        for (size_t i = 0; i < tracks[t].count; i++)
            free(tracks[t].cues[i].text);
        free(tracks[t].cues);
    }
    free(tracks);
}

enum status caption_track_write(const struct caption_track *track, struct muxer *muxer,
                                size_t stream, size_t *next, double until)
{
    enum status status = STATUS_OK;
    for (; *next < track->count && track->cues[*next].from < until && status == STATUS_OK;
         ++*next) {
        const struct caption_cue *cue = &track->cues[*next];
        status = muxer_write_caption(muxer, stream, cue->from, cue->to, cue->text);
    }
    return status;
}

static void append_time(char **text, const char *before, double seconds, bool srt)
{
    const long long all = llround(1000 * seconds);
    text_append(text, "", "%s%02lld:%02lld:%02lld%c%03lld", before, all / 3600000, all / 60000 % 60,
                all / 1000 % 60, srt ? ',' : '.', all % 1000);
}

/* Neither format allows an empty line within a cue, and WebVTT escapes & and <. */
static void append_text(char **text, const char *from, bool srt)
{
    for (; *from; from++)
        if (*from == '\n' && from[1] == '\n')
            continue;
        else if (!srt && *from == '&')
            text_append(text, "", "&amp;");
        else if (!srt && *from == '<')
            text_append(text, "", "&lt;");
        else
            text_append(text, "", "%c", *from);
}

enum status caption_file_write(const struct caption_track *track, const char *path, bool srt)
{
    char *text = memory_text(srt ? "" : "WEBVTT\n\n");
    for (size_t i = 0; i < track->count; i++) {
        if (srt)
            text_append(&text, "", "%zu\n", i + 1);
        append_time(&text, "", track->cues[i].from, srt);
        append_time(&text, " --> ", track->cues[i].to, srt);
        text_append(&text, "", "\n");
        append_text(&text, track->cues[i].text, srt);
        text_append(&text, "", "\n\n");
    }
    const enum status status = file_write(path, text, strlen(text));
    free(text);
    return status;
}
