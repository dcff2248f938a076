/**
 * Aligns the selection or spaces it evenly; a group counts as one object, and so does a single
 * seat.
 */
import type { Doc } from '#server/drawing/model/data.ts';
import { EditDraft, type Edit } from '#server/drawing/model/edit.ts';
import { type Selection } from '#server/drawing/model/selection.ts';
import {
  boundsOfSelection,
  joinBounds,
  middleOfBounds,
  type Bounds,
} from '#server/drawing/geometry/bounds.ts';
import { moving } from '#server/drawing/geometry/matrix.ts';
import { freeIn, isLocked, seatsIn } from './targets.ts';
import { transformInto } from './transform.ts';

interface Part {
  selection: Selection;
  bounds: Bounds;
}

function partsOf(doc: Doc, selection: Selection): Part[] {
  const groups = new Map<string, Set<string>>();
  for (const { id, data } of freeIn(doc, selection)) {
    const key = typeof data.x_group === 'string' ? `group ${data.x_group}` : `item ${id}`;
    groups.set(key, (groups.get(key) ?? new Set()).add(id));
  }
  const whole = [...groups.values()].map((items): Selection => ({ items, seats: new Map() }));
  const single = seatsIn(doc, selection, { whole: false })
    .filter(({ item }) => !isLocked(doc, item) && !selection.items.has(item.section ?? ''))
    .flatMap(({ item, positions }) =>
      [...positions].map((position): Selection => ({
        items: new Set(),
        seats: new Map([[item.id, new Set([position])]]),
      })),
    );
  return [...whole, ...single].flatMap((part) => {
    const bounds = boundsOfSelection(doc, part);
    return bounds ? [{ selection: part, bounds }] : [];
  });
}

type Side = 'left' | 'center' | 'right' | 'top' | 'middle' | 'bottom';

function offset(side: Side, all: Bounds, own: Bounds): [dx: number, dy: number] {
  switch (side) {
    case 'left':
      return [all.left - own.left, 0];
    case 'right':
      return [all.right - own.right, 0];
    case 'top':
      return [0, all.top - own.top];
    case 'bottom':
      return [0, all.bottom - own.bottom];
    case 'center':
      return [middleOfBounds(all).x - middleOfBounds(own).x, 0];
    case 'middle':
      return [0, middleOfBounds(all).y - middleOfBounds(own).y];
  }
}

/** Moves the parts one after the other, because each move changes the drawing. */
function moveParts(
  doc: Doc,
  moves: readonly { part: Part; dx: number; dy: number }[],
  code: string,
): Edit | null {
  const draft = new EditDraft(doc);
  for (const { part, dx, dy } of moves)
    if (Math.abs(dx) > 0.004 || Math.abs(dy) > 0.004)
      transformInto(draft, draft.doc, part.selection, moving(dx, dy));
  return draft.finish(code);
}

export function alignSelection(doc: Doc, selection: Selection, side: Side): Edit | null {
  const parts = partsOf(doc, selection);
  const all = joinBounds(parts.map(({ bounds }) => bounds));
  if (parts.length < 2 || !all) return null;
  const moves = parts.map((part) => {
    const [dx, dy] = offset(side, all, part.bounds);
    return { part, dx, dy };
  });
  return moveParts(doc, moves, 'align');
}

/**
 * Spaces objects evenly between the first and the last. With a gap only the first stays, and the
 * others follow at that distance.
 */
export function distributeSelection(
  doc: Doc,
  selection: Selection,
  axis: 'horizontal' | 'vertical',
  gap?: number,
): Edit | null {
  const [start, end] =
    axis === 'horizontal' ? (['left', 'right'] as const) : (['top', 'bottom'] as const);
  const parts = partsOf(doc, selection).toSorted((a, b) => a.bounds[start] - b.bounds[start]);
  const [first, last] = [parts[0], parts.at(-1)];
  if (!first || !last || parts.length < (gap === undefined ? 3 : 2)) return null;
  const filled = parts.reduce((sum, { bounds }) => sum + bounds[end] - bounds[start], 0);
  const most = Math.max(...parts.map(({ bounds }) => bounds[end]));
  const free = (most - first.bounds[start] - filled) / (parts.length - 1);
  const room = gap !== undefined && Number.isFinite(gap) ? gap : free;
  let at = first.bounds[start];
  const moves = parts.map((part) => {
    const by = at - part.bounds[start];
    at += part.bounds[end] - part.bounds[start] + room;
    return axis === 'horizontal' ? { part, dx: by, dy: 0 } : { part, dx: 0, dy: by };
  });
  return moveParts(doc, moves, 'distribute');
}
