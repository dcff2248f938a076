/**
 * Erases a person: immediately what the law lets us erase now, and the rest when its event is
 * over or the office has decided (RULES L6).
 */
import { setImmediate as yieldToLoop } from 'node:timers/promises';
import type { Trx } from '#db/engine/dialect.ts';
import { transact } from '#db/engine/transact.ts';
import { eraseHolder, eraseLoose, forgetBuyer, stopLetters } from '#db/person/forgetting.ts';
import { requireEventRow } from '#db/event/events.ts';
import { lockOrder } from '#db/order/orders.ts';
import {
  endErasure,
  endWait,
  erasuresToRepeat,
  everyAddress,
  insertErasure,
  insertWaits,
  noteRepeated,
  openErasures,
  ordersOfAddress,
  personOrders,
  ticketsOfHolder,
  waitsOf,
} from '#db/person/personal.ts';
import { cleanWords } from '#db/office/search.ts';
import { touchPlaces } from '#db/seat/seats.ts';
import type { ErasureRow, ErasureWaitRow } from '#db/rows.ts';
import { wipeAfterMs } from '#server/domain/event/event.ts';
import { blockerOf } from '#server/domain/person/erasure.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { addressKey } from '#server/domain/text/mail-address.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { readRestored } from '#server/services/kit/restored.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { hashOfAddress } from '#server/services/event/reminders.ts';
import { happened, takeDoorTurn } from '#server/services/kit/happened.ts';
import { erasureSalt, hashOfPerson, readAddress } from './address.ts';
import { writeMarks } from './marks.ts';

interface Wish {
  email: string;
  /** The address, typed a second time by hand. */
  typed: string;
  actor: Actor;
}

/**
 * `waiting`: how many orders must wait; they are erased later without another request.
 * @throws Refusal bad_request, erasure_not_confirmed
 */
export async function erasePerson(ctx: Ctx, { email, typed, actor }: Wish) {
  const address = readAddress(email);
  if (addressKey(typed) !== address) throw new Refusal('erasure_not_confirmed');
  const erasure: ErasureRow = {
    id: ctx.newId(),
    address_hash: hashOfPerson(await erasureSalt(ctx.db), address),
    asked_at: ctx.now(),
    actor,
    erased: 0,
    done_at: null,
    repeats: 0,
  };
  await transact(ctx.db, async (trx) => {
    await insertErasure(trx, erasure);
    const waits = await begin(ctx, trx, { erasure, address });
    await happened(ctx, trx, {
      actor,
      action: 'person_erased',
      subject: erasure.id,
      detail: { orders: waits.length },
    });
  });
  ctx.fault('erasure_begun');
  await settle(ctx, erasure, actor);
  await cleanWords(ctx.db);
  const waiting = (await waitsOf(ctx.db, erasure.id)).length;
  return { erasure_id: erasure.id, waiting, remembered: await writeMarks(ctx) };
}

/**
 * Erases everything that belongs to no order, and stores each order as waiting, so that an
 * interruption loses nothing.
 */
async function begin(
  ctx: Ctx,
  trx: Trx,
  { erasure, address }: { erasure: ErasureRow; address: string },
): Promise<ErasureWaitRow[]> {
  const wait = (order_id: string, ticket_id: string | null) => ({
    id: ctx.newId(),
    erasure_id: erasure.id,
    order_id,
    ticket_id,
  });
  const orders = await ordersOfAddress(trx, address, erasure.asked_at);
  const own = new Set(orders.map(({ id }) => id));
  const held = await ticketsOfHolder(trx, address);
  const elsewhere = held.filter(
    ({ order_id, issued_at }) => !own.has(order_id) && issued_at <= erasure.asked_at,
  );
  const waits = [
    ...orders.map(({ id }) => wait(id, null)),
    ...elsewhere.map(({ id, order_id }) => wait(order_id, id)),
  ];
  await insertWaits(trx, waits);
  await eraseLoose(trx, {
    address,
    reminder_key: hashOfAddress(address),
    own: [...own],
    at: ctx.now(),
  });
  return waits;
}

/** Erases orders, each in its own transaction, so that none is locked for long. */
async function settle(ctx: Ctx, { id }: ErasureRow, actor: Actor): Promise<number> {
  let erased = 0;
  for (const wait of await waitsOf(ctx.db, id)) {
    if (await transact(ctx.db, (trx) => eraseOne(ctx, trx, wait, actor))) erased += 1;
    await yieldToLoop();
  }
  await endErasure(ctx.db, id, ctx.now());
  return erased;
}

/** False: the order must wait, or another process has erased it. */
async function eraseOne(ctx: Ctx, trx: Trx, wait: ErasureWaitRow, actor: Actor): Promise<boolean> {
  const { order_id, ticket_id } = wait;
  const order = await lockOrder(trx, order_id);
  const [facts] = await personOrders(trx, [order_id]);
  const blocker = blockerOf(requireValue(facts, 'order'), ctx.now());
  if (ticket_id === null ? blocker !== null : blocker === 'coming') return false;
  if (!(await endWait(trx, wait))) return false;
  if (ticket_id === null) {
    await stopLetters(trx, order_id);
    if (order.buyer_forgotten_at === null) {
      await forgetBuyer(trx, order_id, ctx.now());
      await happened(ctx, trx, { actor, action: 'buyer_forgotten', subject: order_id });
    }
  } else await eraseHolder(trx, order, ticket_id);
  await tellDoor(ctx, trx, order);
  return true;
}

/** Tells phones that still have the event's list that the name is gone. */
async function tellDoor(
  ctx: Ctx,
  trx: Trx,
  { id, event_id }: { id: string; event_id: string },
): Promise<void> {
  const { starts_at } = await requireEventRow(trx, event_id);
  if (starts_at + wipeAfterMs < ctx.now()) return;
  const places: string[] = await trx('tickets').where({ order_id: id }).pluck('place');
  if (places.length === 0) return;
  const { feed_seq } = await takeDoorTurn(trx, { act: 'buyer_forgotten', event_id });
  await touchPlaces(trx, event_id, { places, feed_seq });
}

/** Runs daily for orders that had to wait. Returns how many were erased. */
export async function settleErasures(ctx: Ctx, stopping: AbortSignal): Promise<number> {
  let erased = 0;
  for (const erasure of await openErasures(ctx.db)) {
    if (stopping.aborted) break;
    erased += await settle(ctx, erasure, 'system');
  }
  if (erased > 0) await cleanWords(ctx.db);
  return erased;
}

/**
 * After a restore, erases again the people who were erased after the backup. Null: try later,
 * because the orders that only Stripe has are not written again yet.
 */
export async function repeatErasures(ctx: Ctx, stopping: AbortSignal): Promise<number | null> {
  const rows = await erasuresToRepeat(ctx.db);
  if (rows.length === 0) return 0;
  if ((await readRestored(ctx.db))?.recovered_at === null) return null;
  const salt = await erasureSalt(ctx.db);
  const byHash = Map.groupBy(rows, ({ address_hash }) => address_hash);
  // The same address may be in several tables.
  const begun = new Set<string>();
  for await (const addresses of everyAddress(ctx.db)) {
    if (stopping.aborted) return null;
    for (const address of addresses) {
      if (begun.has(address)) continue;
      for (const erasure of byHash.get(hashOfPerson(salt, address)) ?? []) {
        begun.add(address);
        await transact(ctx.db, (trx) => begin(ctx, trx, { erasure, address }));
      }
    }
  }
  await noteRepeated(
    ctx.db,
    rows.map(({ id }) => id),
  );
  await settleErasures(ctx, stopping);
  return rows.length;
}
