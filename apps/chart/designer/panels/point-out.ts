/** Shows the places that a panel names: marked, and in the middle of the canvas. */
import type { DesignerContext } from '#apps/chart/designer/context.ts';
import type { Selection } from '#server/drawing/model/selection.ts';

export function hasMarks({ items, seats }: Selection): boolean {
  return items.size > 0 || seats.size > 0;
}

export function pointOut({ studio, canvas }: DesignerContext, marks: Selection): void {
  // This shows the floor of the marks, without which they could not be selected.
  if (hasMarks(marks)) canvas()?.zoomTo(marks);
  studio.set({ marked: marks, selection: marks });
}
