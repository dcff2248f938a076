/** Why a file cannot be read as a table, with the Italian sentence for it. */

export const tableFaultWords = {
  empty: 'Il file è vuoto.',
  spreadsheet:
    'È un file di Excel o un archivio, non una tabella CSV. Aprilo, salvalo come «CSV» e scegli il file nuovo.',
  not_a_table: 'Non è un file CSV: le colonne vanno separate da punto e virgola o virgola.',
  open_quote: 'una virgoletta (") si apre e non si chiude. Toglila, poi scegli di nuovo il file.',
  more_cells:
    'ha più celle dei titoli. Un valore con dentro il separatore va tra virgolette: correggila, poi scegli di nuovo il file.',
  too_many: 'Il file ha troppe righe.',
  long_row: 'è troppo lunga: più di 10.000 caratteri.',
} as const;
export type TableFault = keyof typeof tableFaultWords;

export class UnreadableTable extends Error {
  readonly fault: TableFault;
  /** The row's number in a spreadsheet; null: the whole file is meant. */
  readonly line: number | null;

  constructor(fault: TableFault, line: number | null = null) {
    super(fault);
    this.fault = fault;
    this.line = line;
  }
}

/** "Riga 7: …" where one row is meant. */
export function sayAtLine(words: string, line: number | null): string {
  return line === null ? words : `Riga ${line}: ${words}`;
}
