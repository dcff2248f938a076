/**
 * Tables of figures as a tagged PDF (PDF/UA) on A4 landscape. Each page repeats the headings, and
 * a note that says what the paper is not.
 */
import { setImmediate } from 'node:timers/promises';
import { isolate } from '#server/domain/text/direction.ts';
import { columnWriter, drawLine, makePdf, type Doc, type Structure } from './pdf.ts';

export interface SheetColumn {
  name: string;
  /** The column's width relative to the others. */
  share: number;
  /** True: aligned to the right. */ number?: boolean;
}
export interface SheetTable {
  title: string;
  columns: readonly SheetColumn[];
  rows: readonly (readonly string[])[];
  /** Rows in bold at the end of the table. */ totals: readonly (readonly string[])[];
  note?: string;
}
interface TableSheet {
  title: string;
  organiser: string;
  created_at: number;
  head: readonly string[];
  /** The note on each page. */ mark: string;
  made: string;
  tables: readonly SheetTable[];
}

/** A4 landscape, in points. */
const page = { left: 40, right: 802, width: 762, top: 36, bottom: 545 };
const edges = { left: page.left, right: page.right };
const rowHeight = 14;
/** The height of a heading with two lines. */
const headHeight = 22;
const gap = 6;
const footTop = 566;

export async function makeTablesPdf(sheet: TableSheet): Promise<Buffer> {
  const { title, organiser, created_at } = sheet;
  return makePdf({ title, author: organiser, created_at }, async (doc, root) => {
    const paper: Paper = {
      doc,
      root,
      sheet,
      section: newSection(doc, root),
      y: page.top,
      pages: 1,
    };
    drawHead(paper);
    for (const table of sheet.tables) await drawTable(paper, table);
    drawFoot(paper);
  });
}

interface Paper {
  doc: Doc;
  root: Structure;
  sheet: TableSheet;
  section: Structure;
  y: number;
  pages: number;
}

function newSection(doc: Doc, root: Structure): Structure {
  doc.addPage({ size: 'A4', layout: 'landscape', margin: 0 });
  const section = doc.struct('Sect');
  root.add(section);
  return section;
}

/** Begins a new page; other requests run before it. */
async function turnPage(paper: Paper): Promise<void> {
  drawFoot(paper);
  await setImmediate();
  paper.section = newSection(paper.doc, paper.root);
  paper.pages += 1;
  paper.y = page.top;
  const write = writerOf(paper);
  paper.y =
    write('P', `${isolate(paper.sheet.title)} · ${isolate(paper.sheet.organiser)}`, {
      y: paper.y,
      height: 14,
      sizes: [9.5, 8],
    }) + 8;
}

function writerOf({ doc, section }: Paper) {
  return columnWriter(doc, section, { x: page.left, width: page.width });
}

function drawHead(paper: Paper): void {
  const { title, organiser, head, mark } = paper.sheet;
  const write = writerOf(paper);
  paper.y = write('P', organiser, { y: paper.y, height: 16, sizes: [11] }) + 2;
  paper.y = write('H1', title, { y: paper.y, height: 28, sizes: [19, 16, 13], weight: 'bold' }) + 2;
  paper.y = write('P', mark, { y: paper.y, height: 16, sizes: [11], weight: 'bold' }) + 3;
  for (const line of head)
    paper.y = write('P', line, { y: paper.y, height: 26, sizes: [10, 9] }) + 2;
  drawLine(paper.doc, paper.y + 3, 1.2, edges);
  paper.y += 14;
}

function drawFoot({ doc, section, sheet, pages }: Paper): void {
  const write = columnWriter(doc, section, { x: page.left, width: page.width });
  drawLine(doc, footTop - 6, 0.8, edges);
  const box = { y: footTop, height: 12, sizes: [8.5] };
  write('P', `${sheet.mark}. ${sheet.made}`, { ...box, width: page.width - 80 });
  write('P', `Pagina ${pages}`, { ...box, x: page.right - 70, width: 70, align: 'right' });
}

async function drawTable(paper: Paper, table: SheetTable): Promise<void> {
  const rows = [
    ...table.rows.map((cells) => ({ cells, bold: false })),
    ...table.totals.map((cells) => ({ cells, bold: true })),
  ];
  if (paper.y + 20 + headHeight + rowHeight * 2 > page.bottom) await turnPage(paper);
  const write = writerOf(paper);
  paper.y = write('H2', table.title, { y: paper.y, height: 18, sizes: [12.5], weight: 'bold' }) + 3;
  let part = beginTable(paper, table);
  for (const { cells, bold } of rows) {
    if (paper.y + rowHeight > page.bottom) {
      part.end();
      await turnPage(paper);
      part = beginTable(paper, table);
    }
    drawRow(paper, part, { table, cells, bold });
  }
  part.end();
  if (table.note !== undefined) {
    if (paper.y + 26 > page.bottom) await turnPage(paper);
    paper.y = writerOf(paper)('P', table.note, { y: paper.y + 3, height: 24, sizes: [8.5] }) + 2;
  }
  paper.y += 12;
}

function beginTable(paper: Paper, { columns }: SheetTable): Structure {
  const { doc, section, y } = paper;
  const part = doc.struct('Table');
  section.add(part);
  const row = doc.struct('TR');
  part.add(row);
  let below = y;
  eachCell(columns, (column, x, width) => {
    const end = columnWriter(doc, row, { x, width })('TH', column.name, {
      y,
      height: headHeight - 2,
      sizes: [8, 7],
      weight: 'bold',
      scope: 'Column',
      ...(column.number === true && { align: 'right' as const }),
    });
    below = Math.max(below, end);
  });
  row.end();
  drawLine(doc, below + 2, 0.8, edges);
  paper.y = below + 5;
  return part;
}

function drawRow(
  paper: Paper,
  part: Structure,
  { table, cells, bold }: { table: SheetTable; cells: readonly string[]; bold: boolean },
): void {
  const { doc, y } = paper;
  if (bold) drawLine(doc, y - 1.5, 0.5, edges);
  const row = doc.struct('TR');
  part.add(row);
  eachCell(table.columns, (column, x, width, at) =>
    columnWriter(doc, row, { x, width })(at === 0 ? 'TH' : 'TD', cells[at] ?? '', {
      y: y + 1,
      height: rowHeight - 2,
      sizes: [8.5, 7.5, 6.5],
      ...(at === 0 && { scope: 'Row' as const }),
      ...(bold && { weight: 'bold' as const }),
      ...(column.number === true && { align: 'right' as const }),
    }),
  );
  row.end();
  paper.y += rowHeight;
}

function eachCell(
  columns: readonly SheetColumn[],
  draw: (column: SheetColumn, x: number, width: number, at: number) => void,
): void {
  const room = page.width - gap * (columns.length - 1);
  const shares = columns.reduce((sum, { share }) => sum + share, 0);
  let x = page.left;
  columns.forEach((column, at) => {
    const width = (room * column.share) / shares;
    draw(column, x, width, at);
    x += width + gap;
  });
}
