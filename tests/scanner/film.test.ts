/** How a frame's time is shared among the ways to look at it, with a clock of our own: fast phones, slow ones, and frames that differ. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { frameMs, makeFilm, type Look } from '#apps/scanner/camera/film.ts';

/** A look at a frame costs what the frame says of it; `reads`: the attempt that finds something. */
interface Frame {
  costs: Record<string, number>;
  reads?: string;
}

/** The film of a phone on which a look costs what the frames say, and what it has tried, `plain` and `quick` apart. */
function makePhone(looks: Record<string, number>) {
  let now = 0;
  const log: string[] = [];
  const make =
    (name: string, attempts = 1): Look<Frame> =>
    ({ costs, reads }) =>
      Array.from({ length: attempts }, (_, n) => async () => {
        const label = attempts === 1 ? name : `${name}${n + 1}`;
        now += costs[name]!;
        log.push(label);
        return label === reads ? ['text'] : [];
      });
  const read = makeFilm(
    {
      plain: make('plain'),
      quick: make('quick'),
      others: Object.entries(looks).map(([name, attempts]) => make(name, attempts)),
    },
    () => now,
  );
  return async (frame: Frame) => {
    log.length = 0;
    const began = now;
    const texts = await read(frame, began);
    return { texts, tried: log.join(' '), ms: now - began };
  };
}

test('a fast phone looks at every frame plainly and takes the others in turn, as many as the time allows', async () => {
  const show = makePhone({ a: 1, b: 1, c: 1 });
  const costs = { plain: 5, quick: 2, a: 4, b: 4, c: 4 };
  const frames: string[] = [];
  for (let n = 0; n < 5; n += 1) frames.push((await show({ costs })).tried);
  // In the first frame nobody knows yet what they cost.
  expect(frames).toEqual(['plain a b c', 'plain a b', 'plain c a', 'plain b c', 'plain a b']);
});

test('a phone for which the plain look is all that fits has the quick one in its place, then another one alone', async () => {
  const slow = makePhone({ a: 1, b: 1 });
  const costs = { plain: 14, quick: 6, a: 12, b: 8 };
  const tried: string[] = [];
  for (let n = 0; n < 9; n += 1) tried.push((await slow({ costs })).tried);
  // In the first two nobody knows yet what the others cost.
  expect(tried.slice(2)).toEqual(['plain', 'quick', 'a', 'plain', 'quick b', 'plain', 'quick']);
  const crawling = makePhone({ a: 1, b: 1 });
  const seen: string[] = [];
  for (let n = 0; n < 9; n += 1)
    seen.push((await crawling({ costs: { plain: 40, quick: 30, a: 50, b: 60 } })).tried);
  expect(seen.filter((look) => look === 'plain').length).toBeGreaterThanOrEqual(3);
  expect(seen).toContain('a');
  expect(seen).toContain('b');
});

test('a look that the time cuts off goes on in its next turn with the attempt that was left', async () => {
  const show = makePhone({ a: 6, b: 1 });
  const costs = { plain: 5, quick: 2, a: 3, b: 1 };
  expect((await show({ costs })).tried).toBe('plain a1 a2 a3 b');
  expect((await show({ costs })).tried).toBe('plain a4 a5 a6 b');
});

test('what a frame read is looked for in the same way first in the next one', async () => {
  for (const reads of ['plain', 'a4', 'b']) {
    const show = makePhone({ a: 6, b: 1 });
    const costs = { plain: 5, quick: 2, a: 3, b: 1 };
    let found = false;
    for (let n = 0; n < 6 && !found; n += 1)
      found = (await show({ costs, reads })).texts.length > 0;
    expect(await show({ costs, reads })).toMatchObject({ texts: ['text'], tried: reads });
    // Gone: the frame is looked at as any other.
    const after = await show({ costs });
    expect(after.texts).toEqual([]);
    expect((await show({ costs })).tried.startsWith('plain')).toBe(true);
  }
});

test('once the costs are known no frame takes longer than its time, and every look has its turn', async () => {
  const cost = fc.integer({ min: 1, max: frameMs });
  await fc.assert(
    fc.asyncProperty(
      fc.record({ plain: cost, quick: cost, a: cost, b: cost, c: cost }),
      fc.integer({ min: 1, max: 8 }),
      async (costs, attempts) => {
        const show = makePhone({ a: 1, b: attempts, c: 1 });
        const tried = new Set<string>();
        for (let n = 0; n < 9 * (attempts + 1); n += 1) {
          const frame = await show({ costs });
          for (const label of frame.tried.split(' ')) tried.add(label);
          if (n >= 9) expect(frame.ms).toBeLessThanOrEqual(frameMs);
        }
        const everything = [
          'plain',
          'a',
          'c',
          ...Array.from({ length: attempts }, (_, n) => (attempts === 1 ? 'b' : `b${n + 1}`)),
        ];
        expect(everything.filter((label) => !tried.has(label))).toEqual([]);
      },
    ),
  );
});
