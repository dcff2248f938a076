/** Numbers of people, as a doorman reads them: 1.248 with its point. */

export function sayNumber(count: number): string {
  return count.toLocaleString('it-IT', { useGrouping: 'always' });
}

/** 1 biglietto, 1.248 biglietti */
export function sayCount(count: number, one: string, many: string): string {
  return `${sayNumber(count)} ${count === 1 ? one : many}`;
}
