/** A number with its noun. */

/** «1 posto», «12 posti». */
export function count(number: number, one: string, many: string): string {
  return `${number.toLocaleString('it')} ${number === 1 ? one : many}`;
}
