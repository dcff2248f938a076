/** What of a text can be shown by a font or by a printer that lacks some signs (RULES O19). */
import { hasRightToLeft } from './direction.ts';
import { foldText } from './search.ts';

export interface ShownText {
  text: string;
  /** False: letters or digits were left out, so a name must not be shown like this. */
  isWhole: boolean;
}

/** Almost all texts of an Italian house: every font and every printer has these signs. */
const everyday = /^[ -~\xa0-\xac\xae-\xff’–…€]*$/;

/** `has` tells whether there is a sign for a code point beyond Latin-1. */
export function showText(text: string, has: (codePoint: number) => boolean): ShownText {
  if (everyday.test(text) && !text.includes('  ')) return { text, isWhole: true };
  let isWhole = true;
  const signs = [...cleanText(text)].map((sign) => {
    const found = [sign, ...substitutes(sign)].find((one) => hasAll(one, has));
    if (found !== undefined) return found;
    if (!/[\p{L}\p{N}]/u.test(sign)) return '';
    isWhole = false;
    return left;
  });
  if (!signs.some((sign) => sign === '' || sign === left)) return { text: signs.join(''), isWhole };
  const shown = signs.join('').replace(gaps, '…').replace(/ {2,}/g, ' ').trim();
  return { text: shown, isWhole: isWhole && (shown !== '' || text.trim() === '') };
}

/** Brings a text to one spelling, with spaces for line breaks and without invisible characters. */
export function cleanText(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\s+/g, (space) => (space.includes('\u00a0') ? '\u00a0' : ' '))
    .replace(hasRightToLeft(text) ? shapeless : allShapeless, '');
}

const allShapeless = /[\p{Cc}\p{Cf}\p{DI}]/gu;
/** Invisible characters, except those that join or part Arabic letters and that isolate names. */
const shapeless = /(?![\u200c-\u200f\u2066-\u2069])[\p{Cc}\p{Cf}\p{DI}]/gu;

/** Stands for letters that are left out; no text contains it (U+FFFF is no character). */
const left = '\uffff';
const gaps = /\uffff(?:[\s\uffff]*\uffff)?/g;

/** Other spellings of a sign, the nearest first: compatible (Ａ is A), without accent, small. */
function substitutes(sign: string): string[] {
  const plain = foldText(sign);
  const capital = sign === sign.toLowerCase() ? plain : plain.toUpperCase();
  return [sign.normalize('NFKC'), capital, plain];
}

function hasAll(text: string, has: (codePoint: number) => boolean): boolean {
  return text !== '' && [...text].every((sign) => isControl(sign) || has(sign.codePointAt(0)!));
}

function isControl(sign: string): boolean {
  return /[\u200c-\u200f\u2066-\u2069]/.test(sign);
}
