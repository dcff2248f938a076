/** Side effects of the last act, with an undo button; shown until the next act. */
import { Button } from '#apps/chart/designer/kit/controls.tsx';
import { useDesigner } from '#apps/chart/designer/context.ts';
import { useStudio } from '#apps/chart/designer/state/use-studio.ts';

export function EditNote() {
  const { studio } = useDesigner();
  const lost = useStudio(studio, (state) => state.past.at(-1)?.lost ?? 0);
  if (lost === 0) return null;
  return (
    <div className="bsd-newer bsd-edit-note bsd-note" data-tone="warn" role="status">
      <span>
        {lost === 1
          ? 'Un posto aveva una categoria propria: ora ha quella del settore.'
          : `${lost} posti avevano una categoria propria: ora hanno quella del settore.`}
      </span>
      <Button icon="undo" onPress={() => studio.undo()}>
        Annulla
      </Button>
    </div>
  );
}
