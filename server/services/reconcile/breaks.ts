/**
 * Breaks: differences between our data and a provider’s. A break is reported once, and closed
 * when the difference disappears or a person settles it.
 */
import { ProviderRefused } from '#server/adapters/provider.ts';
import {
  findBreak,
  insertBreak,
  lastBreak,
  listBreaks,
  noteBreakSeen,
  settleBreakRow,
  type ListedBreak,
} from '#db/reconcile/breaks.ts';
import { findEvent } from '#db/event/events.ts';
import type { BreakRow } from '#db/rows.ts';
import { transact } from '#db/engine/transact.ts';
import { actionsFor, type BreakAction, type BreakKind } from '#server/domain/office/break.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { happened } from '#server/services/kit/happened.ts';
import { closeSession } from '#server/services/payment/checkout.ts';
import type { Ctx } from '#server/services/context.ts';
import type { About } from './about.ts';
import { dropStrayChannel } from './channels.ts';
import { areaOf, looks, requestsFor } from './differences.ts';
import { readAgain } from './payout-reading.ts';
import { tellChannel } from '#server/services/event/contingent-map.ts';
import { bookPayment } from '#server/services/payment/payment-record.ts';
import { listPage, type ListAsk } from '#server/services/kit/page.ts';
import { settleOrder } from '#server/services/payment/settle.ts';

type Difference = About & { kind: BreakKind; detail: Record<string, unknown> };

/**
 * Opens a break or renews the open one. If the office has noted the break, it stays settled while
 * its details are the same. True: a new break.
 */
export async function tellBreak(
  ctx: Ctx,
  { kind, subject, event_id, order_id, detail }: Difference,
): Promise<boolean> {
  const text = JSON.stringify(detail);
  const known = await lastBreak(ctx.db, kind, subject);
  const noted = known?.settlement === 'take_note' && known.detail === text;
  if (known && (known.settled_at === null || noted)) {
    await noteBreakSeen(ctx.db, known.id, { seen_at: ctx.now(), detail: text });
    return false;
  }
  const row = {
    id: ctx.newId(),
    kind,
    subject,
    event_id,
    order_id,
    detail: text,
    found_at: ctx.now(),
    seen_at: ctx.now(),
  };
  const made = await transact(ctx.db, (trx) => insertBreak(trx, row));
  if (made)
    ctx.log.error(
      { break_id: row.id, kind, subject, event_id, order_id, detail },
      'a provider’s books and ours differ',
    );
  return made;
}

/** Checks an open break again, and settles it if the difference is gone. */
export async function renewBreak(ctx: Ctx, row: BreakRow): Promise<void> {
  const found = await looks[row.kind as BreakKind](ctx, row);
  if (found === 'unsure') return;
  if (found?.kind === row.kind)
    await noteBreakSeen(ctx.db, row.id, {
      seen_at: ctx.now(),
      detail: JSON.stringify(found.detail),
    });
  else
    await settleBreakRow(ctx.db, row.id, {
      settled_at: ctx.now(),
      settled_by: 'system',
      settlement: 'gone',
      note: null,
    });
}

/** What each action does; it may be repeated, and does nothing if its result exists already. */
const acts: Record<BreakAction, (ctx: Ctx, row: Difference) => Promise<unknown>> = {
  settle_order: async (ctx, row) => row.order_id !== null && settleOrder(ctx, row.order_id),
  end_session: async (ctx, row) => {
    await closeSession(ctx, row.subject);
    if (row.order_id !== null) await settleOrder(ctx, row.order_id);
  },
  read_payment: (ctx, row) => bookPayment(ctx, row.subject),
  release_seat: (ctx, row) =>
    atSeatMap(ctx, row, (key, requests) => ctx.seats.release(key, requests, orderThere(row))),
  book_seat: (ctx, row) =>
    atSeatMap(ctx, row, async (key, requests) => {
      // Without a hold token the vendor would also book a seat that a visitor holds now.
      const seats = requests.flatMap(({ label, quantity }) => (quantity === null ? [label] : []));
      const objects = seats.length === 0 ? [] : [...(await ctx.seats.read(key, seats)).values()];
      if (objects.some(({ status }) => status !== 'free')) return;
      // This booking may take seats of any channel, because our database has sold them, whatever
      // became of their contingent.
      const orderId = requireValue(row.order_id, 'order');
      await ctx.seats.book(key, requests, { orderId, holdToken: null, channels: 'all' });
    }),
  tell_channel: (ctx, row) => tellChannel(ctx, row.subject),
  drop_channel: dropStrayChannel,
  read_payout: readAgain,
  take_note: async () => {},
};

