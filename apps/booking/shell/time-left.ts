/** Time left, as a clock counts it down. */

/** 872,000 ms is "14:32" */
export function sayMinutes(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
