/** Every act of the designer with arguments that dice choose, possible and impossible ones. */
import { FLAGS } from '#server/drawing/model/flags.ts';
import { setAisle } from '#server/drawing/edit/rows/aisle.ts';
import {
  makeArea,
  makeEllipse,
  movePoint,
  addPoint,
  removePoint,
  resizeItem,
} from '#server/drawing/edit/areas.ts';
import { alignSelection, distributeSelection } from '#server/drawing/edit/arrange.ts';
import {
  addCategory,
  changeCategory,
  paint,
  removeCategory,
  replaceCategory,
} from '#server/drawing/edit/categories.ts';
import { copyClip, readClip } from '#server/drawing/edit/clip.ts';
import { pairCompanion, unpairCompanion } from '#server/drawing/edit/companions.ts';
import { duplicateSelection, gridCopy, pasteClip, ringCopy } from '#server/drawing/edit/copy.ts';
import { makeIcon, makeImage, makeShape, makeStage, makeText } from '#server/drawing/edit/decor.ts';
import {
  scaleFromLine,
  setFields,
  setFlag,
  setFocalPoint,
  setScale,
  setSeatFields,
} from '#server/drawing/edit/fields.ts';
import {
  addFloor,
  fitFloor,
  moveToFloor,
  orderFloors,
  removeFloor,
  renameFloor,
} from '#server/drawing/edit/floors.ts';
import {
  groupSelection,
  hideSelection,
  layerSelection,
  lockSelection,
  ungroupSelection,
} from '#server/drawing/edit/group.ts';
import { addZone, changeZone, putIntoZone, removeZone } from '#server/drawing/edit/zones.ts';
import { removeSelection } from '#server/drawing/edit/remove.ts';
import { makeRow, makeRowBlock, makeSegmentedRow } from '#server/drawing/edit/rows/make.ts';
import { joinRows, reverseRows, splitRow, swapLabels } from '#server/drawing/edit/rows/parts.ts';
import { insertSeat, resizeRow, stretchRow } from '#server/drawing/edit/rows/resize.ts';
import {
  curveRows,
  setRowPoints,
  setSpacing,
  smoothRows,
  straightenRows,
} from '#server/drawing/edit/rows/shape.ts';
import {
  dissolveSection,
  fitSection,
  makeSection,
  moveIntoSection,
  sectionAround,
} from '#server/drawing/edit/sections.ts';
import { changeTable, setBooking } from '#server/drawing/edit/tables/change.ts';
import {
  makeBooth,
  makeRectangularTable,
  makeRoundTable,
} from '#server/drawing/edit/tables/make.ts';
import { makePalco, palchiAlong } from '#server/drawing/edit/tables/palchi.ts';
import { withGroups, type At } from '#server/drawing/edit/targets.ts';
import {
  mirrorSelection,
  moveSelection,
  rotateSelection,
  scaleSelection,
} from '#server/drawing/edit/transform.ts';
import { seatsOf, selectItems, type Selection } from '#server/drawing/model/selection.ts';
import type { Doc, Key, Kind, Point } from '#server/drawing/model/data.ts';
import type { Edit } from '#server/drawing/model/edit.ts';
import type { Drawn } from './drawn.ts';

