/** Who is inside by what many phones have told: whatever order it came in, whatever was taken back. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  conflictsOf,
  directions,
  guestsOn,
  mayUndo,
  standingOf,
  undoMs,
  type CountedScan,
} from '#server/domain/door/admission.ts';

const oneScan: fc.Arbitrary<CountedScan> = fc.record({
  admission_id: fc.uuid(),
  direction: fc.constantFrom(...directions),
  corrected_at: fc.integer({ min: 0, max: 20 }),
  undone: fc.boolean(),
});
const manyScans = fc.uniqueArray(oneScan, {
  selector: ({ admission_id }) => admission_id,
  maxLength: 12,
});
const shuffled = manyScans.chain((scans) =>
  fc.tuple(fc.constant(scans), fc.shuffledSubarray(scans, { minLength: scans.length })),
);

/** Written once more in other words: by walking through time with one person inside or none. */
function walk(scans: readonly CountedScan[]): {
  inside: string | null;
  standing: string[];
  conflicts: Map<string, string>;
} {
  const inTime = [...scans]
    .filter(({ undone }) => !undone)
    .sort((a, b) => a.corrected_at - b.corrected_at || (a.admission_id < b.admission_id ? -1 : 1));
  let inside: string | null = null;
  const standing: string[] = [];
  const conflicts = new Map<string, string>();
  for (const { admission_id, direction } of inTime) {
    if (direction === 'in' && inside !== null) {
      conflicts.set(admission_id, inside);
      continue;
    }
    inside = direction === 'in' ? admission_id : null;
    standing.push(admission_id);
  }
  return { inside, standing, conflicts };
}

test('of scans made apart one opens each stay, whatever the order of arrival', () => {
  fc.assert(
    fc.property(shuffled, ([scans, otherwise]) => {
      const conflicts = conflictsOf(scans);
      expect(conflictsOf(otherwise)).toEqual(conflicts);
      expect(conflicts).toEqual(walk(scans).conflicts);
    }),
    { numRuns: 1_000 },
  );
});

test('where a guest is does not depend on the order in which the scans were heard', () => {
  fc.assert(
    fc.property(shuffled, ([scans, otherwise]) => {
      const here = standingOf(scans);
      expect(standingOf(otherwise)).toEqual(here);
      const { inside, standing } = walk(scans);
      expect(here.last?.admission_id ?? null).toBe(standing.at(-1) ?? null);
      if (inside !== null) expect(here.first?.admission_id).toBe(inside);
      expect(here.first === null).toBe(here.last === null);
    }),
    { numRuns: 1_000 },
  );
});

test('what was taken back never counts: it is as if it had not been read', () => {
  fc.assert(
    fc.property(manyScans, (scans) => {
      const left = scans.filter(({ undone }) => !undone);
      expect(conflictsOf(scans)).toEqual(conflictsOf(left));
      expect(standingOf(scans)).toEqual(standingOf(left));
      const [first, last] = [standingOf(scans).first, standingOf(scans).last];
      expect([first?.undone ?? false, last?.undone ?? false]).toEqual([false, false]);
    }),
    { numRuns: 1_000 },
  );
});

test('of one place, an older code that went in stands against the newer one until it has gone out', () => {
  const pass = (
    admission_id: string,
    revision: number,
    direction: 'in' | 'out',
    minute: number,
  ): CountedScan => ({
    admission_id,
    revision,
    direction,
    corrected_at: minute * 60_000,
    undone: false,
  });
  const [oldIn, newIn, oldOut, newAgain] = [
    pass('old-in', 1, 'in', 0),
    pass('new-in', 2, 'in', 5),
    pass('old-out', 1, 'out', 6),
    pass('new-again', 2, 'in', 7),
  ];
  expect([...conflictsOf([oldIn, newIn])]).toEqual([['new-in', 'old-in']]);
  expect([...conflictsOf([oldIn, { ...oldOut, corrected_at: 60_000 }, newIn])]).toEqual([]);
  // The old one has left; the new one is in already.
  expect([...conflictsOf([oldIn, newIn, oldOut, newAgain])]).toEqual([
    ['new-in', 'old-in'],
    ['new-again', 'new-in'],
  ]);
  const place = 'C7';
  const here = [
    { ...oldIn, revision: 1, place },
    { ...oldOut, revision: 1, place },
  ];
  const nobody = () => undefined;
  expect(guestsOn(here, nobody)).toEqual({ inside: 0, entered: 1 });
  expect(guestsOn([...here, { ...newIn, revision: 2, place }], nobody).inside).toBe(1);
});

