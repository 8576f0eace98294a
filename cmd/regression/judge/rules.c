#include "cmd/regression/judge/rules.h"

#include <math.h>

static const struct choice stages[JUDGED_COUNT] = {
    [JUDGED_SCENE] = {"scene", "the resolved scene, key by key"},
    [JUDGED_START] = {"start", "bodies at frame 0"},
    [JUDGED_PHYSICS] = {"physics", "states of the bodies, frame by frame"},
    [JUDGED_LIGHT] = {"light", "linear light before exposure and tone curve"},
    [JUDGED_PICTURE] = {"picture", "pixels before encoding"},
    [JUDGED_PACKETS] = {"packets", "encoded frames, and their loss"},
    [JUDGED_CONTAINER] = {"container", "the file's metadata: format, colours, times, size"},
};

const struct registry judged_registry = REGISTRY_OF("stage", stages);

const char *judged_name(enum judged stage)
{
    return stages[stage].name;
}

#define SCENE          JUDGED_SCENE
#define START          JUDGED_START
#define PHYSICS        JUDGED_PHYSICS
#define LIGHT          JUDGED_LIGHT
#define PICTURE        JUDGED_PICTURE
#define PACKETS        JUDGED_PACKETS
#define CONTAINER      JUDGED_CONTAINER
#define NEVER          INFINITY
#define SAME_BITS      "the same platform gives the same bits"
#define NO_NOISE       "structure has no noise"
#define BETWEEN        "llvmpipe and a GPU were measured to differ by half of it, or three quarters"
#define OTHER_SETTINGS "twice the change by other settings of an encoder"
#define AGAIN          "beyond what encoding again was measured to change"
#define LIKE_OTHER     "drivers and vector widths differ by less"

