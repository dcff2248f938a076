/** Revisions that a restored house has lost: written and read, and what becomes of them once a ticket is known again. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  isLost,
  lostAfter,
  lostBefore,
  readLost,
  spellLost,
  type LostSpan,
} from '#server/domain/door/lost-revisions.ts';

/** Spans as restores leave them: rising, perhaps side by side. */
const spans: fc.Arbitrary<LostSpan[]> = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 1, max: 8 })), { maxLength: 4 })
  .map((steps) => {
    let last = 0;
    return steps.map(([sold, lost]): LostSpan => {
      const first = last + sold + 1;
      last = first + lost - 1;
      return [first, last];
    });
  });
const revision = fc.integer({ min: 0, max: 50 });

test('spans are read as they were written, and none is lost where there is no text', () => {
  fc.assert(
    fc.property(spans, (lost) => {
      expect(readLost(spellLost(lost))).toEqual(lost);
    }),
  );
  expect(readLost(null)).toEqual([]);
});

test('a revision that is known again is lost no more, nor are those before it in its own span; all others stay', () => {
  fc.assert(
    fc.property(spans, revision, revision, (lost, known, other) => {
      const left = lostAfter(lost, known);
      const own = lost.find(([first, last]) => first <= known && known <= last);
      const ends = own !== undefined && own[0] <= other && other <= known;
      expect(isLost(left, other)).toBe(isLost(lost, other) && !ends);
    }),
  );
});

test('a phone is told of exactly the lost revisions that it would take for replaced', () => {
  fc.assert(
    fc.property(spans, revision, revision, (lost, issued, other) => {
      expect(isLost(lostBefore(lost, issued), other)).toBe(isLost(lost, other) && other < issued);
    }),
  );
});
