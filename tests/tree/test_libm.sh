#!/usr/bin/env bash
# What decides bodies and films calls the C library only for functions that IEEE 754 or C define to the last bit: sqrt, fabs,
# fma, fmod, remainder, fmin, fmax, floor, ceil, trunc, rint, round and their kin, frexp, ldexp, scalbn, logb, modf, copysign,
# nextafter. The others are in base/functions/fn.h. CUDA kernels, the bench with its ladder of kernels, and what only judges or
# shows films are left out.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
scan() { # FILE...
  perl -0777 -ne '
    my $inexact = join "|", qw(acos asin atan atan2 cos sin tan sincos acosh asinh atanh cosh sinh tanh exp exp2 exp10 expm1
      log log10 log1p log2 cbrt hypot pow pow10 erf erfc lgamma tgamma gamma j0 j1 jn y0 y1 yn cexp cpow csin ccos);
    s{/\*.*?\*/|"(?:\\.|[^"\\\n])*"}{ my $t = $&; $t =~ tr/\n//cd; $t }gse;
    while (/(?<![\w.>])(?:__builtin_)?((?:$inexact)[fl]?)\s*\(/g) {
      my $line = 1 + (substr($_, 0, $-[0]) =~ tr/\n//);
      print "$ARGV:$line: $1\n";
    }' "$@"
}
planted=$(mktemp)
trap 'rm -f "$planted"' EXIT
cat >"$planted" <<'END'
/* exp(1) */ double a = sqrt(x) + fn_exp(x) + floor(x); /* and
pow(2, 3) */ const char *b = "sin(x)"; double log = shell->exp(1) + tree.cos(2);
double c = pow (x, 3) + fabs(x);
float d = cosf(x);
END
found=$(scan "$planted" | sed 's/^.*:\([0-9]*: \)/\1/' | tr '\n' ';')
[ "$found" = "3: pow;4: cosf;" ] || { echo "of planted calls, found: $found"; exit 1; }
cd "$root" || exit 1
mapfile -t files < <(find base kernels scenes sim render cmd -name '*.[ch]' ! -path 'base/functions/*' \
  ! -path 'kernels/ladder/*' ! -path 'cmd/bench/*' \
  ! \( -path 'cmd/regression/*' ! -path 'cmd/regression/record/*' \))
[ "${#files[@]}" -gt 300 ] || { echo "found only ${#files[@]} files"; exit 1; }
found=$(scan "${files[@]}")
[ -z "$found" ] || { printf 'these depend on the C library; call fn_NAME of base/functions/fn.h:\n%s\n' "$found"; exit 1; }
