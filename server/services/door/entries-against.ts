/** Entries against the book for the office, and what a person decides about each (RULES A20). */
import { findAdmission } from '#db/door/admissions.ts';
import { factsAgainst, type AgainstFacts } from '#db/door/against.ts';
import { findTicket } from '#db/order/tickets.ts';
import { listUnsettled, settleScan, type UnsettledRow } from '#db/door/unsettled.ts';
import type { Trx } from '#db/engine/dialect.ts';
import { transact } from '#db/engine/transact.ts';
import type { AdmissionRow } from '#db/rows.ts';
import { againstAnswers, keepingAnswer, type AgainstAnswer } from '#server/domain/door/against.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { seatName } from '#server/domain/seat/seat-name.ts';
import type { Ctx } from '#server/services/context.ts';
import { happened, takeDoorTurn } from '#server/services/kit/happened.ts';
import { tellPassages } from '#server/services/kit/tell-programs.ts';
import { freePlaces, settlePlaces } from '#server/services/payment/against.ts';
import { namesOf, type NameOf } from '#server/services/user/actors.ts';
import { addRows, bareScan, takingBack } from './passages.ts';
import { standingOfTicket } from './standing.ts';
import { settledOf, unsettledPage, type UnsettledAsk } from './unsettled.ts';
import { byOf } from './views.ts';

export async function entriesAgainstForOffice(
  ctx: Ctx,
  { withOrders, ...ask }: UnsettledAsk & { withOrders: boolean },
) {
  const page = await unsettledPage(ctx, 'against', ask, (row, nameOf) => ({ row, nameOf }));
  const facts = await factsAgainst(
    ctx.db,
    page.items.map(({ row }) => row.id),
  );
  return {
    ...page,
    items: page.items.map(({ row, nameOf }) =>
      inWords(row, { nameOf, withOrders, facts: requireValue(facts.get(row.id), 'entry') }),
    ),
  };
}

interface Around {
  facts: AgainstFacts;
  nameOf: NameOf;
  /** The user may open orders, and so read who bought the place. */
  withOrders: boolean;
}

function inWords(row: UnsettledRow, { facts, nameOf, withOrders }: Around) {
  const { ended_at, out_at, kept, order_id, order_number, sold } = facts;
  const settled = settledOf(row, nameOf);
  const shown = (id: string) => (withOrders ? id : null);
  return {
    ...row,
    admission_id: row.id,
    ticket_id: facts.ticket_id,
    type_label: facts.type_label,
    seat: seatName(row),
    against: requireValue(row.against, 'reason'),
    at: row.corrected_at,
    by: byOf(row),
    offline: row.offline === 1,
    order: { order_id: shown(order_id), order_number },
    ended_at,
    minutes_after: ended_at === null ? null : Math.round((row.corrected_at - ended_at) / 60_000),
    out_at,
    kept,
    sold_to: sold && {
      order_id: shown(sold.order_id),
      order_number: sold.order_number,
      buyer_name: withOrders ? sold.buyer_name : null,
    },
    settled: settled && { ...settled, as: answerOf(row) },
  };
}

/** A phone shows only so many; the office has them all. */
const mostOnPhone = 20;

/** The undecided ones of these events, the newest first, as a supervisor's phone shows them. */
export async function guestsForPhone(ctx: Ctx, event_ids: readonly string[]) {
  const page = { limit: mostOnPhone, after: null };
  const rows = await listUnsettled(ctx.db, 'against', { event_ids, open: true }, page);
  const facts = await factsAgainst(
    ctx.db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => {
    const { ended_at, order_number, kept, sold } = requireValue(facts.get(row.id), 'entry');
    return {
      admission_id: row.id,
      event_id: row.event_id,
      seat: seatName(row),
      against: requireValue(row.against, 'reason'),
      at: row.corrected_at,
      ended_at,
      gate: row.gate,
      by: byOf(row),
      order_number,
      sold: sold !== null,
      kept,
    };
  });
}

