/** Detects the kind of a chosen file by its content, not by its name. */
import { isRaw, openDrawing, type Raw } from '#server/drawing/model/open.ts';
import { textOfFile } from '#server/domain/text/file-text.ts';
import { openTable } from '#server/domain/text/table.ts';
import { csvColumnOf } from '#server/drawing/port/csv-columns.ts';
import { drawingOfCsv } from '#server/drawing/port/csv-in.ts';
import { drawingOfPretix } from '#server/drawing/port/pretix-in.ts';
import { UnreadableFile, readJson } from '#server/drawing/port/values.ts';
import type { Marks } from '#server/drawing/port/svg/marks.ts';
import { cleanSvg } from './svg/clean.ts';
import { measureSvg } from './svg/measure.ts';
import { count } from '#apps/chart/designer/kit/count.ts';

/** A drawing that can be imported as it is, and what to know first. */
export interface ReadDrawing {
  kind: 'drawing';
  format: string;
  drawing: Raw;
  notes: string[];
}
/** A picture; its rows are found and reviewed first. */
export interface ReadPicture {
  kind: 'picture';
  marks: Marks;
  notes: string[];
}

const MOST_BYTES = 40_000_000;

/** Unpacks a compressed picture (.svgz), but not further than a file may be large. */
async function unpacked(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      parts.push(next.value);
      size += next.value.length;
      if (size > MOST_BYTES) throw new UnreadableFile('too-large');
    }
  } catch (error) {
    throw error instanceof UnreadableFile ? error : new UnreadableFile('not-this-format');
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** @throws UnreadableFile when it is too large, UnreadableTable when it is a workbook */
async function textOf(file: Blob): Promise<string> {
  if (file.size > MOST_BYTES) throw new UnreadableFile('too-large');
  return textOfFile(await unpacked(new Uint8Array(await file.arrayBuffer())));
}

/** What is left out, in words for people. */
const leftWords: Record<string, string> = {
  script: 'script',
  image: 'immagini',
  foreignObject: 'contenuti incorporati',
  use: 'simboli di altri file',
  line: 'linee',
  animate: 'animazioni',
  set: 'animazioni',
};

function readPicture(text: string): ReadPicture {
  const clean = cleanSvg(text);
  const left = [...clean.leftOut.values()].reduce((sum, number) => sum + number, 0);
  const words = new Set([...clean.leftOut.keys()].map((name) => leftWords[name] ?? 'altro'));
  const told = `${count(left, 'elemento lasciato fuori', 'elementi lasciati fuori')}: ${[...words].join(', ')}.`;
  return { kind: 'picture', marks: measureSvg(clean), notes: left === 0 ? [] : [told] };
}

const refusals = {
  'no-seat': 'senza fila o posto',
  twice: 'con un posto già letto',
  'no-capacity': 'con un’area senza capienza',
};

function readTable(text: string, newId: () => string): ReadDrawing {
  const { drawing, refused, isLaidOut } = drawingOfCsv(openTable(text, csvColumnOf), newId);
  const notes = isLaidOut
    ? ['La tabella non ha coordinate: le file sono messe una dietro l’altra.']
    : [];
  for (const [reason, words] of Object.entries(refusals)) {
    const lines = refused.filter((one) => one.reason === reason).map(({ line }) => line);
    if (lines.length > 0)
      notes.push(
        `${count(lines.length, 'riga saltata', 'righe saltate')}, ${words}: ${lines.slice(0, 12).join(', ')}${lines.length > 12 ? '…' : ''}.`,
      );
  }
  return { kind: 'drawing', format: 'Tabella CSV', drawing, notes };
}

/** @throws UnreadableFile, UnreadableTable, UnreadableDrawing or UnreadableSvg */
export async function readFile(
  file: Blob,
  newId: () => string,
): Promise<ReadDrawing | ReadPicture> {
  const text = await textOf(file);
  const start = text.slice(0, 5000).trimStart();
  if (/^[[{]/.test(start)) {
    const value = readJson(text);
    if (isRaw(value) && Array.isArray(value.zones))
      return {
        kind: 'drawing',
        format: 'Pianta di pretix',
        drawing: drawingOfPretix(value, newId),
        notes: [],
      };
    openDrawing(value);
    return { kind: 'drawing', format: 'Disegno di seats.io', drawing: value as Raw, notes: [] };
  }
  if (start.startsWith('<')) return readPicture(text);
  return readTable(text, newId);
}
