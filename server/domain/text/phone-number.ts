/** Telephone numbers as people type them: the longest text, and what is wrong with one. */
export const phoneLength = 40;

const sentence = 'Scrivi un numero di telefono: da 5 a 15 cifre, con il prefisso se è estero.';

/** Null: no fault. E.164 has at most fifteen digits; separators do not matter. */
export function phoneFault(typed: string): string | null {
  const text = typed.trim();
  const digits = text.replace(/\D/g, '').length;
  return /^\+?[\d\s().\-/]+$/.test(text) && digits >= 5 && digits <= 15 ? null : sentence;
}
