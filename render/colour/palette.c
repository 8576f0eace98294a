#include "render/colour/palette.h"

#include "base/choice.h"
#include "render/params.h"

#define RGB(hex)                                                                                   \
    {                                                                                              \
        ((hex) >> 16) / 255.0f, ((hex) >> 8 & 255) / 255.0f, ((hex)&255) / 255.0f                  \
    }

static const struct tint_palette four = {
    .name = "four",
    .doc = "blue, orange, green, pink",
    .count = 4,
    .shown = {{0.35f, 0.60f, 1.00f},
              {1.00f, 0.62f, 0.30f},
              {0.55f, 1.00f, 0.55f},
              {1.00f, 0.45f, 0.75f}},
};

/* M. Okabe and K. Ito, "Color universal design", 2008, without black, which would be invisible. */
static const struct tint_palette okabe_ito = {
    .name = "okabe-ito",
    .doc = "seven that colour-blind viewers can tell apart too",
    .count = 7,
    .shown = {RGB(0x56b4e9), RGB(0xe69f00), RGB(0x009e73), RGB(0xcc79a7), RGB(0xf0e442),
              RGB(0xd55e00), RGB(0x0072b2)},
};

/* P. Tol, "Colour schemes", SRON/EPS/TN/09-002, 2021. */
static const struct tint_palette tol_bright = {
    .name = "tol-bright",
    .doc = "Paul Tol's bright scheme, also for colour-blind viewers; seven with a grey",
    .count = 7,
    .shown = {RGB(0x4477aa), RGB(0xee6677), RGB(0x228833), RGB(0xccbb44), RGB(0x66ccee),
              RGB(0xaa3377), RGB(0xbbbbbb)},
};

static const struct tint_palette tol_light = {
    .name = "tol-light",
    .doc = "Paul Tol's light scheme: eight pale ones",
    .count = 8,
    .shown = {RGB(0x77aadd), RGB(0xee8866), RGB(0xbbcc33), RGB(0xffaabb), RGB(0x99ddff),
              RGB(0xeedd88), RGB(0x44bb99), RGB(0xaaaa00)},
};

static const struct tint_palette film = {
    .name = "film",
    .doc = "gold and teal, then rose and violet: a film's warm against cold",
    .count = 4,
    .shown = {RGB(0xffb45c), RGB(0x4fc3dc), RGB(0xff7d86), RGB(0xa48cff)},
};

static const struct tint_palette *const list[] = {&four, &okabe_ito, &tol_bright, &tol_light,
                                                  &film};

const struct registry palette_registry = REGISTRY_LIST("palette", list);
