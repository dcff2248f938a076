/**
 * Reads a plan of pretix as a drawing. Zones become sections; fields that only pretix has are
 * stored under `x_pretix`.
 */
import type {
  CategoryData,
  Point,
  RowData,
  SectionData,
  ShapeData,
  TextData,
} from '#server/drawing/model/data.ts';
import { rawOf, type Raw } from '#server/drawing/model/open.ts';
import { cornerOf, makeSubChart, outlineFor, type Inside } from './parts.ts';
import {
  MOST_SEATS,
  UnreadableFile,
  add,
  colorOf,
  numberOf,
  pointOf,
  rawsOf,
  sizeOf,
  textOf,
  turn,
} from './values.ts';

/** All keys except those that a drawing stores elsewhere. */
function rest(raw: Raw, ...known: string[]): Raw {
  return Object.fromEntries(Object.entries(raw).filter(([key]) => !known.includes(key)));
}

interface Reading {
  newId: () => string;
  seen: Set<string>;
  categories: Map<string, CategoryData>;
}

function idOf({ newId, seen }: Reading, raw: Raw): string {
  const own = textOf(raw.uuid);
  const id = own !== '' && !seen.has(own) ? own : newId();
  seen.add(id);
  return id;
}

function readRow(reading: Reading, raw: Raw, zone: Point): RowData {
  const corner = add(zone, pointOf(raw.position));
  const number = textOf(raw.row_number);
  const shown = textOf(raw.row_label);
  return {
    uuid: idOf(reading, raw),
    label: number || '?',
    ...(shown === '' || shown === number ? {} : { displayLabel: shown }),
    x_pretix: rest(raw, 'uuid', 'seats'),
    seats: rawsOf(raw.seats).map((seat) => {
      const key = reading.categories.get(textOf(seat.category))?.key;
      return {
        uuid: idOf(reading, seat),
        ...add(corner, pointOf(seat.position)),
        label: textOf(seat.seat_number) || '?',
        ...(key === undefined ? {} : { categoryKey: key }),
        x_pretix: rest(seat, 'uuid', 'position', ...(key === undefined ? [] : ['category'])),
      };
    }),
  };
}

/**
 * pretix turns an area around its own position: a rectangle's corner, or a round shape's middle.
 */
function shapeOf(raw: Raw, at: Point): Partial<ShapeData> {
  const degrees = numberOf(raw.rotation);
  const [circle, ellipse, polygon] = [raw.circle, raw.ellipse, raw.polygon].map(rawOf) as [
    Raw,
    Raw,
    Raw,
  ];
  if (raw.shape === 'circle' || raw.shape === 'ellipse') {
    const radius = raw.shape === 'circle' ? sizeOf(circle.radius, 20) : 20;
    const { x, y } = raw.shape === 'circle' ? { x: radius, y: radius } : pointOf(ellipse.radius);
    return {
      type: 'ellipse',
      center: at,
      radius1: sizeOf(x, 20),
      radius2: sizeOf(y, 20),
      width: 2 * sizeOf(x, 20),
      height: 2 * sizeOf(y, 20),
      rotationAngle: degrees,
    };
  }
  if (raw.shape === 'polygon') {
    const points = rawsOf(polygon.points).map((point) => add(at, turn(pointOf(point), degrees)));
    return { type: 'polygon', points, rotationAngle: 0 };
  }
  const size = rawOf(raw.rectangle);
  const width = sizeOf(size.width ?? raw.width, 40);
  const height = sizeOf(size.height ?? raw.height, 40);
  return {
    type: 'rectangle',
    center: add(at, turn({ x: width / 2, y: height / 2 }, degrees)),
    width,
    height,
    rotationAngle: degrees,
  };
}

