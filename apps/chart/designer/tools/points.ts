/**
 * The base of every tool that draws by points, dragged or clicked one after the other, with a
 * preview throughout.
 */
import type { Point } from '#server/drawing/model/data.ts';
import type { Edit } from '#server/drawing/model/edit.ts';
import { madeBy } from '#server/drawing/edit/targets.ts';
import { fontOf } from '#apps/chart/paint/pen.ts';
import type { Desk, Hand, Snapped, Spot } from '#apps/chart/designer/canvas/desk.ts';
import { paintLines } from './gesture.ts';

/** At least two points, because a tool of several points makes nothing of one. */
export type Points = readonly [Point, Point, ...Point[]];

interface Plan {
  /** With `least` points a person may finish, and with `most` the tool finishes by itself. */
  least: number;
  most: number;
  /** The edit of a single click. */
  single?: (at: Point) => Edit | null;
  /** The points of an outline drawn by a drag. */
  corners?: (from: Point, to: Point) => Points;
  make: (points: Points) => Edit | null;
  /** The text beside the pointer. */
  note?: (points: Points, edit: Edit | null) => string;
  /** Called at the end instead of making the edit immediately. */
  finish?: (points: Points, spot: Spot) => void;
  /** Whether the points form an outline. */
  closed?: boolean;
  /** While Shift is held, directions from the last point are multiples of this angle. */
  degrees?: number;
}

/** Clicks closer than this count as one spot, in pixels of the page. */
const same = 7;

function keepDirection(from: Point, to: Point, degrees: number): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const step = (degrees * Math.PI) / 180;
  const angle = Math.round(Math.atan2(to.y - from.y, to.x - from.x) / step) * step;
  return { x: from.x + length * Math.cos(angle), y: from.y + length * Math.sin(angle) };
}

function severalOf([first, second, ...others]: readonly Point[]): Points | null {
  return first && second ? [first, second, ...others] : null;
}

class PointsHand implements Hand {
  readonly #desk: Desk;
  readonly #plan: Plan;
  #points: Point[] = [];
  #tip: Snapped | null = null;
  /** Whether the press that set the first point is still down. */
  #isFresh = false;
  #shown: Edit | null = null;

  constructor(desk: Desk, plan: Plan) {
    this.#desk = desk;
    this.#plan = plan;
  }

  cursor(): string {
    return 'crosshair';
  }

  #at(spot: Spot): Snapped {
    const last = this.#points.at(-1);
    if (!last || !spot.shift) return this.#desk.snap(spot);
    return { ...keepDirection(last, spot, this.#plan.degrees ?? 15), lines: [] };
  }

  #onSpot(a: Point, b: Point): boolean {
    return Math.hypot(a.x - b.x, a.y - b.y) * this.#desk.camera.k < same;
  }

  hover(spot: Spot): void {
    this.#tip = this.#at(spot);
    this.#show(this.#points.length > 0 ? [...this.#points, this.#tip] : []);
  }

  down(spot: Spot): void {
    const at = this.#at(spot);
    this.#tip = at;
    this.#isFresh = this.#points.length === 0;
    if (this.#isFresh) this.#points.push({ x: at.x, y: at.y });
  }

  /** The corners of a shape drawn with one drag from the first point. */
  #boxTo(to: Point): Points | null {
    const [from] = this.#points;
    return from && this.#isFresh ? (this.#plan.corners?.(from, to) ?? null) : null;
  }

  drag(spot: Spot): void {
    this.#tip = this.#at(spot);
    this.#show(this.#boxTo(this.#tip) ?? [...this.#points, this.#tip]);
  }

