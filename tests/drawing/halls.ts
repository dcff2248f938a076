/** The charts that the repository holds, and the typical rooms: what every format is tried with. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { TEMPLATES } from '#server/drawing/templates/templates.ts';

const charts = join(import.meta.dirname, '../../server/standins/seatsio/charts');

export function countingIds(name = 'id'): () => string {
  let last = 0;
  return () => `${name}-${(last += 1)}`;
}

export function readHalls(): (readonly [string, unknown])[] {
  return [
    ...readdirSync(charts).map(
      (file) => [file, JSON.parse(readFileSync(join(charts, file), 'utf8'))] as const,
    ),
    ...TEMPLATES.map(({ key, make }) => [key, make(countingIds())] as const),
  ];
}
