/** Adds an imported drawing to the open one, shows it, and announces it. */
import type { CanvasHandle } from '#apps/chart/designer/mount/mount.ts';
import type { Studio } from '#apps/chart/designer/state/studio.ts';
import { openDrawing, type Raw } from '#server/drawing/model/open.ts';
import { addDrawing, replaceDrawing } from '#server/drawing/port/insert.ts';
import { walkSeats } from '#server/drawing/port/walk.ts';
import { count } from '#apps/chart/designer/kit/count.ts';

export type Place = 'beside' | 'here' | 'instead';

export function isEmpty(studio: Studio): boolean {
  return studio.state.doc.items.size === 0;
}

export function placeDrawing(
  studio: Studio,
  drawing: Raw,
  { place, newId, canvas }: { place: Place; newId: () => string; canvas: CanvasHandle | null },
): void {
  const { doc, floor, readOnly } = studio.state;
  if (readOnly) return studio.say('La pianta è in sola lettura.');
  const coming = openDrawing(drawing);
  const seats = coming.floors.reduce((sum, { id }) => sum + walkSeats(coming, id).length, 0);
  const told = count(seats, 'posto', 'posti');
  studio.act(
    place === 'instead'
      ? replaceDrawing(doc, drawing, told)
      : addDrawing(doc, drawing, { floor, newId, isBeside: place === 'beside', detail: told }),
  );
  studio.say(`Importati ${told}.`);
  canvas?.refresh();
  canvas?.fit();
}
