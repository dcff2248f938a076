/** Announces the result of an act to screen readers. */
import type { Studio } from '#apps/chart/designer/state/studio.ts';
import { useStudio } from '#apps/chart/designer/state/use-studio.ts';

export function Announcer({ studio }: { studio: Studio }) {
  const { text, times } = useStudio(studio, (state) => state.said);
  return (
    <p className="bsd-hidden" role="status">
      {/* A repeated sentence gets another text, because only changed texts are read aloud. */}
      {times % 2 === 0 ? text : `${text}\u00a0`}
    </p>
  );
}