export class Dice {
  readonly #numbers: readonly number[];
  #at = 0;

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
  }

  /** A whole number from `least` to `most`. */
  int(least: number, most: number): number {
    this.#at += 1;
    const number = this.#numbers[this.#at % this.#numbers.length]! + this.#at * 7;
    return least + (number % (most - least + 1));
  }

  of<T>(list: readonly T[]): T {
    return list[this.int(0, list.length - 1)]!;
  }

  point(): Point {
    return { x: this.int(0, 1500), y: this.int(0, 1500) };
  }

  at(doc: Doc): At {
    const sections = this.ids(doc, 'section');
    const isInside = this.int(0, 2) === 0 && sections.length > 0;
    return { floor: this.of(doc.floors).id, section: isInside ? this.of(sections) : null };
  }

  ids(doc: Doc, ...kinds: Kind[]): string[] {
    return [...doc.items.values()].flatMap(({ id, kind }) => (kinds.includes(kind) ? [id] : []));
  }

  /** One of these kinds, or none that exists. */
  id(doc: Doc, ...kinds: Kind[]): string {
    return this.of(this.ids(doc, ...kinds)) ?? 'nothing';
  }

  some(ids: readonly string[]): string[] {
    return Array.from({ length: Math.min(ids.length, this.int(1, 4)) }, () => this.of(ids));
  }

  selection(doc: Doc): Selection {
    const items = new Set(this.some([...doc.items.keys()]));
    const seated = this.ids(doc, 'row', 'table').filter((id) => !items.has(id));
    const seats = this.int(0, 1) === 0 ? [] : this.some(seated);
    return {
      items,
      seats: new Map(
        seats.map((id) => {
          const last = Math.max(0, seatsOf(doc.items.get(id)).length - 1);
          return [id, new Set([this.int(0, last), this.int(0, last)])];
        }),
      ),
    };
  }

  key(doc: Doc): Key | null {
    return this.int(0, 4) === 0 ? null : (this.of(doc.categories)?.key ?? null);
  }

  corners(): Point[] {
    const { x, y } = this.point();
    const [width, height] = [this.int(0, 400), this.int(0, 400)];
    return [
      { x, y },
      { x: x + width, y },
      { x: x + width, y: y + height },
      { x, y: y + height },
    ];
  }
}

type Acts = Record<string, (drawn: Drawn, dice: Dice) => Edit | null>;

const making: Acts = {
  row: ({ doc, newId }, dice) =>
    makeRow(
      doc,
      {
        at: dice.at(doc),
        from: dice.point(),
        to: dice.point(),
        curve: dice.int(-200, 200),
        categoryKey: dice.key(doc),
        ...(dice.int(0, 1) === 0 ? { seats: dice.int(0, 40) } : { spacing: dice.int(10, 40) }),
      },
      newId,
    ),
  segmented: ({ doc, newId }, dice) =>
    makeSegmentedRow(
      doc,
      {
        at: dice.at(doc),
        points: [dice.point(), dice.point(), dice.point()],
        smooth: dice.int(0, 1) === 0,
      },
      newId,
    ),
  block: ({ doc, newId }, dice) =>
    makeRowBlock(
      doc,
      {
        at: dice.at(doc),
        origin: dice.point(),
        rows: dice.int(1, 8),
        seats: [dice.int(1, 15), dice.int(1, 15)],
        curve: dice.int(-60, 60),
        stagger: dice.int(0, 12),
        skew: dice.int(-10, 10),
        rotation: dice.int(-180, 180),
        align: dice.of(['start', 'middle', 'end'] as const),
        categoryKey: dice.key(doc),
      },
      newId,
    ),
  'round table': ({ doc, newId }, dice) =>
    makeRoundTable(
      doc,
      {
        at: dice.at(doc),
        center: dice.point(),
        chairs: dice.int(0, 12),
        openSpaces: dice.int(0, 3),
        whole: dice.int(0, 1) === 0,
        variable: dice.int(0, 2) === 0,
        rotation: dice.int(0, 90),
        categoryKey: dice.key(doc),
      },
      newId,
    ),
  'rectangular table': ({ doc, newId }, dice) =>
    makeRectangularTable(
      doc,
      {
        at: dice.at(doc),
        center: dice.point(),
        sides: [dice.int(0, 4), dice.int(0, 2), dice.int(0, 4), 0],
        categoryKey: dice.key(doc),
      },
      newId,
    ),
  palco: ({ doc, newId }, dice) =>
    makePalco(
      doc,
      {
        at: dice.at(doc),
        center: dice.point(),
        chairs: dice.int(1, 8),
        tier: 'I',
        categoryKey: dice.key(doc),
      },
      newId,
    ),
  booth: ({ doc, newId }, dice) =>
    makeBooth(doc, { at: dice.at(doc), center: dice.point(), categoryKey: dice.key(doc) }, newId),
  area: ({ doc, newId }, dice) =>
    makeArea(
      doc,
      {
        at: dice.at(doc),
        points: dice.corners(),
        capacity: dice.int(-5, 400),
        categoryKey: dice.key(doc),
      },
      newId,
    ),
  ellipse: ({ doc, newId }, dice) =>
    makeEllipse(
      doc,
      {
        at: dice.at(doc),
        center: dice.point(),
        radius1: dice.int(-2, 90),
        radius2: dice.int(1, 90),
        categoryKey: dice.key(doc),
      },
      newId,
    ),
  section: ({ doc, newId }, dice) =>
    makeSection(
      doc,
      {
        floor: dice.at(doc).floor,
        points: dice.corners(),
        take: dice.int(0, 1) === 0,
        categoryKey: dice.key(doc),
      },
      newId,
    ),
  'section around': ({ doc, newId }, dice) =>
    sectionAround(doc, dice.selection(doc), { categoryKey: dice.key(doc) }, newId),
  floor: ({ doc, newId }, dice) =>
    addFloor(doc, dice.int(0, 1) === 0 ? {} : { name: 'Galleria' }, newId),
  text: ({ doc, newId }, dice) =>
    makeText(doc, { at: dice.at(doc), center: dice.point(), text: 'Ingresso' }, newId),
  shape: ({ doc, newId }, dice) =>
    makeShape(
      doc,
      {
        at: dice.at(doc),
        type: dice.of(['rectangle', 'ellipse', 'polygon', 'line'] as const),
        center: dice.point(),
        points: dice.corners(),
        rotation: dice.int(0, 360),
      },
      newId,
    ),
  stage: ({ doc, newId }, dice) =>
    makeStage(doc, { at: dice.at(doc), center: dice.point(), width: 300, height: 80 }, newId),
  icon: ({ doc, newId }, dice) =>
    makeIcon(doc, { at: dice.at(doc), center: dice.point(), iconType: 'bar' }, newId),
  image: ({ doc, newId }, dice) =>
    makeImage(
      doc,
      {
        at: dice.at(doc),
        center: dice.point(),
        width: 90,
        height: 60,
        href: 'data:image/png;base64,AA==',
      },
      newId,
    ),
};

