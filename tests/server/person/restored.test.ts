/** A house that comes back from a backup of before an erasure erases again, by the list beside the backup; without one it says so. */
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { erasePerson } from '#server/contract/personal.ts';
import { makeBackup } from '#server/services/backup/make.ts';
import { keepRetention } from '#server/services/person/keeping.ts';
import { marksFile } from '#server/services/person/marks.ts';
import { askAdmin } from '#tests/support/admin-command.ts';
import { testOnSqlite as test } from '#tests/support/both.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { everyText, tablesWith } from '#tests/support/every-text.ts';
import { emptyPlace, placeOf } from '#tests/support/house.ts';
import { callOk } from '#tests/support/make.ts';
import { makeClock, openServer } from '#tests/support/server.ts';

const email = 'gilda.zanetti@example.it';

test('who was erased after the copy is erased again, and whoever bought since or is somebody else stays', async (server, admin) => {
  const { ctx } = server.house;
  const { order_id } = await makePaidOrder(server, { name: 'Ermenegilda Zanetti', email });
  const { order_id: other } = await makePaidOrder(
    server,
    { name: 'Bruna Bassi', email: 'bruna@example.it' },
    { nth: 3 },
  );
  await server.runDue();
  await ctx.db('tickets').where({ order_id }).update({ state: 'void' });
  const file = (
    await makeBackup({
      house: placeOf(server),
      folder: ctx.backups.folder,
      kind: 'by_hand',
      seal: null,
      now: server.clock.now(),
    })
  ).path;
  server.clock.advance(60_000);
  await callOk(server, erasePerson, { body: { email, typed: email } }, admin);

  const settings = await emptyPlace(server);
  const { body } = await askAdmin({ settings }, ['restore', file]);
  expect(body).toMatchObject({ ok: true, erasures: 1 });
  const clock = makeClock();
  await using house = await openServer(settings, {}, clock, async () => {});
  const { db } = house.house.ctx;
  expect(tablesWith(await everyText(house), ['zanetti', 'ermenegilda'])).toEqual([]);
  expect(await db('orders').where({ id: other }).first('buyer_name')).toEqual({
    buyer_name: 'Bruna Bassi',
  });
  expect(await db('erasures').first('erased', 'repeats', 'done_at')).toEqual({
    erased: 1,
    repeats: 0,
    done_at: expect.any(Number),
  });
  // The list is forgotten when every copy of before is long gone.
  clock.advance(400 * 24 * 3_600_000);
  await keepRetention(house.house.ctx, new AbortController().signal);
  expect(await db('erasures')).toEqual([]);

  await rm(join(dirname(file), marksFile));
  const again = await askAdmin({ settings: await emptyPlace(server) }, ['restore', file]);
  expect(again.body).toMatchObject({ ok: true, erasures: null });
});
