/** The guides of the floor as numbers: they can be added, moved and removed without a mouse. */
import { guidesOf, moveGuide } from '#apps/chart/designer/canvas/scene/guides.ts';
import { useDesigner } from '#apps/chart/designer/context.ts';
import { useStudio } from '#apps/chart/designer/state/use-studio.ts';
import { Button, NumberField } from '#apps/chart/designer/kit/controls.tsx';

const AXES = [
  ['x', 'Guida verticale', 'Aggiungi una guida verticale'],
  ['y', 'Guida orizzontale', 'Aggiungi una guida orizzontale'],
] as const;

export function GuideFields() {
  const { studio } = useDesigner();
  const doc = useStudio(studio, (state) => state.doc);
  const floor = useStudio(studio, (state) => state.floor);
  const readOnly = useStudio(studio, (state) => state.readOnly);
  const shown = doc.floors.find(({ id }) => id === floor);
  const guides = guidesOf(shown);
  const lay = (axis: 'x' | 'y', from: number | null, to: number | null) =>
    studio.act(moveGuide(doc, floor, { axis, from, to }));
  const middle = { x: (shown?.data.width ?? 1000) / 2, y: (shown?.data.height ?? 1000) / 2 };
  if (readOnly && guides.x.length + guides.y.length === 0) return null;
  return (
    <fieldset className="bsd-stack">
      <legend className="bsd-label">Guide</legend>
      {AXES.flatMap(([axis, name]) =>
        guides[axis].map((at, index) => (
          <NumberField
            key={`${axis} ${index}`}
            label={`${name} ${index + 1}`}
            value={at}
            readOnly={readOnly}
            hint="Vuota, la guida se ne va."
            onCommit={(to) => lay(axis, at, to)}
            onClear={() => lay(axis, at, null)}
          />
        )),
      )}
      {!readOnly && (
        <div className="bsd-line">
          {AXES.map(([axis, , add]) => (
            <Button key={axis} onPress={() => lay(axis, null, middle[axis])}>
              {add}
            </Button>
          ))}
        </div>
      )}
    </fieldset>
  );
}
