/** Makes new tables, round and rectangular, and booths. */
import type { BoothData, Doc, Item, TableData } from '#server/drawing/model/data.ts';
import type { Edit } from '#server/drawing/model/edit.ts';
import { make } from '#server/drawing/edit/insert.ts';
import type { At, NewId } from '#server/drawing/edit/targets.ts';
import {
  isPoint,
  lengthOr,
  rounded,
  roundedPoint,
  whole,
} from '#server/drawing/geometry/vector.ts';
import { angle, isBox, keyOf, nameFor, tableData, type Look } from './parts.ts';
import { radiusFor, sidesOf, widthFor, type Sides } from './seats.ts';

interface Booking {
  whole?: boolean;
  variable?: boolean;
}

function bookingOf({ whole: isWhole, variable }: Booking): Partial<TableData> {
  return {
    bookAsAWhole: isWhole === true || variable === true,
    ...(variable === true ? { variableOccupancy: true, minOccupancy: 1 } : {}),
  };
}

const isTable = (item: Item) => item.kind === 'table' && !isBox(item);

export function makeRoundTable(
  doc: Doc,
  options: Look & Booking & { chairs: number; radius?: number; openSpaces?: number },
  newId: NewId,
): Edit | null {
  const { center, label, categoryKey } = options;
  const [chairs, openSpaces] = [
    whole(options.chairs, [1, 60]),
    whole(options.openSpaces ?? 0, [0, 30]),
  ];
  if (!isPoint(center)) return null;
  const item = (at: At) => {
    const shape: TableData = {
      label: nameFor(doc, at, { kind: 'table', label, first: 'T1', accepts: isTable }),
      type: 'round',
      center: roundedPoint(center),
      radius: rounded(lengthOr(options.radius, radiusFor(chairs, openSpaces))),
      autoRadius: false,
      rotationAngle: angle(options.rotation),
      openSpaces,
      ...bookingOf(options),
      seats: [],
    };
    return { kind: 'table', data: tableData(shape, chairs, { categoryKey, newId }) } as const;
  };
  return make(doc, { at: options.at, code: 'make-table', detail: chairs }, { item, newId });
}

export function makeRectangularTable(
  doc: Doc,
  options: Look & Booking & { sides: Sides; width?: number; height?: number },
  newId: NewId,
): Edit | null {
  const { center, label, categoryKey } = options;
  const sides = sidesOf(options.sides);
  const chairs = sides.reduce((sum, count) => sum + count, 0);
  if (!isPoint(center) || chairs === 0) return null;
  const item = (at: At) => {
    const shape: TableData = {
      label: nameFor(doc, at, { kind: 'table', label, first: 'T1', accepts: isTable }),
      type: 'rectangular',
      center: roundedPoint(center),
      width: rounded(lengthOr(options.width, widthFor(Math.max(sides[0], sides[2])))),
      height: rounded(lengthOr(options.height, widthFor(Math.max(sides[1], sides[3])))),
      rotationAngle: angle(options.rotation),
      x_sides: sides,
      ...bookingOf(options),
      seats: [],
    };
    return { kind: 'table', data: tableData(shape, chairs, { categoryKey, newId }) } as const;
  };
  return make(doc, { at: options.at, code: 'make-table', detail: chairs }, { item, newId });
}

export function makeBooth(
  doc: Doc,
  options: Look & { width?: number; height?: number },
  newId: NewId,
): Edit | null {
  const { center, label, categoryKey } = options;
  if (!isPoint(center)) return null;
  const accepts = ({ kind }: Item) => kind === 'booth';
  const item = (at: At) => {
    const data: BoothData = {
      label: nameFor(doc, at, { kind: 'booth', label, first: 'S1', accepts }),
      center: roundedPoint(center),
      width: rounded(lengthOr(options.width, 96)),
      height: rounded(lengthOr(options.height, 64)),
      rotationAngle: angle(options.rotation),
      ...keyOf(categoryKey),
    };
    return { kind: 'booth', data } as const;
  };
  return make(doc, { at: options.at, code: 'make-booth' }, { item, newId });
}
