/**
 * The state of an open designer: panels and canvas read it, and every edit of the drawing is made
 * by `act`.
 */
import { withOutlines } from '#server/drawing/edit/outlines.ts';
import { applyEdit, invertEdit, joinedEdits, type Edit } from '#server/drawing/model/edit.ts';
import {
  NOTHING_SELECTED,
  keepSelection,
  onFloor,
  type Selection,
} from '#server/drawing/model/selection.ts';
import type { Doc } from '#server/drawing/model/data.ts';

/** The tool that the pointer uses on the canvas. */
export type Tool =
  | 'select'
  | 'lasso'
  | 'hand'
  | 'row'
  | 'curved-row'
  | 'segmented-row'
  | 'row-block'
  | 'round-table'
  | 'rectangular-table'
  | 'booth'
  | 'palco'
  | 'area'
  | 'ellipse'
  | 'section'
  | 'shape'
  | 'stage'
  | 'text'
  | 'icon'
  | 'image'
  | 'focal-point'
  | 'paint'
  | 'measure'
  | 'scale';

/** What a panel shows over the drawing in place of the categories' colours. */
export type Overlay = 'none' | 'distance' | 'angle' | 'best' | 'sight' | 'difference';

export interface StudioState {
  readonly doc: Doc;
  /** Only of the visible floor. */
  readonly selection: Selection;
  readonly tool: Tool;
  /** The visible floor. */
  readonly floor: string;
  /** The section being edited; null when the floor itself is. */
  readonly section: string | null;
  /** The key of the category to paint with. */
  readonly brush: string | null;
  readonly overlay: Overlay;
  /** Seats and objects that a panel points out: of a warning, of a search. */
  readonly marked: Selection;
  /** The labels of places that somebody has on a coming evening. */
  readonly sold: ReadonlySet<string>;
  readonly past: readonly Edit[];
  readonly future: readonly Edit[];
  /** The text for screen readers; the number changes when a sentence is repeated. */
  readonly said: { readonly text: string; readonly times: number };
  /** Whether the drawing may not be changed. */
  readonly readOnly: boolean;
}

/** Decides on an edit; false refuses it. */
export type Guard = (wanted: { before: Doc; after: Doc; edit: Edit }) => boolean;

function groundFloor({ floors }: Doc): string {
  return floors[0]?.id ?? '';
}

export class Studio {
  /** Called before each edit, but not before an undo. */
  guard: Guard | null = null;
  #state: StudioState;
  readonly #listeners = new Set<() => void>();

  constructor(doc: Doc, { readOnly = false }: { readOnly?: boolean } = {}) {
    this.#state = {
      doc,
      selection: NOTHING_SELECTED,
      tool: 'select',
      floor: groundFloor(doc),
      section: null,
      brush: null,
      overlay: 'none',
      marked: NOTHING_SELECTED,
      sold: new Set(),
      past: [],
      future: [],
      said: { text: '', times: 0 },
      readOnly,
    };
  }

  get state(): StudioState {
    return this.#state;
  }

  /** Subscribes `useSyncExternalStore` or the canvas; the returned function unsubscribes. */
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  set(part: Partial<Omit<StudioState, 'doc' | 'past' | 'future'>>): void {
    this.#change(part);
  }

  /** Makes an edit; null is ignored, so that callers need not check. */
  act(wanted: Edit | null, selection?: Selection): void {
    if (!wanted || this.#state.readOnly) return;
    const before = this.#state.doc;
    const edit = withOutlines(before, wanted);
    const after = applyEdit(before, edit);
    if (this.guard?.({ before, after, edit }) === false) return;
    const { past, future } = this.#state;
    const joined = future.length === 0 ? joinedEdits(past.at(-1), edit) : null;
    this.#show(after, {
      past: joined ? [...past.slice(0, -1), joined] : [...past, edit],
      future: [],
      ...(selection ? { selection } : {}),
    });
  }

  undo(): void {
    const edit = this.#state.past.at(-1);
    if (!edit) return;
    this.#show(applyEdit(this.#state.doc, invertEdit(edit)), {
      past: this.#state.past.slice(0, -1),
      future: [edit, ...this.#state.future],
    });
  }

  redo(): void {
    const [edit, ...future] = this.#state.future;
    if (!edit) return;
    this.#show(applyEdit(this.#state.doc, edit), { past: [...this.#state.past, edit], future });
  }

  /**
   * Replaces the drawing by a restored version, or another person's. Earlier edits can no longer
   * be undone.
   */
  replace(doc: Doc): void {
    this.#show(doc, { past: [], future: [] });
  }

  say(text: string): void {
    this.#change({ said: { text, times: this.#state.said.times + 1 } });
  }

  #show(doc: Doc, part: Partial<StudioState>): void {
    const { floor, section, selection, marked } = { ...this.#state, ...part };
    this.#change({
      ...part,
      doc,
      floor: doc.floors.some(({ id }) => id === floor) ? floor : groundFloor(doc),
      section: section !== null && doc.items.has(section) ? section : null,
      selection: keepSelection(doc, selection),
      marked: keepSelection(doc, marked),
    });
  }

  #change(part: Partial<StudioState>): void {
    const next = { ...this.#state, ...part };
    this.#state = { ...next, selection: onFloor(next.doc, next.selection, next.floor) };
    for (const listener of this.#listeners) listener();
  }
}
