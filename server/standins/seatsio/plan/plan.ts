/**
 * A drawing flattened into the objects that can be sold; computed once per chart version and way
 * of selling tables.
 */
import { distanceBetween } from '#server/drawing/quality/rank.ts';
import type {
  Drawing,
  DrawingCategory,
  DrawingRow,
  DrawingSeat,
  DrawingSection,
  DrawingZone,
  Point,
} from './read-drawing.ts';
import { meanOf } from '#server/drawing/model/places.ts';

type ObjectType = 'seat' | 'generalAdmission' | 'table' | 'booth';

/** Everything about an object that sales do not change. */
export interface PlanObject {
  /** `[section-]row-seat`, `[section-]table`, or the label of an area or booth. */
  label: string;
  displayedLabel: string;
  objectType: ObjectType;
  labels: {
    own: { label: string; type: ObjectType };
    parent?: { label: string; type: 'row' | 'table' };
    section?: string;
    entrance?: { label: string };
  };
  ids: { own: string; parent?: string; section?: string };
  /** `[section-]row`: the label of a whole row where a list names rows. */
  parentLabel?: string;
  parentDisplayedObjectType?: string;
  categoryKey: string | null;
  section?: string;
  zone?: string;
  entrance?: string;
  floor?: { name: string; displayName: string };
  left?: string;
  right?: string;
  /** Absolute, in drawing units. */
  at: Point;
  distance?: number;
  /** How many steps best available moves the object forward (negative) or back. */
  priority: number;
  flags: number;
  capacity: number;
  bookAsAWhole: boolean;
  variableOccupancy: boolean;
  minOccupancy: number;
  numSeats?: number;
  /** Whether the table is drawn as sold whole; clients see this even if an event overrides it. */
  drawnAsAWhole?: boolean;
}

export interface Plan {
  drawing: Drawing;
  tables: TableBooking;
  categories: DrawingCategory[];
  zones: DrawingZone[];
  hasFocalPoint: boolean;
  /** Sorted by label. */
  objects: PlanObject[];
  byLabel: Map<string, PlanObject>;
}

export interface TableBooking {
  mode: 'INHERIT' | 'ALL_BY_TABLE' | 'ALL_BY_SEAT' | 'CUSTOM';
  tables?: Record<string, 'BY_TABLE' | 'BY_SEAT'>;
}

/** Whether best available can measure distances, from each floor's or each zone's focal point. */
export function hasFocalPoint({ floors, zones }: Drawing): boolean {
  return (
    floors.some(({ focalPoint }) => focalPoint !== null) ||
    (zones.length > 0 && zones.every(({ focalPoint }) => focalPoint !== null))
  );
}

export function isBookedWhole(
  table: { label: string; bookAsAWhole: boolean },
  tables: TableBooking,
): boolean {
  if (tables.mode === 'CUSTOM')
    return tables.tables && Object.hasOwn(tables.tables, table.label)
      ? tables.tables[table.label] === 'BY_TABLE'
      : table.bookAsAWhole;
  return tables.mode === 'INHERIT' ? table.bookAsAWhole : tables.mode === 'ALL_BY_TABLE';
}

interface Place {
  section: DrawingSection | null;
  focalPoint: Point | null;
  floor?: { name: string; displayName: string };
}

/** The fields that all objects of a section share. */
function placeOf(place: Place, at: Point) {
  const { section } = place;
  return {
    at: { x: at.x, y: at.y },
    section: section?.label,
    zone: section?.zone,
    floor: place.floor,
    distance: place.focalPoint ? distanceBetween(place.focalPoint, at) : undefined,
    bookAsAWhole: false,
    variableOccupancy: false,
    minOccupancy: 1,
    capacity: 1,
    flags: 0,
    priority: section?.priority ?? 0,
  };
}

function entranceLabel(entrance: string | undefined): { entrance?: { label: string } } {
  return entrance === undefined ? {} : { entrance: { label: entrance } };
}

