/** Whatever is done in whatever order: undone, it is the same bytes; done, the chart server takes it, or its check says why not. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect } from 'vitest';
import { readDrawing } from '#server/standins/seatsio/plan/read-drawing.ts';
import { listObjects } from '#server/standins/seatsio/plan/plan.ts';
import { saveDrawing } from '#server/drawing/model/open.ts';
import { seatsOf } from '#server/drawing/model/selection.ts';
import type { Doc } from '#server/drawing/model/data.ts';
import { ACTS, Dice } from './acts.ts';
import { Drawn } from './drawn.ts';

const goldoni: unknown = JSON.parse(
  readFileSync(
    join(import.meta.dirname, '../../../server/standins/seatsio/charts/teatro-goldoni.json'),
    'utf8',
  ),
);

const steps = fc.array(
  fc.tuple(fc.nat(ACTS.length - 1), fc.array(fc.nat(9999), { minLength: 12, maxLength: 12 })),
  { minLength: 1, maxLength: 25 },
);

/** Findings that say of a drawing why it is not taken: what a person has still to do, and seats that were put onto each other. */
const SAID = /categori|nello stesso punto|niente da vendere/;

function countObjects({ items }: Doc): number {
  let count = 0;
  for (const item of items.values()) {
    const isWhole = item.kind === 'table' && item.data.bookAsAWhole === true;
    if (isWhole || item.kind === 'booth' || item.kind === 'area') count += 1;
    else count += seatsOf(item).length;
  }
  return count;
}

function run(drawn: Drawn, sequence: readonly (readonly [number, number[]])[]): void {
  for (const [act, numbers] of sequence) {
    const [name, edit] = ACTS[act]!;
    try {
      drawn.act(edit(drawn, new Dice(numbers)));
    } catch (error) {
      throw new Error(`${name} failed`, { cause: error });
    }
  }
}

function holds(drawn: Drawn): void {
  expect(drawn.errors().filter((error) => !SAID.test(error))).toEqual([]);
  const objects = listObjects(readDrawing(saveDrawing(drawn.doc)), { mode: 'INHERIT' });
  expect(objects).toHaveLength(countObjects(drawn.doc));
  expect(new Set(objects.map(({ label }) => label)).size).toBe(objects.length);
}

/** Draws on an empty drawing, and on a theatre that stands already. */
export function drawAnything(runs: { empty: number; theatre: number }): void {
  for (const [raw, numRuns] of [
    [undefined, runs.empty],
    [goldoni, runs.theatre],
  ] as const)
    fc.assert(
      fc.property(steps, (sequence) => {
        const drawn = new Drawn(raw);
        run(drawn, sequence);
        holds(drawn);
        drawn.undoAll();
      }),
      { numRuns },
    );
}
