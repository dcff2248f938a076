/** Numbers of people at the door: always with the point of the thousands, 1.248, which the rest of the product leaves out below 10.000. */

/** Made once: a formatter takes a slow phone milliseconds to make, and every verdict says several numbers. */
const digits = new Intl.NumberFormat('it-IT', { useGrouping: 'always' });

export function sayNumber(count: number): string {
  return digits.format(count);
}

/** 1 biglietto, 1.248 biglietti */
export function sayCount(count: number, one: string, many: string): string {
  return `${sayNumber(count)} ${count === 1 ? one : many}`;
}
