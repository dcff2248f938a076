/**
 * Painting with a category: seats under the pointer, or with Shift their whole rows; one stroke
 * is one act.
 */
import type { Point } from '#server/drawing/model/data.ts';
import type { Selection } from '#server/drawing/model/selection.ts';
import { distanceTo } from '#apps/chart/scene/scene.ts';
import type { Desk, Hand, Spot } from '#apps/chart/designer/canvas/desk.ts';
import type { Entry } from '#apps/chart/designer/canvas/scene/entry.ts';
import { isOn } from '#apps/chart/designer/canvas/scene/figure.ts';
import { paint } from '#server/drawing/edit/categories.ts';
import { keyOf } from './place.ts';
import { hitOn } from './select.ts';

/** The brush's radius, in pixels of the page. */
const radius = 9;

class BrushHand implements Hand {
  readonly #desk: Desk;
  #touched: Map<string, 'whole' | Set<number>> | null = null;
  #last: Point | null = null;
  #at: Spot | null = null;

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  cursor(): string {
    return 'crosshair';
  }

  hover(spot: Spot): void {
    this.#at = spot;
    this.#desk.redraw();
  }

  down(spot: Spot): void {
    const { studio } = this.#desk;
    const { doc, brush, readOnly } = studio.state;
    if (readOnly) return;
    if (spot.alt) return this.#pick(spot);
    if (keyOf(doc, brush) === undefined) return studio.say('Scegli prima una categoria');
    this.#touched = new Map();
    this.#last = spot;
    this.#touch(spot, spot);
    // On the floor of a section, between its seats, the brush paints the section's own category.
    const hit = this.#touched.size === 0 ? hitOn(this.#desk, spot) : null;
    if (hit?.seat === null) this.#touched.set(hit.entry.item.id, 'whole');
    this.#show();
  }

  /** With Alt: takes the category of the pressed place. */
  #pick(spot: Spot): void {
    const { studio } = this.#desk;
    const { doc } = studio.state;
    const hit = hitOn(this.#desk, spot);
    const tint = hit && (hit.seat === null ? hit.entry.ownTint : hit.entry.tint[hit.seat]);
    const category = tint ? doc.categories[tint - 1] : undefined;
    if (!category) return;
    studio.set({ brush: String(category.key) });
    studio.say(`Categoria ${category.label}`);
  }

  drag(spot: Spot): void {
    this.#at = spot;
    if (!this.#touched) return;
    const from = this.#last ?? spot;
    const steps = Math.max(
      1,
      Math.ceil((Math.hypot(spot.x - from.x, spot.y - from.y) * this.#desk.camera.k) / radius),
    );
    for (let step = 1; step <= steps; step++) {
      const share = step / steps;
      const at = { x: from.x + (spot.x - from.x) * share, y: from.y + (spot.y - from.y) * share };
      this.#touch(at, spot);
    }
    this.#last = spot;
    this.#show();
  }

  #touch(at: Point, { shift }: Spot): void {
    const { scene, camera, studio } = this.#desk;
    const { section } = studio.state;
    const reach = radius / camera.k;
    const around = {
      left: at.x - reach,
      right: at.x + reach,
      top: at.y - reach,
      bottom: at.y + reach,
    };
    for (const entry of scene.within(around)) {
      const { item } = entry;
      if (section !== null && item.section !== section) continue;
      if (item.data.x_locked || entry.around?.data.x_locked) continue;
      if (item.kind === 'row' || item.kind === 'table')
        this.#touchSeats(entry, { at, reach, shift });
      else if (
        (item.kind === 'booth' || item.kind === 'area') &&
        entry.figure &&
        isOn(entry.figure, at.x, at.y, 0)
      )
        this.#touched?.set(item.id, 'whole');
    }
  }

  #touchSeats(
    entry: Entry,
    { at, reach, shift }: { at: Point; reach: number; shift: boolean },
  ): void {
    const { item, radius: own, figure } = entry;
    const touched = this.#touched;
    if (!touched || touched.get(item.id) === 'whole') return;
    const isWhole = item.kind === 'table' && item.data.bookAsAWhole === true;
    if (isWhole && figure && isOn(figure, at.x, at.y, reach)) {
      touched.set(item.id, 'whole');
      return;
    }
    for (let seat = 0; seat < entry.x.length; seat++) {
      if (distanceTo(entry, seat, at) > Math.max(reach, own)) continue;
      if (shift || isWhole) {
        touched.set(item.id, 'whole');
        return;
      }
      const seats = touched.get(item.id);
      if (seats instanceof Set) seats.add(seat);
      else touched.set(item.id, new Set([seat]));
    }
  }

  #show(): void {
    const { studio, stroke } = this.#desk;
    const { doc, brush } = studio.state;
    const color = doc.categories.find(({ key }) => String(key) === brush)?.color ?? '#888888';
    if (this.#touched) stroke({ color, touched: new Map(this.#touched) });
  }

  up(): void {
    const touched = this.#touched;
    this.#touched = null;
    this.#last = null;
    if (!touched) return;
    const { studio } = this.#desk;
    const { doc, brush, selection } = studio.state;
    const items = new Set<string>();
    const seats = new Map<string, ReadonlySet<number>>();
    for (const [id, what] of touched)
      if (what === 'whole') items.add(id);
      else seats.set(id, what);
    const painted: Selection = { items, seats };
    this.#desk.stroke(null);
    this.#desk.act(paint(doc, painted, keyOf(doc, brush) ?? null), selection);
  }

  cancel(): boolean {
    const wasBusy = this.#touched !== null;
    this.#touched = null;
    if (wasBusy) this.#desk.stroke(null);
    return wasBusy;
  }

  paint(context: CanvasRenderingContext2D): void {
    const at = this.#at;
    if (!at) return;
    const { doc, brush } = this.#desk.studio.state;
    context.beginPath();
    context.arc(at.sx, at.sy, radius, 0, 2 * Math.PI);
    context.lineWidth = 2;
    context.strokeStyle =
      doc.categories.find(({ key }) => String(key) === brush)?.color ?? this.#desk.look().muted;
    context.stroke();
  }
}

export function brushHand(desk: Desk): Hand {
  return new BrushHand(desk);
}
