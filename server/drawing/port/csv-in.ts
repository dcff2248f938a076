/**
 * Reads a table of seats as a drawing: at their coordinates, or without coordinates as rows
 * behind each other.
 */
import type {
  Centred,
  AreaData,
  BoothData,
  CategoryData,
  Point,
  RowData,
  SeatData,
  TableData,
} from '#server/drawing/model/data.ts';
import type { Raw } from '#server/drawing/model/open.ts';
import { CSV_FLAGS } from './csv-out.ts';
import { csvCount, csvFlag, csvNumber, type CsvColumn } from './csv-columns.ts';
import { cornerOf, makeSubChart, outlineFor, tableAround } from './parts.ts';
import { MOST_SEATS, UnreadableFile, colorOf, subtract, textOf, tidy } from './values.ts';
import { entryAt } from '#server/drawing/model/entry.ts';
import { distance } from '#server/drawing/geometry/vector.ts';

interface CsvLine {
  /** The line's number in a spreadsheet. */
  line: number;
  cells: Partial<Record<CsvColumn, string>>;
}
/** A table by its known columns; its lines come in pieces. */
interface CsvTable {
  columns: ReadonlyMap<CsvColumn, number>;
  pieces: Iterable<CsvLine[]>;
}

/** A line that was not used: it names no seat, or one that exists already. */
interface CsvRefusal {
  line: number;
  reason: 'no-seat' | 'twice' | 'no-capacity';
}
interface CsvDrawing {
  drawing: Raw;
  refused: CsvRefusal[];
  /** True if the file has no coordinates, so that we placed the rows. */
  isLaidOut: boolean;
}

interface ListedSeat {
  [key: string]: unknown;
  label: string;
  x: number | null;
  y: number | null;
  gate: string;
}
interface Holder {
  floor: string;
  section: string;
  kind: string;
  label: string;
  displayLabel: string;
  seats: ListedSeat[];
}

interface Reading {
  newId: () => string;
  refused: CsvRefusal[];
  categories: Map<string, CategoryData>;
  holders: Map<string, Holder>;
  things: {
    floor: string;
    section: string;
    data: Centred<AreaData | BoothData>;
    isArea: boolean;
  }[];
  seen: Set<string>;
  ids: Set<string>;
}

function keyOf({ categories }: Reading, name: string): number | undefined {
  if (name === '') return undefined;
  const known = categories.get(name);
  if (known) return known.key as number;
  const key = categories.size + 1;
  categories.set(name, { key, label: name, color: colorOf('', key - 1), accessible: false });
  return key;
}

/** The ids of a table that we wrote are kept, so that companions' seats stay paired. */
function idOf({ ids, newId }: Reading, { cells }: CsvLine): string {
  const own = textOf(cells.id);
  const id = own === '' || ids.has(own) ? newId() : own;
  ids.add(id);
  return id;
}

function refuse(reading: Reading, { line }: CsvLine, reason: CsvRefusal['reason']): void {
  reading.refused.push({ line, reason });
}

function readThing(reading: Reading, line: CsvLine, isArea: boolean): void {
  const { cells } = line;
  const capacity = csvCount(cells.capienza);
  if (isArea && capacity === null) return refuse(reading, line, 'no-capacity');
  const radius = 20 + 4 * Math.sqrt(capacity ?? 0);
  const shown = textOf(cells['fila mostrata']);
  const gate = textOf(cells.varco);
  const data = {
    uuid: idOf(reading, line),
    label: textOf(cells.fila) || textOf(cells.posto),
    ...(shown === '' ? {} : { displayLabel: shown }),
    categoryKey: keyOf(reading, textOf(cells.categoria)) ?? null,
    center: { x: csvNumber(cells.x) ?? 0, y: csvNumber(cells.y) ?? 0 },
    ...(gate === '' ? {} : { entrance: gate }),
    rotationAngle: 0,
    ...(isArea
      ? { capacity, type: 'circle', radius1: radius, radius2: radius, bookAsAWhole: false }
      : { width: 40, height: 40 }),
  } as Centred<AreaData | BoothData>;
  if (data.label === '') return refuse(reading, line, 'no-seat');
  reading.things.push({
    floor: textOf(cells.piano),
    section: textOf(cells.settore),
    data,
    isArea,
  });
}

