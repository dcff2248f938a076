/** The disk is lost while tickets are sold and people come in, and the house goes on elsewhere from its last backup. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject } from 'vitest';
import { getOrder } from '#server/contract/order/orders.ts';
import { invariants } from '#db/reconcile/invariants.ts';
import { makeBackup } from '#server/services/backup/make.ts';
import { setMaintenance } from '#server/services/site/maintenance.ts';
import { askAdmin } from '#tests/support/admin-command.ts';
import { phoneOf } from '#tests/support/door/door-phone.ts';
import {
  ask,
  callOk,
  demoEvent,
  makeAdmin,
  makeOrder,
  makePairedPhone,
  payOrder,
  sessionIn,
} from '#tests/support/make.ts';
import type { DatabaseKind } from '#tests/support/server.ts';
import { placeOf } from '#tests/support/house.ts';
import { atStripe, openTheirs, sessionAtStripe } from '#tests/support/stripe-desk.ts';
import { startVendors } from '#tests/support/vendors.ts';

export async function rehearse(database: DatabaseKind): Promise<void> {
  await using vendors = await startVendors();
  const first = await vendors.emptyPlace(database, inject('postgresUrl'));
  const house = await vendors.open(first);
  const paid = async (nth: number) => {
    const order = await makeOrder(house, { nth });
    await payOrder(house, order.checkout_url, 'pm_card_visa', {
      name: 'Ada Rossi',
      email: 'ada@teatro.it',
    });
    vendors.clock.advance(3_000);
    const page = await callOk(house, getOrder, { params: { orderId: order.order_id } });
    return { ...page, record: order.order_id };
  };
  const before = await paid(0);
  const paired = await makePairedPhone(house, await makeAdmin(house));
  const hall = { event_id: demoEvent, tokens: [paired.device_token], labels: [], phone_ids: [] };
  const phone = phoneOf(house, hall);
  const { path } = await makeBackup({
    house: placeOf(house),
    folder: join(first['DATA_DIR']!, '..', 'copie'),
    kind: 'automatic',
    seal: null,
    now: vendors.clock.now(),
  });
  vendors.clock.advance(60_000);
  const terms = { refund_days: 33, holder_change: 1, vat_percent: null, fee_vat_percent: 4 };
  const sold = house.house.ctx.db('events').where({ id: demoEvent });
  await sold.update(terms);
  // After the copy: one pays and has their tickets, one is about to pay, one pays while nothing is there, and somebody comes in.
  const settled = await paid(0);
  expect(settled.state).toBe('confirmed');
  const waiting = await makeOrder(house, { nth: 2 });
  const late = await makeOrder(house, { nth: 4 });
  // Another shop on the account, with metadata like ours and with a copy of it.
  const { metadata } = await sessionAtStripe(house, waiting.order_id);
  const theirs = [await openTheirs(house, { order_id: '1001' }), await openTheirs(house, metadata)];
  const { cursor } = await phone.pull();
  const { place } = (await house.house.ctx
    .db('tickets')
    .where({ order_id: before.record })
    .first('place')) as { place: string };
  const scan = phone.scan(place);
  expect((await phone.send(scan))[0]!.result).toBe('stored');
  await house.close();
  await rm(first['DATA_DIR']!, { recursive: true });
  const stripe = { url: vendors.standins.stripe!.url };
  const page = `/v1/payment_pages/${sessionIn(late.checkout_url)}`;
  const { amount_total } = (await ask(stripe, 'GET', page)).body as { amount_total: number };
  const payment = { payment_method: 'pm_card_visa', expected_amount: amount_total };
  expect((await ask(stripe, 'POST', `${page}/confirm`, { body: payment })).status).toBe(200);

  const began = performance.now();
  const second = await vendors.emptyPlace(database, inject('postgresUrl'));
  const { code, body } = await askAdmin({ settings: second }, ['restore', path]);
  const recovery = body['recovery'] as {
    orders: { order_id: string; state: string }[];
    lost: string[];
    differences: number;
  };
  expect(code).toBe(0);
  expect(recovery.lost).toEqual([]);
  expect(new Map(recovery.orders.map(({ order_id, state }) => [order_id, state]))).toEqual(
    new Map([
      [settled.record, 'confirmed'],
      [waiting.order_id, 'deleted'],
      [late.order_id, 'confirmed'],
    ]),
  );
  expect(recovery.differences).toBe(0);
  const again = await vendors.open(second);
  const rewritten = again.house.ctx.db('orders').where({ id: settled.record });
  expect(await rewritten.first()).toMatchObject(terms);
  expect(performance.now() - began).toBeLessThan(60_000);
  for (const { id } of theirs)
    expect(await atStripe(again, 'GET', `checkout/sessions/${id}`)).toHaveProperty(
      'status',
      'open',
    );
  await setMaintenance(again.house.ctx, false, 'cli');
  const next = await makeOrder(again, { nth: 6 });
  expect((await sessionAtStripe(again, next.order_id)).metadata['botteghino']).toBe(
    metadata['botteghino'],
  );
  // The same link, the same codes: what was printed opens the door.
  const found = await callOk(again, getOrder, { params: { orderId: settled.order_id } });
  expect(found.tickets.map((ticket) => ticket.code)).toEqual(
    settled.tickets.map((ticket) => ticket.code),
  );
  expect(found.buyer_name ?? 'Ada Rossi').toBe('Ada Rossi');
  expect((await callOk(again, getOrder, { params: { orderId: before.order_id } })).state).toBe(
    'confirmed',
  );
  expect((await callOk(again, getOrder, { params: { orderId: waiting.order_id } })).state).toBe(
    'deleted',
  );
  const seats = await again.house.ctx.seats.read(
    demoEvent,
    waiting.selected_objects.map(({ object_id }) => object_id),
  );
  expect([...seats.values()].map(({ status }) => status)).toEqual(['free', 'free']);
  // Whoever is not in any book is told what has happened.
  const unknown = await ask(again, 'GET', '/api/orders/ordine-di-nessuno');
  expect(unknown.status).toBe(404);
  expect(JSON.stringify(unknown.body)).toContain('è ripartito da una copia');
  // The phone is known, is told that its list is another one, gets all of it, and hands in once more what was lost with the disk.
  const back = phoneOf(again, hall);
  await expect(back.pull(cursor)).rejects.toThrow('resync_required');
  expect((await back.pull()).cursor).not.toBe(cursor);
  const lost = () => again.house.ctx.db('admissions').where({ id: scan.admission_id });
  expect(await lost()).toEqual([]);
  expect((await back.send(scan))[0]!.result).toBe('stored');
  expect(await lost()).toHaveLength(1);
  await again.runDue();
  for (const { name, find, always } of invariants)
    if (always)
      expect([name, await find(again.house.ctx.db, vendors.clock.now())]).toEqual([name, []]);
  expect(again.logged).toEqual([]);
  await again.close();
}
