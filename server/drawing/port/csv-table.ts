/** Reads the cells of a CSV file with any separator, by our names of the columns. */
import { CSV_COLUMNS } from './csv-out.ts';
import { UnreadableFile } from './values.ts';

type Column = (typeof CSV_COLUMNS)[number];

/** Other names of a column, without accents. */
const ALSO: Partial<Record<Column, readonly string[]>> = {
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

const COLUMN_OF = new Map<string, Column>(
  CSV_COLUMNS.flatMap((column) =>
    [column, ...(ALSO[column] ?? [])].map((name) => [plain(name), column] as const),
  ),
);

/** Splits a text into cells; quoted cells may contain separators and line breaks. */
function split(text: string, separator: string): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let index = 0; index <= text.length; index += 1) {
    const letter = text[index];
    if (isQuoted && letter !== undefined) {
      if (letter !== '"') cell += letter;
      else if (text[index + 1] === '"') cell += text[(index += 1)];
      else isQuoted = false;
    } else if (letter === '"' && cell === '') isQuoted = true;
    else if (letter === separator || letter === '\n' || letter === undefined) {
      line.push(cell.trim());
      cell = '';
      if (letter === separator) continue;
      if (line.some((one) => one !== '')) lines.push(line);
      line = [];
    } else if (letter !== '\r') cell += letter;
  }
  return lines;
}

/** The most characters; no hall's list has more. */
const LONGEST = 30_000_000;

export interface CsvLine {
  /** The line's number in a spreadsheet. */
  readonly number: number;
  readonly of: (column: Column) => string;
}

/** @throws UnreadableFile when the first line names neither row nor seat */
export function readCsv(given: string): CsvLine[] {
  if (given.length > LONGEST) throw new UnreadableFile('too-large');
  const text = given.replace(/^\uFEFF/, '');
  const [head = ''] = text.split('\n', 1);
  const [separator = ';'] = [';', '\t', ','].toSorted(
    (a, b) => head.split(b).length - head.split(a).length,
  );
  const [names = [], ...lines] = split(text, separator);
  const columns = new Map<Column, number>();
  for (const [index, name] of names.entries()) {
    const column = COLUMN_OF.get(plain(name));
    if (column && !columns.has(column)) columns.set(column, index);
  }
  if (!columns.has('fila') || !columns.has('posto')) throw new UnreadableFile('not-this-format');
  return lines.map((cells, index) => ({
    number: index + 2,
    of: (column) => {
      const at = columns.get(column);
      const found = at === undefined ? '' : (cells[at] ?? '');
      return /^'[=+\-@'\t]/.test(found) ? found.slice(1) : found;
    },
  }));
}

export function csvNumber(text: string): number | null {
  const value = Number(text.replace(',', '.'));
  return text === '' || !Number.isFinite(value) || Math.abs(value) > 1e6 ? null : value;
}

export function csvFlag(text: string): boolean {
  return ['si', 'x', '1', 'true', 'vero', 'yes', 's'].includes(plain(text));
}
