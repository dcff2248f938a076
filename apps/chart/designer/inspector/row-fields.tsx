/** The fields of rows: how many seats, how far apart, how curved. */
import { setFields } from '#server/drawing/edit/fields.ts';
import { resizeRow } from '#server/drawing/edit/rows/resize.ts';
import { curveOf, curveRows, setSpacing } from '#server/drawing/edit/rows/shape.ts';
import type { Item } from '#server/drawing/model/data.ts';
import { useDesigner } from '#apps/chart/designer/context.ts';
import { useStudio } from '#apps/chart/designer/state/use-studio.ts';
import { Check, NumberField, TextField } from '#apps/chart/designer/kit/controls.tsx';
import { common, numberOf, textOf, textOrNothing } from './values.ts';

const unseen = 'label-position-invisible';

export function RowFields({ rows }: { rows: readonly Item<'row'>[] }) {
  const { studio, newId } = useDesigner();
  const doc = useStudio(studio, (state) => state.doc);
  const readOnly = useStudio(studio, (state) => state.readOnly);
  const [only, ...others] = rows;
  const ids = rows.map(({ id }) => id);
  const set = (patch: Record<string, unknown>) => studio.act(setFields(doc, ids, patch));
  return (
    <div className="bsd-stack">
      <div className="bsd-pair">
        {only && others.length === 0 && (
          <NumberField
            label="Posti"
            whole
            min={1}
            max={500}
            value={only.data.seats.length}
            readOnly={readOnly}
            onCommit={(seats) => studio.act(resizeRow(doc, only.id, 'end', seats, newId))}
          />
        )}
        <NumberField
          label="Distanza tra i posti"
          min={4}
          max={400}
          value={numberOf(rows.map(({ data }) => data.chairSpacing))}
          readOnly={readOnly}
          onCommit={(spacing) => studio.act(setSpacing(doc, ids, spacing))}
        />
        <NumberField
          label="Curva"
          min={-2000}
          max={2000}
          value={numberOf(ids.map((id) => Math.round(curveOf(doc, id) * 100) / 100))}
          readOnly={readOnly}
          onCommit={(curve) => studio.act(curveRows(doc, ids, curve))}
        />
      </div>
      <TextField
        label="Come si chiama (fila, palco, banco…)"
        {...textOf(rows.map(({ data }) => data.displayObjectType))}
        readOnly={readOnly}
        onCommit={(text) => set({ displayObjectType: textOrNothing(text) })}
      />
      <Check
        label="Mostra l’etichetta accanto alla fila"
        disabled={readOnly}
        checked={common(rows.map(({ data }) => data.rowLabelPosition !== unseen)) ?? null}
        onChange={(on) => set({ rowLabelPosition: on ? undefined : unseen })}
      />
    </div>
  );
}
