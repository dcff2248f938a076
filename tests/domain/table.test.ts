/** A table reads the same whatever program wrote it; one that would be misread is refused by its row. */
import { stringify } from 'csv-stringify/sync';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { textOfFile } from '#server/domain/text/file-text.ts';
import { UnreadableTable, sayAtLine, tableFaultWords } from '#server/domain/text/table-fault.ts';
import { openTable } from '#server/domain/text/table.ts';

const names = ['fila', 'posto', 'settore'] as const;
const columnOf = (heading: string) => names.find((name) => name === heading.toLowerCase()) ?? null;

function read(bytes: Uint8Array): { line: number; cells: string[] }[] {
  const { pieces } = openTable(textOfFile(bytes), columnOf);
  return [...pieces].flat().map(({ line, cells }) => ({
    line,
    cells: names.flatMap((name) => cells[name] ?? []),
  }));
}

/** The fault and its row. */
function faultOf(file: string | Uint8Array): string {
  try {
    const rows = read(typeof file === 'string' ? Buffer.from(file) : file);
    return `read ${rows.length}`;
  } catch (error) {
    if (!(error instanceof UnreadableTable)) throw error;
    return `${error.fault} ${error.line}`;
  }
}

const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const encodings: Record<string, (text: string) => Buffer> = {
  'UTF-8': (text) => Buffer.from(text),
  'UTF-8 with a mark, as Excel «CSV UTF-8»': (text) => Buffer.from(`\uFEFF${text}`),
  'UTF-16 LE with a mark, as Excel «Testo Unicode»': (text) => utf16(`\uFEFF${text}`),
  'UTF-16 BE with a mark': (text) => utf16(`\uFEFF${text}`).swap16(),
  'UTF-16 LE without a mark': utf16,
  'UTF-16 BE without a mark': (text) => utf16(text).swap16(),
};

describe.each(Object.entries(encodings))('in %s', (_name, encode) => {
  const letters = [...'aZ9;,|\t"\' 中è€\u{1f3ad}.=-'];
  const cell = fc
    .string({ unit: fc.constantFrom(...letters), maxLength: 8 })
    .map((text) => text.trim())
    // What programs add before a sign is taken away again, so it is no cell of the table itself.
    .filter((text) => !/^'[=+\-@']|^="/.test(text));
  const broken = fc.constantFrom('prima\nseconda', 'a\r\nb', '"\rb"');
  const table = fc.array(fc.tuple(fc.oneof(cell, { arbitrary: broken, weight: 1 }), cell, cell), {
    maxLength: 12,
  });
  const dialect = fc.record({
    separator: fc.constantFrom(';', ',', '\t', '|'),
    ends: fc.constantFrom('\r\n', '\n', '\r'),
    titles: fc.constantFrom(0, 1, 3),
    padding: fc.boolean(),
    declares: fc.boolean(),
    quotes: fc.boolean(),
    closed: fc.boolean(),
  });

  test('any table of any dialect reads back equal, each row by its number in a spreadsheet', () => {
    fc.assert(
      fc.property(
        table,
        dialect,
        (rows, { separator, ends, titles, padding, declares, quotes, closed }) => {
          const top = Array.from({ length: titles }, (_, nth) => [
            nth === 1 ? '' : 'Teatro; sala',
            '',
            '',
          ]);
          const lines = [...top, ['Settore', 'Fila', 'Posto'], ...rows];
          const text = stringify(
            lines.map((line) => (padding ? [...line, '', ''] : line)),
            {
              delimiter: separator,
              record_delimiter: ends,
              quoted: quotes,
              quoted_match: /[\r\n]/,
            },
          );
          const whole = (declares ? `sep=${separator}${ends}` : '') + text;
          const bytes = encode(closed ? whole : whole.slice(0, -ends.length));
          const wanted = rows.flatMap(([settore, fila, posto], nth) =>
            [settore, fila, posto].every((one) => one === '')
              ? []
              : [{ line: titles + 2 + nth, cells: [fila, posto, settore] }],
          );
          if (rows.length > 0) expect(read(bytes)).toEqual(wanted);
        },
      ),
      { numRuns: 60 },
    );
  });
});

test('any text at all is read or refused, and nothing else happens', () => {
  const letters = fc.constantFrom(...'"";;,\t\n\r\0a= \uFEFF\u00a0\v');
  const run = fc.constantFrom(' ', 'a', '";', '\t', '";"', '\u00a0').map((of) => of.repeat(20_000));
  const short = fc.string({ unit: letters, maxLength: 60 });
  const long = fc.array(fc.oneof(letters, run), { maxLength: 9 }).map((parts) => parts.join(''));
  const refusedOrRead = fc.property(
    fc.oneof({ arbitrary: short, weight: 40 }, long),
    fc.boolean(),
    (given, headed) => {
      expect(faultOf(headed ? `fila;posto\n${given}` : given)).toMatch(/^[a-z_]+ \w+$/);
    },
  );
  fc.assert(refusedOrRead, { numRuns: 2_000 });
});

