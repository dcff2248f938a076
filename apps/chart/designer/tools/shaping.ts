/** One handle, and the common gesture of all handles that shape the selection. */
import type { Point } from '#server/drawing/model/data.ts';
import type { Edit } from '#server/drawing/model/edit.ts';
import type { Desk, Spot } from '#apps/chart/designer/canvas/desk.ts';
import type { Gesture } from './gesture.ts';
import { paintNote } from './points.ts';

export interface Grip extends Point {
  look: 'square' | 'round' | 'hollow';
  cursor: string;
  take: (spot: Spot) => Gesture;
  double?: () => Edit | null;
}

interface Made {
  edit: Edit | null;
  note?: string;
}

/** Shows a preview at each step, and makes the last edit. */
export function shaping(desk: Desk, make: (spot: Spot) => Made): Gesture {
  let last: Made = { edit: null };
  let at: Spot | null = null;
  const { selection } = desk.studio.state;
  return {
    drag(spot) {
      at = spot;
      last = make(spot);
      desk.preview(last.edit, selection);
      desk.redraw();
    },
    end() {
      desk.act(last.edit, selection);
      if (last.note) desk.studio.say(last.note);
    },
    cancel: () => desk.preview(null),
    paint(context) {
      if (at && last.note) paintNote(context, desk, { at, text: last.note });
    },
  };
}