function readSeat(reading: Reading, line: CsvLine, kind: string): void {
  const { cells } = line;
  const [floor, section, label, seat] = (['piano', 'settore', 'fila', 'posto'] as const).map(
    (column) => textOf(cells[column]),
  ) as [string, string, string, string];
  if (label === '' || seat === '') return refuse(reading, line, 'no-seat');
  const full = JSON.stringify([section, label, seat]);
  if (reading.seen.has(full)) return refuse(reading, line, 'twice');
  reading.seen.add(full);
  const under = JSON.stringify([floor, section, kind, label]);
  const holder = reading.holders.get(under) ?? {
    floor,
    section,
    kind,
    label,
    displayLabel: textOf(cells['fila mostrata']),
    seats: [],
  };
  reading.holders.set(under, holder);
  const key = keyOf(reading, textOf(cells.categoria));
  const shown = textOf(cells['posto mostrato']);
  const flags = Object.entries(CSV_FLAGS).flatMap(([column, flag]) =>
    csvFlag(cells[column as keyof typeof CSV_FLAGS]) ? [[flag, true] as const] : [],
  );
  holder.seats.push({
    uuid: idOf(reading, line),
    label: seat,
    ...(shown === '' ? {} : { displayLabel: shown }),
    x: csvNumber(cells.x),
    y: csvNumber(cells.y),
    ...(key === undefined ? {} : { categoryKey: key }),
    ...Object.fromEntries(flags),
    gate: textOf(cells.varco),
  });
}

const numerically = new Intl.Collator('it', { numeric: true });

/** Puts seats in numeric order, because a table sorted as text has seat 10 before seat 2. */
function inOrder(holder: Holder): Holder['seats'] {
  const natural = holder.seats.toSorted((a, b) => numerically.compare(a.label, b.label));
  const asText = holder.seats.every(
    ({ label }, index) => index === 0 || entryAt(holder.seats, index - 1).label < label,
  );
  return asText ? natural : holder.seats;
}

const [PITCH, DEPTH] = [24, 36];

/** Places each section below the last one, with rows behind each other and centred. */
function layOut(holders: Holder[]): void {
  let y = 100;
  let section: string | null = null;
  for (const holder of holders) {
    if (section !== null && holder.section !== section) y += 2 * DEPTH;
    section = holder.section;
    const middle = (holder.seats.length - 1) / 2;
    for (const [index, seat] of holder.seats.entries())
      Object.assign(seat, { x: 500 + (index - middle) * PITCH, y });
    y += DEPTH;
  }
}

function spotOf({ x, y }: ListedSeat): Point {
  return { x: x ?? 0, y: y ?? 0 };
}

function stepsBetween(points: readonly Point[]): number[] {
  return points.slice(1).map((point, at) => distance(entryAt(points, at), point));
}

/**
 * Scales coordinates in metres or centimetres, so that the usual distance becomes that of a
 * drawing.
 */
function scaleUp(holders: Holder[]): void {
  const steps = holders
    .flatMap(({ seats }) => stepsBetween(seats.map(spotOf)))
    .filter((step) => step > 0)
    .toSorted((a, b) => a - b);
  const pitch = steps[Math.floor(steps.length / 2)] ?? PITCH;
  if (pitch >= 8 && pitch <= 200) return;
  for (const { seats } of holders)
    for (const seat of seats)
      Object.assign(seat, {
        x: tidy((spotOf(seat).x * PITCH) / pitch),
        y: tidy((spotOf(seat).y * PITCH) / pitch),
      });
}

function rowOf({ newId }: Reading, { label, displayLabel, seats }: Holder): RowData {
  const gates = new Set(seats.map(({ gate }) => gate));
  const [gate = ''] = gates.size === 1 ? gates : [];
  return {
    uuid: newId(),
    label,
    ...(displayLabel === '' ? {} : { displayLabel }),
    ...(gate === '' ? {} : { entrance: gate }),
    seats: seats.map(({ gate: own, ...seat }): SeatData => {
      const entrance = own === '' || own === gate ? {} : { entrance: own };
      return { ...(seat as SeatData), ...entrance };
    }),
  };
}

interface Part {
  rows: RowData[];
  tables: Centred<TableData>[];
  areas: Centred<AreaData>[];
  booths: Centred<BoothData>[];
}

