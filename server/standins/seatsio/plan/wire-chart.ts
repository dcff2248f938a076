/** A plan as our chart.js draws it; wire.ts has the shapes, see WireChart. */
import { isBookedWhole } from './plan.ts';
import { packSeats } from './wire-rows.ts';
import type { DrawingRow, Point, SubChart } from './read-drawing.ts';
import type { Plan, PlanObject } from './plan.ts';
import type { WireCategory, WireChart, WireRow } from '#server/standins/seatsio/wire.ts';
import { entryOf } from '#server/drawing/model/entry.ts';

/** Tenths of a drawing unit. */
function tenths(value: number): number {
  return Math.round(value * 10);
}

function tenthsOf(point: Point): Point {
  return { x: tenths(point.x), y: tenths(point.y) };
}

/** `floor` is set for objects outside of sections; the others are on their section's floor. */
interface Inside {
  plan: Plan;
  section: number;
  floor: number | undefined;
  prefix: string;
  categoryOf: (label: string, drawn: string | null) => number;
}

function looseFloor({ section, floor }: Inside): number | undefined {
  return section < 0 ? floor : undefined;
}

function wireRow(inside: Inside, row: DrawingRow, type: 'row' | 'table'): WireRow {
  const categories = row.seats.map((seat) =>
    inside.categoryOf(`${inside.prefix}${row.label}-${seat.label}`, seat.categoryKey),
  );
  return {
    type,
    section: inside.section,
    floor: looseFloor(inside),
    label: row.label,
    displayLabel: row.displayLabel === row.label ? undefined : row.displayLabel,
    displayObjectType: row.displayObjectType,
    hidesLabel: row.hidesLabel,
    seats: packSeats(row.seats, categories),
  };
}

function wireTables(inside: Inside, part: SubChart): WireRow[] {
  return part.tables.map((table) => {
    const whole = isBookedWhole(table, inside.plan.tables);
    const row = wireRow(inside, table, 'table');
    const category = inside.categoryOf(`${inside.prefix}${table.label}`, table.categoryKey);
    return {
      ...row,
      center: tenthsOf(table.center),
      radius: tenths(table.radius),
      corners: table.corners?.map(tenthsOf),
      bookAsAWhole: whole,
      seats: whole ? { ...row.seats, categories: category } : row.seats,
    };
  });
}

function wirePart(
  inside: Inside,
  part: SubChart,
): Pick<WireChart, 'rows' | 'areas' | 'booths' | 'shapes' | 'texts'> {
  const { section, floor } = inside;
  return {
    rows: [...part.rows.map((row) => wireRow(inside, row, 'row')), ...wireTables(inside, part)],
    areas: part.areas.map(
      ({ label, displayLabel, capacity, bookAsAWhole, categoryKey, shape }) => ({
        section,
        floor: looseFloor(inside),
        label,
        displayLabel,
        category: inside.categoryOf(label, categoryKey),
        capacity,
        bookAsAWhole: bookAsAWhole || undefined,
        shape:
          shape.type === 'polygon'
            ? { type: 'polygon', points: shape.points.map(tenthsOf) }
            : {
                ...shape,
                center: tenthsOf(shape.center),
                radius1: tenths(shape.radius1),
                radius2: tenths(shape.radius2),
              },
      }),
    ),
    booths: part.booths.map(
      ({ label, displayLabel, categoryKey, center, width, height, rotationAngle }) => ({
        section,
        floor: looseFloor(inside),
        label,
        displayLabel,
        category: inside.categoryOf(label, categoryKey),
        center: tenthsOf(center),
        width: tenths(width),
        height: tenths(height),
        rotationAngle,
      }),
    ),
    shapes: part.shapes.map((shape) => ({
      ...shape,
      floor,
      points: shape.points?.map(tenthsOf),
      center: shape.center && tenthsOf(shape.center),
      width: shape.width === undefined ? undefined : tenths(shape.width),
      height: shape.height === undefined ? undefined : tenths(shape.height),
      cornerRadius: shape.cornerRadius === undefined ? undefined : tenths(shape.cornerRadius),
    })),
    texts: part.texts.map((text) => ({
      ...text,
      floor,
      center: tenthsOf(text.center),
      size: tenths(text.size),
    })),
  };
}

interface ChartOfEvent {
  key: string;
  version: number;
  categories: WireCategory[];
  /** Applies the event's own assignment of categories to objects. */
  categoryOf: (object: PlanObject) => string | null;
}

/** The objects outside of sections and then each section, floor by floor. */
function wireParts(plan: Plan, { categories, categoryOf }: ChartOfEvent) {
  const indexOf = new Map(categories.map((category, index) => [category.key, index]));
  const { floors } = plan.drawing;
  const sections = floors.flatMap((floor) => floor.sections);
  const numbers = new Map(sections.map((section, index) => [section, index]));
  return floors
    .flatMap((floor, at) => [
      { section: null, part: floor, at },
      ...floor.sections.map((section) => ({ section, part: section.subChart, at })),
    ])
    .map(({ section, part, at }) => {
      const inside: Inside = {
        plan,
        floor: floorOf(plan, at),
        section: section ? entryOf(numbers, section) : -1,
        prefix: section ? `${section.label}-` : '',
        categoryOf(label, drawn) {
          const object = plan.byLabel.get(label);
          const key = object ? categoryOf(object) : (drawn ?? section?.categoryKey ?? null);
          return key === null ? -1 : (indexOf.get(key) ?? -1);
        },
      };
      return wirePart(inside, part);
    });
}

/** The floor's number; a single floor has none. */
function floorOf({ drawing: { floors } }: Plan, at: number): number | undefined {
  return floors.length > 1 ? at : undefined;
}

function wireFloors({ drawing: { floors } }: Plan): WireChart['floors'] {
  if (floors.length < 2) return undefined;
  return floors.map(({ floor }, at) => ({
    name: floor?.name ?? String(at + 1),
    displayName: floor?.displayName ?? String(at + 1),
  }));
}

function wireSections(plan: Plan): WireChart['sections'] {
  return plan.drawing.floors.flatMap((floor, at) =>
    floor.sections.map(({ label, displayLabel, points, entrance, zone }) => ({
      label,
      displayLabel,
      floor: floorOf(plan, at),
      points: points.map(tenthsOf),
      entrance,
      zone,
    })),
  );
}

export function wireChart(plan: Plan, chart: ChartOfEvent): WireChart {
  const parts = wireParts(plan, chart);
  const { floors } = plan.drawing;
  const focalPoint = floors.find((floor) => floor.focalPoint)?.focalPoint;
  return {
    key: chart.key,
    name: plan.drawing.name,
    version: chart.version,
    width: tenths(Math.max(0, ...floors.map((floor) => floor.width))),
    height: tenths(Math.max(0, ...floors.map((floor) => floor.height))),
    focalPoint: focalPoint ? tenthsOf(focalPoint) : null,
    categories: chart.categories,
    zones: plan.zones.length > 0 ? plan.zones.map(({ key, label }) => ({ key, label })) : undefined,
    floors: wireFloors(plan),
    sections: wireSections(plan),
    rows: parts.flatMap((part) => part.rows),
    areas: parts.flatMap((part) => part.areas),
    booths: parts.flatMap((part) => part.booths),
    shapes: parts.flatMap((part) => part.shapes),
    texts: parts.flatMap((part) => part.texts),
  };
}
