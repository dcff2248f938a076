/** When a clock counts as set back, and how long that is in Italian. */

/** Clocks of several servers, and one that is being adjusted, differ by less than this. */
export const clockStepMs = 60_000;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Such as `90 secondi`, `45 minuti`, `3 ore` or `5 giorni`. */
export function spanWords(ms: number): string {
  if (ms < 2 * minuteMs) return `${Math.round(ms / 1_000)} secondi`;
  if (ms < 115 * minuteMs) return `${Math.round(ms / minuteMs)} minuti`;
  if (ms < 48 * hourMs) return `${Math.round(ms / hourMs)} ore`;
  return `${Math.round(ms / (24 * hourMs))} giorni`;
}
