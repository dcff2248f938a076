/** Gives tickets the names of their holders. If a name changes, the old code stops working. */
import { firstEntries } from '#db/door/admissions.ts';
import { requireOrderRow } from '#db/order/orders.ts';
import type { Trx } from '#db/engine/dialect.ts';
import { issueRevision, touchPlaces } from '#db/seat/seats.ts';
import { findTicket, nameTicket, ticketsOfOrder, type TicketWithPlace } from '#db/order/tickets.ts';
import { transact } from '#db/engine/transact.ts';
import { holderStepOf, isNameMissing, readFullName } from '#server/domain/order/holder.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { seatName } from '#server/domain/seat/seat-name.ts';
import { addressKey } from '#server/domain/text/mail-address.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { happened, oweMail, takeDoorTurn } from '#server/services/kit/happened.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { eventOfOrder, orderAndEvent } from './find-order.ts';
import { holderKey } from '#server/services/kit/mail-queue.ts';
import { codeEndOf, ticketsForHolder } from './tickets.ts';

interface HolderWish {
  first_name: string;
  last_name: string;
  email?: string;
}

/** @throws Refusal order_not_found, ticket_not_found; holder_fixed with the reason */
export async function setHolder(
  ctx: Ctx,
  { order_id, ticket_id }: { order_id: string; ticket_id: string },
  wish: HolderWish,
) {
  const { order, event } = await orderAndEvent(ctx, order_id);
  if (order.buyer_forgotten_at !== null) throw new Refusal('holder_fixed', { reason: 'too_late' });
  await transact(ctx.db, async (trx) => {
    const step = await nameHolder(ctx, trx, { order_id, event_id: event.id, ticket_id, wish });
    if (step === 'name') await mailWhenAllNamed(ctx, trx, order_id);
  });
  const tickets = await ticketsForHolder(ctx, event, order_id);
  const ticket = tickets.find((one) => one.ticket_id === ticket_id);
  return { ticket: requireValue(ticket, 'ticket') };
}

/**
 * Stores all the names that the office typed, or none (RULES O17).
 * @throws Refusal, the same as setHolder(), with the ticket in `detail`; holder_name_wrong
 */
export async function setHolders(
  ctx: Ctx,
  order_id: string,
  { holders, actor }: { holders: readonly { ticket_id: string; name: string }[]; actor: Actor },
): Promise<{ named: number }> {
  const { order, event } = await orderAndEvent(ctx, order_id);
  if (order.buyer_forgotten_at !== null) throw new Refusal('holder_fixed', { reason: 'too_late' });
  const wishes = holders.map(({ ticket_id, name }) => ({ ticket_id, wish: readFullName(name) }));
  const wrong = wishes.filter(({ wish }) => wish === null).map(({ ticket_id }) => ticket_id);
  if (wrong.length > 0) throw new Refusal('holder_name_wrong', { tickets: wrong });
  const named = await transact(ctx.db, async (trx) => {
    const steps: Step[] = [];
    for (const { ticket_id, wish } of wishes)
      steps.push(
        await nameHolder(ctx, trx, { order_id, event_id: event.id, ticket_id, wish: wish!, actor }),
      );
    // One mail with the new codes and all named tickets is enough.
    const mail = { order_id, kind: 'tickets', key: `holders#${ctx.newId()}` } as const;
    if (steps.includes('change')) await oweMail(ctx, trx, { act: 'holder_changed', ...mail });
    else if (steps.includes('name')) await mailWhenAllNamed(ctx, trx, order_id);
    return steps.filter((step) => step !== null).length;
  });
  return { named };
}

interface Naming {
  order_id: string;
  event_id: string;
  ticket_id: string;
  wish: HolderWish;
  /** A person of the office; if left out, the buyer. */
  actor?: Actor;
}

type Step = 'name' | 'change' | null;