function answerOf({ settled_as }: Pick<AdmissionRow, 'settled_as'>): AgainstAnswer {
  return requireValue(
    againstAnswers.find((as) => as === settled_as),
    'answer',
  );
}

interface Decision {
  as: AgainstAnswer;
  words: string | null;
  user_id: string;
  withOrders: boolean;
}

/** @throws Refusal admission_not_found, conflict_gone */
export async function settleEntryAgainst(ctx: Ctx, id: string, decision: Decision) {
  const { as, words, user_id, withOrders } = decision;
  const actor = `user:${user_id}`;
  await transact(ctx.db, async (trx) => {
    const known = await findAdmission(trx, id);
    if (!known) throw new Refusal('admission_not_found');
    await takeDoorTurn(trx, { act: 'admitted', event_id: known.event_id });
    const scan = requireValue(await findAdmission(trx, id), 'entry');
    const isDecided = scan.settled_at !== null && scan.settled_as !== keepingAnswer;
    if (scan.against === null || scan.annulled_by !== null || isDecided)
      throw new Refusal('conflict_gone');
    await settleScan(trx, 'against', id, {
      settled_at: ctx.now(),
      settled_by: actor,
      settled_as: as,
      settled_note: words,
    });
    const facts = requireValue((await factsAgainst(trx, [id])).get(id), 'entry');
    await carryOut(ctx, trx, { scan, ticket_id: facts.ticket_id }, decision);
    await happened(ctx, trx, {
      actor,
      action: 'against_settled',
      subject: facts.order_id,
      detail: { admission_id: id, place: scan.place, as, note: words, before: scan.settled_as },
    });
  });
  const page = { limit: 1, after: null };
  const [row] = await listUnsettled(ctx.db, 'against', { id, open: false }, page);
  const facts = (await factsAgainst(ctx.db, [id])).get(id);
  if (!row || !facts) throw new Refusal('conflict_gone');
  return inWords(row, { facts, nameOf: await namesOf(ctx.db, [actor]), withOrders });
}

/** Stores what the answer says of the guest; nothing keeps the place unless the guest stays. */
async function carryOut(
  ctx: Ctx,
  trx: Trx,
  { scan, ticket_id }: { scan: AdmissionRow; ticket_id: string },
  { as, words, user_id }: Decision,
): Promise<void> {
  if (as === keepingAnswer) return;
  const note = words ?? 'Deciso dall’ufficio';
  const row =
    as === 'mistake'
      ? takingBack(ctx, scan, { reason: note, user_id })
      : await wayOut(ctx, trx, scan, { ticket_id, note, user_id });
  if (row !== null) {
    const passed = await addRows(trx, scan.event_id, { rows: [row], supervisor: true });
    await tellPassages(ctx, trx, scan.event_id, passed);
    await settlePlaces(ctx, trx, scan.event_id, passed);
  }
  await freePlaces(ctx, trx, [scan.id]);
}

/** The office's scan that lets the guest out; null if the guest has gone out already. */
async function wayOut(
  ctx: Ctx,
  trx: Trx,
  { event_id }: AdmissionRow,
  { ticket_id, note, user_id }: { ticket_id: string; note: string; user_id: string },
): Promise<AdmissionRow | null> {
  const ticket = requireValue(await findTicket(trx, ticket_id), 'ticket');
  const { last } = await standingOfTicket(trx, ticket);
  if (last?.direction !== 'in') return null;
  // A phone's clock may have been ahead, so the way out gets a later time than the last scan.
  const at = Math.max(ctx.now(), last.corrected_at + 1);
  return {
    ...bareScan,
    id: ctx.newId(),
    event_id,
    place: last.row.place,
    revision: last.row.revision,
    ticket_id,
    user_id,
    direction: 'out',
    verdict: 'out',
    counts: 1,
    offline: 0,
    note,
    scanned_at: at,
    corrected_at: at,
    received_at: ctx.now(),
  };
}
