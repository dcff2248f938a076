/** Numbers of people, as a doorman reads them: 1.248 with its point. */

/** Made once: every verdict says several numbers, and to make one takes a slow phone milliseconds. */
const digits = new Intl.NumberFormat('it-IT', { useGrouping: 'always' });

export function sayNumber(count: number): string {
  return digits.format(count);
}

/** 1 biglietto, 1.248 biglietti */
export function sayCount(count: number, one: string, many: string): string {
  return `${sayNumber(count)} ${count === 1 ? one : many}`;
}
