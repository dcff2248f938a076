/** Writes tagged PDFs (PDF/UA) on A4, black on white: texts inside their boxes, and QR codes. */
import { encodeQR } from 'qr';
import { escapeHtml } from '#server/domain/text/plain-text.ts';
import { cleanText } from '#server/domain/text/shown.ts';
import { directionOption, fontSource, loadPdf, showOnPaper, type Weight } from './paper-font.ts';

export type Doc = PDFKit.PDFDocument;
export type Structure = PDFKit.PDFStructureElement;

/** The printable area of an A4 page, in points. */
export const sheetSize = { left: 48, top: 44, width: 499, bottom: 798, right: 547 };

/** `draw` adds the pages. */
export async function makePdf(
  { title, author, created_at }: { title: string; author: string; created_at: number },
  draw: (doc: Doc, root: Structure) => Promise<void>,
): Promise<Buffer> {
  const Pdf = await loadPdf();
  const at = new Date(created_at);
  const options = {
    size: 'A4',
    margin: 0,
    autoFirstPage: false,
    font: fontSource('regular'),
    tagged: true,
    displayTitle: true,
    lang: 'it-IT',
    pdfVersion: '1.7',
    subset: 'PDF/UA',
    info: {
      Title: cleanText(title),
      Author: cleanText(author),
      Creator: 'Botteghino',
      Producer: 'Botteghino',
      CreationDate: at,
      ModDate: at,
    },
  };
  // pdfkit's types allow neither an opened font nor this subset of PDF.
  const doc = new Pdf(options as unknown as PDFKit.PDFDocumentOptions);
  escapeMetadata(doc);
  const parts: Buffer[] = [];
  const done = new Promise<Buffer>((resolve, reject) => {
    doc
      .on('data', (part: Buffer) => parts.push(part))
      .on('end', () => resolve(Buffer.concat(parts)))
      .on('error', reject);
  });
  const root = doc.struct('Document');
  doc.addStructure(root);
  await draw(doc, root);
  root.end();
  doc.end();
  return done;
}

/** pdfkit writes title and author into XML as they are, and a "&" would break it. */
function escapeMetadata(doc: Doc): void {
  const addInfo = Reflect.get(doc, '_addInfo') as () => void;
  const [Title, Author] = [doc.info.Title, doc.info.Author].map((text = '') => escapeHtml(text));
  const info = { ...doc.info, Title, Author };
  Reflect.set(doc, '_addInfo', () => addInfo.call(Object.create(doc, { info: { value: info } })));
}

/** Adds a page with its own section in the structure. */
export function addSection(doc: Doc, root: Structure): Structure {
  doc.addPage();
  const section = doc.struct('Sect');
  root.add(section);
  return section;
}

/** A QR code's modules with their quiet zone; the code has level M and is alphanumeric. */
export function spellCode(code: string): boolean[][] {
  return encodeQR(code, 'raw', { ecc: 'medium', border: 4, encoding: 'alphanumeric' });
}

/** Draws an empty box with round corners, hidden from screen readers. */
export function drawFrame(
  doc: Doc,
  { x, y, width, height }: Pick<Box, 'x' | 'y' | 'width' | 'height'>,
): void {
  doc
    .markContent('Artifact', { type: 'Layout' })
    .lineWidth(1.2)
    .roundedRect(x, y, width, height, 8)
    .stroke('#000')
    .endMarkedContent();
}

/**
 * Draws a JPEG as large as its box allows, at the box's lower edge, hidden from screen readers;
 * returns its width.
 */
