#include "render/colour/black_body.h"

#include "base/functions/fn.h"

#include <math.h>

/* One lobe of the fit: a Gaussian with different widths left and right of its centre;
 * nanometres. */
static double lobe(double wavelength, double height, double centre, double left, double right)
{
    const double away = (wavelength - centre) * (wavelength < centre ? left : right);
    return height * fn_exp(-0.5 * away * away);
}

static void observe(double nm, double xyz[3])
{
    xyz[0] = lobe(nm, 0.362, 442.0, 0.0624, 0.0374) + lobe(nm, 1.056, 599.8, 0.0264, 0.0323) +
             lobe(nm, -0.065, 501.1, 0.0490, 0.0382);
    xyz[1] = lobe(nm, 0.821, 568.8, 0.0213, 0.0247) + lobe(nm, 0.286, 530.9, 0.0613, 0.0322);
    xyz[2] = lobe(nm, 1.217, 437.0, 0.0845, 0.0278) + lobe(nm, 0.681, 459.0, 0.0385, 0.0725);
}

void black_body_shown(double kelvin, float shown[3])
{
    static const double to_light[3][3] = {{3.2404542, -1.5371385, -0.4985314},
                                          {-0.9692660, 1.8760108, 0.0415560},
                                          {0.0556434, -0.2040259, 1.0572252}};
    const double second_constant = 1.438776877e7; /* radiation constant c2, nm K */
    double sum[3] = {0}, light[3] = {0}, most = 0;
    for (int nm = 380; nm <= 780; nm += 5) {
        double xyz[3];
        observe(nm, xyz);
        const double power = fn_pow(nm / 560.0, -5) / fn_expm1(second_constant / (nm * kelvin));
        for (int i = 0; i < 3; i++)
            sum[i] += power * xyz[i];
    }
    for (int c = 0; c < 3; c++) {
        for (int i = 0; i < 3; i++)
            light[c] += to_light[c][i] * sum[i];
        light[c] = fmax(light[c], 0);
        most = fmax(most, light[c]);
    }
    for (int c = 0; c < 3; c++)
        shown[c] = (float)fn_pow(light[c] / most, 1 / 2.2);
}
