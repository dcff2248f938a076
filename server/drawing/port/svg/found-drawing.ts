/**
 * Makes a drawing from the rows that a person accepted. Colours become categories; texts and
 * large marks are included.
 */
import type {
  Centred,
  AreaData,
  BoothData,
  CategoryData,
  Point,
  RowData,
  SeatData,
  SectionData,
  ShapeData,
  TableData,
  TextData,
} from '#server/drawing/model/data.ts';
import type { Raw } from '#server/drawing/model/open.ts';
import { cornerOf, makeSubChart, outlineFor, tableAround } from '#server/drawing/port/parts.ts';
import { colorOf, tidy } from '#server/drawing/port/values.ts';
import type { Found, FoundRow, FoundSeat } from './found.ts';
import type { OutlineMark, OwnOutline } from './marks.ts';
import { seatMarks } from './write.ts';

interface MakeOptions {
  newId: () => string;
  /** Units of the drawing per unit of the picture; left out, neighbours are 24 apart. */
  scale?: number;
  /** The names of colours that become categories; other colours are not used. */
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

function keyOf(making: Making, name: string, color: string): number | undefined {
  if (name === '') return undefined;
  const known = making.keys.get(name);
  if (known) return known.key as number;
  const key = making.keys.size + 1;
  making.keys.set(name, {
    key,
    label: name,
    color: colorOf(color, key - 1),
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
      const key = keyOf(making, nameOf(making, seat), seat.color);
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

function makeTable(making: Making, row: FoundRow): Centred<TableData> {
  const around = tableAround(makeRow(making, row));
  if (!row.table) return around;
  const [width, height] = [row.table.width, row.table.height].map((side) =>
    tidy(side * making.factor),
  ) as [number, number];
  const center = scaled(making, row.table.center);
  const isRound = Math.max(width, height) < 1.25 * Math.min(width, height);
  if (isRound) return { ...around, center, radius: tidy(Math.max(width, height) / 2) };
  const { radius: _, autoRadius: __, ...rest } = around;
  return { ...rest, type: 'rectangular', center, width, height };
}

interface Holders {
  rows: RowData[];
  tables: Centred<TableData>[];
}

function holdersOf(making: Making, rows: readonly FoundRow[]): Holders {
  const isTable = ({ seats, table }: FoundRow) =>
    table !== undefined || seats[0]?.own?.isTable === true;
  return {
    rows: rows.filter((row) => !isTable(row)).map((row) => makeRow(making, row)),
    tables: rows.filter(isTable).map((row) => makeTable(making, row)),
  };
}

function partOf({ rows, tables }: Holders, origin: { x: number; y: number }): Raw {
  const asRows = makeSubChart({ rows: tables, shapes: [], texts: [] }, origin)
    .rows as Centred<TableData>[];
  return {
    ...makeSubChart({ rows, shapes: [], texts: [] }, origin),
    tables: asRows.map((table) => ({
      ...table,
      center: { x: tidy(table.center.x - origin.x), y: tidy(table.center.y - origin.y) },
    })),
  };
}

/**
 * Our own pictures contain sections' outlines; for other pictures one is drawn around the rows.
 */
function makeSection(making: Making, found: Found, label: string): SectionData {
  const rows = found.rows.filter(({ section }) => section === label);
  const holders = holdersOf(making, rows);
  const own = found.outlines.find((outline) => isOf(outline, 'section', label));
  const points = own
    ? own.points.map((point) => scaled(making, point))
    : outlineFor([...holders.rows, ...holders.tables].flatMap(({ seats }) => seats));
  const entrance = own?.own?.entrance ?? '';
  const topLeft = cornerOf(points);
  return {
    uuid: making.newId(),
    label,
    points,
    ...(own ? {} : { x_followsSeats: true }),
    topLeft,
    ...(entrance === '' ? {} : { entrance }),
    labelSize: 24,
    labelRotationAngle: 0,
    subChart: partOf(holders, topLeft),
  };
}

function isOf({ own }: OutlineMark, kind: OwnOutline['kind'], label: string): boolean {
  return own?.kind === kind && own.label === label;
}

function scaled({ factor }: Making, { x, y }: Point): Point {
  return { x: tidy(x * factor), y: tidy(y * factor) };
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

/** Sections use their own outlines; areas and séparés are sold. */
function makeOutlines(making: Making, { outlines }: Found): Raw {
  const of = (...kinds: OwnOutline['kind'][]) =>
    outlines.filter(({ own }) => kinds.includes(own?.kind ?? 'shape'));
  const named = (mark: OutlineMark) => {
    const points = mark.points.map((point) => scaled(making, point));
    const box = boxOf(points);
    const { own } = mark;
    const key = own ? keyOf(making, own.category, mark.color) : undefined;
    return {
      data: {
        uuid: making.newId(),
        label: own?.label ?? '',
        ...(key === undefined ? {} : { categoryKey: key }),
        ...(own?.entrance ? { entrance: own.entrance } : {}),
        center: own?.at ? scaled(making, own.at) : box.center,
        rotationAngle: 0,
      },
      points,
      box,
      mark,
    };
  };
  return {
    shapes: of('shape', 'stage').map((mark): ShapeData => {
      const { data, points } = named(mark);
      return {
        ...data,
        type: 'polygon',
        points,
        ...(mark.own?.kind === 'stage' ? { smartType: 'stage' } : {}),
        fillColor: /^#[\da-f]{6}$/.test(mark.color) ? mark.color : '#80808033',
      };
    }),
    generalAdmissionAreas: of('area').map((mark): AreaData => {
      const { data, points } = named(mark);
      return {
        ...data,
        type: 'polygon',
        points,
        capacity: mark.own?.capacity,
        bookAsAWhole: false,
      };
    }),
    booths: of('booth').map((mark): BoothData => {
      const { data, box } = named(mark);
      return { ...data, width: box.width, height: box.height };
    }),
  };
}

function boxOf(points: readonly Point[]): { center: Point; width: number; height: number } {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [left, right, top, bottom] = [
    Math.min(...xs),
    Math.max(...xs),
    Math.min(...ys),
    Math.max(...ys),
  ];
  return {
    center: { x: tidy((left + right) / 2), y: tidy((top + bottom) / 2) },
    width: tidy(right - left),
    height: tidy(bottom - top),
  };
}

export function drawingOfFound(found: Found, options: MakeOptions): Raw {
  const kept = found.rows.filter(({ isKept, seats }) => isKept && seats.length > 0);
  const factor = options.scale ?? 24 / (found.pitch || 24);
  const making: Making = { ...options, factor, keys: new Map() };
  const names = new Set(kept.map(({ section }) => section));
  const sections = [...names].flatMap((label) =>
    label === '' ? [] : [makeSection(making, { ...found, rows: kept }, label)],
  );
  const alone = kept.filter(({ section }) => section === '');
  const loose = partOf(holdersOf(making, alone), { x: 0, y: 0 });
  const things = options.hasOutlines ? makeOutlines(making, found) : {};
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
      ...things,
    },
  };
}
