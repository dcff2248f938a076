/**
 * What a buyer must write for an invoice, and the faults in it (RULES L8): the same in the form
 * and from the server.
 */
import { isMailAddress } from '#server/domain/text/mail-address.ts';
import { foldTaxCode, foldVatNumber, isTaxCode, isVatNumber } from './tax-codes.ts';

export const invoiceFields = [
  'name',
  'address',
  'postal_code',
  'city',
  'province',
  'vat_number',
  'tax_code',
  'recipient_code',
  'pec',
] as const;
export type InvoiceField = (typeof invoiceFields)[number];
/** Texts as typed; an empty text is a missing one. */
export type InvoiceTexts = Record<InvoiceField, string>;
export type InvoiceFaults = Partial<Record<InvoiceField, string>>;

const invoiceLengths: Record<InvoiceField, number> = {
  name: 200,
  address: 200,
  postal_code: 5,
  city: 100,
  province: 2,
  vat_number: 20,
  tax_code: 25,
  recipient_code: 7,
  pec: 254,
};

export const emptyInvoice = Object.fromEntries(
  invoiceFields.map((field) => [field, '']),
) as InvoiceTexts;

/** One spelling of each field: no spaces around it, codes in capitals and without separators. */
export function tidyInvoice(texts: InvoiceTexts): InvoiceTexts {
  const { vat_number, tax_code, recipient_code, province, ...rest } = texts;
  const trimmed = Object.fromEntries(
    Object.entries(rest).map(([field, text]) => [field, text.trim().replace(/\s+/g, ' ')]),
  ) as typeof rest;
  return {
    ...trimmed,
    province: province.trim().toUpperCase(),
    vat_number: foldVatNumber(vat_number),
    tax_code: foldTaxCode(tax_code),
    recipient_code: recipient_code.trim().toUpperCase(),
  };
}

/** A sentence for each wrong field; `texts` are tidy. */
export function invoiceFaults(texts: InvoiceTexts): InvoiceFaults {
  const faults: InvoiceFaults = {};
  for (const field of invoiceFields) {
    const fault = lineFault(field, texts[field]) ?? rules[field]?.(texts);
    if (fault !== undefined) faults[field] = fault;
  }
  return faults;
}

function lineFault(field: InvoiceField, text: string): string | undefined {
  if (text.length > invoiceLengths[field])
    return `Troppo lungo: al massimo ${invoiceLengths[field]} caratteri.`;
  return /\p{Cc}/u.test(text) ? 'Scrivi tutto su una riga.' : undefined;
}

const rules: Partial<Record<InvoiceField, (texts: InvoiceTexts) => string | undefined>> = {
  name: ({ name }) => missing(name, 'Scrivi la denominazione, o nome e cognome.'),
  address: ({ address }) => missing(address, 'Scrivi via e numero civico.'),
  city: ({ city }) => missing(city, 'Scrivi il comune.'),
  postal_code: ({ postal_code }) =>
    /^\d{5}$/.test(postal_code) ? undefined : 'Il CAP ha 5 cifre.',
  province: ({ province }) =>
    /^[A-Z]{2}$/.test(province) ? undefined : 'La provincia ha 2 lettere, per esempio VE.',
  vat_number: ({ vat_number, tax_code }) => {
    if (vat_number === '')
      return missing(tax_code, 'Scrivi la partita IVA, o il codice fiscale qui sotto.');
    if (!/^\d{11}$/.test(vat_number)) return 'La partita IVA ha 11 cifre.';
    return isVatNumber(vat_number)
      ? undefined
      : 'Questa partita IVA non esiste: controlla le cifre.';
  },
  tax_code: ({ tax_code }) => {
    if (tax_code === '' || isTaxCode(tax_code)) return undefined;
    return tax_code.length === 16 || tax_code.length === 11
      ? 'Questo codice fiscale non esiste: controlla lettere e cifre.'
      : 'Il codice fiscale ha 16 caratteri; quello di un ente, 11 cifre.';
  },
  recipient_code: ({ recipient_code, vat_number, pec }) => {
    if (recipient_code === '')
      return vat_number === '' || pec !== ''
        ? undefined
        : 'Con la partita IVA serve il codice destinatario, o la PEC qui sotto.';
    return /^[A-Z0-9]{7}$/.test(recipient_code)
      ? undefined
      : 'Il codice destinatario ha 7 caratteri, lettere e cifre.';
  },
  pec: ({ pec }) =>
    pec === '' || isMailAddress(pec) ? undefined : 'Scrivi un indirizzo PEC intero, senza spazi.',
};

function missing(text: string, sentence: string): string | undefined {
  return text === '' ? sentence : undefined;
}

/**
 * The code of a buyer with neither code nor PEC: the invoice then waits at the Agenzia delle
 * Entrate.
 */
export const noRecipientCode = '0000000';

export const invoiceStates = ['todo', 'done'] as const;
export type InvoiceState = (typeof invoiceStates)[number];

/**
 * Why a buyer cannot ask for an invoice or change it. `nothing_left`: all that was paid has gone
 * back, into another date, or was left to the house.
 */
export const invoiceObstacles = [
  'nothing_paid',
  'nothing_left',
  'too_late',
  'already_made',
] as const;
export type InvoiceObstacle = (typeof invoiceObstacles)[number];
