/** Reads Punycode (RFC 3492), the ASCII text in which domain names write other letters. */

/** The text of a label after `xn--`; null: it is not Punycode. */
export function decodePunycode(code: string): string | null {
  const cut = Math.max(code.lastIndexOf('-'), 0);
  const letters = code.slice(0, cut).split('');
  // Base 36: a to z are 0 to 25, the digits are 26 to 35.
  const digits = code
    .slice(cut)
    .replace('-', '')
    .split('')
    .map((sign) => (parseInt(sign, 36) + 26) % 36);
  let point = 128;
  let place = 0;
  let bias = 72;
  for (let next = 0; next < digits.length;) {
    const before = place;
    let weight = 1;
    for (let k = 36; ; k += 36) {
      const digit = digits[next++];
      if (digit === undefined || Number.isNaN(digit)) return null;
      place += digit * weight;
      const least = Math.min(Math.max(k - bias, 1), 26);
      if (digit < least) break;
      weight *= 36 - least;
    }
    const length = letters.length + 1;
    point += Math.floor(place / length);
    if (point > 0x10ffff) return null;
    bias = adaptBias(place - before, length, before === 0);
    place %= length;
    letters.splice(place++, 0, String.fromCodePoint(point));
  }
  return letters.join('');
}

/** RFC 3492, 6.1. */
function adaptBias(distance: number, length: number, isFirst: boolean): number {
  let delta = Math.floor(distance / (isFirst ? 700 : 2));
  delta += Math.floor(delta / length);
  let k = 0;
  for (; delta > 455; k += 36) delta = Math.floor(delta / 35);
  return k + Math.floor((36 * delta) / (delta + 38));
}
