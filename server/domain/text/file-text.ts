/** Decodes a text file from any spreadsheet: UTF-8, UTF-16, Windows-1252 or Mac Roman. */
import { UnreadableTable } from './table-fault.ts';

declare const TextDecoder: new (
  label: string,
  options?: { fatal: boolean },
) => { decode: (bytes: Uint8Array) => string };

/** How zip archives (.xlsx, .ods) and old workbooks (.xls) begin. */
const workbooks = ['PK\x03\x04', '\xd0\xcf\x11\xe0'];

/** A byte order mark, or two Latin letters, tells UTF-16; Excel's "Unicode text" is UTF-16 LE. */
const marks: [RegExp, string][] = [
  [/^\xef\xbb\xbf/, 'utf-8'],
  [/^(?:\xff\xfe|[^\0]\0[^\0]\0)/, 'utf-16le'],
  [/^(?:\xfe\xff|\0[^\0]\0[^\0])/, 'utf-16be'],
];

/**
 * The text without a byte order mark.
 * @throws UnreadableTable spreadsheet
 */
export function textOfFile(bytes: Uint8Array): string {
  const start = String.fromCharCode(...bytes.subarray(0, 4));
  if (workbooks.includes(start)) throw new UnreadableTable('spreadsheet');
  const encoding = marks.find(([mark]) => mark.test(start))?.[1];
  if (encoding !== undefined) return new TextDecoder(encoding).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // Only old programs for the Mac end lines with a lone carriage return.
    const isMac = bytes.includes(13) && !bytes.includes(10);
    return new TextDecoder(isMac ? 'macintosh' : 'windows-1252').decode(bytes);
  }
}