/** Null if the ticket has this name already. */
async function nameHolder(
  ctx: Ctx,
  trx: Trx,
  { order_id, event_id, ticket_id, wish, actor }: Naming,
): Promise<Step> {
  // Locks the event's row before any place, as all calls do that issue tickets, so that
  // simultaneous changes follow one another.
  const { feed_seq } = await takeDoorTurn(trx, { act: 'holder_named', event_id });
  const event = await eventOfOrder(trx, await requireOrderRow(trx, order_id));
  const ticket = await findTicket(trx, ticket_id);
  if (ticket?.order_id !== order_id) throw new Refusal('ticket_not_found');
  const holder = `${wish.first_name} ${wish.last_name}`.trim();
  if (ticket.holder === holder) return null;
  const used = (await firstEntries(trx, [ticket.id])).has(ticket.id);
  const { step, obstacle } = holderStepOf(
    { event, ticket, used, by: actor === undefined ? 'buyer' : 'office' },
    ctx.now(),
  );
  if (step === null) throw new Refusal('holder_fixed', { reason: obstacle, ticket_id });

  const { place } = ticket;
  const isChange = step === 'change';
  const issuing = { feed_seq, why: 'renamed', now: ctx.now() } as const;
  const revision = isChange ? await issueRevision(trx, event_id, place, issuing) : ticket.revision;
  // The door shows initials, so it must learn of a first name too.
  if (!isChange) await touchPlaces(trx, event_id, { places: [place], feed_seq });
  await nameTicket(trx, ticket.id, {
    holder,
    holder_email: wish.email ?? null,
    revision,
    code_end: codeEndOf(event, { ...ticket, revision }),
    holder_changes: ticket.holder_changes + (isChange ? 1 : 0),
  });
  // The registry says that a name was given or changed, but has no names.
  await happened(ctx, trx, {
    actor: actor ?? 'visitor',
    action: isChange ? 'holder_changed' : 'holder_named',
    subject: order_id,
    detail: { ticket_id, places: [seatName(ticket)] },
  });
  await tellHolders(ctx, trx, {
    ticket,
    revision,
    isChange,
    email: wish.email ?? null,
    tellsBuyer: actor === undefined,
  });
  return step;
}

/** Sends the tickets when all have names, because the first mail had no codes. */
async function mailWhenAllNamed(ctx: Ctx, trx: Trx, order_id: string): Promise<void> {
  const event = await eventOfOrder(trx, await requireOrderRow(trx, order_id));
  if (event.nominative === 0) return;
  const tickets = await ticketsOfOrder(trx, order_id);
  const isDone = tickets.every(
    (ticket) => ticket.state !== 'valid' || !isNameMissing(event, ticket),
  );
  const mail = { order_id, kind: 'tickets', key: 'named' } as const;
  if (isDone) await oweMail(ctx, trx, { act: 'holder_named', ...mail });
}

/**
 * Mails about a change: the buyer is told, the new holder gets the ticket, and the previous
 * holder is told that the old ticket no longer works.
 */
async function tellHolders(
  ctx: Ctx,
  trx: Trx,
  {
    ticket,
    revision,
    isChange,
    email,
    tellsBuyer,
  }: {
    ticket: TicketWithPlace;
    revision: number;
    isChange: boolean;
    email: string | null;
    tellsBuyer: boolean;
  },
): Promise<void> {
  const tell = (to: 'buyer' | 'new' | 'old', to_address: string | null) =>
    oweMail(ctx, trx, {
      act: isChange ? 'holder_changed' : 'holder_named',
      order_id: ticket.order_id,
      kind: 'holder_changed',
      key: holderKey({ ticket_id: ticket.id, revision, to }),
      to_address,
    });
  if (isChange && tellsBuyer) await tell('buyer', null);
  if (email !== null) await tell('new', email);
  const isSame = addressKey(ticket.holder_email ?? '') === addressKey(email ?? '');
  if (isChange && ticket.holder_email !== null && !isSame) await tell('old', ticket.holder_email);
}
