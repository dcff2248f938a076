/** The rows that a person agreed to, as a drawing: colours become categories, texts and large marks come along. */
import type {
  CategoryData,
  RowData,
  SeatData,
  SectionData,
  ShapeData,
  TableData,
  TextData,
} from '#server/standins/seatsio/drawing/model/data.ts';
import type { Raw } from '#server/standins/seatsio/drawing/model/open.ts';
import { makeSubChart, outlineFor } from '../parts.ts';
import { colorOf, tidy, groupBy } from '../values.ts';
import type { Found, FoundRow, FoundSeat } from './found.ts';
import { seatMarks } from './write.ts';

export interface MakeOptions {
  newId: () => string;
  /** Units of the drawing for one of the picture; where it is left out neighbours come to stand 24 apart. */
  scale?: number;
  /** Names of the colours that are categories; a colour without one stays unpainted. */
  categories: ReadonlyMap<string, string>;
  hasTexts: boolean;
  hasOutlines: boolean;
}

interface Making extends MakeOptions {
  factor: number;
  keys: Map<string, CategoryData>;
}

function nameOf({ categories }: Making, { own, color }: FoundSeat): string {
  return own ? own.category : (categories.get(color) ?? '');
}

function keyOf(making: Making, seat: FoundSeat): number | undefined {
  const name = nameOf(making, seat);
  if (name === '') return undefined;
  const known = making.keys.get(name);
  if (known) return known.key as number;
  const key = making.keys.size + 1;
  making.keys.set(name, {
    key,
    label: name,
    color: colorOf(seat.color, key - 1),
    accessible: false,
  });
  return key;
}

function makeRow(making: Making, row: FoundRow): RowData {
  const [first] = row.seats;
  const shown = first?.own?.rowShown ?? '';
  const entrance = first?.own?.rowEntrance ?? '';
  return {
    uuid: making.newId(),
    label: row.label,
    ...(shown === '' ? {} : { displayLabel: shown }),
    ...(entrance === '' ? {} : { entrance }),
    seats: row.seats.map((seat, at): SeatData => {
      const key = keyOf(making, seat);
      return {
        uuid: making.newId(),
        x: tidy(seat.x * making.factor),
        y: tidy(seat.y * making.factor),
        label: seat.label,
        ...(key === undefined ? {} : { categoryKey: key }),
        ...(row.gaps.has(at) ? { x_gapAfter: true } : {}),
        ...(seat.own ? seatMarks(seat.own.marks) : {}),
        ...(seat.own?.shown ? { displayLabel: seat.own.shown } : {}),
        ...(seat.own?.entrance ? { entrance: seat.own.entrance } : {}),
      };
    }),
  };
}

function asTable(row: RowData): TableData {
  const { seats } = row;
  const center = {
    x: tidy(seats.reduce((sum, { x }) => sum + x / seats.length, 0)),
    y: tidy(seats.reduce((sum, { y }) => sum + y / seats.length, 0)),
  };
  const reach = Math.max(...seats.map(({ x, y }) => Math.hypot(x - center.x, y - center.y)));
  return {
    ...row,
    type: 'round',
    center,
    radius: Math.max(12, tidy(reach - 16)),
    autoRadius: false,
    rotationAngle: 0,
    openSpaces: 0,
    bookAsAWhole: false,
  };
}

interface Holders {
  rows: RowData[];
  tables: TableData[];
}

function holdersOf(making: Making, rows: readonly FoundRow[]): Holders {
  const isTable = ({ seats }: FoundRow) => seats[0]?.own?.isTable === true;
  return {
    rows: rows.filter((row) => !isTable(row)).map((row) => makeRow(making, row)),
    tables: rows.filter(isTable).map((row) => asTable(makeRow(making, row))),
  };
}

function partOf({ rows, tables }: Holders, origin: { x: number; y: number }): Raw {
  const asRows = makeSubChart({ rows: tables, shapes: [], texts: [] }, origin).rows as TableData[];
  return {
    ...makeSubChart({ rows, shapes: [], texts: [] }, origin),
    tables: asRows.map((table) => ({
      ...table,
      center: { x: tidy(table.center!.x - origin.x), y: tidy(table.center!.y - origin.y) },
    })),
  };
}

function makeSection(making: Making, label: string, rows: readonly FoundRow[]): SectionData {
  const holders = holdersOf(making, rows);
  const points = outlineFor([...holders.rows, ...holders.tables].flatMap(({ seats }) => seats));
  const topLeft = {
    x: Math.min(...points.map(({ x }) => x)),
    y: Math.min(...points.map(({ y }) => y)),
  };
  return {
    uuid: making.newId(),
    label,
    points,
    topLeft,
    labelSize: 24,
    labelRotationAngle: 0,
    subChart: partOf(holders, topLeft),
  };
}

function makeTexts({ newId, factor }: Making, { texts }: Found): TextData[] {
  return texts.map(({ text, x, y, size }) => ({
    uuid: newId(),
    text,
    center: { x: tidy(x * factor), y: tidy(y * factor) },
    fontSize: tidy(Math.max(6, size * factor)),
    rotationAngle: 0,
  }));
}

function makeShapes({ newId, factor }: Making, { outlines }: Found): ShapeData[] {
  return outlines.map(({ points, color }) => ({
    uuid: newId(),
    type: 'polygon',
    points: points.map(({ x, y }) => ({ x: tidy(x * factor), y: tidy(y * factor) })),
    fillColor: /^#[\da-f]{6}$/.test(color) ? color : '#80808033',
  }));
}

export function drawingOfFound(found: Found, options: MakeOptions): Raw {
  const kept = found.rows.filter(({ isKept, seats }) => isKept && seats.length > 0);
  const factor = options.scale ?? 24 / (found.pitch || 24);
  const making: Making = { ...options, factor, keys: new Map() };
  const bySection = groupBy(kept, ({ section }) => section);
  const sections = [...bySection].flatMap(([label, rows]) =>
    label === '' ? [] : [makeSection(making, label, rows)],
  );
  const loose = partOf(holdersOf(making, bySection.get('') ?? []), { x: 0, y: 0 });
  const categories = [...making.keys.values()];
  return {
    name: 'Pianta',
    version: 1,
    venueType: sections.length > 0 ? 'WITH_SECTIONS_AND_FLOORS' : 'SIMPLE',
    categories: { list: categories, maxCategoryKey: categories.length },
    zones: { list: [] },
    subChart: {
      ...loose,
      sections,
      texts: options.hasTexts ? makeTexts(making, found) : [],
      shapes: options.hasOutlines ? makeShapes(making, found) : [],
    },
  };
}
