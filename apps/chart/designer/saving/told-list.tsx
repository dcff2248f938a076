/** The differences between two drawings, in words. */
import { useMemo } from 'react';
import { diffDrawings } from '#server/drawing/diff/diff.ts';
import { tellDiff } from '#server/drawing/diff/words.ts';
import type { Doc } from '#server/drawing/model/data.ts';

const shown = 100;

export function useDifferences(before: Doc | null, after: Doc) {
  return useMemo(
    () => (before ? tellDiff(diffDrawings(before, after), { before, after }) : []),
    [before, after],
  );
}

export function ToldList({ told }: { told: ReturnType<typeof useDifferences> }) {
  if (told.length === 0) return <p>Non cambia niente.</p>;
  return (
    <ul className="bsd-told">
      {told.slice(0, shown).map(({ where, message, change }) => (
        <li key={`${where} ${message}`} data-change={change}>
          <b>{where}</b>: {message}.
        </li>
      ))}
      {told.length > shown && <li>… e altre {told.length - shown} differenze.</li>}
    </ul>
  );
}
