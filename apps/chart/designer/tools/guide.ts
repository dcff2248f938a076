/**
 * Things on a floor that are not objects: guides, dragged out of a ruler and back, and the focal
 * point.
 */
import type { Desk, Spot } from '#apps/chart/designer/canvas/desk.ts';
import { setFocalPoint } from '#server/drawing/edit/fields.ts';
import { paintFocus } from '#apps/chart/designer/canvas/marks.ts';
import { rulerSize } from '#apps/chart/designer/canvas/paint/rulers.ts';
import { guidesOf, moveGuide, paintGuides } from '#apps/chart/designer/canvas/scene/guides.ts';
import type { Gesture } from './gesture.ts';

const reach = 4;
const focusReach = 10;

type Axis = 'x' | 'y';

/** `from`: the position before the drag; null for a new guide. */
export function layGuide(desk: Desk, axis: Axis, from: number | null): Gesture {
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

/** The guide under the pointer. */
function guideAt(desk: Desk, spot: Spot): { axis: Axis; at: number } | null {
  const { doc, floor } = desk.studio.state;
  const guides = guidesOf(doc.floors.find(({ id }) => id === floor));
  const far = reach / desk.camera.k;
  for (const axis of ['x', 'y'] as const) {
    const at = guides[axis].find((one) => Math.abs(one - spot[axis]) <= far);
    if (at !== undefined) return { axis, at };
  }
  return null;
}

function moveFocus(desk: Desk): Gesture {
  const make = (spot: Spot) => {
    const { doc, floor } = desk.studio.state;
    const { x, y } = desk.snap(spot);
    return setFocalPoint(doc, floor, { x, y });
  };
  let at: Spot | null = null;
  return {
    drag(spot) {
      at = spot;
      desk.redraw();
    },
    end: (spot) => desk.act(make(spot), desk.studio.state.selection),
    cancel: () => desk.redraw(),
    paint(context) {
      if (at) paintFocus(context, desk.look(), desk.camera.toScreen(desk.snap(at)));
    },
  };
}

/** The guide or focal point under the pointer, where there is no object. */
export function looseAt(desk: Desk, spot: Spot): { cursor: string; take: () => Gesture } | null {
  const { doc, floor } = desk.studio.state;
  const focus = doc.floors.find(({ id }) => id === floor)?.data.focalPoint;
  if (
    focus &&
    desk.may('focalPoint') &&
    Math.hypot(focus.x - spot.x, focus.y - spot.y) * desk.camera.k < focusReach
  )
    return { cursor: 'move', take: () => moveFocus(desk) };
  const guide = guideAt(desk, spot);
  return (
    guide && {
      cursor: guide.axis === 'x' ? 'col-resize' : 'row-resize',
      take: () => layGuide(desk, guide.axis, guide.at),
    }
  );
}