const hands: Acts = {
  move: ({ doc }, dice) =>
    moveSelection(doc, withGroups(doc, dice.selection(doc)), {
      dx: dice.int(-90, 90),
      dy: dice.int(-90, 90),
    }),
  rotate: ({ doc }, dice) => rotateSelection(doc, dice.selection(doc), dice.int(-180, 180)),
  scale: ({ doc }, dice) =>
    scaleSelection(doc, dice.selection(doc), {
      x: dice.int(50, 200) / 100,
      y: dice.int(50, 200) / 100,
    }),
  mirror: ({ doc }, dice) =>
    mirrorSelection(doc, dice.selection(doc), dice.of(['horizontal', 'vertical'] as const)),
  align: ({ doc }, dice) =>
    alignSelection(
      doc,
      dice.selection(doc),
      dice.of(['left', 'center', 'right', 'top', 'middle', 'bottom'] as const),
    ),
  distribute: ({ doc }, dice) =>
    distributeSelection(
      doc,
      dice.selection(doc),
      dice.of(['horizontal', 'vertical'] as const),
      dice.int(0, 1) === 0 ? undefined : dice.int(0, 50),
    ),
  delete: ({ doc }, dice) => removeSelection(doc, dice.selection(doc)),
  duplicate: ({ doc, newId }, dice) =>
    duplicateSelection(doc, dice.selection(doc), { dx: dice.int(-90, 90), dy: 40 }, newId),
  paste: ({ doc, newId }, dice) => {
    const clip = readClip(JSON.parse(JSON.stringify(copyClip(doc, dice.selection(doc)))));
    return (
      clip &&
      pasteClip(
        doc,
        clip,
        { at: dice.at(doc), ...(dice.int(0, 1) === 0 ? { to: dice.point() } : {}) },
        newId,
      )
    );
  },
  grid: ({ doc, newId }, dice) =>
    gridCopy(
      doc,
      dice.selection(doc),
      { columns: dice.int(0, 3), rows: dice.int(1, 3), dx: 60, dy: 60 },
      newId,
    ),
  ring: ({ doc, newId }, dice) =>
    ringCopy(
      doc,
      dice.selection(doc),
      { count: dice.int(1, 3), degrees: 30, pivot: dice.point() },
      newId,
    ),
  group: ({ doc, newId }, dice) => groupSelection(doc, dice.selection(doc), newId),
  ungroup: ({ doc }, dice) => ungroupSelection(doc, dice.selection(doc)),
  lock: ({ doc }, dice) => lockSelection(doc, dice.selection(doc), dice.int(0, 2) === 0),
  hide: ({ doc }, dice) => hideSelection(doc, dice.selection(doc), dice.int(0, 1) === 0),
  layer: ({ doc }, dice) =>
    layerSelection(
      doc,
      dice.selection(doc),
      dice.of(['front', 'forward', 'backward', 'back'] as const),
    ),
};