  up(spot: Spot, { moved, clicks }: { moved: boolean; clicks: number }): void {
    const { single, most, least, closed } = this.#plan;
    const at = this.#at(spot);
    const point = { x: at.x, y: at.y };
    const box = moved ? this.#boxTo(point) : null;
    if (box) return this.#end(box, spot);
    if (!moved && this.#isFresh) {
      if (single) this.#act(single(point));
      return this.#desk.redraw();
    }
    const [first = point] = this.#points;
    const last = this.#points.at(-1) ?? point;
    const isDone =
      !moved &&
      most === Infinity &&
      (clicks > 1 || this.#onSpot(last, point) || (closed && this.#onSpot(first, point)));
    if (!isDone) this.#points.push(point);
    const isEnough = this.#points.length >= (isDone ? least : most);
    const points = isEnough ? severalOf(this.#points) : null;
    if (points) this.#end(points, spot);
    else this.#show(this.#points);
  }

  #show(points: readonly Point[]): void {
    const several = severalOf(points);
    this.#shown = several && this.#plan.make(several);
    this.#desk.preview(this.#shown, madeBy(this.#shown));
    this.#desk.redraw();
  }

  #end(points: Points, spot: Spot): void {
    const { finish, make, note } = this.#plan;
    this.#points = [];
    if (finish) {
      finish(points, spot);
      return;
    }
    const edit = make(points);
    const told = note?.(points, edit);
    this.#act(edit);
    if (edit && told) this.#desk.studio.say(told);
  }

  #act(edit: Edit | null): void {
    this.#points = [];
    this.#tip = null;
    this.#desk.act(edit, madeBy(edit));
  }

  cancel(): boolean {
    const wasBusy = this.#points.length > 0;
    this.#points = [];
    this.#tip = null;
    this.#shown = null;
    this.#desk.preview(null);
    return wasBusy;
  }

  key(key: string): boolean {
    if (key !== 'Backspace' || this.#points.length === 0) return false;
    this.#points.pop();
    this.#show(this.#tip && this.#points.length > 0 ? [...this.#points, this.#tip] : []);
    return true;
  }

  paint(context: CanvasRenderingContext2D): void {
    const { camera } = this.#desk;
    const look = this.#desk.look();
    const tip = this.#tip;
    if (tip) paintLines(context, this.#desk, tip.lines);
    if (this.#points.length === 0 || !tip) return;
    const points = severalOf([...this.#points, tip]);
    const box = this.#points.length === 1 ? this.#boxTo(tip) : null;
    context.strokeStyle = look.accent;
    context.lineWidth = 1.5;
    context.setLineDash([5, 4]);
    context.beginPath();
    for (const point of box ?? points ?? []) {
      const { x, y } = camera.toScreen(point);
      context.lineTo(x, y);
    }
    if (box || (this.#plan.closed && this.#points.length > 1)) context.closePath();
    context.stroke();
    context.setLineDash([]);
    context.fillStyle = look.accent;
    for (const point of this.#points) {
      const { x, y } = camera.toScreen(point);
      context.fillRect(x - 3, y - 3, 6, 6);
    }
    const text = points && this.#plan.note?.(points, this.#shown);
    if (text) paintNote(context, this.#desk, { at: tip, text });
  }
}

/** Paints a few words beside the pointer. */
export function paintNote(
  context: CanvasRenderingContext2D,
  desk: Desk,
  { at, text }: { at: Point; text: string },
): void {
  const { x, y } = desk.camera.toScreen(at);
  const look = desk.look();
  context.font = fontOf(12, true);
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  const wide = context.measureText(text).width + 14;
  const left = Math.min(x + 14, desk.camera.width - wide - 4);
  const top = Math.min(y + 14, desk.camera.height - 28);
  context.fillStyle = look.accent;
  context.beginPath();
  context.roundRect(left, top, wide, 24, 6);
  context.fill();
  context.fillStyle = look.onAccent;
  context.fillText(text, left + 7, top + 12.5);
}

export function makePoints(desk: Desk, plan: Plan): Hand {
  return new PointsHand(desk, plan);
}

/** The corner opposite the first, of a rectangle or of a line. */
export function oppositeOf([, second, third]: Points): Point {
  return third ?? second;
}

/** The corners, clockwise from the first on the screen. */
export function rectangle(from: Point, to: Point): Points {
  return [from, { x: to.x, y: from.y }, to, { x: from.x, y: to.y }];
}
