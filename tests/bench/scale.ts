/** How large the measurements are: with BENCH_SCALE=0.05 there is a twentieth of everything, to see whether they still run. */
const scale = Number(process.env['BENCH_SCALE'] ?? 1);

/** So many of what is usual, but not less than `least`. */
export function scaled(usual: number, least = 1): number {
  return Math.max(least, Math.round(usual * scale));
}

/** Figures that are worth writing down. */
export const isWhole = scale === 1;