function partOf(reading: Reading, floor: string, section: string): Part {
  const here = [...reading.holders.values()].filter(
    (holder) => holder.floor === floor && holder.section === section,
  );
  const things = reading.things.filter(
    (thing) => thing.floor === floor && thing.section === section,
  );
  return {
    rows: here.filter(({ kind }) => kind === 'fila').map((holder) => rowOf(reading, holder)),
    tables: here
      .filter(({ kind }) => kind === 'tavolo')
      .map((holder) => tableAround(rowOf(reading, holder))),
    areas: things.flatMap(({ isArea, data }) => (isArea ? [data as Centred<AreaData>] : [])),
    booths: things.flatMap(({ isArea, data }) => (isArea ? [] : [data as Centred<BoothData>])),
  };
}

/** The contents of a floor or section, measured from its corner. */
function subChartOf({ rows, tables, areas, booths }: Part, origin: Point): Raw {
  const centred = <T extends { center: Point }>(data: T): T => ({
    ...data,
    center: subtract(data.center, origin),
  });
  return {
    ...makeSubChart({ rows, shapes: [], texts: [] }, origin),
    tables: tables.map((table) => ({
      ...centred(table),
      seats: table.seats.map((seat) => ({ ...seat, ...subtract(seat, origin) })),
    })),
    generalAdmissionAreas: areas.map(centred),
    booths: booths.map(centred),
  };
}

function sectionOf(reading: Reading, label: string, part: Part): Raw {
  const { rows, tables, areas, booths } = part;
  const seats = [...rows, ...tables].flatMap((holder) => holder.seats);
  const points = outlineFor([...seats, ...[...areas, ...booths].map(({ center }) => center)]);
  const topLeft = cornerOf(points);
  return {
    uuid: reading.newId(),
    label,
    points,
    x_followsSeats: true,
    topLeft,
    labelSize: 24,
    labelRotationAngle: 0,
    subChart: subChartOf(part, topLeft),
  };
}

function floorOf(reading: Reading, floor: string): Raw {
  const names = [...reading.holders.values(), ...reading.things]
    .filter((held) => held.floor === floor)
    .map(({ section }) => section);
  const sections = [...new Set(names)].filter((name) => name !== '');
  return {
    ...subChartOf(partOf(reading, floor, ''), { x: 0, y: 0 }),
    sections: sections.map((name) => sectionOf(reading, name, partOf(reading, floor, name))),
    ...(floor === '' ? {} : { floorName: floor, floorDisplayName: floor }),
  };
}

/** @throws UnreadableFile when its columns are unknown or it has no seat */
export function drawingOfCsv({ columns, pieces }: CsvTable, newId: () => string): CsvDrawing {
  if (!columns.has('fila') || !columns.has('posto')) throw new UnreadableFile('not-this-format');
  const reading: Reading = {
    newId,
    refused: [],
    categories: new Map(),
    holders: new Map(),
    things: [],
    seen: new Set(),
    ids: new Set(),
  };
  const lines = [...pieces].flat();
  if (lines.length > MOST_SEATS) throw new UnreadableFile('too-large');
  for (const line of lines) {
    const kind = textOf(line.cells.tipo).toLowerCase();
    if (kind === 'area' || kind === 'séparé') readThing(reading, line, kind === 'area');
    else readSeat(reading, line, kind === 'tavolo' ? 'tavolo' : 'fila');
  }
  const holders = [...reading.holders.values()];
  if (holders.length + reading.things.length === 0) throw new UnreadableFile('no-seats');
  const isLaidOut = holders.some(({ seats }) => seats.some(({ x, y }) => x === null || y === null));
  for (const holder of holders) holder.seats = inOrder(holder);
  if (isLaidOut) layOut(holders);
  else scaleUp(holders);
  const floors = [...new Set([...holders, ...reading.things].map(({ floor }) => floor))];
  const drawn = floors.map((floor) => floorOf(reading, floor));
  const categories = [...reading.categories.values()];
  const hasSections = drawn.some(({ sections }) => (sections as Raw[]).length > 0);
  return {
    drawing: {
      name: 'Pianta',
      version: 1,
      venueType: hasSections || drawn.length > 1 ? 'WITH_SECTIONS_AND_FLOORS' : 'SIMPLE',
      categories: { list: categories, maxCategoryKey: categories.length },
      zones: { list: [] },
      ...(drawn.length === 1 && floors[0] === ''
        ? { subChart: drawn[0] }
        : { subChartFloors: drawn }),
    },
    refused: reading.refused,
    isLaidOut,
  };
}
