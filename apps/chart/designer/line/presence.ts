/**
 * Reports every 15 seconds that this designer is open, and learns who else is drawing and whether
 * the drawing was saved elsewhere.
 */
import type { Studio } from '#apps/chart/designer/state/studio.ts';
import type { Session } from './session.ts';

const every = 15_000;

export function startPresence(session: Session, studio: Studio, signal: AbortSignal): void {
  const say = async (leaves?: true): Promise<void> => {
    const { calls, tab } = session;
    if (!calls || (document.hidden && !leaves)) return;
    const { version } = session.state;
    const here = { tab, isEditing: !studio.state.readOnly, ...(leaves ? { leaves } : {}) };
    // A failed call changes nothing; the next one comes soon.
    const heard = await calls.sayHere(here).catch(() => null);
    if (!heard || signal.aborted) return;
    // An answer may be older than the last save here.
    const isOther = session.state.version === version && heard.version !== version;
    session.set({
      people: heard.people,
      publishedVersion: heard.publishedVersion,
      newer: isOther && !session.isChanged ? { savedBy: heard.savedBy } : null,
    });
  };
  const timer = setInterval(() => void say(), every);
  addEventListener('focus', () => void say(), { signal });
  addEventListener('pagehide', () => void say(true), { signal });
  signal.addEventListener('abort', () => {
    clearInterval(timer);
    void say(true);
  });
  void say();
}