const struct rule rules[RULE_COUNT] = {
    [RULE_SCENE_KEYS] = {"scene.keys", "keys of the resolved scene that differ", SCENE, "keys", 0,
                         0, NO_NOISE, false},

    [RULE_START_BITS] = {"start.bits", "bits of the initial state differ, on the same platform",
                         START, "frames", 0, 0, SAME_BITS, false},
    [RULE_START_BODIES] = {"start.bodies", "bodies more or fewer", START, "bodies", 0, 0, NO_NOISE,
                           false},
    [RULE_START_DISTANCE] =
        {"start.distance",
         "RMS distance of the bodies at frame 0, relative to the size of the system", START, "",
         1e-12, 1e-10, "libraries of mathematics differ in the last digits", false},

    [RULE_PHYSICS_BITS] = {"physics.bits",
                           "frames whose states differ in bits, on the same platform", PHYSICS,
                           "frames", 0, 0, SAME_BITS, false},
    [RULE_PHYSICS_FORCES_FAST] = {"physics.forces_fast",
                                  "allowed relative RMS difference of the forces, force fast",
                                  PHYSICS, "", NEVER, 2e-6, "six times what processors differ by",
                                  true},
    [RULE_PHYSICS_FORCES_DOUBLE] = {"physics.forces_double",
                                    "allowed relative RMS difference of the forces, force double",
                                    PHYSICS, "", NEVER, 1e-13, "ten times what double sums differ",
                                    true},
    [RULE_PHYSICS_JUMP] =
        {"physics.jump",
         "distance by which the bodies separate in one frame, beyond that and its growth", PHYSICS,
         "times", 0.5, 1, "a bug jumps, round-off grows", false},
    [RULE_PHYSICS_BEGINS] = {"physics.begins",
                             "RMS distance of the bodies one frame after the start, relative to "
                             "the size of the system",
                             PHYSICS, "", NEVER, 1e-6, "round-off begins small", false},
    [RULE_PHYSICS_POSITIONS] =
        {"physics.positions",
         "RMS distance of the bodies, relative to the largest growth of round-off", PHYSICS,
         "times", 0.5, 1, "a bug jumps, round-off grows", false},
    [RULE_PHYSICS_ENERGY] = {"physics.energy", "difference of the energies, relative", PHYSICS, "",
                             NEVER, 1e-6, "chaos moves bodies, not this", false},
    [RULE_PHYSICS_MOMENTUM] = {"physics.momentum",
                               "difference of the momenta, relative to mass times RMS speed",
                               PHYSICS, "", NEVER, 1e-6, "chaos moves bodies, not this", false},
    [RULE_PHYSICS_ANGULAR_MOMENTUM] = {"physics.angular_momentum",
                                       "difference of the angular momenta, relative", PHYSICS, "",
                                       NEVER, 1e-6, "chaos moves bodies, not this", false},
    [RULE_PHYSICS_CENTRE] = {"physics.centre",
                             "distance of the centres of mass, relative to the size of the system",
                             PHYSICS, "", NEVER, 1e-6, "chaos moves bodies, not this", false},
    [RULE_PHYSICS_HALF_MASS] = {"physics.half_mass", "difference of the half-mass radii", PHYSICS,
                                "%", NEVER, 0.1, "chaos moves bodies, not this", false},
    [RULE_PHYSICS_TIMES] = {"physics.times", "frames that show another simulated time", PHYSICS,
                            "frames", 0, 0, NO_NOISE, false},
    [RULE_PHYSICS_EXPECTED] = {"physics.expected",
                               "frames outside the limits of the scene's expect", PHYSICS, "frames",
                               0, 0, "the scene says so", false},

    [RULE_LIGHT_BITS] = {"light.bits", "frames whose light differs in bits, on the same platform",
                         LIGHT, "frames", 0, 0, SAME_BITS, false},
    [RULE_LIGHT_BROKEN] = {"light.broken", "pixels of infinite or NaN light, on either side", LIGHT,
                           "pixels", 0, 0, "such a pixel is wrong on both sides", false},
    [RULE_LIGHT_SUM] = {"light.sum", "difference of the sum of linear light, worst channel", LIGHT,
                        "%", 0.1, 1, BETWEEN, false},

    [RULE_PICTURE_SIZE] = {"picture.size", "width, height, channels or depth differ", PICTURE, "",
                           0, 0, NO_NOISE, false},
    [RULE_PICTURE_BITS] = {"picture.bits",
                           "frames whose pictures differ in bits, on the same platform", PICTURE,
                           "frames", 0, 0, SAME_BITS, false},
    [RULE_PICTURE_BROKEN] = {"picture.broken", "infinite or NaN pixels, on either side", PICTURE,
                             "pixels", 0, 0, "such a pixel is wrong on both sides", false},
    [RULE_PICTURE_FREE] = {"picture.free", "differences up to this are rounding", PICTURE, "codes",
                           NEVER, 2, "others allow 1 or 2", true},
    [RULE_PICTURE_COUNTS_FROM] = {"picture.counts_above", "pixels that differ by more are counted",
                                  PICTURE, "codes", NEVER, 8, "stars are fainter than text", true},
    [RULE_PICTURE_PIXEL] = {"picture.pixel",
                            "largest difference of a pixel whose light no neighbour has", PICTURE,
                            "codes", NEVER, 64, "a point at a pixel's edge flips as a whole",
                            false},
    [RULE_PICTURE_COUNTED] =
        {"picture.counted",
         "counted pixels of a frame, at most; if this is given, the next two limits are not used",
         PICTURE, "pixels", NEVER, 64, LIKE_OTHER, false},
    [RULE_PICTURE_COUNTED_FLOOR] = {"picture.counted_floor",
                                    "counted pixels that a frame may have, however few are lit",
                                    PICTURE, "pixels", NEVER, 8, LIKE_OTHER, true},
    [RULE_PICTURE_COUNTED_OF_LIT] = {"picture.counted_of_lit",
                                     "counted pixels that a frame may have, of those lit", PICTURE,
                                     "%", NEVER, 0.05, LIKE_OTHER, true},
    [RULE_PICTURE_TILE_COUNTED] = {"picture.tile_counted",
                                   "counted pixels of the worst tile of 32 x 32", PICTURE, "pixels",
                                   NEVER, 4, "a broken corner cannot drown", false},
    [RULE_PICTURE_TILE_MEAN] = {"picture.tile_mean", "mean difference of the worst tile", PICTURE,
                                "codes", NEVER, 1, "a broken corner cannot drown", false},
    [RULE_PICTURE_TILE_LIGHT] = {"picture.tile_light", "linear light of the worst tile", PICTURE,
                                 "%", NEVER, 2, "a broken corner cannot drown", false},
    [RULE_PICTURE_TILE_LINE] = {"picture.tile_line",
                                "mean signed difference along a row or column of a tile", PICTURE,
                                "codes", NEVER, 2.5, "a seam has one sign, noise has none", false},
    [RULE_PICTURE_STAR] = {"picture.star", "stars of at least this are paired", PICTURE, "codes",
                           NEVER, 12, "fainter ones are within the noise", true},
    [RULE_PICTURE_UNPAIRED_STARS] = {"picture.unpaired_stars", "stars without a partner", PICTURE,
                                     "stars", 0, 0, "noise makes no star", false},
    [RULE_PICTURE_BIAS] = {"picture.bias", "mean signed difference over the lit pixels", PICTURE,
                           "codes", 0.15, 0.18, BETWEEN, false},
    [RULE_PICTURE_LIGHT] = {"picture.light", "linear light of the frame", PICTURE, "%", 0.25, 0.4,
                            BETWEEN, false},
    [RULE_PICTURE_LIGHT_ABOVE] =
        {"picture.light_above", "pixels of EXR pictures whose light differs by more are counted",
         PICTURE, "%", NEVER, 0.2,
         "twice the step of a half float, a third of a code of an 8-bit picture", true},
    [RULE_PICTURE_LIGHT_PIXELS] = {"picture.light_pixels",
                                   "pixels of EXR pictures whose light differs", PICTURE, "pixels",
                                   0, 0, "light is not dithered", false},
    [RULE_PICTURE_SSIM] = {"picture.ssim", "1 - SSIM of the worst lit window", PICTURE, "", NEVER,
                           0.05, LIKE_OTHER, false},
    [RULE_PICTURE_SSIM_MEAN] = {"picture.ssim_mean",
                                "1 - mean SSIM of the lit windows; shown only, but for --lossy",
                                PICTURE, "", NEVER, NEVER, "blind for stars on black", false},
    [RULE_PICTURE_PSNR] = {"picture.psnr",
                           "100 dB - PSNR of luma over the film; shown only, but for --lossy",
                           PICTURE, "dB", NEVER, NEVER, "blind for stars on black", false},
    [RULE_PICTURE_PSNR_WORST] = {"picture.psnr_worst",
                                 "100 dB - PSNR of luma in the worst frame; shown only, but for "
                                 "--lossy",
                                 PICTURE, "dB", NEVER, NEVER, "blind for stars on black", false},
    [RULE_PICTURE_COLOUR] = {"picture.colour",
                             "mean difference of colour over the lit pixels, CIE Lab", PICTURE,
                             "delta E", NEVER, 1, "grey for green at equal luma", false},
    [RULE_PICTURE_LIT_LIGHT] = {"picture.lit_light",
                                "change of the linear light of the lit pixels; for --lossy",
                                PICTURE, "%", NEVER, NEVER,
                                "narrower rules judge what is not encoded again", false},
    [RULE_PICTURE_BRIGHTNESS] =
        {"picture.brightness",
         "median change of brightness of 8 x 8 pixels, the bright ones first; for --lossy", PICTURE,
         "%", NEVER, NEVER, "narrower rules judge what is not encoded again", false},
    [RULE_PICTURE_CHANNEL] =
        {"picture.channel",
         "change of the linear red, green or blue of the lit pixels; for --lossy", PICTURE, "%",
         NEVER, NEVER, "narrower rules judge what is not encoded again", false},
    [RULE_PICTURE_HUE] = {"picture.hue",
                          "by how much the colours of the lit pixels are turned; for --lossy",
                          PICTURE, "degrees", NEVER, NEVER,
                          "narrower rules judge what is not encoded again", false},
    [RULE_PICTURE_PALER] = {"picture.paler",
                            "saturation lost in the lit pixels; 100 is grey; for --lossy", PICTURE,
                            "%", NEVER, NEVER, "narrower rules judge what is not encoded again",
                            false},
    [RULE_PICTURE_RICHER] = {"picture.richer", "saturation gained in the lit pixels; for --lossy",
                             PICTURE, "%", NEVER, NEVER,
                             "narrower rules judge what is not encoded again", false},
    [RULE_PICTURE_DETAIL] = {"picture.detail",
                             "change of detail: blurred or sharpened; for --lossy", PICTURE, "%",
                             NEVER, NEVER, "narrower rules judge what is not encoded again", false},
    [RULE_PICTURE_LAYOUT] =
        {"picture.layout",
         "share of the bright contrast of 4 x 4 pixels that lies in other places; for --lossy",
         PICTURE, "", NEVER, NEVER, "narrower rules judge what is not encoded again", false},
    [RULE_PICTURE_SHIFT] = {"picture.shift", "by how much the pictures are shifted; for --lossy",
                            PICTURE, "pixels", NEVER, NEVER,
                            "narrower rules judge what is not encoded again", false},
    [RULE_PICTURE_THUMBNAIL] = {"picture.thumbnail",
                                "worst of the 16 x 9 parts of a frame, mean luma", PICTURE, "codes",
                                1, 1, "rounding of a mean", false},
    [RULE_PICTURE_MEAN_LIGHT] = {"picture.mean_light",
                                 "mean linear light of a frame, of every frame recorded", PICTURE,
                                 "%", 0.6, 0.9, BETWEEN, false},

    [RULE_SEQUENCE_COUNT] = {"sequence.count", "frames more or fewer", PICTURE, "frames", 0, 0,
                             NO_NOISE, false},
    [RULE_SEQUENCE_ORDER] = {"sequence.order", "frames dropped, repeated, swapped or shifted",
                             PICTURE, "frames", 0, 0, NO_NOISE, false},
    [RULE_SEQUENCE_FAILED] = {"sequence.failed", "frames beyond a limit of their own", PICTURE,
                              "frames", 0, 0, "no averaging over frames", false},
    [RULE_SEQUENCE_WARNED] = {"sequence.warned",
                              "frames with a warning; unless this is given, one is always allowed",
                              PICTURE, "%", NEVER, 2, "no averaging over frames", false},
    [RULE_SEQUENCE_LIGHT] = {"sequence.light", "spread of the ratio of light over the frames",
                             PICTURE, "%", NEVER, 0.05, "flicker", false},
    [RULE_SEQUENCE_TREND] = {"sequence.trend",
                             "mean bias, where more than 90 % of the frames have one sign", PICTURE,
                             "codes", 0.02, NEVER, "noise has no sign", false},
    [RULE_SEQUENCE_MEAN_LIGHT] = {"sequence.mean_light",
                                  "spread of the ratio of mean light over all frames recorded",
                                  PICTURE, "%", NEVER, 0.05, "flicker", false},

    [RULE_PACKETS_BITS] = {"packets.bits", "packets that differ in bits, with the same encoder",
                           PACKETS, "frames", 0, 0, SAME_BITS, false},
    [RULE_PACKETS_ORDER] = {"packets.order",
                            "frames that the film lacks, shows once more or shows in another order "
                            "than they were drawn in",
                            PACKETS, "frames", 0, 0, NO_NOISE, false},
    [RULE_PACKETS_DECODED] = {"packets.decoded",
                              "frames that a lossless codec decodes to other pixels", PACKETS,
                              "frames", 0, 0, "lossless", false},
    [RULE_PACKETS_KEYS] = {"packets.keys", "frames that begin a GOP on one side only", PACKETS,
                           "frames", 0, 0, NO_NOISE, false},
    [RULE_PACKETS_PSNR_MEAN] = {"packets.psnr_mean",
                                "PSNR of luma against the picture, lost on average", PACKETS, "dB",
                                NEVER, 0.2, "changes between releases of an encoder", false},
    [RULE_PACKETS_PSNR_WORST] = {"packets.psnr_worst",
                                 "PSNR of luma against the picture, lost in the worst frame",
                                 PACKETS, "dB", NEVER, 1, "changes between releases of an encoder",
                                 false},

    [RULE_PACKETS_CHROMA_MEAN] = {"packets.chroma_mean",
                                  "PSNR of the worse chroma plane against the picture, lost on "
                                  "average",
                                  PACKETS, "dB", NEVER, 0.2,
                                  "changes between releases of an encoder", false},
    [RULE_PACKETS_CHROMA_WORST] = {"packets.chroma_worst",
                                   "PSNR of the worse chroma plane against the picture, lost in "
                                   "the worst frame",
                                   PACKETS, "dB", NEVER, 1,
                                   "changes between releases of an encoder", false},
    [RULE_PACKETS_SSIM_MEAN] = {"packets.ssim_mean",
                                "SSIM of luma against the picture, worst window of 8 x 8, lost on "
                                "average",
                                PACKETS, "", NEVER, 0.06, OTHER_SETTINGS, false},
    [RULE_PACKETS_SSIM_WORST] = {"packets.ssim_worst", "the same, lost in the worst frame", PACKETS,
                                 "", NEVER, 0.25, OTHER_SETTINGS, false},
    [RULE_PACKETS_BIAS] = {"packets.bias",
                           "mean signed difference of luma over the lit pixels of all frames",
                           PACKETS, "codes", 0.06, 0.1, OTHER_SETTINGS, false},

    [RULE_CONTAINER_FIELDS] = {"container.fields",
                               "differences in format, codec, colours, size or rate", CONTAINER,
                               "fields", 0, 0, NO_NOISE, false},
    [RULE_CONTAINER_COLOURS] =
        {"container.colours",
         "differences in range, matrix, transfer, primaries or chroma site of two films", CONTAINER,
         "fields", 0, 0, NO_NOISE, false},
    [RULE_CONTAINER_PLAYED] =
        {"container.played",
         "differences in rotation, crop, sound, subtitles, chapters and the like of two films, or "
         "between a film and its scene",
         CONTAINER, "fields", 0, 0, NO_NOISE, false},
    [RULE_CONTAINER_TAGS] = {"container.tags", "differences in title and tags of two films",
                             CONTAINER, "tags", 0, NEVER, "a copy may be named anew", false},
    [RULE_CONTAINER_KEYS] = {"container.keys",
                             "packets of the same bits that the index calls key frames on one side "
                             "only",
                             CONTAINER, "frames", 0, 0, NO_NOISE, false},
    [RULE_CONTAINER_FRAMES] = {"container.frames", "frames more or fewer", CONTAINER, "frames", 0,
                               0, NO_NOISE, false},
    [RULE_CONTAINER_TIMES] = {"container.times",
                              "differences in presentation times or the duration", CONTAINER, "", 0,
                              0, NO_NOISE, false},
    [RULE_CONTAINER_SIZE] = {"container.size", "difference of the film's size in bytes", CONTAINER,
                             "%", 5, 10, "changes between releases of an encoder", false},

    [RULE_CONTAINER_BOXES] = {"container.boxes",
                              "boxes of the file whose bytes do not match the manifest", CONTAINER,
                              "parts", 0, 0, "a copy has every bit", false},

    [RULE_FILM_SCENE] = {"film.scene", "disagreements between a film and the scene in its tags",
                         SCENE, "tags", 0, 0, NO_NOISE, false},
    [RULE_FILM_BLACK] = {"film.black", "black frames beside lit ones", PICTURE, "frames", 0, 0,
                         "light comes and goes gradually", false},
    [RULE_FILM_FROZEN] = {"film.frozen", "frames that repeat the one before amid motion", PICTURE,
                          "frames", 0, 0, "bodies do not stop for a frame", false},
    [RULE_FILM_ORDER] = {"film.order",
                         "by how many times two frames fit better between their neighbours in the "
                         "other order",
                         PICTURE, "times", 1.25, 1.35,
                         "371 copies of 25 films in order, by every codec, reached 1.19", false},
    [RULE_FILM_REDRAWN] = {"film.redrawn",
                           "loss in the worst tile of 32 x 32 against its picture drawn again, "
                           "beyond the loss of encoding that picture",
                           PICTURE, "dB", 12, 16,
                           "an encoder divides bits differently among other frames", false},
    [RULE_FILM_REDRAWN_BITS] =
        {"film.redrawn_bits",
         "pixels that differ, if the codec is lossless or all frames were made again", PICTURE,
         "pixels", 0, 0, SAME_BITS, false},
    [RULE_FILM_REDRAWN_ORDER] = {"film.redrawn_order",
                                 "frames that the film lacks, shows once more or shows in another "
                                 "order than they are drawn "
                                 "again in",
                                 PICTURE, "frames", 0, 0, NO_NOISE, false},
    [RULE_FILM_LIT_LIGHT] =
        {"film.lit_light",
         "change of the linear light of the lit pixels, against pictures drawn and encoded again",
         PICTURE, "%", 12, 20, AGAIN, false},
    [RULE_FILM_BRIGHTNESS] = {"film.brightness",
                              "median change of brightness of 8 x 8 pixels, the bright ones first, "
                              "against pictures drawn and encoded again",
                              PICTURE, "%", 2.25, 2.5, AGAIN, false},
    [RULE_FILM_CHANNEL] = {"film.channel",
                           "change of the linear red, green or blue of the lit pixels, against "
                           "pictures drawn and encoded again",
                           PICTURE, "%", 16, 25, AGAIN, false},
    [RULE_FILM_HUE] = {"film.hue",
                       "by how much the colours of the lit pixels are turned, against pictures "
                       "drawn and encoded again",
                       PICTURE, "degrees", 5, 6.5, AGAIN, false},
    [RULE_FILM_PALER] =
        {"film.paler",
         "saturation lost in the lit pixels; 100 is grey, against pictures drawn and encoded again",
         PICTURE, "%", 60, 75, AGAIN, false},
    [RULE_FILM_RICHER] =
        {"film.richer",
         "saturation gained in the lit pixels, against pictures drawn and encoded again", PICTURE,
         "%", 20, 35, AGAIN, false},
    [RULE_FILM_DETAIL] =
        {"film.detail",
         "change of detail: blurred or sharpened, against pictures drawn and encoded again",
         PICTURE, "%", 50, 65, AGAIN, false},
    [RULE_FILM_LAYOUT] = {"film.layout",
                          "share of the bright contrast of 4 x 4 pixels that lies in other places, "
                          "against pictures drawn and encoded again",
                          PICTURE, "", 0.03, 0.04, AGAIN, false},
    [RULE_FILM_SHIFT] =
        {"film.shift",
         "by how much the pictures are shifted, against pictures drawn and encoded again", PICTURE,
         "pixels", 0.25, 0.5, AGAIN, false},
    [RULE_FILM_WARNINGS] = {"film.warnings", "packets that do not decode without a warning",
                            PACKETS, "packets", 0, 0, "a decoder warns of damage alone", false},
    [RULE_FILM_GOPS] = {"film.gops", "key frames missing or wrongly marked, and open GOPs", PACKETS,
                        "frames", 0, 0, NO_NOISE, false},
    [RULE_FILM_COLOURS] =
        {"film.colours", "colour tags that are missing, or on which stream and container disagree",
         CONTAINER, "tags", 0, 0, NO_NOISE, false},
    [RULE_FILM_STEPS] = {"film.steps", "frames that are not shown at a constant step", CONTAINER,
                         "frames", 0, 0, NO_NOISE, false},
};

const struct registry rule_registry = REGISTRY_OF("rule", rules);
