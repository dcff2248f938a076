/** Below the canvas: the floors, and how near one looks. */
import { useDesigner } from '#apps/chart/designer/state/context.ts';
import { useStudio } from '#apps/chart/designer/state/use-studio.ts';
import { IconButton } from './controls.tsx';

/** A floor without a name is the hall itself. */
export function floorName(data: { floorName?: string; floorDisplayName?: string }): string {
  return data.floorDisplayName || data.floorName || 'Sala';
}

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
