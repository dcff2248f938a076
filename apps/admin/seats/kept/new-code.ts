/** A code that is hard to guess and easy to read aloud, without letters that look like digits. */
const signs = 'ACDEFGHJKMNPQRTUVWXY34679';
const length = 8;

export function newCode(): string {
  return Array.from(
    crypto.getRandomValues(new Uint32Array(length)),
    (number) => signs[number % signs.length],
  ).join('');
}
