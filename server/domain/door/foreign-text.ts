/** What a read text is that admits nobody, so that the steward can tell the guest (RULES A19). */
import { hasCodeShape } from './ticket-code.ts';

/**
 * `pairing`: the office's link for a phone; `address`: a web page, such as a menu; `code`: it has
 * the form of our codes but is forged, damaged or of an event that is not known here; `other`:
 * any other text.
 */
export type ForeignText = 'pairing' | 'address' | 'code' | 'other';

export const foreignWords: Record<ForeignText, string> = {
  pairing: 'È il codice per abbinare un telefono, non un biglietto',
  address: 'È un indirizzo web, non un biglietto',
  code: 'Codice non riconosciuto',
  other: 'Non è un nostro biglietto',
};

/** `read`: the whole text, or what a scan keeps of it; null: a scan of a release that kept none. */
export function foreignTextOf(read: string | null): ForeignText {
  if (read === null || hasCodeShape(read)) return 'code';
  const text = read.trim();
  if (isPairingLink(text)) return 'pairing';
  return isAddress(text) ? 'address' : 'other';
}

/** Also what a scan keeps of one (kept-text.ts). */
export function isPairingLink(text: string): boolean {
  return /#pair=(?:[\w.~-]{16}|…)/.test(text);
}

/** Menus are often printed without `https://`, and in capitals, which make a smaller QR. */
export function isAddress(text: string): boolean {
  return (
    /^(?:https?:\/\/|www\.)\S+$/i.test(text) ||
    /^(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z]{2,18}(?::\d+)?(?:[/?#]\S*)?$/i.test(text)
  );
}

/**
 * The kinds of code that other ticket systems use; the door reads them only to say so. QR codes
 * are not among them, and of a shop's codes (EAN) the door takes no notice.
 */
export const foreignCodes = {
  Aztec: 'Aztec',
  PDF417: 'PDF417',
  DataMatrix: 'Data Matrix',
  Code128: 'a barre Code 128',
  ITF: 'a barre ITF',
} as const;
export type ForeignCode = keyof typeof foreignCodes;

export function foreignCodeWords(kind: ForeignCode): string {
  return `Codice ${foreignCodes[kind]}: non è un nostro biglietto. I nostri hanno un codice QR`;
}
