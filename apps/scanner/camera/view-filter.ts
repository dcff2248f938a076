/**
 * Filters the codes that the camera sees: a ticket held still is one scan, and a code seen once
 * by mistake is none.
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
   * A damaged ticket may look like a short text, but not twice: a code of ours carries its check
   * digits, any other text is passed on at its second sighting.
   */
  const isSure = (text: string) => readTicketCode(text) !== null;
  /** Once a ticket is read, the texts seen once before it were misreadings of it. */
  const forgetDoubtful = () => {
    for (const [text, { isTold }] of seen) if (!isTold) seen.delete(text);
  };
  return {
    /**
     * Ask at every sighting, once a frame. Two tickets side by side, seen in turn, are two scans,
     * not a hundred. In another `mode` (in or out) the same code is new again.
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
    /** The code was not taken: it is passed on once more, even if it was never out of sight. */
    forget(text: string, mode = ''): void {
      seen.delete(`${mode} ${text}`);
    },
  };
}
