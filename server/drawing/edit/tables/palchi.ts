/** Makes the boxes of a theatre, a single one or a whole tier: cells with chairs. */
import type { Doc, Item, Key, Point, TableData } from '#server/drawing/model/data.ts';
import { EditDraft, type Edit } from '#server/drawing/model/edit.ts';
import { make, putNew } from '#server/drawing/edit/insert.ts';
import { Names, lastName, nextName } from '#server/drawing/edit/names.ts';
import { isLocked, rowOf, type At, type NewId } from '#server/drawing/edit/targets.ts';
import { toAbsolute } from '#server/drawing/geometry/absolute.ts';
import { spacingOf, trackOf } from '#server/drawing/geometry/row-shape.ts';
import { bentTrack, smoothed } from '#server/drawing/geometry/track.ts';
import {
  angleOf,
  directionOf,
  distance,
  dot,
  isPoint,
  lengthOr,
  minus,
  normalDegrees,
  normalOf,
  rounded,
  roundedPoint,
  whole,
} from '#server/drawing/geometry/vector.ts';
import { isBox, nameFor, tableData, type Look } from './parts.ts';
import { entryAt } from '#server/drawing/model/entry.ts';

interface Box {
  chairs: number;
  width: number;
  height: number;
  tier?: string;
  categoryKey?: Key | null;
}

/** A box has no table top, so its radius is 0. */
function boxData(
  { chairs, width, height, tier, categoryKey }: Box,
  { center, rotation, label }: { center: Point; rotation: number; label: string },
  newId: NewId,
): TableData {
  const shape: TableData = {
    label,
    displayObjectType: 'Palco',
    type: 'rectangular',
    x_kind: 'palco',
    ...(tier === undefined || tier === '' ? {} : { x_tier: tier }),
    center: roundedPoint(center),
    radius: 0,
    width: rounded(width),
    height: rounded(height),
    rotationAngle: rounded(rotation),
    bookAsAWhole: false,
    seats: [],
  };
  return tableData(shape, whole(chairs, [1, 60]), { categoryKey, newId });
}

const BOX = { width: 44, height: 40 };

export function makePalco(
  doc: Doc,
  options: Look & { chairs: number; width?: number; height?: number; tier?: string },
  newId: NewId,
): Edit | null {
  const { center, label, rotation = 0 } = options;
  if (!isPoint(center) || !Number.isFinite(rotation)) return null;
  const [width, height] = [
    lengthOr(options.width, BOX.width),
    lengthOr(options.height, BOX.height),
  ];
  const item = (at: At) => {
    const name = nameFor(doc, at, { kind: 'table', label, first: '1', accepts: isBox });
    const placed = { center, rotation, label: name };
    return { kind: 'table', data: boxData({ ...options, width, height }, placed, newId) } as const;
  };
  return make(doc, { at: options.at, code: 'make-palco', detail: options.chairs }, { item, newId });
}

/** True if the focal point lies on the right of the path; usually the hall lies on its left. */
function facesAway(doc: Doc, floor: string, path: readonly Point[]): boolean {
  const focalPoint = doc.floors.find(({ id }) => id === floor)?.data.focalPoint;
  if (!isPoint(focalPoint)) return false;
  const track = bentTrack(path);
  const middle = track.markOf(entryAt(path, -1)) / 2;
  const [from, to] = [track.pointAt(middle - 1), track.pointAt(middle + 1)];
  return dot(normalOf(directionOf(from, to)), minus(focalPoint, from)) > 0;
}

interface Tier {
  path: readonly Point[];
  boxes: number;
  chairs: number;
  depth?: number;
  tier?: string;
  categoryKey?: Key | null;
  firstLabel?: string;
}

/** @returns the number of boxes */
function putTier(draft: EditDraft, at: At, options: Tier, newId: NewId): number {
  const path = options.path.filter(
    (point, index) => index === 0 || distance(point, entryAt(options.path, index - 1)) > 0.5,
  );
  if (path.length < 2 || !path.every(isPoint)) return 0;
  const boxes = whole(options.boxes, [1, 100]);
  const track = bentTrack(path);
  const width = track.markOf(entryAt(path, -1)) / boxes;
  const turn = facesAway(draft.doc, at.floor, path) ? 180 : 0;
  const names = new Names(draft.doc);
  const last = lastName(draft.doc, at, isBox);
  let wanted = options.firstLabel || (last === null ? '1' : nextName(last));
  for (let box = 0; box < boxes; box += 1) {
    const label = names.claim({ kind: 'table', section: at.section }, wanted);
    const [from, to] = [track.pointAt(box * width), track.pointAt((box + 1) * width)];
    const placed = {
      center: track.pointAt((box + 0.5) * width),
      rotation: normalDegrees(angleOf(minus(to, from)) + turn),
      label,
    };
    const size = { width: Math.max(1, width - 3), height: lengthOr(options.depth, BOX.height) };
    const data = boxData({ ...options, ...size }, placed, newId);
    putNew(draft, at, { kind: 'table', data }, newId);
    wanted = nextName(label);
  }
  return boxes;
}

/** The line of a row: its own bends, or its seats with half a distance more at both ends. */
function lineOf(doc: Doc, row: Item<'row'>): Point[] {
  const { points, smooth, seats } = row.data;
  const absolute = (all: readonly Point[]) => all.map((point) => toAbsolute(doc, row, point));
  if (Array.isArray(points) && points.length > 1)
    return absolute(smooth === true ? smoothed(points) : points);
  if (seats.length < 2) return [];
  const track = trackOf(row.data);
  const half = spacingOf(row.data) / 2;
  const [first, last] = [track.markOf(entryAt(seats, 0)), track.markOf(entryAt(seats, -1))];
  const ends = [track.pointAt(track.walk(first, -half)), track.pointAt(track.walk(last, half))];
  return absolute([entryAt(ends, 0), ...seats, entryAt(ends, 1)]);
}

/** Replaces a row by boxes along its line, so that a tier can follow any curve. */
export function palchiAlong(
  doc: Doc,
  id: string,
  options: Omit<Tier, 'path'>,
  newId: NewId,
): Edit | null {
  const row = rowOf(doc, id);
  if (!row || isLocked(doc, row)) return null;
  const draft = new EditDraft(doc);
  draft.remove(id);
  const categoryKey = options.categoryKey ?? row.data.seats[0]?.categoryKey;
  const made = putTier(draft, row, { ...options, categoryKey, path: lineOf(doc, row) }, newId);
  return made > 0 ? draft.finish('make-palchi', made) : null;
}
