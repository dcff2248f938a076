/**
 * Check digits of Italian tax numbers: partita IVA (11 digits) and codice fiscale (16 characters,
 * or 11 digits for bodies).
 */

/** Removes what people add to a code: spaces, dots, small letters, «IT» in front. */
export function foldTaxCode(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\s.\-/]/g, '')
    .toUpperCase();
}

export function foldVatNumber(text: string): string {
  return foldTaxCode(text).replace(/^IT(?=\d)/, '');
}

/**
 * The last digit makes the sum a multiple of ten. Every second digit is doubled and its digits
 * are added (Luhn's rule, DM 23/12/1976). The first seven digits are the taxpayer's number, which
 * is never zero.
 */
export function isVatNumber(text: string): boolean {
  if (!/^\d{11}$/.test(text) || text.startsWith('0000000')) return false;
  const sum = [...text].reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** These letters replace digits where two people would have the same code (omocodia). */
const digit = '[0-9LMNPQRSTUV]';
const form = new RegExp(`^[A-Z]{6}${digit}{2}[ABCDEHLMPRST]${digit}{2}[A-Z]${digit}{3}[A-Z]$`);
/**
 * The value of each letter A to Z in an odd place; a digit has the value of the letter with its
 * index.
 */
const odd = [
  1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
];

/** The sixteenth character is the sum of the others modulo 26, as a letter. */
export function checkLetter(first: string): string {
  const sum = [...first].reduce((total, character, at) => {
    const index = parseInt(character, 36);
    const worth = index < 10 ? index : index - 10;
    return total + (at % 2 === 0 ? (odd[worth] ?? 0) : worth);
  }, 0);
  return String.fromCharCode(65 + (sum % 26));
}

/** Whether this is the code of a person, or of a body, which has the form of a partita IVA. */
export function isTaxCode(text: string): boolean {
  if (text.length === 11) return isVatNumber(text);
  return form.test(text) && checkLetter(text.slice(0, 15)) === text[15];
}
