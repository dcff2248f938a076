/**
 * Killed with SIGKILL in the middle of what a person has started: after the restart the list says
 * what goes on and what broke off, and each buyer gets the money back once.
 */
import { expect, test } from 'vitest';
import { makeBackup } from '#server/contract/backups.ts';
import { cancelEvent, previewCancellation } from '#server/contract/order/refunds.ts';
import { exportRegistry } from '#server/contract/registry.ts';
import { listStarted } from '#server/contract/started.ts';
import { undoMs } from '#server/domain/mail/message.ts';
import { callOk, until } from '#tests/support/make.ts';
import { startMortal } from '#tests/support/mortal.ts';
import { event, makePatron, soonOrLater } from '#tests/support/patron.ts';
import { buy } from './evening.ts';

/** More than what the network between the two holds back. */
const longRegistry = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
  INSERT INTO audit (id, at, actor, action, subject, detail)
  SELECT 'long' || i, 1700000000000 + i, 'system', 'site_changed', hex(randomblob(1000)), NULL FROM n`;

test('refunds go on, a file is broken off, a backup can be asked for again', async () => {
  await using house = await startMortal();
  const patron = await makePatron(house);
  const orders = [await buy(patron), await buy(patron)];
  await patron.rows(longRegistry);
  const { admin } = patron;
  const file = await fetch(house.url + exportRegistry.path, { headers: admin });
  await file.body!.getReader().read();
  await house.tell({ kind: 'arm', point: 'before payments.refund' });
  await callOk(house, makeBackup, {}, admin);
  const params = { eventId: event };
  const preview = await callOk(house, previewCancellation, { params }, admin);
  const sums = { expected_cents: preview.sum_cents, expected_orders: preview.orders };
  await callOk(house, cancelEvent, { params, body: { ...sums, reason: 'Allagato' } }, admin).catch(
    () => {},
  );
  await house.advance(undoMs).catch(() => {});
  await until(async () => house.isDead(), 20_000);
  await house.revive();
  await house.advance(3_000);

  const stateOf = async (kind: string) => {
    const { items } = await callOk(house, listStarted, {}, admin);
    return items.find((item) => item.kind === kind);
  };
  expect(await stateOf('registry_file')).toMatchObject({ state: 'broken', own: true });
  expect(await stateOf('refunds')).toMatchObject({ total: 2, own: true });
  // A copy that was being made is broken off; one that was not yet begun is made now.
  await soonOrLater(house, async () => (await stateOf('backup'))?.state !== 'running');
  await callOk(house, makeBackup, {}, admin);
  await soonOrLater(house, async () => (await stateOf('backup'))?.state === 'done');
  await soonOrLater(house, async () => (await stateOf('refunds'))?.state === 'done');
  expect(await stateOf('refunds')).toMatchObject({ done: 2, failed: 0 });
  for (const { order_id } of orders)
    expect(
      await patron.rows('SELECT amount_cents, state FROM refunds WHERE order_id = ?', order_id),
    ).toEqual([{ amount_cents: 5_900, state: 'succeeded' }]);
}, 180_000);
