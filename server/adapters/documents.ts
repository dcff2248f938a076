/** Tickets on paper: a tagged PDF (PDF/UA), one A4 page per ticket, black on white, that any printer prints and any scanner reads. */
import { createRequire } from 'node:module';
import { setImmediate } from 'node:timers/promises';
import Pdf from 'pdfkit';
import { encodeQR } from 'qr';

/** One page, all in words. `code` is what the QR holds. */
export interface TicketSheet {
  position: string; title: string; date: string; doors: string | null; venue: string;
  seat: string; gate: string | null; price: string; holder: string | null; code: string; code_for_people: string;
}
/** `rules` and `footer` stand on every page, line by line. */
export interface TicketsPdf { title: string; organiser: string; created_at: number; sheets: readonly TicketSheet[]; rules: readonly string[]; footer: readonly string[] }

type Doc = PDFKit.PDFDocument;
type Structure = PDFKit.PDFStructureElement;
type Frame = Pick<TicketsPdf, 'organiser' | 'rules' | 'footer'>;
/** A font that pdfkit has opened, and what we ask it. */
interface OpenFont { hasGlyphForCodePoint: (codePoint: number) => boolean }
type Weight = 'regular' | 'bold';

/** A4 in points. */
const sheetSize = { left: 48, top: 44, width: 499, bottom: 798, right: 547 };
/** Three modules are a millimetre and a bit more: a poor camera reads it, and whole points keep the edges of the modules sharp. */
const moduleSize = 6;

export async function makeTicketsPdf({ title, created_at, sheets, ...frame }: TicketsPdf): Promise<Buffer> {
  const at = new Date(created_at);
  const options = {
    size: 'A4', margin: 0, autoFirstPage: false, font: fontSource('regular'), tagged: true, displayTitle: true, lang: 'it-IT', pdfVersion: '1.7', subset: 'PDF/UA',
    info: { Title: printable(title), Author: printable(frame.organiser), Creator: 'Botteghino', Producer: 'Botteghino', CreationDate: at, ModDate: at },
  };
  // Its types know neither a font as bytes nor this subset.
  const doc = new Pdf(options as unknown as PDFKit.PDFDocumentOptions);
  const parts: Buffer[] = [];
  const done = new Promise<Buffer>((resolve, reject) => {
    doc.on('data', (part: Buffer) => parts.push(part)).on('end', () => resolve(Buffer.concat(parts))).on('error', reject);
  });
  const root = doc.struct('Document');
  doc.addStructure(root);
  for (const sheet of sheets) {
    doc.addPage();
    const section = doc.struct('Sect');
    root.add(section);
    drawSheet(doc, section, { sheet, frame });
    // A page takes a millisecond or two, a large party has many: others get their turn in between.
    await setImmediate();
  }
  root.end();
  doc.end();
  return done;
}

function drawSheet(doc: Doc, section: Structure, { sheet, frame }: { sheet: TicketSheet; frame: Frame }): void {
  const { left, top, width, bottom, right } = sheetSize;
  const write = (tag: string, text: string, box: Box) => writeBox(doc, section, { tag, text, box });

  write('P', frame.organiser, { x: left, y: top, width: 350, height: 16, sizes: [11], weight: 'bold' });
  write('P', sheet.position, { x: right - 140, y: top, width: 140, height: 16, sizes: [11], align: 'right' });
  drawLine(doc, top + 22, 1.5);
  let y = write('H1', sheet.title, { x: left, y: top + 36, width, height: 112, sizes: [28, 24, 20, 17, 14], weight: 'bold' });
  y = write('P', sheet.date, { x: left, y: y + 10, width, height: 24, sizes: [16, 14], weight: 'bold' });
  if (sheet.doors !== null) y = write('P', sheet.doors, { x: left, y: y + 3, width, height: 18, sizes: [12] });
  y = write('P', sheet.venue, { x: left, y: y + 3, width, height: 48, sizes: [12, 10.5] });

  const box = Math.max(y + 20, 236);
  const rows = encodeQR(sheet.code, 'raw', { ecc: 'medium', border: 4, encoding: 'alphanumeric' });
  const side = rows.length * moduleSize;
  const words = { x: left + 18, width: width - side - 44 };
  const boxHeight = side + 52;
  doc.markContent('Artifact', { type: 'Layout' }).lineWidth(1.2).roundedRect(left, box, width, boxHeight, 8).stroke('#000').endMarkedContent();
  y = write('P', 'Posto', { ...words, y: box + 22, height: 14, sizes: [9.5] });
  // With a gate under it the seat has fewer lines: the code's letters below must stay free.
  const tight = sheet.gate !== null;
  y = write('H2', keepTogether(sheet.seat), { ...words, y: y + 2, height: tight ? 66 : 104, sizes: [24, 20, 17, 14, 12], weight: 'bold' });
  if (sheet.gate !== null) y = write('P', sheet.gate, { ...words, y: y + 8, height: 30, sizes: [14, 12], weight: 'bold' });
  y = write('P', sheet.price, { ...words, y: y + (tight ? 10 : 14), height: tight ? 30 : 46, sizes: [13, 11.5] });
  if (sheet.holder !== null) write('P', sheet.holder, { ...words, y: y + 8, height: tight ? 28 : 48, sizes: [13, 11.5] });
  drawCode(doc, section, { rows, label: `Codice QR del biglietto: ${sheet.code_for_people}`, x: right - side - 4, y: box + 4 });
  write('P', sheet.code_for_people, { x: left + 18, y: box + boxHeight - 32, width: width - 36, height: 18, sizes: [12, 11], weight: 'bold', align: 'right' });

  const foot = bottom - frame.footer.length * 13 - 10;
  y = box + boxHeight + 20;
  for (const rule of frame.rules) y = write('P', rule, { x: left, y, width, height: Math.max(14, foot - y), sizes: [11] }) + 5;
  drawLine(doc, foot, 0.8);
  y = foot + 10;
  for (const line of frame.footer) y = write('P', line, { x: left, y, width, height: 12, sizes: [9.5, 8] }) + 1;
}

