/** The visible floor for the canvas: after an edit only changed objects are computed again. */
import Flatbush from 'flatbush';
import type { Doc, Item, Key } from '#server/drawing/model/data.ts';
import { originOf, selectItems, type Selection } from '#server/drawing/model/selection.ts';
import { emptyBox, widenBy, type Box } from '#apps/chart/scene/outline.ts';
import { boxOfSeat, type Entry, frameEntry, makeEntry } from './entry.ts';

const usualRadius = 8;

export class Scene {
  /** In painting order. */
  entries: readonly Entry[] = [];
  box: Box = emptyBox();
  /** The seat radius of rows too short to measure: the median of all others. */
  usual = usualRadius;
  readonly #known = new Map<string, Entry>();
  #doc: Doc | null = null;
  #floor = '';
  #keys: string[] = [];
  #tints = new Map<string, number>();
  #selected: readonly Entry[] = [];
  #marked: readonly Entry[] = [];
  /** The entries in `#index`, without objects of no extent, such as a row without seats. */
  #indexed: readonly Entry[] = [];
  #index: Flatbush | null = null;

  get doc(): Doc {
    if (!this.#doc) throw new Error('The scene shows no drawing yet');
    return this.#doc;
  }

  get floor(): string {
    return this.#floor;
  }

  entryOf(id: string): Entry | undefined {
    return this.#known.get(id);
  }

  /** Updates the entries; true when anything has changed. */
  show(doc: Doc, floor: string): boolean {
    if (doc === this.#doc && floor === this.#floor) return false;
    if (this.#hasOtherKeys(doc) || floor !== this.#floor) this.#known.clear();
    this.#doc = doc;
    this.#floor = floor;
    const gone = new Set(this.#known.keys());
    for (const item of doc.items.values())
      if (item.floor === floor && this.#keep(doc, item)) gone.delete(item.id);
    for (const id of gone) this.#known.delete(id);
    this.entries = [...this.#known.values()].sort((a, b) => a.rank - b.rank);
    this.#measure();
    this.#index = null;
    this.#selected = [];
    this.#marked = [];
    return true;
  }

  /** Colours are stored by position in the palette, so changed keys make them outdated. */
  #hasOtherKeys({ categories }: Doc): boolean {
    const keys = categories.map(({ key }) => String(key));
    if (keys.length === this.#keys.length && keys.every((key, at) => key === this.#keys[at]))
      return false;
    this.#keys = keys;
    this.#tints = new Map(keys.map((key, at) => [key, at + 1]));
    return true;
  }

  readonly tintOf = (key: Key | null | undefined): number =>
    key === null || key === undefined ? 0 : (this.#tints.get(String(key)) ?? 0);

  /** False when it is hidden. */
  #keep(doc: Doc, item: Item): boolean {
    const section = item.section === null ? null : doc.items.get(item.section);
    const around = section?.kind === 'section' ? section : null;
    if (item.data.x_hidden || around?.data.x_hidden) return false;
    const known = this.#known.get(item.id);
    if (known?.item === item && known.around === around) {
      Object.assign(known, { whole: false, carried: false, chosen: null });
      Object.assign(known, { marked: null, markedWhole: false });
      return true;
    }
    const origin = originOf(doc, item);
    this.#known.set(
      item.id,
      makeEntry(item, { around, origin, tintOf: this.tintOf, usual: this.usual }),
    );
    return true;
  }

  #measure(): void {
    const radii: number[] = [];
    for (const { measured } of this.entries) if (measured > 0) radii.push(measured);
    radii.sort((a, b) => a - b);
    this.usual = radii[radii.length >> 1] ?? usualRadius;
    const box = emptyBox();
    for (const entry of this.entries) {
      if (entry.measured === 0 && entry.radius !== this.usual) {
        entry.radius = this.usual;
        frameEntry(entry);
      }
      widenBy(box, entry.box);
    }
    this.box = box;
  }

  /** The objects whose box overlaps this one, in painting order. */
  within(box: Box): Entry[] {
    this.#index ??= this.#makeIndex();
    if (this.#indexed.length === 0) return [];
    const found = this.#index.search(box.left, box.top, box.right, box.bottom);
    return found.sort((a, b) => a - b).flatMap((at) => this.#indexed[at] ?? []);
  }

  #makeIndex(): Flatbush {
    this.#indexed = this.entries.filter(({ box }) => box.left <= box.right);
    const index = new Flatbush(Math.max(1, this.#indexed.length));
    for (const { box } of this.#indexed) index.add(box.left, box.top, box.right, box.bottom);
    if (this.#indexed.length === 0) index.add(0, 0, 0, 0);
    index.finish();
    return index;
  }

  select(selection: Selection): void {
    for (const entry of this.#selected)
      Object.assign(entry, { whole: false, carried: false, chosen: null });
    const selected: Entry[] = [];
    for (const [entry, seats] of this.#entriesOf(selection)) {
      if (seats) entry.chosen = seats;
      else entry.whole = true;
      selected.push(entry);
    }
    const carriers = new Set(
      selected.flatMap(({ whole, item }) => (whole && item.kind === 'section' ? [item.id] : [])),
    );
    if (carriers.size > 0)
      for (const entry of this.entries)
        if (entry.around && carriers.has(entry.around.id)) {
          entry.carried = true;
          selected.push(entry);
        }
    this.#selected = selected;
  }

  /** Everything that moves with the selection. */
  get selected(): readonly Entry[] {
    return this.#selected;
  }

  mark(selection: Selection): void {
    for (const entry of this.#marked) Object.assign(entry, { marked: null, markedWhole: false });
    const marked: Entry[] = [];
    for (const [entry, seats] of this.#entriesOf(selection)) {
      entry.marked = seats;
      entry.markedWhole = seats === null;
      marked.push(entry);
    }
    this.#marked = marked;
  }

  get marked(): readonly Entry[] {
    return this.#marked;
  }

  *#entriesOf({ items, seats }: Selection): Generator<[Entry, Uint8Array<ArrayBuffer> | null]> {
    for (const [id, positions] of seats) {
      const entry = this.#known.get(id);
      if (!entry) continue;
      const chosen = new Uint8Array(entry.x.length);
      for (const at of positions) if (at < chosen.length) chosen[at] = 1;
      yield [entry, chosen];
    }
    for (const id of items) {
      const entry = this.#known.get(id);
      if (entry) yield [entry, null];
    }
  }

  /** The box of a selection on this floor; empty when none of it is on this floor. */
  boxOf(selection: Selection): Box {
    const box = emptyBox();
    for (const id of selectItems([...selection.items, ...selection.seats.keys()]).items) {
      const entry = this.#known.get(id);
      const seats = selection.items.has(id) ? undefined : selection.seats.get(id);
      if (entry) widenBy(box, seats ? boxOfSeats(entry, seats) : entry.box);
    }
    return box;
  }
}

function boxOfSeats(entry: Entry, seats: Iterable<number>): Box {
  const box = emptyBox();
  for (const at of seats) widenBy(box, boxOfSeat(entry, at));
  return box;
}
