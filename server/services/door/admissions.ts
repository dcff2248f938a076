/**
 * The desk: a person of the office admits, looks up or takes back a ticket, by the same rule as
 * the phones at the door.
 */
import { findAdmission, listAdmissions, type ListedAdmission } from '#db/door/admissions.ts';
import { placesWithTickets } from '#db/door/scans.ts';
import type { Db } from '#db/engine/dialect.ts';
import { requireEventRow } from '#db/event/events.ts';
import type { AdmissionRow, EventRow } from '#db/rows.ts';
import { hasAnother } from '#db/order/kept-tickets.ts';
import { findTicket, ticketOnPlace } from '#db/order/tickets.ts';
import { transact } from '#db/engine/transact.ts';
import {
  decideAdmission,
  mayUndo,
  type AdmissionFacts,
  type Direction,
  type Verdict,
} from '#server/domain/door/admission.ts';
import { keptMinutes } from '#server/domain/door/kept.ts';
import { isSameCode } from '#server/domain/door/moved-code.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { seatName, type SeatParts } from '#server/domain/seat/seat-name.ts';
import { namesOf } from '#server/services/user/actors.ts';
import { happened, takeDoorTurn } from '#server/services/kit/happened.ts';
import type { Ctx } from '#server/services/context.ts';
import { houseOf } from '#server/services/kit/house.ts';
import { standingOfTicket } from './standing.ts';
import { endedCode } from './ended.ts';
import { admissionForPhone, byOf, listedState } from './views.ts';
import { addRows, bareScan, takingBack, timeAfter } from './passages.ts';
import { settlePlaces } from '#server/services/payment/against.ts';
import { tellPassages } from '#server/services/kit/tell-programs.ts';
import { gateFinder } from '#server/domain/door/gate.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { findTicketByIdOrCode, type NamedTicket } from '#server/services/order/tickets.ts';

interface Found extends NamedTicket {
  event: EventRow;
}

/** What the server knows of a ticket now, in the form that the rule of the phones needs. */
async function ticketFacts(ctx: Ctx, db: Db, found: Found): Promise<AdmissionFacts> {
  const { event, ticket, revision } = found;
  const last = (await standingOfTicket(db, ticket)).last?.row;
  const live = await ticketOnPlace(db, event.id, ticket.place);
  const places = await placesWithTickets(db, event.id, [ticket.place]);
  const given = live && (await hasAnother(db, live)) ? 1 : 0;
  // The place may have gone to another guest since the ticket was found.
  const now = live?.id === ticket.id ? live : await findTicket(db, ticket.id);
  const read = found.read ?? { place: ticket.place, revision };
  return {
    reading: { kind: 'place', place: ticket.place, revision },
    event: {
      cancelled: event.status === 'cancelled',
      starts_at: event.starts_at,
      admits_from: event.admits_from,
      admits_until: event.admits_until,
      verify_policy: event.verify_policy,
      moved_policy: event.moved_policy,
      reentry: event.reentry === 1,
    },
    ticket: live
      ? {
          revision: live.revision,
          state: listedState(event, { ...live, given }, houseOf(ctx)),
          kept_minutes: keptMinutes(live.let_go_minutes, event.free_until_minutes),
          gates: [gateFinder(event)(live) ?? []].flat(),
          reentry: live.reentry === 1,
        }
      : null,
    moved: found.moved,
    // The newest ticket of the place may have moved away.
    newest: places.get(ticket.place)?.issued ?? 0,
    // foundTicket() refuses the code of a ticket that this house has lost.
    lost: false,
    // A code that the ticket had before was ended by its next one, as on a phone.
    given: now?.state === 'void' && now.let_go_at !== null && isSameCode(read, now),
    ended: (await endedCode(db, event.id, found.read ?? ticket))?.why ?? null,
    last: last
      ? { direction: last.direction, at: last.corrected_at, phone_id: last.phone_id }
      : null,
  };
}

