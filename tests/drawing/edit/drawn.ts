/** An empty drawing with one category, drawn on by acts; and what must hold of it at any time. */
import { expect } from 'vitest';
import { checkDrawing } from '#server/drawing/check/check.ts';
import { readDrawing } from '#server/standins/seatsio/plan/read-drawing.ts';
import { withOutlines } from '#server/drawing/edit/outlines.ts';
import { madeBy } from '#server/drawing/edit/targets.ts';
import { applyEdit, invertEdit, type Edit } from '#server/drawing/model/edit.ts';
import { openDrawing, saveDrawing } from '#server/drawing/model/open.ts';
import type { Doc } from '#server/drawing/model/data.ts';

const EMPTY = {
  name: 'Prova',
  version: 1,
  venueType: 'SIMPLE',
  categories: { list: [{ key: 1, label: 'Platea', color: '#4f8ef7', accessible: false }] },
  zones: { list: [] },
  subChart: { width: 1000, height: 800, focalPoint: { x: 500, y: 0 } },
};

export class Drawn {
  doc: Doc;
  readonly past: Edit[] = [];
  readonly #before: string[] = [];
  #ids = 0;

  constructor(raw: unknown = EMPTY) {
    this.doc = openDrawing(raw);
  }

  newId = (): string => {
    this.#ids += 1;
    return `id-${this.#ids}`;
  };

  /** @returns the ids of what it made */
  make(edit: Edit | null): string[] {
    expect(edit).not.toBeNull();
    this.act(edit);
    return [...madeBy(edit).items];
  }

  /** As the designer does it: the outlines of sections follow. */
  act(wanted: Edit | null): void {
    if (!wanted) return;
    const edit = withOutlines(this.doc, wanted);
    this.#before.push(JSON.stringify(saveDrawing(this.doc)));
    this.past.push(edit);
    this.doc = applyEdit(this.doc, edit);
  }

  /** All acts taken back, each to the same bytes as before it. */
  undoAll(): void {
    for (const edit of this.past.toReversed()) {
      this.doc = applyEdit(this.doc, invertEdit(edit));
      expect(JSON.stringify(saveDrawing(this.doc))).toBe(this.#before.pop());
    }
  }

  /** @returns the messages of the findings that keep it out */
  errors(): string[] {
    const saved: unknown = JSON.parse(JSON.stringify(saveDrawing(this.doc)));
    readDrawing(saved);
    return checkDrawing(saved).flatMap(({ severity, where, message }) =>
      severity === 'error' ? [`${where}: ${message}`] : [],
    );
  }

  /** The chart server takes it; what nobody painted is all that it may find. */
  isGood(): void {
    expect(this.errors().filter((error) => !error.includes('categoria'))).toEqual([]);
  }
}