function readArea(reading: Reading, raw: Raw, zone: Point): { shape?: ShapeData; text?: TextData } {
  const at = add(zone, pointOf(raw.position));
  const said = rawOf(raw.text);
  const label = textOf(said.text ?? raw.text);
  const kept = {
    uuid: idOf(reading, raw),
    x_pretix: { ...rest(raw, 'uuid'), ...(textOf(raw.uuid) === '' ? { isNameless: true } : {}) },
  };
  if (raw.shape === 'text')
    return {
      text: {
        ...kept,
        text: label,
        center: add(at, pointOf(said.position)),
        fontSize: sizeOf(said.size, 16),
        rotationAngle: numberOf(raw.rotation),
        textColor: colorOf(said.color, 7),
      },
    };
  return {
    shape: { ...kept, label, fillColor: colorOf(raw.color, 7), ...shapeOf(raw, at) },
  };
}

function readZone(reading: Reading, raw: Raw): Inside & { meta: Raw } {
  const corner = pointOf(raw.position);
  const areas = rawsOf(raw.areas).map((area, place) =>
    readArea(reading, { ...area, place }, corner),
  );
  return {
    meta: rest(raw, 'rows', 'areas'),
    rows: rawsOf(raw.rows).map((row) => readRow(reading, row, corner)),
    shapes: areas.flatMap(({ shape }) => (shape ? [shape] : [])),
    texts: areas.flatMap(({ text }) => (text ? [text] : [])),
  };
}

function sectionFor(reading: Reading, inside: Inside, name: string): SectionData {
  const seats = inside.rows.flatMap((row) => row.seats);
  const points = outlineFor(seats);
  const topLeft = cornerOf(points);
  return {
    uuid: reading.newId(),
    label: name,
    points,
    x_followsSeats: true,
    topLeft,
    labelSize: 24,
    labelRotationAngle: 0,
    subChart: makeSubChart(inside, topLeft),
  };
}

/**
 * The rows of a single zone are put on the floor; of several zones each one with seats becomes a
 * section.
 */
export function drawingOfPretix(value: unknown, newId: () => string): Raw {
  const plan = rawOf(value);
  if (!Array.isArray(plan.zones)) throw new UnreadableFile('not-this-format');
  const categories = rawsOf(plan.categories).map((raw, index) => ({
    key: index + 1,
    label: textOf(raw.name) || `Categoria ${index + 1}`,
    color: colorOf(raw.color, index),
    accessible: false,
    x_pretix: rest(raw, 'name'),
  }));
  const reading: Reading = {
    newId,
    seen: new Set(),
    categories: new Map(categories.map((category) => [category.label, category])),
  };
  const zones = rawsOf(plan.zones).map((zone) => readZone(reading, zone));
  const seats = zones.reduce((sum, { rows }) => sum + rows.flatMap((row) => row.seats).length, 0);
  if (seats === 0) throw new UnreadableFile('no-seats');
  if (seats > MOST_SEATS) throw new UnreadableFile('too-large');
  const floor: Inside = { rows: [], shapes: [], texts: [] };
  const sections: SectionData[] = [];
  for (const [zone, { meta, ...inside }] of zones.entries()) {
    const name = textOf(meta.name) || `Zona ${zone + 1}`;
    const isSection = zones.length > 1 && inside.rows.some((row) => row.seats.length > 0);
    if (isSection) sections.push({ ...sectionFor(reading, inside, name), x_pretix: { zone } });
    else
      for (const list of ['rows', 'shapes', 'texts'] as const)
        for (const object of inside[list]) {
          Object.assign(object, { x_pretix: { ...rawOf(object.x_pretix), zone } });
          floor[list].push(object as never);
        }
  }
  const size = rawOf(plan.size);
  return {
    name: textOf(plan.name) || 'Pianta',
    version: 1,
    venueType: sections.length > 0 ? 'WITH_SECTIONS_AND_FLOORS' : 'SIMPLE',
    x_pretix: {
      ...rest(plan, 'name', 'zones', 'categories'),
      zones: zones.map(({ meta }) => meta),
    },
    categories: { list: categories, maxCategoryKey: categories.length },
    zones: { list: [] },
    subChart: {
      ...makeSubChart(floor, { x: 0, y: 0 }),
      width: sizeOf(size.width, 1000),
      height: sizeOf(size.height, 1000),
      sections,
    },
  };
}
