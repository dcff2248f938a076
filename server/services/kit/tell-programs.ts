/**
 * Stores messages to other programs in the transaction of the change; stores none if no program
 * listens (RULES Q2).
 */
import type { Db } from '#db/engine/dialect.ts';
import { findEvent } from '#db/event/events.ts';
import { insertDeliveries } from '#db/program/deliveries.ts';
import { nameOfOrder, validTicketIds } from '#db/program/lists.ts';
import type { ProgramDeliveryRow } from '#db/rows.ts';
import { isoOf } from '#server/domain/time/dates.ts';
import type { AuditAction } from '#server/domain/audit/audit.ts';
import type { RefundState } from '#server/domain/payment/refund.ts';
import type { DeliveryKind, WebhookKind } from '#server/domain/program/webhook.ts';
import type { Ctx } from '#server/services/context.ts';
import { newsKindsOf } from './acts.ts';
import { listenersTo } from './listeners.ts';

/** News contains only ids; a program reads the rest with its token, if it may. */
interface News {
  kind: WebhookKind;
  event_id: string;
  ids: Record<string, string | readonly string[]>;
}

/** The row of one message to one address; its body has the fields of Standard Webhooks. */
export function deliveryOf(
  ctx: Ctx,
  address_id: string,
  { kind, ids, once_key = null }: { kind: DeliveryKind; ids: object; once_key?: string | null },
): ProgramDeliveryRow {
  const id = ctx.newId();
  const now = ctx.now();
  return {
    id,
    address_id,
    kind,
    body: JSON.stringify({ type: kind, timestamp: isoOf(now), data: ids }),
    created_at: now,
    state: 'waiting',
    since: now,
    run_at: now,
    failures: 0,
    locked_until: null,
    tried_at: null,
    status: null,
    answer: null,
    fault: null,
    once_key,
  };
}

async function tell(ctx: Ctx, db: Db, news: readonly News[]): Promise<void> {
  const rows = news.flatMap(({ kind, event_id, ids }) =>
    listenersTo(ctx, [kind], event_id).map(({ id }) =>
      deliveryOf(ctx, id, { kind, ids: { event_id, ...ids } }),
    ),
  );
  await insertDeliveries(db, rows);
}

interface Happening {
  action: AuditAction;
  subject: string;
  detail?: unknown;
}

/** Called for every entry of the registry. */
export async function tellHappening(ctx: Ctx, db: Db, happening: Happening): Promise<void> {
  const kinds = newsKindsOf(happening.action).filter((kind) => isTrue(kind, happening.detail));
  if (kinds.length === 0 || listenersTo(ctx, kinds, null).length === 0) return;
  const news = kinds.includes('event.changed')
    ? await newsOfEvents(db, happening)
    : await newsOfOrder(db, happening, kinds);
  await tell(ctx, db, news);
}

/**
 * Whether an act of a kind that can cause this news did cause it: a refund does once the money has
 * gone back, and a decision may end no ticket.
 */
function isTrue(kind: WebhookKind, detail: unknown): boolean {
  const { state, amount_cents, ticket_ids } = (detail ?? {}) as {
    state?: RefundState;
    amount_cents?: number;
    ticket_ids?: readonly string[];
  };
  if (kind === 'ticket.ended') return ticket_ids !== undefined && ticket_ids.length > 0;
  return (
    kind !== 'order.refunded' || ((state ?? 'succeeded') === 'succeeded' && amount_cents !== 0)
  );
}

async function newsOfOrder(
  db: Db,
  { subject, detail }: Happening,
  kinds: readonly WebhookKind[],
): Promise<News[]> {
  const order = await nameOfOrder(db, subject);
  if (order === undefined || order.rehearsal === 1) return [];
  const { event_id, number: order_number } = order;
  const { ticket_id, ticket_ids: named } = (detail ?? {}) as {
    ticket_id?: string;
    ticket_ids?: readonly string[];
  };
  const aboutTickets = kinds.some((kind) => kind.startsWith('ticket.'));
  const ticket_ids =
    named ??
    (ticket_id !== undefined ? [ticket_id] : aboutTickets ? await validTicketIds(db, subject) : []);
  return kinds.map((kind) => ({
    kind,
    event_id,
    ids: { order_number, ...(kind.startsWith('ticket.') && { ticket_ids }) },
  }));
}

/** The news of an act; an act on a show names the events that have changed in `dates`. */
async function newsOfEvents(db: Db, { action, subject, detail }: Happening): Promise<News[]> {
  const { dates } = (detail ?? {}) as { dates?: unknown };
  const ids = Array.isArray(dates) ? (dates as string[]) : [subject];
  const news: News[] = [];
  for (const id of ids) {
    const event = await findEvent(db, id);
    if (event === undefined || event.rehearsal === 1) continue;
    // Programs get no news of drafts; an event that is being published is still a draft.
    if (event.status === 'draft' && action !== 'event_published') continue;
    news.push({ kind: 'event.changed', event_id: id, ids: {} });
    if (action === 'rehousing_done') news.push({ kind: 'ticket.revised', event_id: id, ids: {} });
  }
  return news;
}

/** Scans that count from now on, and scans that were taken back. */
interface Passed {
  created: readonly { id: string; ticket_id: string | null }[];
  undone: readonly { id: string; ticket_id: string | null }[];
}

export async function tellPassages(
  ctx: Ctx,
  db: Db,
  event_id: string,
  { created, undone }: Passed,
): Promise<void> {
  if (created.length + undone.length === 0) return;
  if (listenersTo(ctx, ['admission.created', 'admission.undone'], event_id).length === 0) return;
  if ((await findEvent(db, event_id))?.rehearsal !== 0) return;
  const newsOf = (kind: WebhookKind) => (scan: { id: string; ticket_id: string | null }) => ({
    kind,
    event_id,
    ids: {
      admission_id: scan.id,
      ...(scan.ticket_id !== null && { ticket_ids: [scan.ticket_id] }),
    },
  });
  await tell(ctx, db, [
    ...created.map(newsOf('admission.created')),
    ...undone.map(newsOf('admission.undone')),
  ]);
}
