/** Tickets as a tagged PDF (PDF/UA): one A4 page each, black on white, for any printer. */
import { setImmediate } from 'node:timers/promises';
import {
  addSection,
  columnWriter,
  drawCode,
  drawFrame,
  drawLine,
  drawPicture,
  makePdf,
  sheetSize,
  spellCode,
  type Doc,
  type Structure,
} from './pdf.ts';
import type { TicketSheet } from '#server/domain/counter/ticket-sheet.ts';

/** `rules`: lines below the ticket; `footer`: lines on every page. `logo`: a JPEG. */
interface TicketsPdf {
  title: string;
  organiser: string;
  logo: Buffer | null;
  created_at: number;
  sheets: readonly RuledSheet[];
  footer: readonly string[];
}

interface RuledSheet extends TicketSheet {
  rules: readonly string[];
}
type Frame = Pick<TicketsPdf, 'organiser' | 'logo' | 'footer'>;

/**
 * In points. A module of about two millimetres can be read by a poor camera, and a whole number
 * keeps its edges sharp.
 */
const moduleSize = 6;
/** The logo's place above the head's line, inside the printable area. */
const logoBox = { x: sheetSize.left, y: 18, width: 130, height: 42 };

export async function makeTicketsPdf({
  title,
  created_at,
  sheets,
  ...frame
}: TicketsPdf): Promise<Buffer> {
  return makePdf({ title, author: frame.organiser, created_at }, async (doc, root) => {
    for (const sheet of sheets) {
      drawSheet(doc, addSection(doc, root), { sheet, frame });
      // Lets other requests run between two pages: a large party has many pages, and each takes a
      // millisecond or two.
      await setImmediate();
    }
  });
}

function drawSheet(
  doc: Doc,
  section: Structure,
  { sheet, frame }: { sheet: RuledSheet; frame: Frame },
): void {
  const { left, width, bottom } = sheetSize;
  const write = columnWriter(doc, section, { x: left, width });
  const titleEnd = drawTitle(doc, section, { sheet, frame });
  let y = drawPlace(doc, section, { sheet, top: Math.max(titleEnd + 20, 236) }) + 20;
  if (sheet.fiscal !== null)
    y = write('P', sheet.fiscal, { y, height: 28, sizes: [11, 9.5], weight: 'bold' }) + 6;
  const foot = bottom - frame.footer.length * 13 - 10;
  for (const rule of sheet.rules)
    y = write('P', rule, { y, height: Math.max(14, foot - y), sizes: [11, 9.5] }) + 5;
  drawLine(doc, foot, 0.8);
  y = foot + 10;
  for (const line of frame.footer) y = write('P', line, { y, height: 12, sizes: [9.5, 8] }) + 1;
}

/** Draws title, date and venue; returns the y where they end. */
function drawTitle(
  doc: Doc,
  section: Structure,
  { sheet, frame: { organiser, logo } }: { sheet: TicketSheet; frame: Frame },
): number {
  const { left, top, width, right } = sheetSize;
  const write = columnWriter(doc, section, { x: left, width });
  const head = { y: top, height: 16, sizes: [11] };
  const beside = logo === null ? 0 : drawPicture(doc, logo, logoBox) + 10;
  write('P', organiser, { ...head, x: left + beside, width: 350 - beside, weight: 'bold' });
  write('P', sheet.position, { ...head, x: right - 140, width: 140, align: 'right' });
  drawLine(doc, top + 22, 1.5);
  let y = top + 36;
  if (sheet.trial !== null)
    y = write('P', sheet.trial, { y: top + 30, height: 24, sizes: [16, 14], weight: 'bold' }) + 4;
  y = write('H1', sheet.title, {
    y,
    height: 112,
    sizes: [28, 24, 20, 17, 14],
    weight: 'bold',
  });
  y = write('P', sheet.date, { y: y + 10, height: 24, sizes: [16, 14], weight: 'bold' });
  if (sheet.doors !== null) y = write('P', sheet.doors, { y: y + 3, height: 18, sizes: [12] });
  return write('P', sheet.venue, { y: y + 3, height: 48, sizes: [12, 10.5] });
}

/** Draws the frame with seat, gate, price, holder and code; returns the y where it ends. */
function drawPlace(
  doc: Doc,
  section: Structure,
  { sheet, top }: { sheet: TicketSheet; top: number },
): number {
  const { left, width, right } = sheetSize;
  const rows = spellCode(sheet.code);
  const side = rows.length * moduleSize;
  const height = side + 52;
  const write = columnWriter(doc, section, { x: left + 18, width: width - side - 44 });
  drawFrame(doc, { x: left, y: top, width, height });
  let y = write('P', 'Posto', { y: top + 22, height: 14, sizes: [9.5] });
  // With a gate the seat gets fewer lines, so that the text stays above the code's letters.
  const tight = sheet.gate !== null;
  y = write('H2', keepTogether(sheet.seat), {
    y: y + 2,
    height: tight ? 66 : 104,
    sizes: [24, 20, 17, 14, 12],
    weight: 'bold',
  });
  if (sheet.gate !== null)
    y = write('P', sheet.gate, { y: y + 8, height: 30, sizes: [14, 12, 10.5], weight: 'bold' });
  y = write('P', sheet.price, {
    y: y + (tight ? 10 : 14),
    height: tight ? 30 : 46,
    sizes: [13, 11.5],
  });
  if (sheet.holder !== null)
    write('P', sheet.holder, {
      y: y + 8,
      height: tight ? 28 : 48,
      sizes: [13, 11.5],
      instead: sheet.order,
    });
  drawCode(doc, section, {
    rows,
    moduleSize,
    label: `Codice QR del biglietto: ${sheet.code_for_people}`,
    x: right - side - 4,
    y: top + 4,
  });
  write('P', sheet.code_for_people, {
    y: top + height - 32,
    width: width - 36,
    height: 18,
    sizes: [12, 11],
    weight: 'bold',
    align: 'right',
  });
  return top + height;
}

/** Keeps parts such as "fila A" and "posto 12" on one line. */
function keepTogether(seat: string): string {
  return seat
    .split(', ')
    .map((part) => (part.length > 16 ? part : part.replaceAll(' ', '\u00a0')))
    .join(', ');
}
