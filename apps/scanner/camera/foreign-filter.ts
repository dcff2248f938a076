/**
 * Filters the codes of other ticket systems: one is reported once it has stayed in view for a while
 * without a QR code, because a paper may have both.
 */
import type { FilmReading } from './decode-frame.ts';
import type { ForeignRead } from './engine.ts';

const longEnoughMs = 1_500;
const enoughLooks = 3;
/**
 * A code counts as gone only after this time, because not every frame is searched for such codes.
 */
const awayMs = 3_000;

interface Sighting extends ForeignRead {
  since: number;
  last: number;
  looks: number;
  isTold: boolean;
}

export function makeForeignFilter() {
  let seen: Sighting | null = null;
  return {
    /** Called for each frame that was read; returns the code to report now, or null. */
    look({ texts, foreign }: FilmReading, now: number): ForeignRead | null {
      if (texts.length > 0 || (seen !== null && now - seen.last > awayMs)) seen = null;
      if (texts.length > 0 || foreign === null) return null;
      const isSame = seen?.kind === foreign.kind && seen.text === foreign.text;
      if (seen === null || !isSame)
        seen = { ...foreign, since: now, last: now, looks: 0, isTold: false };
      seen.last = now;
      seen.looks += 1;
      if (seen.isTold || seen.looks < enoughLooks || now - seen.since < longEnoughMs) return null;
      seen.isTold = true;
      return foreign;
    },
    /** Reports the code once more while it stays in view, because it was not handled. */
    forget(): void {
      if (seen !== null) seen.isTold = false;
    },
  };
}