/** The door's verdict if the ticket were scanned now. */
async function verdictNow(ctx: Ctx, db: Db, found: Found): Promise<Verdict> {
  const ask = { ...atDesk, now: ctx.now(), direction: 'in', override: null } as const;
  return decideAdmission(await ticketFacts(ctx, db, found), ask).verdict;
}

/** Scans of the desk have no phone and no gate. */
const atDesk = { phone_id: null, gate: null } as const;

async function foundTicket(ctx: Ctx, text: string): Promise<Found> {
  const found = await findTicketByIdOrCode(ctx.db, text);
  if (!found) throw new Refusal('ticket_not_found');
  return { ...found, event: await requireEventRow(ctx.db, found.ticket.event_id) };
}

interface DeskScan {
  now: number;
  user_id: string;
  direction: Direction;
}

/** The fields that all scans of the desk share. */
function deskScan(found: Found, { now, user_id, direction }: DeskScan) {
  const { event, ticket, revision, read } = found;
  // A dead code of another place counts where it was read, as on a phone.
  const isElsewhere = read !== null && revision < 1;
  return {
    ...bareScan,
    event_id: event.id,
    place: isElsewhere ? read.place : ticket.place,
    revision: isElsewhere ? read.revision : revision,
    ticket_id: ticket.id,
    user_id,
    direction,
    offline: 0,
    scanned_at: now,
    corrected_at: now,
    received_at: now,
  } as const;
}

/** Admits or lets out one ticket at the desk; decides and stores in one transaction. */
export async function admitTicket(
  ctx: Ctx,
  text: string,
  ask: { user_id: string; direction: Direction; override: string | null },
) {
  const found = await foundTicket(ctx, text);
  const { event, ticket } = found;
  return transact(ctx.db, async (trx) => {
    // takeDoorTurn() locks the event's row, so a second desk decides after this one.
    await takeDoorTurn(trx, { act: 'admitted', event_id: event.id });
    const now = ctx.now();
    const decision = decideAdmission(await ticketFacts(ctx, trx, found), {
      ...ask,
      ...atDesk,
      now,
    });
    const scan = deskScan(found, { now, user_id: ask.user_id, direction: ask.direction });
    const row: AdmissionRow = {
      ...scan,
      corrected_at: await timeAfter(trx, { event_id: event.id, places: [scan.place], now }),
      id: ctx.newId(),
      verdict: decision.verdict,
      counts: decision.counts ? 1 : 0,
      override: decision.overridden ? ask.override : null,
    };
    const passed = await addRows(trx, event.id, { rows: [row], supervisor: true });
    await tellPassages(ctx, trx, event.id, passed);
    await settlePlaces(ctx, trx, event.id, passed);
    if (decision.counts)
      await happened(ctx, trx, {
        actor: `user:${ask.user_id}`,
        action: ask.direction === 'in' ? 'admitted' : 'let_out',
        subject: ticket.order_id,
        detail: { ticket_id: ticket.id, override: ask.override },
      });
    const first = (await standingOfTicket(trx, ticket)).first?.row;
    return {
      admission_id: row.id,
      verdict: decision.verdict,
      counts: decision.counts,
      ticket_id: ticket.id,
      seat: seatName(ticket),
      at: row.corrected_at,
      first: first ? admissionForPhone(first) : null,
    };
  });
}

/**
 * Takes back a scan that let this ticket in or out: stores a scan that annuls it, which the
 * phones receive.
 * @throws Refusal ticket_not_found, admission_not_found, undo_not_possible
 */
