/** Who is inside, for the office, and how much of it is not known yet. */
import {
  arrivedScans,
  gapsBesideEvent,
  phonesOfEvent,
  type PhoneOfEvent,
} from '#db/door/phones.ts';
import { headSums, peopleToldOf } from '#db/door/heads.ts';
import { sumHeads } from '#server/domain/door/heads.ts';
import { phoneStateOf } from '#server/domain/door/phone.ts';
import { gateFigures, mostInside, reckonQueue, staleMs } from '#server/domain/door/presence.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';
import { flushContacts } from './known-phones.ts';
import { bookOf } from './presence-book.ts';
import { doorMemory } from './state.ts';

/** @throws Refusal event_not_found */
export async function presenceOf(ctx: Ctx, event_id: string) {
  await flushContacts(ctx);
  const state = await doorMemory(ctx).events.read(event_id);
  if (state === null) throw new Refusal('event_not_found');
  const book = await bookOf(ctx, state.event);
  const { parts, sectioned, gates, expected, ticketed } = book;
  const now = ctx.now();
  const phones = await phonesHeard(ctx, event_id);
  const unheard = unheardOf(phones);
  const heads = sumHeads(await headSums(ctx.db, event_id));
  const { inside } = parts.all;
  const named = <T>(map: Map<string, T>) =>
    [...map]
      .map(([name, figures]) => ({ name, ...figures }))
      .toSorted((a, b) => a.name.localeCompare(b.name, 'it', { numeric: true }));
  return {
    at: now,
    ...parts.all,
    by_section: sectioned ? named(parts.section) : [],
    by_category: named(parts.category),
    by_gate: gateFigures(gates, expected),
    phones: phones.map((phone) => ({
      ...phone,
      phone_id: phone.id,
      queue_length: phone.queue_length === null ? null : phone.waiting,
      stale: phone.unsent > 0 || phone.last_seen_at === null || now - phone.last_seen_at > staleMs,
    })),
    ...unheard,
    heads,
    people: inside + Math.max(0, heads.inside),
    most_people: mostInside({
      inside,
      ticketed: ticketed.size,
      unheard: unheard.unsent + unheard.missing_scans,
      heads: heads.inside,
      unheardHeads: unheard.unsent_heads,
    }),
    licensed: state.event.licensed,
  };
}

/** A phone of the event, and what of its scans has not arrived. */
interface PhoneHeard extends PhoneOfEvent {
  state: ReturnType<typeof phoneStateOf>;
  /** All scans that wait on the phone, of any event. */
  waiting: number;
  /** Those that may let in a guest of this event. */
  unsent: number;
  unsent_heads: number;
  /** Scans that never arrived and may be of this event. */
  missing: number;
}

/**
 * The phones that may still have scans of this event to send. A phone that was taken off the event
 * is one until we hear from it with an empty queue.
 */
async function phonesHeard({ db }: Ctx, event_id: string): Promise<PhoneHeard[]> {
  const phones = await phonesOfEvent(db, event_id);
  const ids = phones.map(({ id }) => id);
  const arrived = await arrivedScans(db, ids);
  const people = await peopleToldOf(db, event_id, ids);
  const reckoned = phones.map((phone) => ({
    phone,
    scans: arrived.get(phone.id) ?? { top: -1, count: 0 },
    ...reckonQueue(phone, arrived.get(phone.id) ?? { top: -1, count: 0 }),
  }));
  const holed = reckoned.flatMap(({ phone, missing }) => (missing > 0 ? [phone.id] : []));
  const gaps = await gapsBesideEvent(db, event_id, holed);
  return reckoned
    .map(({ phone, scans, absent, unsent, missing }): PhoneHeard => {
      // Scans are sent in order, so those that wait are the last.
      const after = Math.max(0, (phone.next_seq ?? 0) - scans.top - 1 - unsent);
      return {
        ...phone,
        state: phoneStateOf(phone),
        waiting: Math.min(phone.queue_length ?? 0, absent),
        unsent: Math.min(absent, phone.unsent_entries ?? unsent),
        unsent_heads: Math.max(0, (phone.heads_told ?? 0) - (people.get(phone.id) ?? 0)),
        // A phone with this event alone has lost nothing elsewhere.
        missing:
          phone.others === 0 ? missing : Math.min(missing, after + (gaps.get(phone.id) ?? 0)),
      };
    })
    .filter(({ state, unsent, unsent_heads, missing, ended_at, last_seen_at, waiting }) => {
      if (waiting > 0 || unsent > 0 || unsent_heads > 0) return true;
      if (ended_at === null) return state === 'paired' || missing > 0;
      return state === 'paired' && (last_seen_at ?? 0) < ended_at;
    });
}

function unheardOf(phones: readonly PhoneHeard[]) {
  const holed = phones.filter(({ ended_at, missing }) => ended_at === null && missing > 0);
  const sum = (of: (phone: PhoneHeard) => number) =>
    phones.reduce((total, phone) => total + of(phone), 0);
  return {
    unsent: sum(({ unsent }) => unsent),
    unsent_heads: sum(({ unsent_heads }) => unsent_heads),
    missing_scans: holed.reduce((total, { missing }) => total + missing, 0),
    missing_at_most: holed.some(({ others }) => others > 0),
  };
}
