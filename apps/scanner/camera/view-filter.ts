/**
 * Filters the codes that the camera sees: a ticket held still is one scan, the same code shown
 * anew is another, and a single misreading is none.
 */
import { readTicketCode } from '#server/domain/door/ticket-code.ts';

/** A code is out of view once the camera has looked for this long without seeing it. */
const awayMs = 700;
/** A text that is not a code of ours is reported when it is seen twice within this time. */
const doubtfulMs = 2_500;
/**
 * The time between two looks counts for no more than this, because a phone that was busy has seen
 * neither that the code stayed nor that it left.
 */
const longestLookMs = 200;
/** After a gap this long the camera was stopped, so every code that it saw before is forgotten. */
const standstillMs = 5_000;

interface Sighting {
  text: string;
  /** How long the camera has looked without seeing it. */
  unseenMs: number;
  isTold: boolean;
}

export function makeViewFilter() {
  const seen = new Map<string, Sighting>();
  let lastLook = -Infinity;
  /**
   * A damaged ticket may be misread as a short text, but not twice. Our own codes have check
   * digits and pass immediately; any other text passes when it is seen a second time.
   */
  const isSure = (text: string) => readTicketCode(text) !== null;
  /** Texts that were seen once before a ticket was read were misreadings of it. */
  const forgetDoubtful = () => {
    for (const [key, { isTold }] of seen) if (!isTold) seen.delete(key);
  };
  return {
    /**
     * Called for each frame that was read, with all codes in it: those that are no longer in view
     * are new when they come back.
     */
    look(texts: readonly string[], now: number): void {
      const passed = now - lastLook;
      lastLook = now;
      if (passed > standstillMs) seen.clear();
      for (const [key, sighting] of seen) {
        sighting.unseenMs += Math.min(passed, longestLookMs);
        if (sighting.unseenMs >= (sighting.isTold ? awayMs : doubtfulMs)) seen.delete(key);
        else if (texts.includes(sighting.text)) sighting.unseenMs = 0;
      }
    },
    /**
     * Called after `look` with the frame's code; true when it is a new scan. Two tickets side by
     * side are two scans, not a hundred. In another `mode` (in or out) the same code is new
     * again.
     */
    isNew(text: string, mode = ''): boolean {
      if (isSure(text)) forgetDoubtful();
      const key = `${mode} ${text}`;
      const before = seen.get(key);
      const isTold = isSure(text) || before !== undefined;
      seen.set(key, { text, unseenMs: 0, isTold });
      return isTold && before?.isTold !== true;
    },
    /** Lets the code pass once more, even if it never left the view, because it was not handled. */
    forget(text: string, mode = ''): void {
      seen.delete(`${mode} ${text}`);
    },
    /** Called when the camera starts again. */
    forgetAll(): void {
      seen.clear();
    },
  };
}
