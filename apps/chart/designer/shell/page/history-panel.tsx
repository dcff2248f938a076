/** All edits since the chart was opened; a press on one goes to the drawing after it. */
import type { Studio } from '#apps/chart/designer/state/studio.ts';
import { useStudio } from '#apps/chart/designer/state/use-studio.ts';
import { wordsOf } from '#apps/chart/designer/acts/edit-words.ts';
import css from './history-panel.css?inline';
import { registerStyle } from '#apps/chart/designer/kit/style.ts';

registerStyle(css);

/** Older edits are not listed, but Ctrl+Z reaches them all. */
const shown = 200;

function goTo(studio: Studio, count: number): void {
  while (studio.state.past.length > count) studio.undo();
  while (studio.state.past.length < count && studio.state.future.length > 0) studio.redo();
}

export function HistoryPanel({ studio }: { studio: Studio }) {
  const past = useStudio(studio, (state) => state.past);
  const future = useStudio(studio, (state) => state.future);
  const all = [...past, ...future];
  const first = Math.max(0, past.length - shown);
  const lines = all.slice(first, past.length + shown).map((edit, index) => ({
    edit,
    count: first + index + 1,
  }));
  return (
    <ol className="bsd-history" reversed>
      {lines.toReversed().map(({ edit, count }) => (
        <li key={count}>
          <button
            type="button"
            data-undone={count > past.length}
            aria-current={count === past.length ? 'step' : undefined}
            onClick={() => goTo(studio, count)}
          >
            {wordsOf(edit)}
            {count > past.length && <span className="bsd-hidden"> (annullata)</span>}
          </button>
        </li>
      ))}
      <li>
        <button
          type="button"
          aria-current={past.length === 0 ? 'step' : undefined}
          onClick={() => goTo(studio, first)}
        >
          {first > 0 ? 'Passi precedenti' : 'Pianta aperta'}
        </button>
      </li>
    </ol>
  );
}
