/** What new tables, boxes and booths share: position, name, category, chairs. */
import type { Doc, Item, Key, Point, SeatData, TableData } from '#server/drawing/model/data.ts';
import { Names, lastName, nextName } from '#server/drawing/edit/names.ts';
import type { At, NewId } from '#server/drawing/edit/targets.ts';
import { rounded } from '#server/drawing/geometry/vector.ts';
import { tableSeats } from './seats.ts';

export interface Look {
  at: At;
  center: Point;
  rotation?: number;
  label?: string;
  categoryKey?: Key | null;
}
export function keyOf(categoryKey: Key | null | undefined): { categoryKey?: Key } {
  return categoryKey === undefined || categoryKey === null ? {} : { categoryKey };
}

export function angle(rotation: number | undefined): number {
  return rounded(rotation !== undefined && Number.isFinite(rotation) ? rotation : 0);
}

export function isBox(item: Item): boolean {
  return item.kind === 'table' && item.data.x_kind === 'palco';
}

/** The wanted name, or the next one after objects of its kind. */
export function nameFor(
  doc: Doc,
  at: At,
  {
    kind,
    label,
    first,
    accepts,
  }: { kind: Item['kind']; label?: string; first: string; accepts: (item: Item) => boolean },
): string {
  const last = lastName(doc, at, accepts);
  const wanted = label || (last === null ? first : nextName(last));
  return new Names(doc).claim({ kind, section: at.section }, wanted);
}

export function tableData(
  shape: TableData,
  chairs: number,
  { categoryKey, newId }: { categoryKey: Key | null | undefined; newId: NewId },
): TableData {
  const seats: SeatData[] = tableSeats(shape, chairs).map(({ x, y }, chair) => ({
    uuid: newId(),
    label: String(chair + 1),
    x,
    y,
    ...keyOf(categoryKey),
  }));
  return { ...shape, ...keyOf(categoryKey), seats };
}
