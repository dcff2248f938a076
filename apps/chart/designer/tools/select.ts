/** The selection tool: click, draw around, move the selection, use its handles. */
import type { Item, Point } from '#server/drawing/model/data.ts';
import { NOTHING_SELECTED } from '#server/drawing/model/selection.ts';
import {
  hitAt,
  objectsIn,
  rectangleOf,
  regionOf,
  seatsIn,
  type Hit,
} from '#apps/chart/designer/canvas/scene/hit.ts';
import type { Desk, Hand, Spot } from '#apps/chart/designer/canvas/desk.ts';
import { moveSelection } from '#server/drawing/edit/transform.ts';
import { setFields } from '#server/drawing/edit/fields.ts';
import { withGroups } from '#server/drawing/edit/targets.ts';
import { paintLines, type Gesture, type Handles } from './gesture.ts';
import { looseAt } from './guide.ts';
import { addTo, isSelected, selectionOf, toggle } from './pick.ts';

const reachOf = (desk: Desk, spot: Spot) => (spot.touch ? 14 : 5) / desk.camera.k;

export function hitOn(desk: Desk, spot: Spot): Hit | null {
  const { section } = desk.studio.state;
  return hitAt(desk.scene, spot, { reach: reachOf(desk, spot), section });
}

function pickOf({ settings }: Desk, { alt }: Spot): 'objects' | 'seats' {
  return (settings().pick === 'seats') === alt ? 'objects' : 'seats';
}

function drawAround(desk: Desk, from: Spot, isLasso: boolean): Gesture {
  const line: Spot[] = [from];
  let last = from;
  return {
    drag(spot) {
      const before = line.at(-1) ?? from;
      last = spot;
      if (Math.hypot(spot.sx - before.sx, spot.sy - before.sy) > 3) line.push(spot);
      desk.redraw();
    },
    end(spot) {
      const { studio, scene } = desk;
      const { doc, section, selection } = studio.state;
      const region = isLasso ? regionOf(line) : rectangleOf(from, spot);
      const pick = pickOf(desk, spot) === 'objects' ? objectsIn : seatsIn;
      const found = withGroups(doc, pick(scene, region, section));
      studio.set({ selection: spot.shift ? addTo(doc, selection, found) : found });
    },
    cancel: () => desk.redraw(),
    paint(context) {
      const points = isLasso
        ? line
        : [from, { x: last.x, y: from.y }, last, { x: from.x, y: last.y }];
      context.beginPath();
      for (const point of points) {
        const { x, y } = desk.camera.toScreen(point);
        context.lineTo(x, y);
      }
      context.closePath();
      const { globalAlpha } = context;
      context.globalAlpha = 0.12;
      context.fillStyle = desk.look().accent;
      context.fill();
      context.globalAlpha = globalAlpha;
      context.strokeStyle = desk.look().accent;
      context.lineWidth = 1;
      context.setLineDash([4, 3]);
      context.stroke();
      context.setLineDash([]);
    },
  };
}

function moveSelected(desk: Desk, from: Spot): Gesture {
  let by: Point = { x: 0, y: 0 };
  let lines: readonly [Point, Point][] = [];
  return {
    drag(spot) {
      const way = { x: spot.x - from.x, y: spot.y - from.y };
      // Shift keeps it on one axis.
      if (spot.shift && Math.abs(way.x) > Math.abs(way.y)) way.y = 0;
      else if (spot.shift) way.x = 0;
      const snapped = desk.snapBox(way, spot);
      by = snapped;
      lines = snapped.lines;
      desk.drag(by);
    },
    end() {
      const { doc, selection } = desk.studio.state;
      desk.act(moveSelection(doc, selection, { dx: by.x, dy: by.y }), selection);
    },
    cancel: () => desk.drag(null),
    paint: (context) => paintLines(context, desk, lines),
  };
}

/** Whether nothing is under the pointer, or only the empty ground of a section. */
function isBare(hit: Hit | null): boolean {
  return hit === null || (hit.seat === null && hit.entry.item.kind === 'section');
}

class SelectHand implements Hand {
  readonly #desk: Desk;
  readonly #isLasso: boolean;
  readonly #handles: Handles | null;
  #from: Spot | null = null;
  #target: Hit | null = null;
  #gesture: Gesture | null = null;
  #isHandle = false;

  constructor(desk: Desk, { isLasso, handles }: { isLasso: boolean; handles: Handles | null }) {
    this.#desk = desk;
    this.#isLasso = isLasso;
    this.#handles = handles;
  }

