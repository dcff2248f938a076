/**
 * Snaps a point or a box to a guide, into line with a neighbour, to the neighbours' own distance,
 * or to the grid.
 */
import type { Point } from '#server/drawing/model/data.ts';
import { placePoint } from '#apps/chart/scene/scene.ts';
import { emptyBox, overlaps, widenBy, type Box } from '#apps/chart/scene/outline.ts';
import type { Camera } from './camera.ts';
import type { Snapped, Spot } from '#apps/chart/designer/canvas/desk.ts';
import { boxOfSeat, type Entry } from './entry.ts';
import type { Guides } from './guides.ts';
import type { Scene } from './scene.ts';
import type { CanvasSettings } from '#apps/chart/designer/canvas/settings.ts';

/** In pixels of the page. */
const reach = 6;
/** The most neighbours to compare, because more lines would be useless. */
const most = 400;

/** A line to snap to, and the neighbour it belongs to. */
interface Line {
  at: number;
  from: Box | null;
}
type Axis = 'x' | 'y';
type Lines = Record<Axis, Line[]>;

interface SnapGround {
  scene: Scene;
  camera: Camera;
  settings: CanvasSettings;
  guides: Guides;
}

type Edges = [low: number, middle: number, high: number];
const edges: Record<Axis, (box: Box) => Edges> = {
  x: ({ left, right }) => [left, (left + right) / 2, right],
  y: ({ top, bottom }) => [top, (top + bottom) / 2, bottom],
};

function boxOfAll(entries: readonly Entry[]): Box {
  const box = emptyBox();
  for (const entry of entries) {
    if (entry.whole || entry.carried) widenBy(box, entry.box);
    else
      entry.chosen?.forEach((is, at) => {
        if (is) widenBy(box, boxOfSeat(entry, at));
      });
  }
  return box;
}

function neighbours({ scene, camera }: SnapGround): Entry[] {
  return scene
    .within(camera.view)
    .filter(({ whole, carried, chosen }) => !whole && !carried && chosen === null)
    .slice(0, most);
}

function guideLines({ guides }: SnapGround): Lines {
  return {
    x: guides.x.map((at) => ({ at, from: null })),
    y: guides.y.map((at) => ({ at, from: null })),
  };
}

/** Positions where the middle of a box would continue the neighbours' regular distance. */
function paces(entries: readonly Entry[], axis: Axis, around: Box): Line[] {
  const across: Axis = axis === 'x' ? 'y' : 'x';
  const [low, , high] = edges[across](around);
  const line = entries
    .filter(({ item, box }) => {
      const [from, , to] = edges[across](box);
      return item.kind !== 'section' && from <= high && to >= low;
    })
    .map(({ box }) => ({ at: edges[axis](box)[1], from: box }))
    .sort((a, b) => a.at - b.at);
  return line.flatMap(({ at, from }, n) => {
    const before = line[n - 1];
    if (!before) return [];
    const pace = at - before.at;
    return pace < 1
      ? []
      : [
          { at: at + pace, from },
          { at: before.at - pace, from: before.from },
        ];
  });
}

interface Found {
  shift: number;
  line: Line;
}

function nearest(values: readonly number[], lines: readonly Line[], limit: number): Found | null {
  let best: Found | null = null;
  for (const line of lines)
    for (const value of values) {
      const shift = line.at - value;
      if (Math.abs(shift) <= (best ? Math.abs(best.shift) : limit)) best = { shift, line };
    }
  return best;
}

/** A line from the box to what it is aligned with. */
function lineShown(axis: Axis, { at, from }: Line, box: Box): [Point, Point] {
  const all = { ...box };
  if (from) widenBy(all, from);
  return axis === 'x'
    ? [
        { x: at, y: all.top },
        { x: at, y: all.bottom },
      ]
    : [
        { x: all.left, y: at },
        { x: all.right, y: at },
      ];
}

/** Collects the lines to compare with once, when a gesture begins. */
export class Snapper {
  readonly #ground: SnapGround;
  readonly #box: Box;
  readonly #lines: Lines;
  readonly #near: readonly Entry[];

  constructor(ground: SnapGround) {
    this.#ground = ground;
    this.#box = boxOfAll(ground.scene.selected);
    this.#near = neighbours(ground);
    const lines = guideLines(ground);
    for (const { box } of this.#near)
      for (const axis of ['x', 'y'] as const)
        for (const at of edges[axis](box)) lines[axis].push({ at, from: box });
    this.#lines = lines;
  }

  #isOff(spot: Spot): boolean {
    return !this.#ground.settings.snap || spot.ctrl;
  }

  /** Ctrl switches snapping off. */
  box(by: Point, spot: Spot): Snapped {
    if (this.#isOff(spot) || this.#box.left > this.#box.right) return { ...by, lines: [] };
    const { left, top, right, bottom } = this.#box;
    const moved = {
      left: left + by.x,
      top: top + by.y,
      right: right + by.x,
      bottom: bottom + by.y,
    };
    const [x, y] = [this.#along('x', moved), this.#along('y', moved)];
    const box = {
      left: moved.left + x.shift,
      right: moved.right + x.shift,
      top: moved.top + y.shift,
      bottom: moved.bottom + y.shift,
    };
    const lines = (
      [
        ['x', x],
        ['y', y],
      ] as const
    ).flatMap(([axis, { line }]) => (line ? [lineShown(axis, line, box)] : []));
    return { x: by.x + x.shift, y: by.y + y.shift, lines };
  }

  #along(axis: Axis, box: Box): { shift: number; line: Line | null } {
    const { camera } = this.#ground;
    const limit = reach / camera.k;
    const values = edges[axis](box);
    const aligned = nearest(values, this.#lines[axis], limit);
    const paced = nearest([values[1]], paces(this.#near, axis, box), limit);
    const best =
      !aligned || (paced && Math.abs(paced.shift) <= Math.abs(aligned.shift)) ? paced : aligned;
    return best ?? { shift: this.#toGrid(values[0]), line: null };
  }

  #toGrid(value: number): number {
    const { settings, camera } = this.#ground;
    const { grid, gridStep } = settings;
    if (!grid || gridStep * camera.k < 2) return 0;
    const shift = Math.round(value / gridStep) * gridStep - value;
    return Math.abs(shift) <= reach / camera.k ? shift : 0;
  }

  /** A point also snaps to seats and corners of neighbours. */
  point(spot: Spot): Snapped {
    if (this.#isOff(spot)) return { x: spot.x, y: spot.y, lines: [] };
    const { camera } = this.#ground;
    const limit = reach / camera.k;
    const seats: Lines = { x: [], y: [] };
    for (const entry of this.#near) {
      const last = entry.x.length - 1;
      for (const at of last < 0 ? [] : [0, last]) {
        const { x, y } = placePoint(entry, at);
        seats.x.push({ at: x, from: entry.box });
        seats.y.push({ at: y, from: entry.box });
      }
    }
    const box = { left: spot.x, right: spot.x, top: spot.y, bottom: spot.y };
    const shown: [Point, Point][] = [];
    const along = (axis: Axis): number => {
      const around = this.#near.some((entry) => overlaps(entry.box, box))
        ? []
        : paces(this.#near, axis, box);
      const found = nearest(
        [spot[axis]],
        [...guideLines(this.#ground)[axis], ...seats[axis], ...around],
        limit,
      );
      if (found) shown.push(lineShown(axis, found.line, box));
      return spot[axis] + (found ? found.shift : this.#toGrid(spot[axis]));
    };
    return { x: along('x'), y: along('y'), lines: shown };
  }
}
