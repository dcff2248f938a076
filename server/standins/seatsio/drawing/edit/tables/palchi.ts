/** The boxes of a theatre: cells with chairs, one or a whole tier. */
import type { Doc, Key, Point, TableData } from '#server/standins/seatsio/drawing/model/data.ts';
import { EditDraft, type Edit } from '#server/standins/seatsio/drawing/model/edit.ts';
import { make, putNew } from '#server/standins/seatsio/drawing/edit/insert.ts';
import { Names, lastName, nextName } from '#server/standins/seatsio/drawing/edit/names.ts';
import { placeOf, type At, type NewId } from '#server/standins/seatsio/drawing/edit/targets.ts';
import { bentTrack } from '#server/standins/seatsio/drawing/geometry/track.ts';
import {
  angleOf,
  distance,
  isPoint,
  lengthOr,
  minus,
  rounded,
  roundedPoint,
  whole,
} from '#server/standins/seatsio/drawing/geometry/vector.ts';
import { isBox, nameFor, tableData, type Look } from './parts.ts';

interface Box {
  chairs: number;
  width: number;
  height: number;
  tier?: string;
  categoryKey?: Key | null;
}

/** Nothing of it is drawn as a table: its radius is nought. */
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

/** A tier of boxes side by side along a line; the hall lies on its left hand, where their parapets are. */
export function makePalchi(
  doc: Doc,
  options: {
    at: At;
    path: readonly Point[];
    boxes: number;
    chairs: number;
    depth?: number;
    tier?: string;
    categoryKey?: Key | null;
    firstLabel?: string;
  },
  newId: NewId,
): Edit | null {
  const at = placeOf(doc, options.at);
  const path = options.path.filter(
    (point, index) => index === 0 || distance(point, options.path[index - 1]!) > 0.5,
  );
  if (!at || path.length < 2 || !path.every(isPoint)) return null;
  const boxes = whole(options.boxes, [1, 100]);
  const track = bentTrack(path);
  const width = track.markOf(path.at(-1)!) / boxes;
  const draft = new EditDraft(doc);
  const names = new Names(doc);
  const last = lastName(doc, at, isBox);
  let wanted = options.firstLabel || (last === null ? '1' : nextName(last));
  for (let box = 0; box < boxes; box += 1) {
    const label = names.claim({ kind: 'table', section: at.section }, wanted);
    const [from, to] = [track.pointAt(box * width), track.pointAt((box + 1) * width)];
    const placed = {
      center: track.pointAt((box + 0.5) * width),
      rotation: angleOf(minus(to, from)),
      label,
    };
    const size = { width: Math.max(1, width - 3), height: lengthOr(options.depth, BOX.height) };
    putNew(
      draft,
      at,
      { kind: 'table', data: boxData({ ...options, ...size }, placed, newId) },
      newId,
    );
    wanted = nextName(label);
  }
  return draft.finish('make-palchi', boxes);
}
