/**
 * The selection's handles: to scale and turn it, to lengthen and bend a row, to move the corners
 * of an outline.
 */
import type { Point } from '#server/drawing/model/data.ts';
import { rotateSelection, scaleSelection } from '#server/drawing/edit/transform.ts';
import type { Box } from '#apps/chart/scene/outline.ts';
import type { Desk, Spot } from '#apps/chart/designer/canvas/desk.ts';
import { pointGrips } from './point-grips.ts';
import { rowGrips } from './row-grips.ts';
import { shaping, type Grip } from './shaping.ts';
import type { Gesture, Handles } from './gesture.ts';

/** The hit radius of a handle, in pixels of the page; a finger needs more. */
const reach = { mouse: 8, touch: 18 };
const size = 9;
/** How far the turning handle is above the selection. */
const stalk = 26;

function middleOf({ left, top, right, bottom }: Box): Point {
  return { x: (left + right) / 2, y: (top + bottom) / 2 };
}

function turnGrip(desk: Desk, box: Box): Grip {
  const middle = middleOf(box);
  const at = { x: middle.x, y: box.top - stalk / desk.camera.k };
  return {
    ...at,
    look: 'round',
    cursor: 'grab',
    take(from) {
      const angleTo = ({ x, y }: Point) => (Math.atan2(y - middle.y, x - middle.x) * 180) / Math.PI;
      const start = angleTo(from);
      return shaping(desk, (spot) => {
        const { doc, selection } = desk.studio.state;
        const step = spot.shift ? 15 : 1;
        const turned = Math.round((angleTo(spot) - start) / step) * step;
        const degrees = ((turned + 540) % 360) - 180;
        const edit = rotateSelection(doc, selection, degrees, middle);
        return { edit, note: `${degrees}°` };
      });
    },
  };
}

const cursors: Record<string, string> = {
  '-1 -1': 'nwse-resize',
  '1 1': 'nwse-resize',
  '-1 1': 'nesw-resize',
  '1 -1': 'nesw-resize',
  '0 -1': 'ns-resize',
  '0 1': 'ns-resize',
  '-1 0': 'ew-resize',
  '1 0': 'ew-resize',
};

const leastFactor = 0.05;

function scaleGrip(desk: Desk, box: Box, [across, down]: readonly [number, number]): Grip {
  const middle = middleOf(box);
  const at = {
    x: middle.x + (across * (box.right - box.left)) / 2,
    y: middle.y + (down * (box.bottom - box.top)) / 2,
  };
  return {
    ...at,
    look: 'square',
    cursor: cursors[`${across} ${down}`] ?? 'move',
    take: () =>
      shaping(desk, (spot) => {
        const { doc, selection } = desk.studio.state;
        const to = desk.snap(spot);
        const pivot = spot.alt ? middle : { x: 2 * middle.x - at.x, y: 2 * middle.y - at.y };
        const factor = (axis: 'x' | 'y') =>
          Math.max(leastFactor, (to[axis] - pivot[axis]) / (at[axis] - pivot[axis] || 1));
        let x = across === 0 ? 1 : factor('x');
        let y = down === 0 ? 1 : factor('y');
        if (spot.shift && across !== 0 && down !== 0) x = y = Math.max(x, y);
        const edit = scaleSelection(doc, selection, { x, y }, pivot);
        return { edit, note: `${Math.round(x * 100)} % × ${Math.round(y * 100)} %` };
      }),
  };
}

const eight = Object.keys(cursors).map((key) => key.split(' ').map(Number) as [number, number]);

function gripsOf(desk: Desk): Grip[] {
  const { doc, selection } = desk.studio.state;
  const box = desk.scene.boxOf(selection);
  if (box.left > box.right) return [];
  const only =
    selection.items.size === 1 && selection.seats.size === 0
      ? doc.items.get([...selection.items].join(''))
      : undefined;
  const figure = only && desk.scene.entryOf(only.id)?.figure;
  const turn = turnGrip(desk, box);
  if (only?.kind === 'row') return [turn, ...rowGrips(desk, only)];
  const hasNodes = desk.may('nodes') && (figure?.type === 'polygon' || figure?.type === 'line');
  if (only && hasNodes)
    return [
      turn,
      ...pointGrips(desk, only.id, { points: figure.points, isOpen: figure.type === 'line' }),
    ];
  return [turn, ...eight.map((way) => scaleGrip(desk, box, way))];
}

class Grips implements Handles {
  readonly #desk: Desk;
  #known: { key: readonly unknown[]; grips: Grip[] } | null = null;

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  /** Computed again when the drawing, the selection or the scale changes. */
  get #grips(): Grip[] {
    const { doc, selection } = this.#desk.studio.state;
    const key = [doc, selection, this.#desk.camera.k];
    const known = this.#known;
    if (known && key.every((part, at) => part === known.key[at])) return known.grips;
    const grips = gripsOf(this.#desk);
    this.#known = { key, grips };
    return grips;
  }

  #at(spot: Spot): Grip | undefined {
    const far = spot.touch ? reach.touch : reach.mouse;
    return this.#grips.findLast((grip) => {
      const { x, y } = this.#desk.camera.toScreen(grip);
      return Math.hypot(x - spot.sx, y - spot.sy) <= far;
    });
  }

  take(spot: Spot): Gesture | null {
    return this.#at(spot)?.take(spot) ?? null;
  }

  cursor(spot: Spot): string | null {
    return this.#at(spot)?.cursor ?? null;
  }

  double(spot: Spot): boolean {
    const grip = this.#at(spot);
    if (!grip) return false;
    const { selection } = this.#desk.studio.state;
    if (grip.double) this.#desk.act(grip.double(), selection);
    return true;
  }

  paint(context: CanvasRenderingContext2D): void {
    const grips = this.#grips;
    if (grips.length === 0) return;
    this.#frame(context);
    for (const grip of grips) this.#paintGrip(context, grip);
  }

  #frame(context: CanvasRenderingContext2D): void {
    const { camera, scene, studio } = this.#desk;
    const box = scene.boxOf(studio.state.selection);
    const from = camera.toScreen({ x: box.left, y: box.top });
    const to = camera.toScreen({ x: box.right, y: box.bottom });
    context.strokeStyle = this.#desk.look().accent;
    context.lineWidth = 1;
    context.setLineDash([3, 3]);
    context.strokeRect(from.x, from.y, to.x - from.x, to.y - from.y);
    context.setLineDash([]);
    context.beginPath();
    context.moveTo((from.x + to.x) / 2, from.y);
    context.lineTo((from.x + to.x) / 2, from.y - stalk);
    context.stroke();
  }

  #paintGrip(context: CanvasRenderingContext2D, grip: Grip): void {
    const { x, y } = this.#desk.camera.toScreen(grip);
    const { accent, paper } = this.#desk.look();
    context.beginPath();
    if (grip.look === 'square') context.rect(x - size / 2, y - size / 2, size, size);
    else context.arc(x, y, grip.look === 'round' ? size / 2 + 1 : size / 2 - 1, 0, 2 * Math.PI);
    context.fillStyle = grip.look === 'hollow' ? accent : paper;
    context.globalAlpha = grip.look === 'hollow' ? 0.45 : 1;
    context.fill();
    context.globalAlpha = 1;
    if (grip.look === 'hollow') return;
    context.strokeStyle = accent;
    context.lineWidth = 1.5;
    context.stroke();
  }
}

export function makeGrips(desk: Desk): Handles {
  return new Grips(desk);
}
