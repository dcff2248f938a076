/** Corrects the buyer of orders that belong together; the registry keeps old and new values. */
import type { Trx } from '#db/engine/dialect.ts';
import { ordersTogether } from '#db/order/order-families.ts';
import { lockOrder, noteOrder } from '#db/order/orders.ts';
import { ticketsOfOrder } from '#db/order/tickets.ts';
import type { OrderRow } from '#db/rows.ts';
import { touchPlaces } from '#db/seat/seats.ts';
import { transact } from '#db/engine/transact.ts';
import {
  buyerFaults,
  buyerFields,
  readLanguage,
  type BuyerField,
  type BuyerTexts,
} from '#server/domain/order/buyer.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { spellAddress } from '#server/domain/text/mail-address.ts';
import { searchTextOf } from '#server/domain/text/search.ts';
import { requireOrder } from '#server/services/order/find-order.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { happened, takeDoorTurn } from '#server/services/kit/happened.ts';

type BuyerFacts = Record<BuyerField, string | null>;

/**
 * Fields left out stay as they are.
 * @throws Refusal order_not_found, buyer_forgotten; buyer_wrong with a sentence per field
 */
export async function changeBuyer(
  ctx: Ctx,
  order_id: string,
  { texts, actor }: { texts: BuyerTexts; actor: Actor },
): Promise<{ changed: BuyerField[] }> {
  const order = await requireOrder(ctx, order_id);
  requireBuyer(texts);
  const changed = await transact(ctx.db, async (trx) => {
    const all = new Set<BuyerField>();
    for (const { id } of await ordersTogether(trx, order))
      for (const field of await writeBuyer(ctx, trx, id, { texts, actor })) all.add(field);
    return all;
  });
  return { changed: buyerFields.filter((field) => changed.has(field)) };
}

/** @throws Refusal buyer_wrong with a sentence per field */
export function requireBuyer(texts: BuyerTexts): void {
  const faults = buyerFaults(texts);
  if (Object.keys(faults).length > 0) throw new Refusal('buyer_wrong', { faults });
}

/**
 * Stores the buyer of one order in the caller's transaction.
 * @throws Refusal buyer_forgotten
 */
export async function writeBuyer(
  ctx: Ctx,
  trx: Trx,
  id: string,
  { texts, actor }: { texts: BuyerTexts; actor: Actor },
): Promise<BuyerField[]> {
  const order = await lockOrder(trx, id);
  if (order.buyer_forgotten_at !== null) throw new Refusal('buyer_forgotten');
  const before = buyerOf(order);
  const after = { ...before, ...filled(texts) };
  const fields = buyerFields.filter((field) => after[field] !== before[field]);
  if (fields.length === 0) return [];
  await noteOrder(trx, id, {
    buyer_name: after.name,
    buyer_email: after.email,
    buyer_phone: after.phone,
    buyer_contact: after.contact,
    buyer_language: readLanguage(after.language),
    search_text: searchTextOf(order.number, after.name, after.email, after.phone),
  });
  if (fields.includes('name')) await tellDoor(trx, order);
  await happened(ctx, trx, {
    actor,
    action: 'buyer_changed',
    subject: id,
    // When the buyer is erased, these values are deleted and the fields' names stay.
    detail: { fields, before: only(before, fields), after: only(after, fields) },
  });
  return fields;
}

/** Phones that find guests by the buyer's name hear of the new one. */
async function tellDoor(trx: Trx, { id, event_id }: OrderRow): Promise<void> {
  const places = (await ticketsOfOrder(trx, id)).map(({ place }) => place);
  if (places.length === 0) return;
  const { feed_seq } = await takeDoorTurn(trx, { act: 'buyer_changed', event_id });
  await touchPlaces(trx, event_id, { places, feed_seq });
}

function buyerOf(order: OrderRow): BuyerFacts {
  return {
    name: order.buyer_name,
    email: order.buyer_email,
    phone: order.buyer_phone,
    contact: order.buyer_contact,
    language: order.buyer_language,
  };
}

/** The texts with null instead of empty ones. */
function filled(texts: BuyerTexts): Partial<BuyerFacts> {
  const given = Object.entries(texts).filter(([, text]) => text !== undefined);
  return Object.fromEntries(
    given.map(([field, text]) => [
      field,
      (field === 'email' ? spellAddress(text.trim()) : text.trim()) || null,
    ]),
  );
}

function only(facts: BuyerFacts, fields: readonly BuyerField[]): Partial<BuyerFacts> {
  return Object.fromEntries(fields.map((field) => [field, facts[field]]));
}