export function drawPicture(
  doc: Doc,
  picture: Buffer,
  { x, y, width, height }: Pick<Box, 'x' | 'y' | 'width' | 'height'>,
): number {
  // pdfkit's types lack `openImage`, which opens a picture without drawing it.
  const open = Reflect.get(doc, 'openImage') as (
    file: Buffer,
  ) => Buffer & { width: number; height: number };
  const opened = open.call(doc, picture);
  const scale = Math.min(width / opened.width, height / opened.height);
  const [wide, high] = [opened.width * scale, opened.height * scale];
  doc
    .markContent('Artifact', { type: 'Layout' })
    .image(opened, x, y + height - high, { width: wide, height: high })
    .endMarkedContent();
  return wide;
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
  /** The font sizes, largest first; the first that fits is used. */ sizes: readonly number[];
  weight?: Weight;
  align?: 'right';
  /** What is written where the fonts lack letters of the text, such as a Chinese name. */
  instead?: string;
  /** For a table's heading: whether it heads a row or a column. */ scope?: 'Row' | 'Column';
}

/** Writes a text that stays inside its box; returns the y where it ends. */
function writeBox(
  doc: Doc,
  section: Structure,
  { tag, text, box }: { tag: string; text: string; box: Box },
): number {
  const { x, y, width, height, sizes, weight = 'regular', align = 'left', scope } = box;
  const words = wordsFor(text, box.instead);
  const line = { width, ...directionOption(words) };
  doc.font(fontSource(weight));
  const fits = (size: number) => doc.fontSize(size).heightOfString(words, line) <= height;
  doc.fontSize(sizes.find(fits) ?? Math.min(...sizes));
  const used = Math.min(height, doc.heightOfString(words, line));
  // A screen reader reads the true text in the order of its letters.
  const actual = words === text && line.features === undefined ? undefined : cleanText(text);
  addElement(doc, section, {
    tag,
    options: { scope, actual },
    draw: () => doc.fillColor('#000').text(words, x, y, { ...line, height, align, ellipsis: true }),
  });
  return y + used;
}

function wordsFor(text: string, instead: string | undefined): string {
  const shown = showOnPaper(text);
  return shown.isWhole || instead === undefined ? shown.text : showOnPaper(instead).text;
}

type Column = Pick<Box, 'x' | 'width'>;

/** Writes texts into one column, except a text that has a position of its own. */
export function columnWriter(doc: Doc, section: Structure, column: Column) {
  return (tag: string, text: string, box: Omit<Box, keyof Column> & Partial<Column>) =>
    writeBox(doc, section, { tag, text, box: { ...column, ...box } });
}

/** `draw` adds the element's content. pdfkit's types lack functions as children and `bbox`. */
function addElement(
  doc: Doc,
  section: Structure,
  { tag, options = {}, draw }: { tag: string; options?: object; draw: () => unknown },
): void {
  section.add(doc.struct(tag, options, [draw as unknown as Structure]));
}

export function drawLine(
  doc: Doc,
  y: number,
  thickness: number,
  { left, right } = sheetSize as { left: number; right: number },
): void {
  doc
    .markContent('Artifact', { type: 'Layout' })
    .lineWidth(thickness)
    .moveTo(left, y)
    .lineTo(right, y)
    .stroke('#000')
    .endMarkedContent();
}

/**
 * Draws runs of dark modules as rectangles of one path: a vector, because printers blur pictures.
 * `rows` include the quiet zone.
 */
export function drawCode(
  doc: Doc,
  section: Structure,
  {
    rows,
    moduleSize,
    label,
    x,
    y,
  }: { rows: boolean[][]; moduleSize: number; label: string; x: number; y: number },
): void {
  const side = rows.length * moduleSize;
  const draw = () => {
    rows.forEach((row, line) => {
      for (let from = 0; from < row.length; from += 1) {
        if (!row[from]) continue;
        const start = from;
        while (row[from + 1]) from += 1;
        doc.rect(
          x + start * moduleSize,
          y + line * moduleSize,
          (from - start + 1) * moduleSize,
          moduleSize,
        );
      }
    });
    doc.fill('#000');
  };
  addElement(doc, section, {
    tag: 'Figure',
    options: { alt: label, bbox: [x, y, x + side, y + side] },
    draw,
  });
}
