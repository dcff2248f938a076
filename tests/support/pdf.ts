/**
 * Reads our PDFs: words through the tables of the fonts, and QR codes from the drawn rectangles.
 */
import { inflateSync } from 'node:zlib';
import { decodeQR } from 'qr/decode.js';

interface PdfPage {
  /** The text line by line, in the order of a screen reader. */
  lines: string[];
  /** The numbers of each line's glyphs in its font. */
  glyphs: number[][];
  /** The lowest and the rightmost position of any text, in points from the lower left corner. */
  lowest: number;
  rightmost: number;
  /** The text of the QR code. */
  code: string | null;
}
interface Pdf {
  pages: PdfPage[];
  raw: string;
  tags: string[];
  /** What a screen reader says where the drawn signs are others (ActualText). */
  spoken: string[];
}

interface PdfObject {
  head: string;
  stream: Buffer | null;
}

function objectsOf(bytes: Buffer): Map<number, PdfObject> {
  const raw = bytes.toString('latin1');
  const objects = new Map<number, PdfObject>();
  for (const { 1: id, 2: body, index } of raw.matchAll(/(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) {
    const at = body!.indexOf('stream\n');
    const head = at === -1 ? body! : body!.slice(0, at);
    const start = index + raw.slice(index).indexOf('stream\n') + 7;
    const length = Number(/\/Length (\d+)/.exec(head)?.[1] ?? 0);
    const data = bytes.subarray(start, start + length);
    objects.set(Number(id), {
      head,
      stream: at === -1 ? null : head.includes('/FlateDecode') ? inflateSync(data) : data,
    });
  }
  return objects;
}

export function readPdf(bytes: Buffer): Pdf {
  const objects = objectsOf(bytes);
  const heads = [...objects.values()].map(({ head }) => head);
  const pages = heads
    .filter((head) => head.includes('/Type /Page\n'))
    .map((head) => {
      const refer = (name: string) =>
        objects.get(Number(new RegExp(`/${name} (\\d+) 0 R`).exec(head)![1]))!;
      const fonts = new Map(
        [...refer('Resources').head.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name, id]) => [
          name!,
          glyphsOf(objects, Number(id)),
        ]),
      );
      return readPage(refer('Contents').stream!.toString('latin1'), fonts);
    });
  return {
    pages,
    raw: bytes.toString('latin1'),
    tags: heads.flatMap((head) => /\/S \/(\w+)/.exec(head)?.[1] ?? []),
    spoken: heads.flatMap((head) => {
      const text = /\/ActualText \(((?:\\.|[^\\])*?)\)/s.exec(head)?.[1];
      return text === undefined ? [] : readString(text);
    }),
  };
}

/** A text as PDF writes it: Latin-1, or UTF-16 behind its mark. */
function readString(text: string): string {
  const named: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };
  const bytes = text.replace(/\\(.)/gs, (_, sign: string) => named[sign] ?? sign);
  if (!bytes.startsWith('\xfe\xff')) return bytes;
  return Buffer.from(bytes.slice(2), 'latin1').swap16().toString('utf16le');
}

interface Glyph {
  letters: string;
  /** Thousandths of the font size. */ width: number;
}

/** A font's glyphs by number: their Unicode text, which "copy text" uses, and their width. */
function glyphsOf(objects: Map<number, PdfObject>, id: number): Map<number, Glyph> {
  const font = objects.get(id)!.head;
  const table = objects
    .get(Number(/\/ToUnicode (\d+) 0 R/.exec(font)![1]))!
    .stream!.toString('latin1');
  const widths = /\/W \[0 \[([^\]]*)\]/
    .exec(objects.get(Number(/\/DescendantFonts \[(\d+) 0 R/.exec(font)![1]))!.head)![1]!
    .split(' ')
    .map(Number);
  const glyphs = new Map<number, Glyph>();
  for (const [, first, list] of table.matchAll(/<(\w{4})> <\w{4}> \[([^\]]*)\]/g)) {
    [...list!.matchAll(/<([^>]*)>/g)].forEach(([, units], index) => {
      const glyph = Number.parseInt(first!, 16) + index;
      glyphs.set(glyph, {
        letters: String.fromCharCode(
          ...units!
            .trim()
            .split(' ')
            .map((unit) => Number.parseInt(unit, 16)),
        ),
        width: widths[glyph]!,
      });
    });
  }
  return glyphs;
}

interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

function readPage(
  content: string,
  fonts: ReadonlyMap<string, ReadonlyMap<number, Glyph>>,
): PdfPage {
  const lines: string[] = [];
  const glyphs: number[][] = [];
  const ends: [right: number, bottom: number][] = [];
  for (const [, x, y, font, size, runs] of content.matchAll(
    /BT\n1 0 0 1 ([\d.-]+) ([\d.-]+) Tm\n\/(F\d+) ([\d.]+) Tf\n(.*?)ET\n/gs,
  )) {
    const numbers = [...runs!.matchAll(/<([0-9a-f]+)>/g)]
      .flatMap(([, hex]) => hex!.match(/.{4}/g)!)
      .map((number) => Number.parseInt(number, 16));
    const written = numbers.map((number) => fonts.get(font!)!.get(number)!);
    glyphs.push(numbers);
    lines.push(written.map(({ letters }) => letters).join(''));
    ends.push([
      Number(x) + (written.reduce((sum, { width }) => sum + width, 0) * Number(size)) / 1000,
      Number(y),
    ]);
  }
  const rects = [...content.matchAll(/^([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re$/gm)].map(
    ([, x, y, width, height]): Rect => ({
      x: Number(x),
      y: Number(y),
      width: Number(width),
      height: Number(height),
    }),
  );
  return {
    lines,
    glyphs,
    lowest: Math.min(...ends.map(([, bottom]) => bottom)),
    rightmost: Math.max(...ends.map(([right]) => right)),
    code: rects.length === 0 ? null : decodeQR(paint(rects)),
  };
}

/** As on paper, four dots a module, with white around. */
function paint(rects: readonly Rect[]): { width: number; height: number; data: Uint8ClampedArray } {
  const module = Math.min(...rects.map(({ height }) => height));
  const [left, top] = [Math.min(...rects.map(({ x }) => x)), Math.min(...rects.map(({ y }) => y))];
  const modules =
    Math.round((Math.max(...rects.map(({ x, width }) => x + width)) - left) / module) + 8;
  const dots = (length: number) => Math.round((length / module) * 4);
  const width = modules * 4;
  const data = new Uint8ClampedArray(width * width * 4).fill(255);
  for (const rect of rects) {
    const [x, y] = [dots(rect.x - left) + 16, dots(rect.y - top) + 16];
    for (let line = y; line < y + dots(rect.height); line += 1)
      data.fill(0, (line * width + x) * 4, (line * width + x + dots(rect.width)) * 4);
  }
  for (let alpha = 3; alpha < data.length; alpha += 4) data[alpha] = 255;
  return { width, height: width, data };
}