function flattenSeats(place: Place, parent: DrawingRow, type: 'row' | 'table'): PlanObject[] {
  const { section } = place;
  const prefix = section ? `${section.label}-` : '';
  const prefixShown = section ? `${section.displayLabel}-` : '';
  const nameOf = (seat: DrawingSeat) => `${prefix}${parent.label}-${seat.label}`;
  const nameAt = (index: number) => {
    const seat = parent.seats[index];
    return seat && nameOf(seat);
  };
  return parent.seats.map((seat, index) => ({
    ...placeOf(place, seat),
    label: nameOf(seat),
    displayedLabel: `${prefixShown}${parent.displayLabel}-${seat.displayLabel}`,
    objectType: 'seat',
    labels: {
      own: { label: seat.displayLabel, type: 'seat' },
      parent: { label: parent.displayLabel, type },
      ...(section ? { section: section.displayLabel } : {}),
      ...entranceLabel(seat.entrance ?? section?.entrance),
    },
    ids: { own: seat.label, parent: parent.label, ...(section ? { section: section.label } : {}) },
    parentLabel: `${prefix}${parent.label}`,
    parentDisplayedObjectType: parent.displayObjectType,
    categoryKey: seat.categoryKey ?? section?.categoryKey ?? null,
    entrance: seat.entrance ?? section?.entrance,
    flags: seat.flags,
    priority: seat.priority ?? parent.priority ?? section?.priority ?? 0,
    left: parent.seats[index - 1]?.gapAfter ? undefined : nameAt(index - 1),
    right: seat.gapAfter ? undefined : nameAt(index + 1),
  }));
}

/** The objects without a parent: tables, booths and areas. An area always keeps its own label. */
function flattenWhole(
  place: Place,
  thing: {
    label: string;
    displayLabel: string;
    categoryKey: string | null;
    entrance?: string;
    priority?: number;
  },
  objectType: ObjectType,
  at: Point,
): PlanObject {
  const { section } = place;
  const prefixed = objectType === 'table' && section;
  return {
    ...placeOf(place, at),
    label: prefixed ? `${section.label}-${thing.label}` : thing.label,
    displayedLabel: prefixed ? `${section.displayLabel}-${thing.displayLabel}` : thing.displayLabel,
    objectType,
    labels: {
      own: { label: thing.displayLabel, type: objectType },
      ...(section ? { section: section.displayLabel } : {}),
      ...entranceLabel(thing.entrance ?? section?.entrance),
    },
    ids: { own: thing.label, ...(section ? { section: section.label } : {}) },
    categoryKey: thing.categoryKey ?? section?.categoryKey ?? null,
    priority: thing.priority ?? section?.priority ?? 0,
    entrance: thing.entrance ?? section?.entrance,
  };
}

function flattenPlace(
  place: Place,
  part: DrawingSection['subChart'],
  tables: TableBooking,
): PlanObject[] {
  return [
    ...part.rows.flatMap((row) => flattenSeats(place, row, 'row')),
    ...part.tables.flatMap((table) =>
      isBookedWhole(table, tables)
        ? [
            {
              ...flattenWhole(place, table, 'table', table.center),
              bookAsAWhole: true,
              drawnAsAWhole: table.bookAsAWhole,
              numSeats: table.seats.length,
            },
          ]
        : flattenSeats(place, table, 'table'),
    ),
    ...part.booths.map((booth) => flattenWhole(place, booth, 'booth', booth.center)),
    ...part.areas.map((area) => ({
      ...flattenWhole(
        place,
        area,
        'generalAdmission',
        area.shape.type === 'circle' ? area.shape.center : meanOf(area.shape.points),
      ),
      capacity: area.capacity,
      bookAsAWhole: area.bookAsAWhole,
      variableOccupancy: area.variableOccupancy,
      minOccupancy: area.minOccupancy,
    })),
  ];
}

/** Floor by floor. A floor without a focal point uses that of the section's zone. */
export function listObjects(drawing: Drawing, tables: TableBooking): PlanObject[] {
  const zoneFocalPoints = new Map(drawing.zones.map(({ key, focalPoint }) => [key, focalPoint]));
  return drawing.floors.flatMap((floor) =>
    [
      { section: null, part: floor },
      ...floor.sections.map((section) => ({ section, part: section.subChart })),
    ].flatMap(({ section, part }) => {
      const focalPoint =
        floor.focalPoint ??
        (section?.zone === undefined ? null : (zoneFocalPoints.get(section.zone) ?? null));
      return flattenPlace({ section, focalPoint, floor: floor.floor }, part, tables);
    }),
  );
}

/** Of two objects with one label only the first counts; the chart's validation reports them. */
export function flattenDrawing(drawing: Drawing, tables: TableBooking): Plan {
  const byLabel = new Map<string, PlanObject>();
  for (const object of listObjects(drawing, tables)) {
    if (!byLabel.has(object.label)) byLabel.set(object.label, object);
  }
  return {
    drawing,
    tables,
    categories: drawing.categories,
    zones: drawing.zones,
    byLabel,
    hasFocalPoint: hasFocalPoint(drawing),
    // No label occurs twice.
    objects: [...byLabel.values()].sort((a, b) => (a.label < b.label ? -1 : 1)),
  };
}
