/** Below the canvas: the floors, and the zoom. */
import { selectItems } from '#server/drawing/model/selection.ts';
import { whereOf } from '#server/drawing/model/where.ts';
import { useDesigner } from '#apps/chart/designer/context.ts';
import { useStudio } from '#apps/chart/designer/state/use-studio.ts';
import { Button, IconButton } from '#apps/chart/designer/kit/controls.tsx';
import { count } from '#apps/chart/designer/kit/count.ts';
import { FloorMenu } from './floor-menu.tsx';
import { floorName } from '#apps/chart/designer/kit/floor-name.ts';

export function Foot({ scale }: { scale: number }) {
  const { studio, canvas } = useDesigner();
  const floors = useStudio(studio, (state) => state.doc.floors);
  const floor = useStudio(studio, (state) => state.floor);
  return (
    <div className="bsd-foot">
      <div className="bsd-floors" role="group" aria-label="Piani">
        {floors.map(({ id, data }) => (
          <button
            key={id}
            type="button"
            className="bsd-button"
            aria-pressed={id === floor}
            onClick={() => studio.set({ floor: id, section: null })}
          >
            {floorName(data)}
          </button>
        ))}
      </div>
      <FloorMenu />
      <SectionPath />
      <SoldNote />
      <span className="bsd-gap" />
      <IconButton icon="minus" label="Riduci" onPress={() => canvas()?.zoomBy(1 / 1.25)} />
      <output className="bsd-zoom" aria-label="Ingrandimento">
        {Math.round(scale * 100)} %
      </output>
      <IconButton icon="plus" label="Ingrandisci" onPress={() => canvas()?.zoomBy(1.25)} />
      <IconButton icon="fit" label="Mostra tutto il piano" onPress={() => canvas()?.fit()} />
    </div>
  );
}

/** While a section is edited: its name, and a button to leave it. */
function SectionPath() {
  const { studio } = useDesigner();
  const section = useStudio(studio, ({ doc, section: id }) =>
    id === null ? undefined : doc.items.get(id),
  );
  if (!section) return null;
  const leave = () => studio.set({ section: null, selection: selectItems([section.id]) });
  return (
    <Button icon="back" onPress={leave}>
      {whereOf(studio.state.doc, section)}
    </Button>
  );
}

/** What the dots on the canvas mean. */
function SoldNote() {
  const { studio } = useDesigner();
  const sold = useStudio(studio, (state) => state.sold.size);
  if (sold === 0) return null;
  return (
    <span className="bsd-foot-sold">
      <svg viewBox="0 0 10 10" aria-hidden="true">
        <circle cx="5" cy="5" r="4" />
      </svg>
      {count(sold, 'posto preso', 'posti presi')}
    </span>
  );
}
