/* Declares the kernels of every instruction set and order for the table in tree.c, and the naming
 * of their functions. */
#pragma once

#include "kernels/tree/kernel.h"
#include "kernels/isa.h"

#define TREE_JOIN_(a, b) a##_##b
#define TREE_JOIN(a, b)  TREE_JOIN_(a, b)

#define OF_ORDER(name) TREE_JOIN(OF_ISA(name), TREE_ORDER) /* name_avx2_4 */

#define TREE_STRING_(text) #text
#define TREE_STRING(text)  TREE_STRING_(text)

extern const struct tree_kernels tree_kernels_baseline_4, tree_kernels_baseline_5,
    tree_kernels_neon_4, tree_kernels_neon_5, tree_kernels_avx2_4, tree_kernels_avx2_5,
    tree_kernels_avx512_4, tree_kernels_avx512_5;
