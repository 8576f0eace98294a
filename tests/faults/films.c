#include "tests/support/test.h"

#include "tests/faults/films.h"

#define WORDS(...) .words = ARGUMENTS(__VA_ARGS__)
#define SCENE      "plummer", "-n", "120", "--size", "64x36", "--frames"
#define SEGMENT(n) "--set", "output.segment=" #n
#define CSV        "--set", "simulation.diagnostics_every=3"

const struct fault_film fault_films[] = {
    {"h264, two encoders", "film.mp4",
     WORDS(SCENE, "18", SEGMENT(4), "--codec", "h264", "--encoders", "2", CSV), true},
    {"pictures", "%02d.png", WORDS(SCENE, "11", SEGMENT(4), CSV), true},
    {"segments of one frame", "film.mkv", WORDS(SCENE, "7", SEGMENT(1), "--codec", "ffv1"), false},
    {"segments of seven", "film.mov", WORDS(SCENE, "15", SEGMENT(7), "--codec", "h264"), false},
    {"one segment", "film.mp4", WORDS(SCENE, "9", SEGMENT(100), "--codec", "h264"), false},
    {"vp9", "film.webm", WORDS(SCENE, "9", SEGMENT(4)), false},
    {"a range", "film.mp4",
     WORDS("plummer", "-n", "120", "--size", "64x36", "--set", "output.frames=20", "--frames",
           "5..16", SEGMENT(4), CSV),
     true},
    {"a range of pictures", "%02d.png",
     WORDS("plummer", "-n", "120", "--size", "64x36", "--set", "output.frames=20", "--frames",
           "6..13", SEGMENT(3)),
     false},
    {"exposure that adapts, energy", "film.mkv",
     WORDS(SCENE, "13", SEGMENT(4), "--codec", "ffv1", "--encoders", "2", "--set",
           "look.exposure=adapt", "--set", "overlay.energy=true", CSV),
     true},
    {"subset", "film.mkv",
     WORDS(SCENE, "13", SEGMENT(4), "--codec", "ffv1", "--set", "simulation.subset=4", CSV), true},
    {"adaptive steps", "film.mkv",
     WORDS(SCENE, "13", SEGMENT(4), "--codec", "ffv1", "--set", "simulation.adaptive=0.1", CSV),
     true},
    {"keyframes", "film.mkv",
     WORDS(SCENE, "13", SEGMENT(4), "--codec", "ffv1", "--set",
           "camera.orbit=[{at: start, value: 0}, {at: frame 9, value: 90}]", "--set",
           "look.exposure=[{at: frame 2, value: 1}, {at: frame 11, value: 30}]", "--set",
           "look.saturation=[{at: frame 3, value: 0}, {at: end, value: 1}]"),
     false},
    {"panels and slow motion", "film.mkv", WORDS("panels.yaml", SEGMENT(4), "--codec", "ffv1"),
     false},
    {"panels with scenes of their own", "film.mkv",
     WORDS("apart.yaml", SEGMENT(4), "--codec", "ffv1"), false},
    {0},
};

void fault_films_prepare(void)
{
    cli_write("panels.yaml", "bodies: {model: plummer, count: 120}\n"
                             "camera: {follow: densest}\n"
                             "simulation:\n"
                             "  slow:\n"
                             "    - {at: frame 7, factor: 3}\n"
                             "look:\n"
                             "  exposure: adapt\n"
                             "  panels:\n"
                             "    - {title: all}\n"
                             "    - {title: a quarter, subset: 4}\n"
                             "    - {title: double, force: double}\n"
                             "output: {size: 128x36, frames: 13}\n");
    cli_write("apart.yaml", "bodies: {model: plummer, count: 120}\n"
                            "look:\n"
                            "  exposure: adapt\n"
                            "  trails: 0.1\n"
                            "  panels:\n"
                            "    - {title: own}\n"
                            "    - {title: shorter, scene: shorter.yaml}\n"
                            "output: {size: 128x36, frames: 13}\n");
    cli_write("shorter.yaml", "bodies: {model: plummer, count: 77}\n"
                              "simulation: {slow: [{at: frame 4, factor: 2}]}\n"
                              "look: {exposure: adapt, trails: 0.2}\n"
                              "output: {frames: 9}\n");
}