test('a long table with mixed line ends and cells of three lines is cut between rows', () => {
  const rows = Array.from({ length: 3_000 }, (_, nth) => ['A', `${nth}`, `Sala\n${nth}\nalta`]);
  const lines = rows.map(
    ([row, seat, hall], nth) => `${row};${seat};"${hall}"${nth % 2 ? '\n' : '\r\n'}`,
  );
  expect(read(Buffer.from(`fila;posto;settore\r\n${lines.join('')}`))).toEqual(
    rows.map((cells, nth) => ({ line: nth + 2, cells })),
  );
});

test('what old programs write, byte by byte', () => {
  const bytes = (text: string) => Buffer.from(text, 'latin1');
  const [row] = read(bytes('Fila;Posto;Settore\r\nA;1;Citt\xe0 \x80 5 \x96 \x93L\xb0\x94\r\n'));
  expect(row!.cells).toEqual(['A', '1', 'Città € 5 – “L°”']);
  // Excel for the Mac, «CSV (Macintosh)».
  expect(read(bytes('Fila;Posto;Settore\rA;1;Citt\x88 \xdb\r'))).toEqual([
    { line: 2, cells: ['A', '1', 'Città €'] },
  ]);
  // One letter that is none spoils one word, not the accents of the file.
  expect(
    read(Buffer.concat([Buffer.from('\uFEFFfila;posto;settore\nA;1;Città '), Buffer.from([0xe0])])),
  ).toEqual([{ line: 2, cells: ['A', '1', 'Città \uFFFD'] }]);
  expect(
    read(Buffer.from('fila;posto;settore\nA;="0001";"=""07"""\nA;12";\'=x\n')).map(
      ({ cells }) => cells,
    ),
  ).toEqual([
    ['A', '0001', '07'],
    ['A', '12"', '=x'],
  ]);
  // By hand, with a space after each comma.
  expect(read(Buffer.from('fila, posto, settore\nA, "1" ,\t"Galleria, alta" \n'))).toEqual([
    { line: 2, cells: ['A', '1', 'Galleria, alta'] },
  ]);
  // A heading may have two lines; a title may name what the columns do.
  const wrapped = 'Posti, fila, settore\n\nNota;"Posto";"Fila\n";Settore\n;1;A;P\n';
  expect(read(Buffer.from(wrapped))).toEqual([{ line: 4, cells: ['A', '1', 'P'] }]);
});

describe('a table that would be misread is refused by the row', () => {
  const ten = Array.from({ length: 10 }, (_, nth) => `Platea;A;${nth + 1};`);
  const withRow = (row: number, text: string, ends = '\n') =>
    ['settore;fila;posto;nota', ...ten.with(row - 2, text)].join(ends);
  test.each([
    ['one quote too much', withRow(7, '"Platea;A;6;'), 'open_quote 7'],
    ['in CR lines below a title', `Sala\r${withRow(7, '"Platea;A;6;', '\r')}`, 'open_quote 8'],
    ['in the last cell', withRow(11, 'Platea;A;10;"'), 'open_quote 11'],
    [
      'a later row has a quoted cell',
      withRow(3, '"Platea;A;2;').replace('A;9;', 'A;9;"x, y"'),
      'open_quote 3',
    ],
    [
      'a later cell ends with a quote',
      withRow(3, '"Platea;A;2;').replace('A;9;', 'A;9";'),
      'open_quote 3',
    ],
    ['a word after a quoted one', withRow(5, '"Platea" alta;A;4;'), 'open_quote 5'],
    [
      'rows before it have two lines',
      withRow(7, '"Platea;A;6;').replace('A;1;', 'A;1;"due\nrighe"'),
      'open_quote 7',
    ],
    ['a separator too much', withRow(6, 'Platea;alta;A;5;ultimo'), 'more_cells 6'],
    ['a row without end', withRow(4, 'a'.repeat(40_000)), 'long_row 4'],
    ['blanks without end', withRow(4, '\u00a0'.repeat(40_000)), 'long_row 4'],
    ['a quote after many blanks', withRow(11, `${' '.repeat(9_000)}"A`), 'open_quote 11'],
    ['a cell without end', withRow(4, `"${'a'.repeat(40_000)}";A;3;`), 'long_row 4'],
    ['a quote far from its end', withRow(4, `"${'a;b;c;d\n'.repeat(90_000)}`), 'open_quote 4'],
    ['rows without end', `fila;posto\n${'\n'.repeat(250_000)}`, 'too_many null'],
    ['a workbook', Buffer.from('PK\x03\x04\x14\x00'), 'spreadsheet null'],
    ['an old workbook', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1]), 'spreadsheet null'],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0]), 'not_a_table null'],
    ['nothing', '', 'empty null'],
    ['a mark alone', '\uFEFF', 'empty null'],
    ['headings alone', 'fila;posto\r\n', 'read 0'],
  ])('%s', (_name, file, fault) => {
    expect(faultOf(file)).toBe(fault);
  });
  expect(sayAtLine(tableFaultWords.open_quote, 7)).toMatch(/^Riga 7: una virgoletta/);
});
