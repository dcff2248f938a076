/**
 * Notes entries against the book, and keeps the places of their guests from being sold until a
 * person decides (RULES A20): the line keeps its place in our book, and the task `let_go` makes
 * the seat map agree.
 */
import {
  holderOf,
  markAgainst,
  refundsThatFree,
  scansAgainst,
  type BookedScan,
} from '#db/door/against.ts';
import type { PassingScan } from '#db/door/scans.ts';
import type { Trx } from '#db/engine/dialect.ts';
import { requireEventRow } from '#db/event/events.ts';
import type { AdmissionRow, EventRow } from '#db/rows.ts';
import {
  againstOf,
  entriesAgainst,
  entryInside,
  type Against,
} from '#server/domain/door/against.ts';
import { requireValue } from '#server/domain/require-value.ts';
import type { Ctx } from '#server/services/context.ts';
import { happened } from '#server/services/kit/happened.ts';
import { queueTask } from '#server/services/kit/queue-task.ts';
import { isEveningOver, keepPlace } from './guest-places.ts';
import { takePlacesBack } from './let-go.ts';

interface Marked {
  id: string;
  against: Against;
}

/**
 * Call it with the door's turn, in the transaction that stores scans: what follows for the places
 * of their tickets. Returns the entries that turned out to be against the book.
 */
export async function settlePlaces(
  ctx: Ctx,
  trx: Trx,
  event_id: string,
  { created, undone }: { created: readonly AdmissionRow[]; undone: readonly PassingScan[] },
): Promise<Marked[]> {
  await takePlacesBack(ctx, trx, created);
  const places = [...created, ...undone].flatMap(({ place }) => place ?? []);
  const marked = await noteAgainst(ctx, trx, { event_id, places });
  await freePlaces(
    ctx,
    trx,
    undone.map(({ id }) => id),
  );
  return marked;
}

/** Lets the refunds of these entries' tickets free their places that no other entry keeps. */
export async function freePlaces(ctx: Ctx, trx: Trx, scan_ids: readonly string[]): Promise<void> {
  for (const subject of await refundsThatFree(trx, scan_ids))
    await queueTask(ctx, trx, { task: 'run_refund', subject });
}

/**
 * Call it with the door's turn, in the transaction that stores scans or ends tickets; `places` are
 * those of the scans and tickets. May be repeated.
 */
export async function noteAgainst(
  ctx: Ctx,
  trx: Trx,
  { event_id, places }: { event_id: string; places: readonly string[] },
): Promise<Marked[]> {
  const scans = await scansAgainst(trx, event_id, [...new Set(places)]);
  if (scans.length === 0) return [];
  const event = await requireEventRow(trx, event_id);
  // A rehearsal sells nothing, and of an evening that is called off nobody takes a seat.
  if (event.rehearsal === 1 || event.status === 'cancelled') return [];
  const marked: Marked[] = [];
  for (const own of Map.groupBy(scans, ({ ticket_id }) => ticket_id).values())
    for (const scan of againstAmong(own, event))
      if (scan.against === null) marked.push(...(await note(ctx, trx, event, scan)));
  return marked;
}

/** Those of one ticket's scans that may be against the book. */
function againstAmong(own: readonly BookedScan[], event: EventRow): BookedScan[] {
  const scans = own.map((scan) => ({ ...scan, admission_id: scan.id, undone: false }));
  const { state, ended_at } = requireValue(own[0], 'scan');
  if (state === 'void' || state === 'refunded') {
    const at = requireValue(ended_at, 'time of the end');
    return entriesAgainst(scans, { at, over: isEveningOver(event, at) });
  }
  const first = scans.filter(({ conflict_with }) => conflict_with === null);
  const left = entryInside(first.filter(({ place, ticket_place }) => place !== ticket_place));
  const late = first.filter((scan) => scan.let_go_at !== null && scan.direction === 'in');
  return left === null ? late : [left, ...late];
}

/** Marks an entry and keeps its place; a good ticket is harmed only by a new guest. */
async function note(ctx: Ctx, trx: Trx, event: EventRow, scan: BookedScan): Promise<Marked[]> {
  const { id, order_id, ticket_id, state, let_go_at } = scan;
  const line = { event_id: event.id, place: scan.place, order_id };
  const against_order_id = await holderOf(trx, line);
  const hasEnded = state === 'void' || state === 'refunded';
  if (!hasEnded && against_order_id === null) return [];
  const against = againstOf({ state, let_go: let_go_at !== null });
  await markAgainst(trx, id, { against, against_order_id });
  if (against_order_id === null) await keepPlace(ctx, trx, event, line);
  await happened(ctx, trx, {
    actor: 'system',
    action: 'let_in_against',
    subject: order_id,
    detail: { admission_id: id, ticket_id, place: line.place, against },
  });
  return [{ id, against }];
}
