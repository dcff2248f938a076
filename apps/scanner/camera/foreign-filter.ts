/**
 * Filters the codes of other ticket systems that the camera sees: one counts when it stayed in view
 * for a while and no QR code did, because a paper may have both.
 */
import type { FilmReading } from './decode-frame.ts';
import type { ForeignRead } from './engine.ts';

const longEnoughMs = 1_500;
const enoughLooks = 3;
/** Not every frame is looked at for such codes, so a shorter time without one says nothing. */
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
    /** Called for each frame that was read; gives the code in it that is to be told now. */
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
    /** The code was not taken: it is told once more while it stays in view. */
    forget(): void {
      if (seen !== null) seen.isTold = false;
    },
  };
}
