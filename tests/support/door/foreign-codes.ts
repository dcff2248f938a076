/**
 * Codes that are not our tickets, as rows of modules: other people's QR codes, Micro QR, rMQR,
 * barcodes and other square codes.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { prepareZXingModule, writeBarcode, type WriterOptions } from 'zxing-wasm/writer';
import { modulesOf, withoutQuiet } from './camera.ts';
import { microQrRows } from './micro-qr.ts';

export interface ForeignCode {
  name: string;
  /** Square, without a quiet zone. */
  rows: boolean[][];
  /** The text that the scanner may read in it; null: nothing. */
  text: string | null;
}

const texts = [
  '812',
  'https://www.example.it/menu',
  'WIFI:T:WPA;S:Teatro;P:platea2026;;',
  '4006381333931',
  'Guardaroba 17',
];

const others: readonly [WriterOptions['format'], string][] = [
  ['RMQRCode', '812'],
  ['RMQRCode', 'GUARDAROBA 17'],
  ['EAN13', '4006381333931'],
  ['Code128', 'GUARDAROBA-17'],
  ['ITF', '40063813339310'],
  ['DataMatrix', '812'],
  ['Aztec', 'https://www.example.it/menu'],
  ['PDF417', 'GUARDAROBA 17'],
];

/** The same list every time. */
export async function makeForeignCodes(): Promise<ForeignCode[]> {
  await openWriter();
  return [
    ...texts.map((text) => ({
      name: 'qr',
      rows: withoutQuiet(modulesOf(text)),
      text,
    })),
    ...['812', '4711', '00017'].map((digits) => ({
      name: 'micro',
      rows: microQrRows(digits),
      text: null,
    })),
    ...(await Promise.all(
      others.map(async ([format, text]) => ({
        name: String(format).toLowerCase(),
        rows: await drawCode(format, text),
        text: null,
      })),
    )),
  ];
}

async function openWriter(): Promise<void> {
  const require = createRequire(import.meta.url);
  const wasm = await readFile(require.resolve('zxing-wasm/writer/zxing_writer.wasm'));
  await prepareZXingModule({
    overrides: { wasmBinary: new Uint8Array(wasm).buffer },
    fireImmediately: true,
  });
}

/** Modules of light around a code; bars need more than squares. */
const quiet = 12;

/** A code of this kind with a quiet zone, to be shown to the camera. */
export async function drawForeign(
  format: WriterOptions['format'],
  text: string,
): Promise<boolean[][]> {
  await openWriter();
  const rows = await drawCode(format, text);
  const empty = (count: number) => Array.from({ length: count }, () => false);
  const beside = rows.map((row) => [...empty(quiet), ...row, ...empty(quiet)]);
  const above = Array.from({ length: quiet }, () => empty(beside[0]!.length));
  return [...above, ...beside, ...above];
}

async function drawCode(format: WriterOptions['format'], text: string): Promise<boolean[][]> {
  const { symbol, error } = await writeBarcode(text, { format, addQuietZones: false });
  if (error) throw new Error(`${format}: ${error}`);
  const { width, height, data } = symbol;
  // Bars are one row high: they grow to half the square.
  const tall = height === 1 ? Math.ceil(width / 2) : height;
  const above = Math.floor((width - tall) / 2);
  return Array.from({ length: Math.max(width, tall) }, (_, y) =>
    Array.from({ length: width }, (__, x) => {
      const row = height === 1 ? 0 : y - above;
      const isInside = y >= above && y < above + tall;
      return isInside && data[row * width + x] === 0;
    }),
  );
}
