/** A whole theatre is redrawn from its picture by hands and keys, and has the same places as the one that was traced. */
import { expect, test } from 'vitest';
import { drawGalleria, drawLoggione, drawPlatea, drawTier, redraw } from './goldoni.ts';

test('the Teatro Goldoni is redrawn from its picture by hands and keys in at most 150 acts', async () => {
  const { steps, acts, ours, theirs } = await redraw(async (hands) => {
    await drawPlatea(hands);
    await drawTier(hands, 'I ordine', 324);
    await drawTier(hands, 'II ordine', 386);
    await drawGalleria(hands);
    await drawLoggione(hands);
  });
  console.info(`Teatro Goldoni: ${steps} steps of the history by ${acts} acts of the hands`);
  expect(steps).toBeGreaterThan(30);
  expect(Math.max(steps, acts)).toBeLessThanOrEqual(150);
  const soldIn = (places: typeof ours) =>
    [...places].map(([label, { sold }]) => `${label}: ${sold}`).toSorted();
  expect(soldIn(ours)).toEqual(soldIn(theirs));
  for (const [label, { at }] of ours) {
    const { x, y } = theirs.get(label)!.at;
    // Aisles have one width in the designer, the gallery's stairs had another: less than a seat.
    expect(Math.hypot(at.x - x, at.y - y), label).toBeLessThan(24);
  }
});
