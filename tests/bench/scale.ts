/**
 * The size of the measurements: BENCH_SCALE=0.05 runs a twentieth of everything, to see whether
 * they still work.
 */
const scale = Number(process.env['BENCH_SCALE'] ?? 1);

/** The scaled number, but at least `least`. */
export function scaled(usual: number, least = 1): number {
  return Math.max(least, Math.round(usual * scale));
}

/** True if the figures are worth publishing, because nothing was scaled down. */
export const isWhole = scale === 1;
