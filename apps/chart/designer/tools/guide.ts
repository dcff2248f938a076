/** Laying guides: out of a ruler, elsewhere, and back into the ruler to be rid of them. */
import type { Desk, Spot } from '#apps/chart/designer/canvas/desk.ts';
import { rulerSize } from '#apps/chart/designer/canvas/paint/rulers.ts';
import { guidesOf, moveGuide, paintGuides } from '#apps/chart/designer/canvas/scene/guides.ts';
import type { Errand } from './errand.ts';

const reach = 4;

export type Axis = 'x' | 'y';

/** `from`: where it lies now; null: it is a new one. */
export function layGuide(desk: Desk, axis: Axis, from: number | null): Errand {
  let at: number | null = null;
  return {
    drag(spot) {
      const isBack = (axis === 'x' ? spot.sx : spot.sy) < rulerSize;
      at = isBack ? null : desk.snap(spot)[axis];
      desk.redraw();
    },
    end() {
      const { doc, floor, selection } = desk.studio.state;
      desk.act(moveGuide(doc, floor, { axis, from, to: at }), selection);
    },
    cancel: () => desk.redraw(),
    paint(context) {
      if (at === null) return;
      const look = desk.look();
      paintGuides(context, { camera: desk.camera, look }, { x: [], y: [], [axis]: [at] });
    },
  };
}

/** The guide under the pointer, which nothing of the drawing hides. */
export function guideAt(desk: Desk, spot: Spot): { axis: Axis; at: number } | null {
  const { doc, floor } = desk.studio.state;
  const guides = guidesOf(doc.floors.find(({ id }) => id === floor));
  const far = reach / desk.camera.k;
  for (const axis of ['x', 'y'] as const) {
    const at = guides[axis].find((one) => Math.abs(one - spot[axis]) <= far);
    if (at !== undefined) return { axis, at };
  }
  return null;
}
