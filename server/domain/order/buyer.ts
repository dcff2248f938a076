/**
 * What the office may write about a buyer, and the faults in it: one Italian sentence per field,
 * the same in the form and from the server.
 */
import { newerWord, withOther } from '#server/domain/text/newer-word.ts';
import { isMailAddress } from '#server/domain/text/mail-address.ts';
import { phoneFault, phoneLength } from '#server/domain/text/phone-number.ts';

export const buyerFields = ['name', 'email', 'phone', 'contact', 'language'] as const;
export type BuyerField = (typeof buyerFields)[number];
/** An empty text clears the field. */
export type BuyerTexts = Partial<Record<BuyerField, string>>;

export const buyerLengths: Record<BuyerField, number> = {
  name: 200,
  email: 254,
  phone: phoneLength,
  contact: 200,
  language: 2,
};

/** The language in which the office speaks with the buyer; mails are Italian all the same. */
export const buyerLanguages = ['it', 'en', 'fr', 'de'] as const;
export type BuyerLanguage = (typeof buyerLanguages)[number];

export const languageNames = withOther<Record<BuyerLanguage, string>>(
  {
    it: 'italiano',
    en: 'inglese',
    fr: 'francese',
    de: 'tedesco',
  },
  newerWord,
);

export function readLanguage(text: string | null | undefined): BuyerLanguage | null {
  return buyerLanguages.find((known) => known === text) ?? null;
}

export function buyerFaults(texts: BuyerTexts): Partial<Record<BuyerField, string>> {
  const faults: Partial<Record<BuyerField, string>> = {};
  for (const field of buyerFields) {
    const fault = faultOf(field, texts[field]?.trim() ?? '');
    if (fault !== null) faults[field] = fault;
  }
  return faults;
}

function faultOf(field: BuyerField, text: string): string | null {
  if (text === '') return null;
  if (field === 'language')
    return readLanguage(text) === null ? 'Scegli una lingua dall’elenco.' : null;
  if (text.length > buyerLengths[field])
    return `Troppo lungo: al massimo ${buyerLengths[field]} caratteri.`;
  if (field === 'email' && !isMailAddress(text))
    return 'Scrivi un indirizzo e-mail intero, senza spazi.';
  const fault = field === 'phone' ? phoneFault(text) : null;
  if (fault !== null) return fault;
  return /\p{Cc}/u.test(text) ? 'Scrivi tutto su una riga.' : null;
}
