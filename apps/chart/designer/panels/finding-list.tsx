/** A list of sentences about a drawing; a press on one shows its seats. */
import { useState } from 'react';
import { Button } from '#apps/chart/designer/kit/controls.tsx';
import { registerStyle } from '#apps/chart/designer/kit/style.ts';
import { useDesigner } from '#apps/chart/designer/context.ts';
import type { Selection } from '#server/drawing/model/selection.ts';
import css from './panels.css?inline';
import { pointOut } from './point-out.ts';

registerStyle(css);

interface Line {
  where: string;
  message: string;
  marks: Selection;
  severity?: 'error' | 'warning';
  change?: string;
  /** A second, smaller line. */
  note?: string;
}

const step = 50;

export function FindingList({ lines }: { lines: readonly Line[] }) {
  const designer = useDesigner();
  const [shown, setShown] = useState(step);
  return (
    <>
      <ul className="bsd-panel-list">
        {lines.slice(0, shown).map((line) => (
          <li key={`${line.where} ${line.message}`}>
            <button
              type="button"
              className="bsd-panel-finding"
              data-severity={line.severity}
              data-change={line.change}
              onClick={() => pointOut(designer, line.marks)}
            >
              {line.severity === 'error' && <span className="bsd-hidden">Errore. </span>}
              <b>{line.where}</b>: {line.message}.{line.note && <small>{line.note}</small>}
            </button>
          </li>
        ))}
      </ul>
      {lines.length > shown && (
        <Button look="plain" onPress={() => setShown(shown + step)}>
          Altre {lines.length - shown}
        </Button>
      )}
    </>
  );
}
