/** Announces every act, undo, redo and selection to screen readers. */
import { useEffect } from 'react';
import type { Studio } from '#apps/chart/designer/state/studio.ts';
import { describe } from '#apps/chart/designer/acts/describe.ts';
import { wordsOf } from '#apps/chart/designer/acts/edit-words.ts';

/** The wait before a selection is announced, because a drag changes it at every movement. */
const patience = 250;

export function useAnnouncements(studio: Studio): void {
  useEffect(() => {
    let { past, selection } = studio.state;
    let timer = 0;
    const tellSelection = () => studio.say(describe(studio.state.doc, studio.state.selection));
    const hear = () => {
      const now = studio.state;
      const last = now.past.at(-1);
      const undone = past.at(-1);
      const wasAct = now.past !== past;
      const wasUndone = now.past.length < past.length;
      const isOther = now.selection !== selection;
      ({ past, selection } = now);
      if (wasAct && wasUndone && undone) studio.say(`Annullato: ${wordsOf(undone)}`);
      else if (wasAct && last) studio.say(wordsOf(last));
      else if (isOther) {
        clearTimeout(timer);
        timer = window.setTimeout(tellSelection, patience);
      }
    };
    const leave = studio.subscribe(hear);
    return () => {
      leave();
      clearTimeout(timer);
    };
  }, [studio]);
}