const rows: Acts = {
  resize: ({ doc, newId }, dice) =>
    resizeRow(doc, dice.id(doc, 'row'), dice.of(['start', 'end'] as const), dice.int(0, 30), newId),
  stretch: ({ doc }, dice) =>
    stretchRow(
      doc,
      dice.id(doc, 'row'),
      dice.int(0, 1) === 0 ? { start: dice.point() } : { end: dice.point() },
    ),
  insert: ({ doc, newId }, dice) => insertSeat(doc, dice.id(doc, 'row'), dice.int(0, 12), newId),
  curve: ({ doc }, dice) => curveRows(doc, dice.some(dice.ids(doc, 'row')), dice.int(-100, 100)),
  straighten: ({ doc }, dice) => straightenRows(doc, dice.some(dice.ids(doc, 'row'))),
  smooth: ({ doc }, dice) => smoothRows(doc, dice.some(dice.ids(doc, 'row'))),
  points: ({ doc }, dice) =>
    setRowPoints(doc, dice.id(doc, 'row'), [dice.point(), dice.point(), dice.point()]),
  spacing: ({ doc }, dice) => setSpacing(doc, dice.some(dice.ids(doc, 'row')), dice.int(5, 50)),
  aisle: ({ doc }, dice) =>
    setAisle(
      doc,
      dice.some(dice.ids(doc, 'row')).map((id) => ({ id, after: dice.int(0, 10) })),
      dice.of([null, 'as-is', 30, 60] as const),
      dice.of(['start', 'middle', 'end'] as const),
    ),
  split: ({ doc, newId }, dice) => splitRow(doc, dice.id(doc, 'row'), dice.int(0, 10), newId),
  join: ({ doc }, dice) => joinRows(doc, dice.some(dice.ids(doc, 'row'))),
  reverse: ({ doc }, dice) => reverseRows(doc, dice.some(dice.ids(doc, 'row'))),
  swap: ({ doc }, dice) => swapLabels(doc, dice.some(dice.ids(doc, 'row'))),
};

