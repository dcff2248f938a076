/** The table of OWASP ASVS 5.0.0, levels 1 and 2: one line for each claim; the numbers are theirs, the words are ours. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../../..');

/** A test that fails when `text`, which stands once in the file `place`, becomes `instead`. */
export interface Broken {
  /** Under tests/. */ file: string;
  /** Part of the test's name. */ test: string;
  /** From the root of the repository. */ place: string;
  text: string;
  instead: string;
}

export interface Proven extends Broken {
  kind: 'proven';
  number: string;
}

export type Row =
  | Proven
  /** A documentation requirement: a heading, as its whole line. */
  | { kind: 'written'; number: string; file: string; heading: string }
  /** The product has nothing of the kind: no source and no package matches `pattern`. */
  | { kind: 'absent'; number: string; why: string; pattern: string }
  | { kind: 'unmet'; number: string; why: string };

/** A requirement with several claims has several rows. */
export function readRows(): Row[] {
  return readFileSync(join(import.meta.dirname, '../asvs.tsv'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(readRow);
}

function readRow(line: string): Row {
  const [number = '', kind, ...cells] = line.split('\t');
  const [one = '', two = '', place = '', text = '', instead = ''] = cells;
  if (kind === 'proven' && cells.length === 5)
    return { kind, number, file: one, test: two, place, text, instead };
  if (kind === 'written' && cells.length === 2) return { kind, number, file: one, heading: two };
  if (kind === 'absent' && cells.length === 2) return { kind, number, why: one, pattern: two };
  if (kind === 'unmet' && cells.length === 1) return { kind, number, why: one };
  throw new Error(`No row of the table: ${line}`);
}
