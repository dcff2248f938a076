/** No input of a stranger keeps all others waiting: the largest that each handler lets in costs little of the event loop. */
import { expect, test } from 'vitest';
import { blocksOfLargest, longestAllowedMs } from '#tests/attack/blocks.ts';

test('the largest body, header, path, file and text of every kind keeps the event loop no longer than six parses of a megabyte', async () => {
  const allowed = longestAllowedMs();
  const blocks = await blocksOfLargest(allowed);
  expect(blocks.filter(({ ms }) => ms > allowed)).toEqual([]);
  // Each was answered, and none with a fault of ours.
  expect(blocks.filter(({ status }) => status < 200 || status >= 500)).toEqual([]);
  expect(blocks.filter(({ status }) => status === 200).length).toBeGreaterThan(80);
});
