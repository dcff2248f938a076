/** The contents of a drawing and the chart check's findings, before it is imported. */
import { useMemo } from 'react';
import { checkDrawing } from '#server/drawing/check/check.ts';
import { openDrawing, type Raw } from '#server/drawing/model/open.ts';
import { svgOf } from '#server/drawing/port/svg/write.ts';
import { contentsOf } from '#apps/chart/designer/kit/contents.ts';

function tell(raw: Raw) {
  const doc = openDrawing(raw);
  const errors = checkDrawing(raw).filter(({ severity }) => severity === 'error');
  return { text: contentsOf(doc), errors };
}

/** A small picture; an image, so that nothing in it can run. */
export function Preview({ drawing, name }: { drawing: Raw; name: string }) {
  const source = useMemo(() => {
    const doc = openDrawing(drawing);
    const svg = svgOf(doc, doc.floors[0]?.id ?? '', { hasLabels: false, hasColors: true });
    return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  }, [drawing]);
  return <img className="bsd-port-preview" src={source} alt={name} />;
}

const SHOWN = 8;

export function Summary({
  drawing,
  format,
  notes,
}: {
  drawing: Raw;
  format: string;
  notes: string[];
}) {
  const { text, errors } = useMemo(() => tell(drawing), [drawing]);
  return (
    <div className="bsd-port-summary">
      <Preview drawing={drawing} name="Anteprima della pianta" />
      <div>
        <h3>{format}</h3>
        <p>{text}.</p>
        {notes.map((note) => (
          <p key={note}>{note}</p>
        ))}
        {errors.length > 0 && (
          <>
            <p>Da sistemare prima di pubblicare:</p>
            <ul className="bsd-port-errors">
              {errors.slice(0, SHOWN).map(({ where, message }) => (
                <li key={`${where} ${message}`}>
                  <b>{where}</b>: {message}
                </li>
              ))}
            </ul>
            {errors.length > SHOWN && <p>… e altri {errors.length - SHOWN}.</p>}
          </>
        )}
      </div>
    </div>
  );
}
