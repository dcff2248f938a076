/** Makes new rows: a single row, a row with bends, or a block of rows. */
import type { Doc, Key, Point, RowData } from '#server/drawing/model/data.ts';
import { EditDraft, type Edit } from '#server/drawing/model/edit.ts';
import { Names, lastName, nextName } from '#server/drawing/edit/names.ts';
import { putNew } from '#server/drawing/edit/insert.ts';
import { placeOf, type At, type NewId } from '#server/drawing/edit/targets.ts';
import { SEAT_SPACING, curveThrough } from '#server/drawing/geometry/row-shape.ts';
import { lengthOr, rounded, roundedPoint } from '#server/drawing/geometry/vector.ts';
import {
  blockSeats,
  rowSeats,
  segmentedSeats,
  type Bends,
  type Block,
  type RowLine,
} from './seats.ts';

interface RowLook {
  categoryKey?: Key | null;
  /** The next free name if it is left out or taken. */
  label?: string;
  firstSeat?: number;
}

function newRow(
  seats: readonly Point[],
  { label, categoryKey, firstSeat = 1, spacing }: RowLook & { label: string; spacing?: number },
  newId: NewId,
): RowData {
  const curve = rounded(curveThrough(seats));
  return {
    label,
    ...(curve === 0 ? {} : { curve }),
    chairSpacing: rounded(lengthOr(spacing, SEAT_SPACING)),
    seats: seats.map(({ x, y }, position) => ({
      uuid: newId(),
      label: String(firstSeat + position),
      x,
      y,
      ...(categoryKey === undefined || categoryKey === null ? {} : { categoryKey }),
    })),
  };
}

function firstName(doc: Doc, at: At, label: string | undefined): string {
  if (label !== undefined && label !== '') return label;
  const last = lastName(doc, at, ({ kind }) => kind === 'row');
  return last === null ? 'A' : nextName(last);
}

/** Makes rows with consecutive names. */
function makeRows(
  doc: Doc,
  options: {
    at: At;
    rows: readonly Point[][];
    look: RowLook;
    more?: Partial<RowData>;
    spacing?: number;
  },
  { code, newId }: { code: string; newId: NewId },
): Edit | null {
  const at = placeOf(doc, options.at);
  const rows = options.rows.filter(({ length }) => length > 0);
  if (!at || rows.length === 0) return null;
  const draft = new EditDraft(doc);
  const names = new Names(doc);
  let wanted = firstName(doc, at, options.look.label);
  for (const seats of rows) {
    const label = names.claim({ kind: 'row', section: at.section }, wanted);
    const look = { ...options.look, label, spacing: options.spacing };
    putNew(
      draft,
      at,
      { kind: 'row', data: { ...newRow(seats, look, newId), ...options.more } },
      newId,
    );
    wanted = nextName(label);
  }
  return draft.finish(
    code,
    rows.reduce((sum, { length }) => sum + length, 0),
  );
}

export function makeRow(
  doc: Doc,
  { at, ...options }: { at: At } & RowLine & RowLook,
  newId: NewId,
): Edit | null {
  const { spacing } = options;
  const rows = [rowSeats(options)];
  return makeRows(doc, { at, rows, look: options, spacing }, { code: 'make-row', newId });
}

export function makeSegmentedRow(
  doc: Doc,
  { at, ...options }: { at: At } & Bends & RowLook,
  newId: NewId,
): Edit | null {
  const { spacing, points, smooth } = options;
  const more = { points: points.map(roundedPoint), ...(smooth === true ? { smooth } : {}) };
  const rows = [segmentedSeats(options)];
  return makeRows(doc, { at, rows, look: options, more, spacing }, { code: 'make-row', newId });
}

export function makeRowBlock(
  doc: Doc,
  { at, ...options }: { at: At } & Block & { categoryKey?: Key | null; firstLabel?: string },
  newId: NewId,
): Edit | null {
  const { categoryKey, firstLabel, seatSpacing } = options;
  const look = { categoryKey, label: firstLabel };
  const rows = blockSeats(options);
  const made = { at, rows, look, spacing: seatSpacing };
  return makeRows(doc, made, { code: 'make-row-block', newId });
}
