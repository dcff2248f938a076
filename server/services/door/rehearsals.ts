/**
 * Rehearsals (prova generale): made from an event or from nothing, tried with phones, moved to
 * another phase, and closed. No visitor ever sees one.
 */
import { randomBytes } from 'node:crypto';
import { makeSheetPdf } from '#server/adapters/rehearsal-sheet.ts';
import { isUniqueViolation } from '#db/engine/dialect.ts';
import { listEvents, updateEvent } from '#db/event/events.ts';
import {
  copyPhones,
  findRehearsal,
  insertPractice,
  listRehearsals,
  phonesOfEvents,
  practicePlaces,
  practiceScans,
  practiceTickets,
  type AssignedPhone,
} from '#db/door/rehearsals.ts';
import type { EventRow } from '#db/rows.ts';
import type { Trx } from '#db/engine/dialect.ts';
import { transact } from '#db/engine/transact.ts';
import { formatListDate } from '#server/domain/time/dates.ts';
import { bareEvent, wipeAfterMs } from '#server/domain/event/event.ts';
import { rehearsalPhaseOf, windowOf, type RehearsalPhase } from '#server/domain/door/rehearsal.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { seatName } from '#server/domain/seat/seat-name.ts';
import { groupCode } from '#server/domain/door/ticket-code.ts';
import { happened } from '#server/services/kit/happened.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { fileName, type Document } from '#server/services/order/documents.ts';
import { insertWithPlaces, knownEvent } from '#server/services/event/events.ts';
import { gateFinder } from '#server/domain/door/gate.ts';
import {
  cardCode,
  placeOf,
  plansOf,
  practicePricing,
  practise,
  realGates,
  sampleHall,
} from './rehearsal-practice.ts';
import { newCodes } from '#server/services/order/tickets.ts';
import { listPage, type ListAsk } from '#server/services/kit/page.ts';

const dayMs = 86_400_000;

/** Refuses as the contract of makeRehearsal says. */
export async function makeRehearsal(
  ctx: Ctx,
  {
    event_id,
    replaces,
    user_id,
  }: { event_id: string | null; replaces: string | null; user_id: string },
) {
  const source = event_id === null ? null : await knownEvent(ctx, event_id);
  const old = replaces === null ? null : await knownRehearsal(ctx, replaces);
  const event = practiceEvent(ctx, source, old);
  const { places, ...practice } = practise(ctx, event, {
    hall: await sampleHall(ctx, source ?? old),
    user_id,
  });
  const actor: Actor = `user:${user_id}`;
  try {
    await transact(ctx.db, async (trx) => {
      await insertWithPlaces(trx, event, places);
      await insertPractice(trx, practice);
      await happened(ctx, trx, {
        actor,
        action: 'rehearsal_made',
        subject: event.id,
        detail: { from: event_id, replaces },
      });
      if (!old) return;
      await copyPhones(trx, old.id, event.id);
      if (old.cancelled_at === null) await end(ctx, trx, old, actor);
    });
  } catch (error) {
    // Another event has these letters, or another order this number; the next attempt draws new.
    if (!isUniqueViolation(error)) throw error;
    throw new Refusal('try_again', undefined, error);
  }
  return readRehearsal(ctx, event.id);
}

function practiceEvent(
  ctx: Ctx,
  source: EventRow | null,
  old: EventRow | null,
): Omit<EventRow, 'feed_seq'> {
  const now = ctx.now();
  const id = `prova-${randomBytes(8).toString('hex')}`;
  const title = source
    ? `Prova generale · ${source.title}`.slice(0, 200)
    : (old?.title ?? 'Prova generale');
  return {
    ...bareEvent,
    id,
    title,
    starts_at: now + dayMs,
    status: 'draft',
    venue_title: source?.venue_title ?? '',
    seatsio_event_key: id,
    seat_pricing:
      source === null && old ? old.seat_pricing : JSON.stringify(practicePricing(source)),
    max_seats: 1,
    ...newCodes(ctx),
    feed_epoch: randomBytes(8).toString('hex'),
    created_at: now,
    updated_at: now,
    rehearsal: 1,
    demo: source?.demo ?? old?.demo ?? 0,
  };
}

async function knownRehearsal(ctx: Ctx, id: string): Promise<EventRow> {
  const event = await findRehearsal(ctx.db, id);
  if (!event) throw new Refusal('event_not_found');
  return event;
}

