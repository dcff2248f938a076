/**
 * Updates the guard of safe mode: for sold places, or all published ones if the page wants it.
 */
import { useEffect, useRef } from 'react';
import type { Refused } from '#server/drawing/diff/safe.ts';
import type { DesignerConfig } from '#apps/chart/designer/config.ts';
import type { Studio } from '#apps/chart/designer/state/studio.ts';
import {
  holdingOf,
  holdingOfAll,
  safeGuard,
  type Held,
  type Holding,
} from '#apps/chart/designer/line/safe-mode.ts';
import type { Session } from '#apps/chart/designer/line/session.ts';

/** The sold places are read again at this interval, because sales continue. */
const askAgain = 60_000;

interface Wants {
  studio: Studio;
  session: Session;
  config: () => DesignerConfig;
  refuse: (refused: Refused<Held>[]) => void;
}

async function readHolding(session: Session, config: DesignerConfig): Promise<Holding | null> {
  const { calls, state } = session;
  if (!calls) return null;
  if (config.mode === 'safe') {
    const { doc } = await calls.readDrawing('published');
    return holdingOfAll(doc, config);
  }
  return state.chart?.events ? holdingOf(await calls.readTaken()) : null;
}

export function useSafeMode({ studio, session, config, refuse }: Wants): void {
  const holding = useRef<Holding>(new Map());
  useEffect(() => {
    const { mode, safeModeOptions } = config();
    const read = () => {
      if (document.hidden || studio.state.readOnly) return;
      readHolding(session, config()).then(
        (found) => {
          if (!found) return;
          holding.current = found;
          // A page that protects every place does not know which are sold.
          const sold = new Set(mode === 'safe' ? [] : found.keys());
          if (sold.symmetricDifference(studio.state.sold).size > 0) studio.set({ sold });
        },
        // The server checks again when the chart is published.
        () => {},
      );
    };
    studio.guard = safeGuard({
      holding: () => holding.current,
      mayDelete: mode === 'safe' && safeModeOptions?.allowDeletingObjects === true,
      refuse,
    });
    read();
    const timer = mode === 'safe' ? 0 : setInterval(read, askAgain);
    return () => {
      clearInterval(timer);
      studio.guard = null;
    };
  }, [studio, session, config, refuse]);
}
