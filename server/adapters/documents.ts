/** Tickets on paper: a tagged PDF (PDF/UA), one A4 page per ticket, black on white, that any printer prints and any scanner reads. */
import { setImmediate } from 'node:timers/promises';
import {
  addSection,
  drawCode,
  drawFrame,
  drawLine,
  makePdf,
  sheetSize,
  spellCode,
  writeBox,
  type Box,
  type Doc,
  type Structure,
} from './pdf.ts';

/** One page, all in words. `code` is what the QR holds. */
export interface TicketSheet {
  position: string;
  title: string;
  date: string;
  doors: string | null;
  venue: string;
  seat: string;
  gate: string | null;
  price: string;
  holder: string | null;
  code: string;
  code_for_people: string;
}
/** `rules` and `footer` stand on every page, line by line. */
interface TicketsPdf {
  title: string;
  organiser: string;
  created_at: number;
  sheets: readonly TicketSheet[];
  rules: readonly string[];
  footer: readonly string[];
}

type Frame = Pick<TicketsPdf, 'organiser' | 'rules' | 'footer'>;

/** Three modules are a millimetre and a bit more: a poor camera reads it, and whole points keep the edges of the modules sharp. */
const moduleSize = 6;

export async function makeTicketsPdf({
  title,
  created_at,
  sheets,
  ...frame
}: TicketsPdf): Promise<Buffer> {
  return makePdf({ title, author: frame.organiser, created_at }, async (doc, root) => {
    for (const sheet of sheets) {
      drawSheet(doc, addSection(doc, root), { sheet, frame });
      // A page takes a millisecond or two, a large party has many: others get their turn in between.
      await setImmediate();
    }
  });
}

function drawSheet(
  doc: Doc,
  section: Structure,
  { sheet, frame }: { sheet: TicketSheet; frame: Frame },
): void {
  const { left, top, width, bottom, right } = sheetSize;
  const write = (tag: string, text: string, box: Box) => writeBox(doc, section, { tag, text, box });

  write('P', frame.organiser, {
    x: left,
    y: top,
    width: 350,
    height: 16,
    sizes: [11],
    weight: 'bold',
  });
  write('P', sheet.position, {
    x: right - 140,
    y: top,
    width: 140,
    height: 16,
    sizes: [11],
    align: 'right',
  });
  drawLine(doc, top + 22, 1.5);
  let y = write('H1', sheet.title, {
    x: left,
    y: top + 36,
    width,
    height: 112,
    sizes: [28, 24, 20, 17, 14],
    weight: 'bold',
  });
  y = write('P', sheet.date, {
    x: left,
    y: y + 10,
    width,
    height: 24,
    sizes: [16, 14],
    weight: 'bold',
  });
  if (sheet.doors !== null)
    y = write('P', sheet.doors, { x: left, y: y + 3, width, height: 18, sizes: [12] });
  y = write('P', sheet.venue, { x: left, y: y + 3, width, height: 48, sizes: [12, 10.5] });

  const box = Math.max(y + 20, 236);
  const rows = spellCode(sheet.code);
  const side = rows.length * moduleSize;
  const words = { x: left + 18, width: width - side - 44 };
  const boxHeight = side + 52;
  drawFrame(doc, { x: left, y: box, width, height: boxHeight });
  y = write('P', 'Posto', { ...words, y: box + 22, height: 14, sizes: [9.5] });
  // With a gate under it the seat has fewer lines: the code's letters below must stay free.
  const tight = sheet.gate !== null;
  y = write('H2', keepTogether(sheet.seat), {
    ...words,
    y: y + 2,
    height: tight ? 66 : 104,
    sizes: [24, 20, 17, 14, 12],
    weight: 'bold',
  });
  if (sheet.gate !== null)
    y = write('P', sheet.gate, { ...words, y: y + 8, height: 30, sizes: [14, 12], weight: 'bold' });
  y = write('P', sheet.price, {
    ...words,
    y: y + (tight ? 10 : 14),
    height: tight ? 30 : 46,
    sizes: [13, 11.5],
  });
  if (sheet.holder !== null)
    write('P', sheet.holder, { ...words, y: y + 8, height: tight ? 28 : 48, sizes: [13, 11.5] });
  drawCode(doc, section, {
    rows,
    moduleSize,
    label: `Codice QR del biglietto: ${sheet.code_for_people}`,
    x: right - side - 4,
    y: box + 4,
  });
  write('P', sheet.code_for_people, {
    x: left + 18,
    y: box + boxHeight - 32,
    width: width - 36,
    height: 18,
    sizes: [12, 11],
    weight: 'bold',
    align: 'right',
  });

  const foot = bottom - frame.footer.length * 13 - 10;
  y = box + boxHeight + 20;
  for (const rule of frame.rules)
    y = write('P', rule, { x: left, y, width, height: Math.max(14, foot - y), sizes: [11] }) + 5;
  drawLine(doc, foot, 0.8);
  y = foot + 10;
  for (const line of frame.footer)
    y = write('P', line, { x: left, y, width, height: 12, sizes: [9.5, 8] }) + 1;
}

/** "fila A" and "posto 12" stay on one line each. */
function keepTogether(seat: string): string {
  return seat
    .split(', ')
    .map((part) => (part.length > 16 ? part : part.replaceAll(' ', '\u00a0')))
    .join(', ');
}
