/**
 * A file of fiscal seals from another system: the meaning of its columns, and the outcome of each
 * line.
 */
import { foldText } from '#server/domain/text/search.ts';
import { tableFaultWords } from '#server/domain/text/table-fault.ts';

export const sealColumns = [
  'code',
  'order',
  'sector',
  'row',
  'seat',
  'seal',
  'progressive',
  'card',
] as const;
export type SealColumn = (typeof sealColumns)[number];
export type SealCells = Partial<Record<SealColumn, string>>;

export const sealColumnNames: Record<SealColumn, string> = {
  code: 'Codice del biglietto',
  order: 'Numero d’ordine',
  sector: 'Settore',
  row: 'Fila',
  seat: 'Posto',
  seal: 'Sigillo fiscale',
  progressive: 'Progressivo',
  card: 'Carta di attivazione',
};

/** Headings without accents, capitals and punctuation. */
const headings: Record<SealColumn, readonly string[]> = {
  code: ['codice', 'codicebiglietto', 'codicedelbiglietto', 'codiceqr', 'biglietto', 'barcode'],
  order: ['ordine', 'numeroordine', 'numerodordine', 'nordine', 'codiceordine'],
  sector: ['settore', 'ordinediposto', 'ordinediposti', 'zona'],
  row: ['fila'],
  seat: ['posto', 'numeroposto', 'postoasedere'],
  seal: ['sigillo', 'sigillofiscale', 'codicesigillo', 'codicesigillofiscale'],
  progressive: ['progressivo', 'numeroprogressivo', 'progressivotitolo', 'progressivofiscale'],
  card: ['carta', 'cartadiattivazione', 'cartaattivazione', 'codicecarta', 'smartcard'],
};

/** Null: an unknown heading. */
export function sealColumnOf(heading: string): SealColumn | null {
  const folded = foldText(heading).replace(/[^a-z0-9]/g, '');
  return sealColumns.find((column) => headings[column].includes(folded)) ?? null;
}

/**
 * "Platea, fila A, posto 12", "Platea-A-12" and three columns are one seat: words such as "fila"
 * are dropped.
 */
export function foldSeat(...parts: readonly (string | undefined)[]): string {
  return foldText(parts.join(' '))
    .replace(/[^a-z0-9]+/g, ' ')
    .split(' ')
    .filter((word) => word !== '' && !['settore', 'fila', 'posto'].includes(word))
    .map((word) => word.replace(/^0+(?=\d)/, ''))
    .join(' ');
}

/** The most characters of a seal, of its number and of its card. */
export const sealLength = 60;

/**
 * `same`: the ticket has that seal already. `replaces`: the ticket's former seal does not count
 * any more. `wrong`: the line is left out.
 */
export const sealOutcomes = ['new', 'replaces', 'same', 'wrong'] as const;
export type SealOutcome = (typeof sealOutcomes)[number];

export const sealProblems = [
  'no_seal',
  'too_long',
  'no_key',
  'code_unknown',
  'order_unknown',
  'seat_unknown',
  'several',
  'mismatch',
  'ticket_twice',
  'seal_twice',
  'seal_taken',
] as const;
export type SealProblem = (typeof sealProblems)[number];

export const sealProblemWords: Record<SealProblem, string> = {
  no_seal: 'Manca il sigillo.',
  too_long: `Un valore è più lungo di ${sealLength} caratteri.`,
  no_key: 'Non dice di quale biglietto è: serve il codice, l’ordine o il posto.',
  code_unknown: 'Questo codice non è di un biglietto valido dell’evento.',
  order_unknown: 'Questo ordine non ha biglietti validi per l’evento.',
  seat_unknown: 'Su questo posto non c’è un biglietto valido.',
  several: 'Può essere di più biglietti: scrivi anche il posto, o il codice.',
  mismatch: 'Codice, ordine e posto non sono dello stesso biglietto.',
  ticket_twice: 'Una riga di prima è dello stesso biglietto.',
  seal_twice: 'Una riga di prima ha lo stesso sigillo.',
  seal_taken: 'Questo sigillo è già di un altro biglietto.',
};

/** Why a file cannot be read at all. */
export const sealFileFaultWords = {
  ...tableFaultWords,
  no_seal_column: 'Manca la colonna «Sigillo fiscale».',
  no_key_column: 'Manca la colonna che dice il biglietto: «Codice», «Ordine» o «Posto».',
  empty: 'Il file non ha righe.',
  too_many: 'Il file ha troppe righe: al massimo 50.000.',
} as const;
export type SealFileFault = keyof typeof sealFileFaultWords;