  cursor(spot: Spot): string {
    if (this.#isLasso) return 'crosshair';
    const { studio } = this.#desk;
    if (!studio.state.readOnly) {
      const handle = this.#handles?.cursor(spot);
      if (handle) return handle;
      const hit = hitOn(this.#desk, spot);
      if (hit && isSelected(studio.state.selection, hit)) return 'move';
      const loose = isBare(hit) ? looseAt(this.#desk, spot) : null;
      if (loose) return loose.cursor;
    }
    return 'default';
  }

  down(spot: Spot): void {
    const { studio } = this.#desk;
    const canEdit = !this.#isLasso && !studio.state.readOnly;
    this.#from = spot;
    this.#gesture = canEdit ? (this.#handles?.take(spot) ?? null) : null;
    this.#isHandle = this.#gesture !== null;
    this.#target = this.#gesture ? null : hitOn(this.#desk, spot);
    if (canEdit && !this.#gesture && isBare(this.#target))
      this.#gesture = looseAt(this.#desk, spot)?.take() ?? null;
  }

  drag(spot: Spot): void {
    this.#gesture ??= this.#begin(this.#from ?? spot);
    this.#gesture.drag(spot);
  }

  /** A drag on a section that is not selected draws around the objects in it. */
  #begin(from: Spot): Gesture {
    const { studio } = this.#desk;
    const target = this.#target;
    const { doc, readOnly, selection } = studio.state;
    const isFloor =
      !target || (target.entry.item.kind === 'section' && !isSelected(selection, target));
    if (this.#isLasso || readOnly || isFloor || from.ctrl)
      return drawAround(this.#desk, from, this.#isLasso);
    if (!isSelected(selection, target)) {
      const one = selectionOf(doc, target, pickOf(this.#desk, from));
      studio.set({ selection: from.shift ? addTo(doc, selection, one) : one });
    }
    return moveSelected(this.#desk, from);
  }

  up(spot: Spot, { moved, clicks }: { moved: boolean; clicks: number }): void {
    const gesture = this.#gesture;
    this.#gesture = null;
    if (moved || this.#isHandle) {
      if (moved) gesture?.end(spot);
      else gesture?.cancel();
      this.#desk.redraw();
      if (moved || clicks < 2 || this.#handles?.double(spot)) return;
    }
    if (clicks === 2) this.#open(spot);
    else if (clicks < 2) this.#click(spot);
  }

  #click(spot: Spot): void {
    const { studio } = this.#desk;
    const { doc, selection } = studio.state;
    const hit = this.#target;
    const pick = pickOf(this.#desk, spot);
    if (hit && (spot.shift || spot.ctrl))
      studio.set({ selection: toggle(doc, selection, hit, pick) });
    else if (hit) studio.set({ selection: selectionOf(doc, hit, pick) });
    else if (!spot.shift) studio.set({ selection: NOTHING_SELECTED });
  }

  /** A double click opens the next level: a section, the single seat, a text. */
  #open(spot: Spot): void {
    const { studio } = this.#desk;
    const { doc, section } = studio.state;
    const hit = hitOn(this.#desk, spot);
    if (!hit) {
      if (section !== null) studio.set({ section: null, selection: NOTHING_SELECTED });
      return;
    }
    const { item } = hit.entry;
    if (item.kind === 'section') studio.set({ section: item.id, selection: NOTHING_SELECTED });
    else if (item.kind === 'text') this.#rewrite(item);
    else if (hit.seat !== null) studio.set({ selection: selectionOf(doc, hit, 'seats') });
  }

  #rewrite({ id, data }: Item<'text'>): void {
    const { studio, camera, ask, act } = this.#desk;
    const entry = this.#desk.scene.entryOf(id);
    if (studio.state.readOnly || !entry) return;
    const at = camera.toScreen({ x: entry.box.left, y: entry.box.bottom });
    const value = data.text ?? '';
    ask({
      ...at,
      title: 'Testo',
      blanks: [{ name: 'text', label: 'Testo', value, type: 'lines' }],
      done: 'Scrivi',
      answer: ({ text = '' }) => {
        const { doc, selection } = studio.state;
        if (text.trim() !== '' && text !== value) act(setFields(doc, [id], { text }), selection);
      },
    });
  }

  cancel(): boolean {
    const gesture = this.#gesture;
    this.#gesture = null;
    this.#target = null;
    gesture?.cancel();
    return gesture !== null;
  }

  paint(context: CanvasRenderingContext2D): void {
    if (this.#handles && !this.#gesture && !this.#desk.studio.state.readOnly)
      this.#handles.paint(context);
    this.#gesture?.paint?.(context);
  }
}

export function makeSelect(
  desk: Desk,
  { isLasso = false, handles = null }: { isLasso?: boolean; handles?: Handles | null } = {},
): Hand {
  return new SelectHand(desk, { isLasso, handles });
}
