/** Phases of list prices on the wire, in the form of an event and in its table of prices. */
import { longestPhaseName, mostPhases, phaseBounds } from '#server/domain/price/price-bounds.ts';
import * as v from 'valibot';
import { trimmed, type timeIn, type timeOut } from './endpoint.ts';

const whole = ([least, most]: readonly [number, number]) =>
  v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));

/** `at`: the first moment of the next prices; `tickets`: how many the event has sold by then. */
function phaseEnd<T extends typeof timeIn | typeof timeOut>(time: T) {
  return v.variant('kind', [
    v.object({ kind: v.literal('day'), at: time }),
    v.object({ kind: v.literal('hours_before'), hours: whole(phaseBounds.hours) }),
    v.object({ kind: v.literal('sold'), tickets: whole(phaseBounds.tickets) }),
  ]);
}

export const phaseId = v.pipe(v.string(), v.regex(/^[\w-]{1,40}$/));

export function phaseFields<T extends typeof timeIn | typeof timeOut>(time: T) {
  return { name: trimmed(longestPhaseName, 1), until: phaseEnd(time) };
}

/** Refuses two phases of one id or name. */
export function areOwnPhases(phases: readonly { id?: string | undefined; name: string }[]) {
  const ids = phases.flatMap(({ id }) => id ?? []);
  const names = phases.map(({ name }) => name.toLowerCase());
  return new Set(ids).size === ids.length && new Set(names).size === names.length;
}

/** In the order in which they follow each other; null: the event has only its last prices. */
export function pricePhases<T extends typeof timeIn | typeof timeOut>(
  time: T,
  priceId: v.GenericSchema<string, string>,
) {
  const phase = v.object({
    id: phaseId,
    ...phaseFields(time),
    /** The phase's price for each last price that it changes. */
    prices: v.pipe(v.record(priceId, priceId), v.maxEntries(200)),
  });
  return v.nullable(
    v.pipe(
      v.array(phase),
      v.minLength(1),
      v.maxLength(mostPhases),
      v.check((phases) => areOwnPhases(phases), 'each phase once'),
    ),
  );
}
