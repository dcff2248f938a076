/**
 * Edits of a drawing: the values before and after at each changed place, so that every edit has
 * an exact inverse.
 */
import { listOf, type Doc, type Item } from './data.ts';

type Whole = 'root' | 'floors' | 'categories' | 'zones';
/** A changed place of the drawing, before and after; null where there is nothing. */
type Change =
  | { at: 'item'; id: string; before: Item | null; after: Item | null }
  | { at: 'order'; list: string; before: readonly string[]; after: readonly string[] }
  | { [P in Whole]: { at: P; before: Doc[P]; after: Doc[P] } }[Whole];

/**
 * One act of a person with all its changes, named for the history list. `detail` appears in its
 * sentence: a number, a name.
 */
export interface Edit {
  readonly code: string;
  readonly detail?: string | number;
  /** Edits in a row that have the same word here and touch the same objects are one undo. */
  readonly joins?: string;
  /** The number of places that lost their own category and now have their section's. */
  readonly lost?: number;
  readonly changes: readonly Change[];
}

export function applyEdit(doc: Doc, { changes }: Edit): Doc {
  const items = new Map(doc.items);
  const order = new Map(doc.order);
  const next = { ...doc, items, order };
  for (const change of changes) {
    if (change.at === 'item') {
      if (change.after) items.set(change.id, change.after);
      else items.delete(change.id);
    } else if (change.at === 'order') {
      if (change.after.length > 0) order.set(change.list, change.after);
      else order.delete(change.list);
    } else Object.assign(next, { [change.at]: change.after });
  }
  return next;
}

export function invertEdit(edit: Edit): Edit {
  const changes = edit.changes
    .map((change) => ({ ...change, before: change.after, after: change.before }) as Change)
    .toReversed();
  return { ...edit, changes };
}

function placeOfChange(change: Change): string {
  if (change.at === 'item') return `item ${change.id}`;
  return change.at === 'order' ? `order ${change.list}` : change.at;
}

/** The objects that an edit changes, without the sections whose outline follows them. */
function objectsOf({ changes }: Edit): string {
  const ids = changes.flatMap((change) => {
    if (change.at !== 'item') return [change.at];
    return (change.after ?? change.before)?.kind === 'section' ? [] : [change.id];
  });
  return ids.toSorted().join(' ');
}

/** Two edits as one, if both say that they join and change the same objects; otherwise null. */
export function joinedEdits(first: Edit | undefined, second: Edit): Edit | null {
  if (first?.joins === undefined || first.joins !== second.joins) return null;
  if (objectsOf(first) !== objectsOf(second)) return null;
  const joined = new Map(first.changes.map((change) => [placeOfChange(change), change]));
  for (const change of second.changes) {
    const before = (joined.get(placeOfChange(change)) ?? change).before;
    joined.set(placeOfChange(change), { ...change, before } as Change);
  }
  return { ...second, changes: [...joined.values()] };
}

/** Collects the changes of one act; `doc` is the drawing with the changes so far. */
export class EditDraft {
  readonly #base: Doc;
  readonly #items: Map<string, Item>;
  readonly #order: Map<string, readonly string[]>;
  #whole: Pick<Doc, Whole>;

  constructor(base: Doc) {
    this.#base = base;
    this.#items = new Map(base.items);
    this.#order = new Map(base.order);
    this.#whole = base;
  }

  get doc(): Doc {
    const { root, floors, categories, zones } = this.#whole;
    return { root, floors, categories, zones, items: this.#items, order: this.#order };
  }

  /**
   * Puts an object; a new one comes last in its list, and one that changes its list leaves the
   * other.
   */
  put(item: Item): void {
    const known = this.#items.get(item.id);
    this.#items.set(item.id, item);
    if (known && listOf(known) === listOf(item)) return;
    if (known) this.#leave(known);
    const list = listOf(item);
    this.#order.set(list, [...(this.#order.get(list) ?? []), item.id]);
  }

  /** Removes an object; a section is removed with its contents. */
  remove(id: string): void {
    const item = this.#items.get(id);
    if (!item) return;
    if (item.kind === 'section')
      for (const other of this.#items.values()) if (other.section === id) this.remove(other.id);
    this.#items.delete(id);
    this.#leave(item);
  }

  #leave(item: Item): void {
    const list = listOf(item);
    this.#order.set(
      list,
      (this.#order.get(list) ?? []).filter((id) => id !== item.id),
    );
  }

  /** Orders a list; `ids` are the same ones as before. */
  reorder(list: string, ids: readonly string[]): void {
    this.#order.set(list, ids);
  }

  set<K extends Whole>(at: K, value: Doc[K]): void {
    this.#whole = { ...this.#whole, [at]: value };
  }

  /** Returns the edit, or null if nothing changed. */
  finish(code: string, detail?: string | number): Edit | null {
    const changes: Change[] = [];
    for (const at of ['root', 'floors', 'categories', 'zones'] as const)
      if (this.#whole[at] !== this.#base[at])
        changes.push({ at, before: this.#base[at], after: this.#whole[at] } as Change);
    for (const id of new Set([...this.#base.items.keys(), ...this.#items.keys()])) {
      const [before, after] = [this.#base.items.get(id) ?? null, this.#items.get(id) ?? null];
      if (before !== after) changes.push({ at: 'item', id, before, after });
    }
    for (const list of new Set([...this.#base.order.keys(), ...this.#order.keys()])) {
      const [before, after] = [this.#base.order.get(list) ?? [], this.#order.get(list) ?? []];
      if (before.length !== after.length || before.some((id, index) => id !== after[index]))
        changes.push({ at: 'order', list, before, after });
    }
    return changes.length === 0
      ? null
      : { code, ...(detail === undefined ? {} : { detail }), changes };
  }
}
