/**
 * Draws the smallest Micro QR code (M1, ISO/IEC 18004 §7): up to five digits without error
 * correction, so no ticket may be read from one.
 */

const side = 11;

/** Without its quiet zone. */
export function microQrRows(digits: string): boolean[][] {
  const modules = Array.from({ length: side }, () => Array<boolean>(side).fill(false));
  for (let at = 0; at < side; at += 1) modules[0]![at] = modules[at]![0] = at % 2 === 0;
  for (let row = 0; row < 8; row += 1)
    for (let column = 0; column < 8; column += 1) modules[row]![column] = isFinder(row, column);
  const format = bitsOf(0b100010001000101, 15);
  for (let at = 0; at < 8; at += 1) modules[8]![at + 1] = format[at]!;
  for (let at = 0; at < 7; at += 1) modules[7 - at]![8] = format[at + 8]!;
  const bits = codewordsOf(digits);
  for (const [row, column] of dataPath()) modules[row]![column] = bits.shift()! !== (row % 2 === 0);
  return modules;
}

function isFinder(row: number, column: number): boolean {
  if (row > 6 || column > 6) return false;
  const ring = Math.max(Math.abs(row - 3), Math.abs(column - 3));
  return ring !== 2;
}

/** Two columns at a time, upwards first. */
function dataPath(): [number, number][] {
  const path: [number, number][] = [];
  for (let right = 10, up = true; right > 0; right -= 2, up = !up)
    for (let step = 1; step <= 10; step += 1)
      for (const column of [right, right - 1]) {
        const row = up ? 11 - step : step;
        if (row > 8 || column > 8) path.push([row, column]);
      }
  return path;
}

/** Count, digits, end; padded to twenty bits; then two bytes that only detect faults. */
function codewordsOf(digits: string): boolean[] {
  const bits = [
    ...bitsOf(digits.length, 3),
    ...digits
      .match(/\d{1,3}/g)!
      .flatMap((group) => bitsOf(Number(group), [4, 7, 10][group.length - 1]!)),
  ];
  while (bits.length < 20) bits.push(false);
  const words = [bits.slice(0, 8), bits.slice(8, 16), bits.slice(16, 20)].map(valueOf);
  return [...bits, ...checkOf(words).flatMap((byte) => bitsOf(byte, 8))];
}

/** The remainder by x² + 3x + 2 over GF(256). */
function checkOf(words: readonly number[]): number[] {
  let [high, low] = [0, 0];
  for (const word of words) {
    const factor = word ^ high;
    [high, low] = [low ^ times(factor, 3), times(factor, 2)];
  }
  return [high, low];
}

function times(a: number, b: number): number {
  let product = 0;
  for (let bit = 0; bit < 8; bit += 1) if (b & (1 << bit)) product ^= a << bit;
  for (let bit = 15; bit >= 8; bit -= 1) if (product & (1 << bit)) product ^= 0x11d << (bit - 8);
  return product;
}

function bitsOf(value: number, length: number): boolean[] {
  return Array.from({ length }, (_, at) => ((value >> (length - 1 - at)) & 1) === 1);
}

function valueOf(bits: readonly boolean[]): number {
  return bits.reduce((value, bit) => value * 2 + Number(bit), 0);
}