/** "fila A" and "posto 12" stay on one line each. */
function keepTogether(seat: string): string {
  return seat.split(', ').map((part) => (part.length > 16 ? part : part.replaceAll(' ', '\u00a0'))).join(', ');
}

interface Box { x: number; y: number; width: number; height: number; /** Largest first: the first that fits is taken, the last one ends in an ellipsis. */ sizes: readonly number[]; weight?: Weight; align?: 'right' }

/** Never larger than its box, whatever the text is; the result is where it ends. */
function writeBox(doc: Doc, section: Structure, { tag, text, box }: { tag: string; text: string; box: Box }): number {
  const { x, y, width, height, sizes, weight = 'regular', align = 'left' } = box;
  const words = printable(text);
  doc.font(fontSource(weight));
  const fits = (size: number) => doc.fontSize(size).heightOfString(words, { width }) <= height;
  doc.fontSize(sizes.find(fits) ?? sizes.at(-1)!);
  const used = Math.min(height, doc.heightOfString(words, { width }));
  addElement(doc, section, { tag, draw: () => doc.fillColor('#000').text(words, x, y, { width, height, align, ellipsis: true }) });
  return y + used;
}

/** What is drawn inside belongs to the element. pdfkit's types do not know functions as children, nor a figure's box. */
function addElement(doc: Doc, section: Structure, { tag, options = {}, draw }: { tag: string; options?: object; draw: () => unknown }): void {
  section.add(doc.struct(tag, options, [draw as unknown as Structure]));
}

function drawLine(doc: Doc, y: number, thickness: number): void {
  doc.markContent('Artifact', { type: 'Layout' }).lineWidth(thickness).moveTo(sheetSize.left, y).lineTo(sheetSize.right, y).stroke('#000').endMarkedContent();
}

/** Runs of dark modules as rectangles of one path: vectors, so that no printer blurs them. `rows` bring their quiet zone. */
function drawCode(doc: Doc, section: Structure, { rows, label, x, y }: { rows: boolean[][]; label: string; x: number; y: number }): void {
  const side = rows.length * moduleSize;
  const draw = () => {
    rows.forEach((row, line) => {
      for (let from = 0; from < row.length; from += 1) {
        if (!row[from]) continue;
        const start = from;
        while (row[from + 1]) from += 1;
        doc.rect(x + start * moduleSize, y + line * moduleSize, (from - start + 1) * moduleSize, moduleSize);
      }
    });
    doc.fill('#000');
  };
  addElement(doc, section, { tag: 'Figure', options: { alt: label, bbox: [x, y, x + side, y + side] }, draw });
}

const files: Record<Weight, string> = { regular: 'DejaVuSansCondensed.ttf', bold: 'DejaVuSansCondensed-Bold.ttf' };
const open = new Map<Weight, OpenFont>();

/** pdfkit takes a font that it has opened before as well as a file, though its types do not say so: reading it anew costs ten pages. */
function fontSource(weight: Weight): Buffer {
  return fontOf(weight) as unknown as Buffer;
}

function fontOf(weight: Weight): OpenFont {
  const known = open.get(weight);
  if (known) return known;
  const doc = new Pdf({ autoFirstPage: false, font: createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${files[weight]}`) });
  const { font } = Reflect.get(doc, '_font') as { font: OpenFont };
  open.set(weight, font);
  return font;
}

/** What the font cannot draw becomes an empty square, and what has no shape of its own goes: a page without holes (PDF/UA). */
function printable(text: string): string {
  const font = fontOf('bold');
  const drawn = [...text.normalize('NFC').replace(/\s+/g, (space) => (space.includes('\u00a0') ? '\u00a0' : ' ')).replace(/[\p{Cc}\p{Cf}\uFE0F]/gu, '')];
  return drawn.map((character) => (font.hasGlyphForCodePoint(character.codePointAt(0)!) ? character : '□')).join('');
}