/** The order for which the seat map has booked the seat; our database may lack it. */
function orderThere(row: Difference): string {
  if (row.kind === 'seat_without_order') return String(row.detail['booked_for']);
  return requireValue(row.order_id, 'order');
}

async function atSeatMap(
  ctx: Ctx,
  row: Difference,
  act: (key: string, requests: Awaited<ReturnType<typeof requestsFor>>) => Promise<void>,
): Promise<void> {
  const event = await findEvent(ctx.db, row.event_id ?? '');
  const requests = await requestsFor(ctx, row);
  if (event && requests.length > 0) await act(event.seatsio_event_key, requests);
}

interface Settlement {
  user_id: string;
  action: BreakAction;
  note: string | null;
}

/**
 * Mends a break or notes it. The row is settled only if the difference is then gone or noted.
 * @throws Refusal break_not_found, break_settled (another person was faster),
 * action_not_possible, break_persists (the provider refused, or nothing has changed),
 * provider_silent
 */
export async function settleBreak(
  ctx: Ctx,
  id: string,
  { user_id, action, note: words }: Settlement,
) {
  const row = await breakOf(ctx, id);
  if (row.settled_at !== null) throw new Refusal('break_settled', { settlement: row.settlement });
  if (!actionsFor(row.kind).includes(action))
    throw new Refusal('action_not_possible', { actions: actionsFor(row.kind) });
  await acts[action](ctx, row).catch((error: unknown) => {
    if (error instanceof ProviderRefused)
      throw new Refusal('break_persists', { code: error.vendorCode }, error);
    throw error;
  });
  if (action !== 'take_note' && (await lasts(ctx, row))) throw new Refusal('break_persists');
  const settled = await transact(ctx.db, async (trx) => {
    if (
      !(await settleBreakRow(trx, id, {
        settled_at: ctx.now(),
        settled_by: `user:${user_id}`,
        settlement: action,
        note: words,
      }))
    )
      return false;
    await happened(ctx, trx, {
      actor: `user:${user_id}`,
      action: 'break_settled',
      subject: row.order_id ?? id,
      detail: { kind: row.kind, subject: row.subject, action, note: words },
    });
    return true;
  });
  if (!settled) throw new Refusal('break_settled');
}

async function lasts(ctx: Ctx, row: Difference): Promise<boolean> {
  const found = await looks[row.kind](ctx, row);
  return found === 'unsure' || found?.kind === row.kind;
}

async function breakOf(
  ctx: Ctx,
  id: string,
): Promise<Omit<BreakRow, 'detail' | 'kind'> & Difference> {
  const row = await findBreak(ctx.db, id);
  if (!row) throw new Refusal('break_not_found');
  return { ...row, kind: row.kind as BreakKind, detail: readDetail(row) };
}

function readDetail(row: BreakRow): Record<string, unknown> {
  return JSON.parse(row.detail) as Record<string, unknown>;
}

interface BreakListAsk extends ListAsk {
  open?: boolean;
}

/** The breaks, newest first. */
export async function breakList(ctx: Ctx, { open = true, limit = 100, cursor, q }: BreakListAsk) {
  const { rows, next_cursor } = await listPage(
    { limit, cursor, q },
    (page) => listBreaks(ctx.db, open, page),
    {
      timeOf: (row) => row.found_at,
      textsOf: (row) => [row.event_title, row.order_number, row.subject],
    },
  );
  return { items: rows.map(breakForOffice), next_cursor };
}

function breakForOffice(row: ListedBreak) {
  const kind = row.kind as BreakKind;
  return {
    ...row,
    break_id: row.id,
    kind,
    detail: readDetail(row),
    place: kind.startsWith('area_places') ? areaOf(row.subject) : row.subject,
    actions: row.settled_at === null ? actionsFor(kind) : [],
  };
}