test('two who count on one place are two guests where old papers were read apart, and one where both were read there', () => {
  const pass = (admission_id: string, revision: number, place: string) => ({
    admission_id,
    revision,
    place,
    direction: 'in' as const,
    corrected_at: revision * 60_000,
    undone: false,
  });
  const nobody = () => undefined;
  const here = pass('here', 1, 'C7');
  expect(guestsOn([here, pass('moved', 2, 'C4')], nobody)).toEqual({ inside: 2, entered: 2 });
  expect(guestsOn([here, pass('sold again', 2, 'C7')], nobody)).toEqual({ inside: 1, entered: 1 });
  const gone = { ...pass('gone', 3, 'C4'), revision: 2, direction: 'out' as const };
  expect(guestsOn([here, pass('moved', 2, 'C4'), gone], nobody).inside).toBe(1);
});

test('a guest counts who stands against another ticket’s guest of the place where both were read, and not who came in elsewhere with the same ticket', () => {
  const scan = {
    admission_id: 'second',
    revision: 1,
    place: 'C4',
    direction: 'in' as const,
    corrected_at: 0,
    undone: false,
    conflict_with: 'first',
  };
  expect(guestsOn([scan], () => 'C4')).toEqual({ inside: 1, entered: 1 });
  expect(guestsOn([scan], () => 'C7')).toEqual({ inside: 0, entered: 0 });
  expect(guestsOn([scan], () => undefined)).toEqual({ inside: 0, entered: 0 });
});

test('without re-entry every way in but the first is a conflict, whatever exits lie between', () => {
  fc.assert(
    fc.property(manyScans, (scans) => {
      const ins = scans
        .filter(({ direction, undone }) => direction === 'in' && !undone)
        .toSorted(
          (a, b) => a.corrected_at - b.corrected_at || (a.admission_id < b.admission_id ? -1 : 1),
        );
      expect(
        [...conflictsOf(scans.map((scan) => ({ ...scan, reentry: false }))).keys()].toSorted(),
      ).toEqual(
        ins
          .slice(1)
          .map(({ admission_id }) => admission_id)
          .toSorted(),
      );
    }),
    { numRuns: 1_000 },
  );
});

const scan = { counts: true, undone: false, phone_id: 'phone-a', at: 1_000_000 };
const by = { phone_id: 'phone-a', supervisor: false, now: 1_000_000 };

test('a phone takes back its own scan for ten minutes, to the millisecond, and nobody else’s', () => {
  expect(mayUndo(scan, by)).toBe(true);
  expect(mayUndo(scan, { ...by, now: scan.at + undoMs })).toBe(true);
  expect(mayUndo(scan, { ...by, now: scan.at + undoMs + 1 })).toBe(false);
  expect(mayUndo(scan, { ...by, phone_id: 'phone-b' })).toBe(false);
  expect(mayUndo({ ...scan, phone_id: null }, { ...by, phone_id: null })).toBe(false);
});

test('a supervisor takes back anybody’s at any time, but only what counted, and once', () => {
  const supervisor = { phone_id: 'phone-b', supervisor: true, now: scan.at + 100 * undoMs };
  expect(mayUndo(scan, supervisor)).toBe(true);
  expect(mayUndo({ ...scan, phone_id: null }, supervisor)).toBe(true);
  for (const changed of [
    { ...scan, counts: false },
    { ...scan, undone: true },
  ])
    for (const who of [by, supervisor]) expect(mayUndo(changed, who)).toBe(false);
});
