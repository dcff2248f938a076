/**
 * Filters the codes that the camera sees: a ticket held still is one scan, and a single
 * misreading is not a scan.
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
   * A damaged ticket may be misread as a short text, but not twice. Our own codes have check
   * digits and pass immediately; any other text passes when it is seen a second time.
   */
  const isSure = (text: string) => readTicketCode(text) !== null;
  /** Texts that were seen once before a ticket was read were misreadings of it. */
  const forgetDoubtful = () => {
    for (const [text, { isTold }] of seen) if (!isTold) seen.delete(text);
  };
  return {
    /**
     * Called once a frame for each code in view; true when the code is a new scan. Two tickets
     * side by side, seen in turn, are two scans, not a hundred. In another `mode` (in or out) the
     * same code is new again.
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
    /** The code was not taken: it passes once more, even if it was never out of sight. */
    forget(text: string, mode = ''): void {
      seen.delete(`${mode} ${text}`);
    },
  };
}
