/** Puts rows of the door's table into a real hall: one event for each set of rules, one place for each row. */
import { transact } from '#db/engine/transact.ts';
import { findEvent, nextAtDoor } from '#db/event/events.ts';
import type { ScanSent } from '#server/contract/door/admissions.ts';
import { isoOf } from '#server/domain/time/dates.ts';
import type { Ctx } from '#server/services/context.ts';
import { codeOf } from '#server/services/order/tickets.ts';
import {
  issuedOf,
  rulesOf,
  type Before,
  type DoorCase,
  type EventRules,
} from './admission-cases.ts';
import { proved, type CodeMaker } from '#tests/support/door/proof.ts';
import { addHall, changeEvent, changeTicket, sellPlaces } from './door-hall.ts';

const dayMs = 86_400_000;

/** `code` is what is held out now; `codes`: what its event's codes are made of. */
export interface StagedCase extends DoorCase {
  event_id: string;
  place: string;
  code: string;
  codes: CodeMaker;
}

export type Stage = Awaited<ReturnType<typeof stageCases>>;

/** A list knows one gate for each category: rows with several stay with the rule. So do trials, which another house makes of the same tickets, and what a hall's tickets need a move, a restore, terms of their own or a later release for. */
export function isForHalls({ given }: DoorCase): boolean {
  const { gates = [], ticket, moved = false, lost = false, terms } = given;
  const isOfHall = !['trial', 'other', 'kept', 'let_go'].includes(ticket ?? 'valid');
  return gates.length < 2 && isOfHall && !moved && !lost && !given.away && terms === undefined;
}

/** Codes that were let in before were the newest then. */
function issuedAtFirst({ given }: DoorCase): number {
  return Math.min(issuedOf(given), ...(given.before ?? []).map(({ revision }) => revision));
}

export async function stageCases(ctx: Ctx, cases: readonly DoorCase[]) {
  const groups = Map.groupBy(cases.filter(isForHalls), ({ given }) =>
    JSON.stringify(rulesOf(given)),
  );
  const staged: StagedCase[] = [];
  const rules = new Map<string, EventRules>();
  const codesOf = async (event_id: string) => (await findEvent(ctx.db, event_id))!;
  const codeAt = async (
    { event_id, place }: Pick<StagedCase, 'event_id' | 'place'>,
    revision: number,
  ) => codeOf(await codesOf(event_id), { place, revision, earlier_codes: 0 });
  for (const [index, [text, members]] of [...groups].entries()) {
    const event_id = `serata-${index}`;
    rules.set(event_id, JSON.parse(text) as EventRules);
    const places = members.map(({ given }, at) => ({
      label: `A${at + 1}`,
      gate: given.gates?.[0] ?? null,
    }));
    await addHall(ctx, { id: event_id, places });
    const codes = await codesOf(event_id);
    for (const [at, member] of members.entries()) {
      const place = places[at]!.label;
      for (let revision = 1; revision <= issuedAtFirst(member); revision += 1)
        await sellPlaces(ctx, event_id, { places: [place], issued_at: ctx.now() - dayMs });
      staged.push({ ...member, event_id, place, code: '', codes });
    }
  }
  // Codes of the first event's neighbour are another event's everywhere.
  for (const one of staged) {
    const { reads = 1 } = one.given;
    const elsewhere = {
      event_id: one.event_id === 'serata-0' ? 'serata-1' : 'serata-0',
      place: 'A1',
    };
    one.code =
      reads === 'no_ticket'
        ? '8001120905420'
        : await codeAt(
            reads === 'another_event' ? elsewhere : one,
            reads === 'another_event' ? 1 : reads,
          );
  }
  return {
    cases: staged,
    event_ids: [...rules.keys()],
    codeOf: codeAt,
    /** The rules and the ends of tickets as they are now; until then the halls are open to all and every ticket is good. */
    async settle(now: number) {
      for (const { event_id, place, ...row } of staged)
        for (let revision = issuedAtFirst(row); revision < issuedOf(row.given); revision += 1)
          await sellPlaces(ctx, event_id, { places: [place] });
      for (const {
        event_id,
        place,
        given: { ticket },
      } of staged)
        if (
          ticket !== undefined &&
          ticket !== null &&
          ticket !== 'valid' &&
          ticket !== 'trial' &&
          ticket !== 'other' &&
          ticket !== 'kept' &&
          ticket !== 'let_go'
        )
          await changeTicket(ctx, event_id, { place, state: ticket });
      for (const [event_id, { cancelled, opens, closes, policy, reentry }] of rules) {
        await transact(ctx.db, async (trx) => {
          const { feed_seq } = await nextAtDoor(trx, event_id);
          await trx('tickets')
            .where({ event_id })
            .update({ reentry: reentry ? 1 : 0 });
          await trx('places').where({ event_id }).update({ feed_seq });
        });
        await changeEvent(ctx, event_id, {
          status: cancelled ? 'cancelled' : 'published',
          verify_policy: policy,
          reentry: reentry ? 1 : 0,
          admits_from: opens === null ? null : now + opens,
          admits_until: closes === null ? null : now + closes,
        });
      }
    },
  };
}

/** A scan of somebody's before, as another phone sends it. */
export function scanOf(
  { event_id, place, codes, given }: StagedCase,
  { direction, revision, by }: Before,
  { nth, seq, time }: { nth: number; seq: number; time: number },
): ScanSent {
  return proved(codes, {
    admission_id: `${event_id}-${place}-${nth}-0123456789abcdef`,
    seq,
    event_id,
    place,
    revision,
    read: null,
    direction,
    gate: by === 'here' ? 'Varco A' : 'Varco B',
    verdict: direction === 'out' ? 'out' : revision > issuedOf(given) ? 'verify' : 'admit',
    counts: true,
    override: null,
    scanned_at: isoOf(time),
    corrected_at: isoOf(time),
    offline: true,
    means: 'code',
    note: null,
    annuls: null,
  });
}

export function undoneOf(scan: ScanSent, seq: number): ScanSent {
  return {
    ...scan,
    admission_id: `undo-${scan.admission_id}`,
    seq,
    verdict: 'undone',
    counts: false,
    annuls: scan.admission_id,
    note: 'Letto per sbaglio',
  };
}