function tell(event: EventRow, phones: readonly AssignedPhone[]) {
  return {
    ...event,
    event_id: event.id,
    wipe_at: event.starts_at + wipeAfterMs,
    closed_at: event.cancelled_at,
    phase: rehearsalPhaseOf(event),
    gates: realGates(event),
    phones: phones.filter(({ event_id }) => event_id === event.id && event.cancelled_at === null),
  };
}

export async function rehearsalsForOffice(ctx: Ctx, ask: ListAsk) {
  const { rows: events, next_cursor } = await listPage(
    ask,
    (page) => listRehearsals(ctx.db, page),
    {
      timeOf: (event) => event.created_at,
      textsOf: (event) => [event.title, event.id],
    },
  );
  const ids = events.map(({ id }) => id);
  const phones = await phonesOfEvents(ctx.db, ids);
  return { items: events.map((event) => tell(event, phones)), next_cursor };
}

/** @throws Refusal event_not_found */
export async function readRehearsal(ctx: Ctx, id: string) {
  const event = await knownRehearsal(ctx, id);
  return { ...tell(event, await phonesOfEvents(ctx.db, [id])), cards: await cardsOf(ctx, event) };
}

async function cardsOf(ctx: Ctx, event: EventRow) {
  const [places, tickets, scans] = [
    await practicePlaces(ctx.db, event.id),
    await practiceTickets(ctx.db, event.id),
    await practiceScans(ctx.db, event.id),
  ];
  const gateOf = gateFinder(event);
  // The event for the card with another event's code; not a draft, whose codes no phone knows.
  const other = (await listEvents(ctx.db)).findLast(({ status }) => status !== 'draft') ?? null;
  return plansOf(event).flatMap((plan) =>
    Array.from({ length: plan.count }, (_, index) => {
      const code = cardCode(event, plan, { nth: index + 1, other });
      if (code === null) return [];
      const name = placeOf(plan, index + 1);
      const place = places.find((one) => one.place === name);
      const ticket = tickets.find((one) => one.place === name);
      return [
        {
          key: name ?? plan.key,
          verdict: plan.verdict,
          hint:
            plan.source.kind === 'other_event'
              ? `${plan.hint} Questo è di «${other!.title}».`
              : plan.hint,
          seat: place ? seatName(place) : null,
          category: place?.category ?? null,
          gate: place ? gateOf(place) : null,
          holder: ticket?.holder ?? null,
          code,
          code_for_people: groupCode(code),
          seen_by: [
            ...new Set(
              scans
                .filter((scan) => scan.verdict === plan.verdict && scan.place === name)
                .map((scan) => scan.name),
            ),
          ],
        },
      ];
    }).flat(),
  );
}

/** Refuses as the contract of turnRehearsal says. */
export async function turnRehearsal(
  ctx: Ctx,
  id: string,
  { phase, actor }: { phase: RehearsalPhase; actor: Actor },
) {
  const event = await knownRehearsal(ctx, id);
  if (event.cancelled_at !== null) throw new Refusal('rehearsal_closed');
  await transact(ctx.db, async (trx) => {
    await updateEvent(
      trx,
      id,
      windowOf(phase, { created_at: event.created_at, far: event.starts_at + wipeAfterMs }),
    );
    await happened(ctx, trx, { actor, action: 'rehearsal_turned', subject: id, detail: { phase } });
  });
  return readRehearsal(ctx, id);
}

/** @throws Refusal event_not_found */
export async function closeRehearsal(ctx: Ctx, id: string, actor: Actor) {
  const event = await knownRehearsal(ctx, id);
  if (event.cancelled_at === null) await transact(ctx.db, (trx) => end(ctx, trx, event, actor));
  return readRehearsal(ctx, id);
}

async function end(ctx: Ctx, trx: Trx, event: EventRow, actor: Actor): Promise<void> {
  await updateEvent(trx, event.id, { cancelled_at: ctx.now() });
  await happened(ctx, trx, { actor, action: 'rehearsal_closed', subject: event.id });
}

/** @throws Refusal event_not_found */
export async function rehearsalSheet(ctx: Ctx, id: string): Promise<Document> {
  const rehearsal = await readRehearsal(ctx, id);
  const content = await makeSheetPdf({
    title: rehearsal.title,
    created_at: rehearsal.created_at,
    made_on: formatListDate(rehearsal.created_at),
    cards: rehearsal.cards,
  });
  return {
    name: `${fileName(rehearsal.title)} - foglio dei codici.pdf`,
    type: 'application/pdf',
    content,
  };
}
