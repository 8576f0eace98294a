#include "render/inspect/words.h"

#include <libavutil/pixdesc.h>
#include <string.h>

const char *colour_field(int field)
{
    static const char *const names[COLOUR_WORDS] = {"range", "matrix", "transfer", "primaries",
                                                    "chroma site"};
    return names[field];
}

static const char *name_of(const struct colour_tags *tags, int field)
{
    switch (field) {
    case 0:
        return av_color_range_name((enum AVColorRange)tags->range);
    case 1:
        return av_color_space_name((enum AVColorSpace)tags->matrix);
    case 2:
        return av_color_transfer_name((enum AVColorTransferCharacteristic)tags->transfer);
    case 3:
        return av_color_primaries_name((enum AVColorPrimaries)tags->primaries);
    default:
        return av_chroma_location_name((enum AVChromaLocation)tags->chroma_site);
    }
}

const char *colour_word(const struct colour_tags *tags, int field)
{
    const char *name = name_of(tags, field);
    const bool nothing = !name || strcmp(name, "unknown") == 0 || strcmp(name, "unspecified") == 0;
    return nothing ? "" : name;
}
