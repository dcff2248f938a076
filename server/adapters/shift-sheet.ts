/**
 * The reading of a shift, or of a day, as a tagged PDF (PDF/UA) on A4: tables of words and sums,
 * and lines for signatures.
 */
import {
  addSection,
  columnWriter,
  drawLine,
  makePdf,
  sheetSize,
  type Doc,
  type Structure,
} from './pdf.ts';

export interface PaperRow {
  text: string;
  amount: string;
}
interface ShiftSheet {
  title: string;
  organiser: string;
  created_at: number;
  head: readonly string[];
  tables: readonly { title: string; rows: readonly PaperRow[] }[];
  /** The words beside each line for a signature. */ signatures?: readonly string[];
  footer: string;
}

const lineHeight = 16;
const amountWidth = 110;

export async function makeShiftPdf(sheet: ShiftSheet): Promise<Buffer> {
  const { title, organiser, created_at } = sheet;
  return makePdf({ title, author: organiser, created_at }, async (doc, root) => {
    const page = newPage(doc, root);
    drawHead(page, sheet);
    for (const { title: name, rows } of sheet.tables) {
      makeRoom(page, 3);
      page.y = writeLine(page, 'H2', name, { bold: true }) + 2;
      for (const row of rows) writeRow(page, row);
      page.y += 10;
    }
    for (const words of sheet.signatures ?? ['Firma']) {
      makeRoom(page, 3);
      page.y += lineHeight;
      writeLine(page, 'P', `${words}: ______________________________`, {});
      page.y += lineHeight;
    }
    writeFooter(page, sheet.footer);
  });
}

interface Page {
  doc: Doc;
  root: Structure;
  section: Structure;
  y: number;
}

function newPage(doc: Doc, root: Structure): Page {
  return { doc, root, section: addSection(doc, root), y: sheetSize.top };
}

/** Begins a new page if this one has too little room. */
function makeRoom(page: Page, lines: number): void {
  if (page.y + lines * lineHeight <= sheetSize.bottom) return;
  Object.assign(page, newPage(page.doc, page.root));
}

function drawHead(page: Page, { title, organiser, head }: ShiftSheet): void {
  const { left, width } = sheetSize;
  const write = columnWriter(page.doc, page.section, { x: left, width });
  page.y = write('P', organiser, { y: page.y, height: 16, sizes: [11] }) + 4;
  page.y = write('H1', title, { y: page.y, height: 30, sizes: [22, 18, 15], weight: 'bold' }) + 4;
  for (const line of head) page.y = write('P', line, { y: page.y, height: 16, sizes: [11] }) + 2;
  drawLine(page.doc, page.y + 4, 1.2);
  page.y += 16;
}

function writeLine(page: Page, tag: string, text: string, { bold }: { bold?: boolean }): number {
  const { left, width } = sheetSize;
  const write = columnWriter(page.doc, page.section, { x: left, width });
  const weight = bold === true ? { weight: 'bold' as const } : {};
  return write(tag, text, { y: page.y, height: lineHeight, sizes: [12, 10], ...weight });
}

/** It may take two lines. */
function writeFooter(page: Page, text: string): void {
  makeRoom(page, 1.4);
  const { left, width } = sheetSize;
  const write = columnWriter(page.doc, page.section, { x: left, width });
  write('P', text, { y: page.y, height: 1.4 * lineHeight, sizes: [10, 9, 8] });
}

function writeRow(page: Page, { text, amount }: PaperRow): void {
  makeRoom(page, 1);
  const { left, right, width } = sheetSize;
  const write = columnWriter(page.doc, page.section, { x: left, width: width - amountWidth - 8 });
  const box = { y: page.y, height: lineHeight, sizes: [10.5, 9, 8] };
  write('P', text, box);
  write('P', amount, { ...box, x: right - amountWidth, width: amountWidth, align: 'right' });
  page.y += lineHeight;
}
