/** The width of the aisle after the last selected seat of each row. */
import { setAisle } from '#server/drawing/edit/rows/aisle.ts';
import { spacingOf, stepsOf } from '#server/drawing/geometry/row-shape.ts';
import { useDesigner } from '#apps/chart/designer/context.ts';
import { useStudio } from '#apps/chart/designer/state/use-studio.ts';
import { NumberField } from '#apps/chart/designer/kit/controls.tsx';
import { numberOf } from './values.ts';

export function AisleField() {
  const { studio } = useDesigner();
  const doc = useStudio(studio, (state) => state.doc);
  const selection = useStudio(studio, (state) => state.selection);
  const readOnly = useStudio(studio, (state) => state.readOnly);
  const chosen = [...selection.seats].flatMap(([id, positions]) => {
    const row = doc.items.get(id);
    const after = Math.max(...positions);
    return row?.kind === 'row' && after < row.data.seats.length - 1 ? [{ id, after, row }] : [];
  });
  if (chosen.length === 0) return null;
  const widths = chosen.map(({ after, row: { data } }) => {
    if (data.seats[after]?.x_gapAfter !== true) return 0;
    return Math.round(((stepsOf(data.seats)[after] ?? 0) - spacingOf(data)) * 100) / 100;
  });
  const cm = doc.root.x_cmPerUnit;
  const set = (width: number) =>
    studio.act(setAisle(doc, chosen, width > 0 ? width : null, 'middle'));
  return (
    <NumberField
      label="Corridoio dopo il posto"
      unit="unità"
      min={0}
      max={2000}
      value={numberOf(widths)}
      readOnly={readOnly}
      hint={
        cm === undefined
          ? 'Quanto è più largo della distanza tra due posti; 0 lo chiude.'
          : `Quanto è più largo della distanza tra due posti: 1 m sono ${(100 / cm).toFixed(1).replace('.', ',')} unità. 0 lo chiude.`
      }
      onCommit={set}
      onClear={() => set(0)}
    />
  );
}
