/** How old the phone's ticket list is, and from which age on it is an alarm. */
import { clockWarningMs } from '#server/domain/door/phone.ts';
import type { StoredEvent } from '#apps/scanner/kit/store.ts';

/** An older list is shown in red, because another door may have let in the same ticket. */
const oldMs = 5 * 60_000;

/**
 * In ms; infinite when unknown, because the clock was set back since. `now` may be some seconds
 * behind.
 */
export function listAge({ updated_at }: StoredEvent, now: number): number {
  const age = updated_at === null ? 0 : now - updated_at;
  return age < -clockWarningMs ? Infinity : age;
}

export function isOldList(event: StoredEvent, now: number): boolean {
  return listAge(event, now) > oldMs;
}