export async function undoAdmission(
  ctx: Ctx,
  text: string,
  { admission_id, reason, user_id }: { admission_id: string; reason: string; user_id: string },
) {
  const { event, ticket } = await foundTicket(ctx, text);
  return transact(ctx.db, async (trx) => {
    await takeDoorTurn(trx, { act: 'admission_undone', event_id: event.id });
    const taken = await findAdmission(trx, admission_id);
    const isTheirs = taken?.place === ticket.place || taken?.ticket_id === ticket.id;
    if (!taken || taken.event_id !== event.id || !isTheirs)
      throw new Refusal('admission_not_found');
    const now = ctx.now();
    const may = mayUndo(
      {
        counts: taken.counts === 1,
        undone: taken.annulled_by !== null,
        phone_id: taken.phone_id,
        at: taken.corrected_at,
      },
      { phone_id: null, supervisor: true, now },
    );
    if (!may) throw new Refusal('undo_not_possible');
    const isOwn = taken.ticket_id === ticket.id;
    const revision = isOwn ? ticket.revision : requireValue(taken.revision, 'revision');
    const found = { event, ticket, revision, moved: false, read: null };
    const row = takingBack(ctx, taken, { reason, user_id });
    const passed = await addRows(trx, event.id, { rows: [row], supervisor: true });
    await tellPassages(ctx, trx, event.id, passed);
    await settlePlaces(ctx, trx, event.id, passed);
    await happened(ctx, trx, {
      actor: `user:${user_id}`,
      action: 'admission_undone',
      subject: ticket.order_id,
      detail: { ticket_id: ticket.id, admission_id: taken.id, reason },
    });
    return {
      admission_id: row.id,
      annuls: taken.id,
      ticket_id: ticket.id,
      seat: seatName(ticket),
      at: row.corrected_at,
      verdict: await verdictNow(ctx, trx, found),
    };
  });
}

/** The history shows at most this many scans. */
const mostHistory = 200;

/** The ticket, the verdict of a scan made now, and the ticket's history; stores nothing. */
export async function readAdmission(ctx: Ctx, text: string, withOrders: boolean) {
  const found = await foundTicket(ctx, text);
  const { event, ticket } = found;
  const verdict = await verdictNow(ctx, ctx.db, found);
  const { id: ticket_id, place } = ticket;
  const about = { event_id: event.id, of: { ticket_id, place }, limit: mostHistory };
  const history = await forOffice(ctx, await listAdmissions(ctx.db, about), withOrders);
  const ended = await endedCode(ctx.db, event.id, found.read ?? ticket);
  return {
    ...ticket,
    ticket_id,
    event_title: event.title,
    event_starts_at: event.starts_at,
    seat: seatName(ticket),
    verdict,
    ended: ended && { why: ended.why, at: ended.at, note: ended.note },
    history,
  };
}

/** `withOrders`: false for users who work only at the door: an order's id leads to its codes. */
export async function recentAdmissions(
  ctx: Ctx,
  {
    event_id,
    rehearsal,
    limit = 50,
    withOrders,
  }: {
    event_id?: string;
    rehearsal?: '1';
    limit?: number;
    withOrders: boolean;
  },
) {
  // A list for all events has either only rehearsals or only real events.
  const apart = event_id === undefined ? { rehearsal: rehearsal === '1' } : {};
  const rows = await listAdmissions(ctx.db, { limit, event_id, ...apart });
  return { items: await forOffice(ctx, rows, withOrders) };
}

async function forOffice(ctx: Ctx, rows: readonly ListedAdmission[], withOrders: boolean) {
  const settlers = rows.flatMap(({ settled_by }) => settled_by ?? []);
  const nameOf = await namesOf(ctx.db, settlers);
  return rows.map((row) => ({
    // A rehearsal's order has no page in the office, so its id is left out.
    ...row,
    order_id: withOrders && row.rehearsal === 0 ? row.order_id : null,
    admission_id: row.id,
    seat: row.kind === null ? null : seatName(row as SeatParts),
    counts: row.counts === 1,
    offline: row.offline === 1,
    from_file: row.from_file === 1,
    by: byOf(row),
    settled_by: row.settled_by && nameOf(row.settled_by),
    approved_by: row.supervisor_name,
    approval_failed: row.approval !== null && row.approved_by === null,
  }));
}
