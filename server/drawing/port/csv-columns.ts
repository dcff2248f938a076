/** The columns of a table of seats, by our names and those of others, and what their cells say. */
import { CSV_COLUMNS } from './csv-out.ts';

export type CsvColumn = (typeof CSV_COLUMNS)[number];

/** Other names of a column, without accents. */
const ALSO: Partial<Record<CsvColumn, readonly string[]>> = {
  piano: ['floor', 'livello', 'level'],
  settore: ['section', 'sector', 'zona', 'zone', 'blocco', 'block', 'area'],
  tipo: ['type', 'kind'],
  fila: ['row', 'riga', 'file', 'tavolo', 'table'],
  posto: ['seat', 'numero', 'number', 'n', 'poltrona', 'seat number', 'seat_number'],
  categoria: ['category', 'prezzo', 'fascia', 'price', 'price level'],
  varco: ['entrance', 'ingresso', 'gate'],
  disabili: ['accessible', 'wheelchair', 'carrozzina'],
  accompagnatore: ['companion'],
  'visibilità limitata': ['restricted view', 'restricted', 'visibilita ridotta'],
  'corridoio dopo': ['aisle', 'corridoio'],
  capienza: ['capacity', 'posti'],
  id: ['uuid'],
};

function plain(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .trim();
}

const COLUMN_OF = new Map<string, CsvColumn>(
  CSV_COLUMNS.flatMap((column) =>
    [column, ...(ALSO[column] ?? [])].map((name) => [plain(name), column] as const),
  ),
);

/** Null: an unknown heading. */
export function csvColumnOf(heading: string): CsvColumn | null {
  return COLUMN_OF.get(plain(heading)) ?? null;
}

/** "1.234,50" and "1,234.50" are one number: of two different signs the last marks decimals. */
export function csvNumber(text = ''): number | null {
  const value = Number(text.replaceAll(/([.,])(?=.*(?!\1)[.,])/g, '').replace(',', '.'));
  return text === '' || !Number.isFinite(value) || Math.abs(value) > 1e6 ? null : value;
}

/** A number of places: "1.200" is twelve hundred. */
export function csvCount(text = ''): number | null {
  const count = csvNumber(text.replaceAll(/[.,](?=\d{3}(?:\D|$))/g, ''));
  return count !== null && Number.isInteger(count) && count > 0 ? count : null;
}

export function csvFlag(text = ''): boolean {
  return ['si', 'x', '1', 'true', 'vero', 'yes', 's'].includes(plain(text));
}
