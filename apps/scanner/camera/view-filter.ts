/**
 * Filters the codes that the camera sees, so that one ticket held still is one scan, and what was
 * seen once by mistake is none.
 */
import { readTicketCode } from '#server/domain/door/ticket-code.ts';

/** The same code counts again only after it was out of sight this long. */
export const sameCodeMs = 2_500;

interface Sighting {
  at: number;
  isTold: boolean;
}

export function makeViewFilter() {
  const seen = new Map<string, Sighting>();
  /**
   * What is left of a damaged ticket may look like a short text, but not twice: a code of ours
   * carries its check, all else is told at its second sighting.
   */
  const isSure = (text: string) => readTicketCode(text) !== null;
  /** A ticket that is read after all was what lay behind the texts that were seen once. */
  const forgetDoubtful = () => {
    for (const [text, { isTold }] of seen) if (!isTold) seen.delete(text);
  };
  return {
    /**
     * To be asked at every sighting, once a frame. Two tickets side by side, seen in turn, are two
     * scans, not a hundred. In another
     * `mode` (in or out) the same code is new again.
     */
    isNew(text: string, now: number, mode = ''): boolean {
      for (const [other, { at }] of seen) if (now - at > sameCodeMs) seen.delete(other);
      if (isSure(text)) forgetDoubtful();
      const sighting = `${mode} ${text}`;
      const before = seen.get(sighting);
      const isTold = isSure(text) || before !== undefined;
      seen.set(sighting, { at: now, isTold });
      return isTold && before?.isTold !== true;
    },
    /** Nothing has come of it: it is told once more, also a code that was never out of sight. */
    forget(text: string, mode = ''): void {
      seen.delete(`${mode} ${text}`);
    },
  };
}
