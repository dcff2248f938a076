/**
 * Loads the app anew when the browser opens its database only for a new page, and comes back to
 * the same screen. The notes for the new page are in sessionStorage, which survives the loss.
 */
import * as v from 'valibot';
import { canReload } from '#apps/scanner/device/reload.ts';
import type { Pending } from './pending.ts';

/** The scanning screen. */
interface Screen {
  event_id: string;
  title: string;
  mode: string;
}

interface Resumed extends Screen {
  /** The scan that could not be stored; null: there was none. */
  pending: Pending | 'late' | null;
}

const noteKey = 'scanner.resume';
/**
 * Set by a restart until something is saved: `idle`, or `scan` if a scan was waiting. A restart for
 * a scan may follow an idle one, so there are two at most.
 */
const markKey = 'scanner.restarted';
/** After this long the guest has gone, and the scan would be stored too late. */
const freshMs = 60_000;

let screen: Screen | null = null;

/** Tells which screen a restart must come back to; null: the first. */
export function noteScreen(next: Screen | null): void {
  screen = next;
}

/** As the port of this name (kit/ports.ts). */
export function restart(pending: string | null): boolean {
  if (!canReload()) return false;
  try {
    const before = sessionStorage.getItem(markKey);
    if (before === 'scan' || (before !== null && pending === null)) return false;
    sessionStorage.setItem(markKey, pending === null ? 'idle' : 'scan');
    isMarked = true;
    if (screen)
      sessionStorage.setItem(noteKey, JSON.stringify({ screen, pending, at: Date.now() }));
  } catch {
    // Without storage nothing would tell the new page that it is not the first.
    return false;
  }
  location.reload();
  return true;
}

/** Allows another restart, because this page was able to save. */
export function noteSaved(): void {
  if (!isMarked) return;
  isMarked = false;
  try {
    sessionStorage.removeItem(markKey);
  } catch {
    // Without storage there is no mark to remove.
  }
}

const note = v.object({
  screen: v.object({ event_id: v.string(), title: v.string(), mode: v.string() }),
  pending: v.nullable(v.string()),
  at: v.number(),
});

/** Removed, so that a later reload by a person begins at the first screen. */
function readNote(): Resumed | null {
  try {
    const text = sessionStorage.getItem(noteKey);
    sessionStorage.removeItem(noteKey);
    const { screen, pending, at } = v.parse(note, JSON.parse(text ?? 'null'));
    const isLate = Math.abs(Date.now() - at) > freshMs;
    if (pending === null) return isLate ? null : { ...screen, pending };
    return { ...screen, pending: isLate ? 'late' : (JSON.parse(pending) as Pending) };
  } catch {
    return null;
  }
}

function readMark(): boolean {
  try {
    return sessionStorage.getItem(markKey) !== null;
  } catch {
    return false;
  }
}

let isMarked = readMark();
let resumed = readNote();
/** The screen that this page began with; null unless a restart ended the one before. */
export const firstScreen: Screen | null = resumed;

/** The rest of the restart's note; it is given out once. */
export function takeResumed(event_id: string): Resumed | null {
  if (resumed?.event_id !== event_id) return null;
  const taken = resumed;
  resumed = null;
  return taken;
}
