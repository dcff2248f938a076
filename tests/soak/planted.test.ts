/** A soak sees what it is there for: a booking, a scan and a mail that somebody was promised and that are gone, and a process that lets no file go. */
import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Gauges } from './gauges.ts';
import { startSoakHouse } from './house.ts';
import { findBroken, findBrokenPromises } from './promises.ts';
import { faultsOf, furnish } from './soak.ts';
import { visit } from './visitors.ts';
import { keepDoor, openGate } from './watchers.ts';

const later = 20 * 60_000;

test('a booking, a scan and a mail that are gone after they were acknowledged are each named', async () => {
  await using house = await startSoakHouse(1, null);
  const world = await furnish(house, { seed: 22, say() {} });
  const { ledger } = world;
  const paid = () => [...ledger.orders].find(([, { said }]) => said === 'paid')?.[0];
  while (paid() === undefined) await visit(world);
  const link_key = paid()!;
  const { id: order } = await house.db('orders').where({ link_key }).first('id');
  let rounds = 0;
  await keepDoor(world, await openGate(world, 0), () => (rounds += 1) > 1);
  const [scan] = ledger.scans;
  expect([await findBrokenPromises(world), ledger.faults]).toEqual([[], []]);

  const file = (house.db.client as { config: { connection: { filename: string } } }).config
    .connection.filename;
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  database.exec(`DELETE FROM admissions WHERE id = '${scan}'`);
  database.exec(`DELETE FROM mails WHERE order_id = '${order}'`);
  const muchLater = { house: { ...house, now: () => house.now() + later } };
  expect(await findBroken(muchLater)).toContain(`confirmed_is_written_to: ${order}`);
  database.exec(`DELETE FROM orders WHERE id = '${order}'`);
  database.close();
  expect(await findBrokenPromises(world)).toEqual([
    `acknowledged and lost: order ${link_key}, paid`,
    `acknowledged and lost: admissions ${scan}`,
  ]);
});

test('a process that opens two files a minute and closes none is named', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const grow = (filesAMinute: number) => {
    const gauges = new Gauges();
    const open: number[] = [];
    for (let minute = 0; minute < 20; minute += 1) {
      for (let n = 0; n < filesAMinute; n += 1) open.push(openSync('/dev/null', 'r'));
      vi.advanceTimersByTime(60_000);
      gauges.sample(process.pid);
    }
    for (const file of open) closeSync(file);
    return faultsOf(gauges.growth()).filter((fault) => fault.startsWith('open files'));
  };
  expect(grow(0)).toEqual([]);
  expect(grow(2)).toEqual(['open files grow by 2.00 a minute']);
});