const others: Acts = {
  'change table': ({ doc, newId }, dice) =>
    changeTable(
      doc,
      dice.id(doc, 'table'),
      {
        chairs: dice.int(0, 14),
        ...(dice.int(0, 1) === 0 ? { radius: dice.int(0, 60), width: 80 } : {}),
      },
      newId,
    ),
  booking: ({ doc }, dice) =>
    setBooking(
      doc,
      dice.some(dice.ids(doc, 'table', 'area')),
      dice.of(['seats', 'whole', 'variable'] as const),
      dice.int(0, 500),
    ),
  'palchi along': ({ doc, newId }, dice) =>
    palchiAlong(doc, dice.id(doc, 'row'), { boxes: dice.int(0, 9), chairs: dice.int(1, 5) }, newId),
  'move point': ({ doc }, dice) =>
    movePoint(doc, dice.id(doc, 'area', 'section', 'shape'), dice.int(0, 5), dice.point()),
  'add point': ({ doc }, dice) =>
    addPoint(doc, dice.id(doc, 'area', 'section', 'shape'), dice.int(0, 3), dice.point()),
  'remove point': ({ doc }, dice) =>
    removePoint(doc, dice.id(doc, 'area', 'section', 'shape'), dice.int(0, 3)),
  'resize item': ({ doc }, dice) =>
    resizeItem(doc, dice.id(doc, 'booth', 'area', 'shape', 'image'), {
      width: dice.int(-5, 200),
      height: dice.int(0, 100),
    }),
  'into section': ({ doc }, dice) =>
    moveIntoSection(doc, dice.selection(doc), dice.at(doc).section),
  dissolve: ({ doc }, dice) => dissolveSection(doc, dice.id(doc, 'section')),
  'fit section': ({ doc }, dice) => fitSection(doc, dice.id(doc, 'section')),
  'rename floor': ({ doc }, dice) =>
    renameFloor(doc, dice.of(doc.floors).id, dice.of(['', 'Platea', 'Galleria'])),
  'order floors': ({ doc }) => orderFloors(doc, doc.floors.map(({ id }) => id).toReversed()),
  'remove floor': ({ doc }, dice) => removeFloor(doc, dice.of(doc.floors).id),
  'add zone': ({ doc }, dice) => addZone(doc, dice.selection(doc)),
  'into zone': ({ doc }, dice) =>
    putIntoZone(doc, dice.selection(doc), dice.of([null, ...doc.zones.map(({ key }) => key)])),
  'change zone': ({ doc }, dice) =>
    changeZone(doc, dice.of(['no', ...doc.zones.map(({ key }) => key)]), {
      label: dice.of(['', 'Zona 1', 'Sud']),
      focalPoint: dice.of([null, { x: 3, y: 4 }, { x: NaN, y: 0 }]),
    }),
  'remove zone': ({ doc }, dice) =>
    removeZone(doc, dice.of(['no', ...doc.zones.map(({ key }) => key)])),
  'to floor': ({ doc }, dice) => moveToFloor(doc, dice.selection(doc), dice.of(doc.floors).id),
  'fit floor': ({ doc }, dice) => fitFloor(doc, dice.of(doc.floors).id),
  paint: ({ doc }, dice) => paint(doc, dice.selection(doc), dice.key(doc)),
  'add category': ({ doc }, dice) =>
    addCategory(doc, { label: dice.of(['Galleria', 'Loggione', ' ']), color: '#123456' }),
  'change category': ({ doc }, dice) =>
    changeCategory(doc, dice.key(doc) ?? 'none', { color: dice.of(['#ff0000', '#00ff00']) }),
  'remove category': ({ doc }, dice) =>
    removeCategory(doc, dice.key(doc) ?? 'none', { replaceBy: dice.key(doc) }),
  'replace category': ({ doc }, dice) =>
    replaceCategory(
      doc,
      dice.key(doc) ?? 'none',
      dice.key(doc),
      dice.int(0, 1) === 0 ? dice.selection(doc) : undefined,
    ),
  pair: ({ doc, newId }, dice) =>
    pairCompanion(
      doc,
      { id: dice.id(doc, 'row', 'table'), position: dice.int(0, 5) },
      { id: dice.id(doc, 'row', 'table'), position: dice.int(0, 5) },
      newId,
    ),
  unpair: ({ doc }, dice) =>
    unpairCompanion(doc, { id: dice.id(doc, 'row', 'table'), position: dice.int(0, 5) }),
  flag: ({ doc }, dice) =>
    setFlag(doc, dice.selection(doc), dice.of(FLAGS)[0], dice.int(0, 1) === 0),
  entrance: ({ doc }, dice) =>
    setFields(doc, dice.selection(doc).items, { entrance: dice.of(['A', 'B', undefined]) }),
  'seat entrance': ({ doc }, dice) => setSeatFields(doc, dice.selection(doc), { entrance: 'C' }),
  'focal point': ({ doc }, dice) =>
    setFocalPoint(doc, dice.of(doc.floors).id, dice.int(0, 1) === 0 ? null : dice.point()),
  'scale of the hall': ({ doc }, dice) => setScale(doc, dice.of([null, 0, -1, 2.5])),
  'measured scale': ({ doc }, dice) =>
    scaleFromLine(doc, dice.point(), dice.point(), dice.int(0, 900)),
  nothing: ({ doc }) => removeSelection(doc, selectItems(['nobody'])),
};

export const ACTS = [making, making, hands, rows, others].flatMap((acts) => Object.entries(acts));
