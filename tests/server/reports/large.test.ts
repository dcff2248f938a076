/** A large evening is counted beside the house, and less often than a small one. */
import { expect } from 'vitest';
import { oldCounts, readKept } from '#db/report/kept.ts';
import { keepFigures } from '#server/services/reports/keep.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { fillHall } from '#tests/support/door/door-hall.ts';
import { phoneOf } from '#tests/support/door/door-phone.ts';

test('an evening of five thousand places, sales and scans is counted by a thread of its own, and after a scan not before a minute has passed', async (server) => {
  const { ctx } = server.house;
  // As after five thousand sales and scans; how many there are is told by the door's number.
  const event = { feed_seq: 5_000 };
  const hall = await fillHall(ctx.db, { places: 40, phones: 1, event });
  const keep = () => keepFigures(ctx, new AbortController().signal);
  const entered = async () => (await readKept(ctx.db, 'door', ['hall']))[0]?.count.entered;
  await keep();
  expect(await entered()).toBe(0);

  const phone = phoneOf(server, hall);
  await phone.send(phone.scan(hall.labels[7]!));
  server.clock.advance(2_000);
  await keep();
  expect(await entered()).toBe(0);
  expect(await oldCounts(ctx.db, ['hall'])).toMatchObject([{ id: 'hall' }]);

  server.clock.advance(60_000);
  await keep();
  expect(await entered()).toBe(1);
});
