/** The search in the office's lists, alone. */
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { listPage } from '#server/services/kit/page.ts';

test('a search that finds nothing in many rows lets others be answered between its slices', async () => {
  const slices = 20;
  let read = 0;
  const search = listPage(
    { q: 'nessuno' },
    async ({ limit }) => {
      read += 1;
      const rows = read === slices ? 0 : limit;
      return Array.from({ length: rows }, (_, nth) => ({ id: `r${nth}`, at: nth, name: 'Eva' }));
    },
    { timeOf: ({ at }) => at, textsOf: ({ name }) => [name] },
  );
  for (let turn = 0; turn < 5; turn += 1) await turnOfLoop();
  expect(read).toBeLessThan(slices);
  expect(await search).toEqual({ rows: [], next_cursor: null });
});
