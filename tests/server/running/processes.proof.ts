/**
 * Two servers of different versions as processes on one PostgreSQL: they sell side by side, the
 * newer one's floor waits for the older one, which ends by itself when it was silent for too long,
 * and neither it nor a command of its version opens the house again.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, inject, test } from 'vitest';
import { transact } from '#db/engine/transact.ts';
import { belowFloorWords } from '#server/domain/office/version.ts';
import { beat, processList, raiseFloor } from '#server/services/kit/processes.ts';
import { product } from '#server/services/kit/version.ts';
import { runAdmin } from '#tests/support/admin-command.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { besideOf, startBeside } from '#tests/support/product.ts';
import { startServer } from '#tests/support/server.ts';

const newest = '99.0.0';

/** Its exit code and its last words. */
async function startAgain(env: Record<string, string>) {
  const child = spawn(process.execPath, ['server/main.ts'], {
    env: { ...process.env, NODE_ENV: '', ...env },
  });
  const [err] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return [child.exitCode, err.trim()];
}

test('an older process sells beside a newer one until the floor is raised, then ends and does not start again', async () => {
  await using server = await startServer({
    database: 'postgres',
    postgresUrl: inject('postgresUrl'),
    version: newest,
  });
  const { ctx } = server.house;
  const raise = () => transact(ctx.db, (trx) => raiseFloor(ctx, trx, newest));
  await using older = await startBeside(server);
  const versions = async () => (await processList(ctx)).map(({ version }) => version);
  expect(await versions()).toEqual([newest, product.version]);
  const sold = await Promise.all(
    [server, { ...server, url: older.url }].map((seller, nth) =>
      makePaidOrder(seller, {}, { nth, count: 1 }),
    ),
  );
  const states = await ctx
    .db('orders')
    .whereIn(
      'id',
      sold.map(({ order_id }) => order_id),
    )
    .pluck('state');
  expect(states).toEqual(['confirmed', 'confirmed']);
  await expect(raise()).rejects.toMatchObject({ code: 'older_process_runs' });

  // To the newer one's clock the older one has been silent for a minute.
  server.clock.advance(61_000);
  await beat(ctx);
  await raise();
  const [code, again, doctor, version] = await Promise.all([
    older.ended,
    startAgain(await besideOf(server)),
    runAdmin(server, ['doctor'], { env: await besideOf(server) }),
    runAdmin(server, ['--version']),
  ]);
  expect(code).toBe(1);
  expect(again).toEqual([1, belowFloorWords(newest)]);
  expect([doctor.code, doctor.out.includes(belowFloorWords(newest))]).toEqual([1, true]);
  expect(version.out.trim()).toBe(product.version);
  expect(await versions()).toEqual([newest]);
});
