/**
 * Draws a floor as an SVG picture, for printing and for our own import, which reads every place
 * from it.
 */
import { FLAGS } from '#server/drawing/model/flags.ts';
import { meanOf } from '#server/drawing/model/places.ts';
import { type Doc, type Item, type Point, type SeatData } from '#server/drawing/model/data.ts';
import { isInside } from '#server/drawing/geometry/hull.ts';
import { isRaw, rawOf } from '#server/drawing/model/open.ts';
import { originOf } from '#server/drawing/model/selection.ts';
import {
  add,
  colorOf,
  numberOf,
  pointOf,
  rawsOf,
  textOf,
  tidy,
  groupBy,
} from '#server/drawing/port/values.ts';
import {
  categoryUnder,
  itemsOnFloor,
  sectionOf,
  walkSeats,
  type WalkedSeat,
} from '#server/drawing/port/walk.ts';
import { entryAt } from '#server/drawing/model/entry.ts';

interface SvgLook {
  /** Draws the seats' numbers and the rows' names. */
  hasLabels: boolean;
  /**
   * Draws seats in their categories' colours with a legend; otherwise in outline, for a printer
   * without colours.
   */
  hasColors: boolean;
  /** The title above the picture. */
  title?: string;
}

type Attributes = Record<string, string | number | undefined>;

/** Escapes a text and removes the characters that XML forbids. */
function escape(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cs}\p{Cn}]/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function tag(name: string, attributes: Attributes, ...inside: string[]): string {
  const written = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined || value === ''
      ? []
      : [` ${key}="${typeof value === 'number' ? tidy(value) : escape(value)}"`],
  );
  const open = `<${name}${written.join('')}`;
  return inside.length === 0 ? `${open}/>` : `${open}>${inside.join('')}</${name}>`;
}

function label(text: string, { x, y }: Point, size: number, more: Attributes = {}): string {
  if (text === '') return '';
  return tag(
    'text',
    {
      x,
      y,
      'font-size': size,
      'text-anchor': 'middle',
      'dominant-baseline': 'central',
      fill: '#1b1f27',
      ...more,
    },
    escape(text),
  );
}

function turned(degrees: number, { x, y }: Point): string | undefined {
  return degrees === 0 ? undefined : `rotate(${tidy(degrees)} ${tidy(x)} ${tidy(y)})`;
}

function pointsOf(points: readonly Point[]): string {
  return points.map(({ x, y }) => `${tidy(x)},${tidy(y)}`).join(' ');
}

/** The marks of a seat that are not visible in the picture. */
const MARKS = [...FLAGS.map(([flag]) => flag), 'x_gapAfter'] as const;

function marksOf(seat: SeatData): string {
  return MARKS.filter((mark) => seat[mark] === true).join(' ');
}

/** Reads the marks that `marksOf` wrote. */
export function seatMarks(text: string): Partial<SeatData> {
  const words = new Set(text.split(' '));
  return Object.fromEntries(MARKS.filter((mark) => words.has(mark)).map((mark) => [mark, true]));
}

/** A radius at which neighbours do not touch. */
function radiusOf(seats: readonly Point[]): number {
  const steps = seats
    .slice(1)
    .map((seat, at) => Math.hypot(seat.x - entryAt(seats, at).x, seat.y - entryAt(seats, at).y))
    .filter((step) => step > 1);
  return Math.min(14, steps.length === 0 ? 9 : steps.reduce((a, b) => Math.min(a, b)) * 0.42);
}

interface Writing {
  doc: Doc;
  look: SvgLook;
  /** Points of all drawn objects, for the picture's frame. */
  corners: Point[];
}

function writeSeat({ look }: Writing, walked: WalkedSeat, radius: number): string {
  const { seat, at, category } = walked;
  const named = {
    'data-seat': textOf(seat.label),
    'data-shown-seat': textOf(seat.displayLabel),
    'data-category': category?.label,
    'data-gate': textOf(seat.entrance),
    'data-marks': marksOf(seat),
    'data-id': textOf(seat.uuid),
  };
  const paint = {
    fill: look.hasColors ? colorOf(category?.color, 7) : '#ffffff',
    stroke: seat.accessible ? '#1b1f27' : '#5b6270',
    'stroke-width': seat.accessible ? 2 : 0.6,
  };
  const circle = tag('circle', { cx: at.x, cy: at.y, r: radius, ...paint, ...named });
  if (!look.hasLabels) return circle;
  const size = radius * (textOf(seat.label).length > 2 ? 0.75 : 1);
  return `${circle}${label(textOf(seat.displayLabel) || textOf(seat.label), at, size, {
    fill: look.hasColors ? inkOn(colorOf(category?.color, 7)) : '#1b1f27',
  })}`;
}

/** Black or white, whichever is easier to read. */
function inkOn(color: string): string {
  const channel = (at: number) => Number.parseInt(color.slice(at, at + 2), 16);
  return 0.299 * channel(1) + 0.587 * channel(3) + 0.114 * channel(5) > 140 ? '#1b1f27' : '#ffffff';
}

/** Writes the row's name before the first and after the last seat. */
function rowEnds(seats: readonly WalkedSeat[], text: string, radius: number): string {
  const spot = (end: Point, inner: Point): Point => {
    const [x, y] = [end.x - inner.x, end.y - inner.y];
    const length = Math.hypot(x, y) || 1;
    return { x: end.x + (x / length) * radius * 2.6, y: end.y + (y / length) * radius * 2.6 };
  };
  const [first, last] = [entryAt(seats, 0).at, entryAt(seats, -1).at];
  const second = seats[1]?.at ?? { x: first.x + 1, y: first.y };
  const before = seats.at(-2)?.at ?? { x: last.x - 1, y: last.y };
  const look = { 'font-weight': 'bold', 'data-name-of-row': text };
  return (
    label(text, spot(first, second), radius * 1.3, look) +
    label(text, spot(last, before), radius * 1.3, look)
  );
}

function writeHolder(
  writing: Writing,
  item: Extract<Item, { kind: 'row' | 'table' }>,
  seats: readonly WalkedSeat[],
): string {
  const { data, kind } = item;
  const name = textOf(data.label);
  const radius = radiusOf(seats.map(({ at }) => at));
  writing.corners.push(...seats.map(({ at }) => at));
  const section = sectionOf(writing.doc, item);
  const inside = seats.map((seat) => writeSeat(writing, seat, radius));
  if (item.kind === 'table') inside.unshift(writeBlock(writing, item, {}));
  else if (writing.look.hasLabels && seats.length > 0)
    inside.push(rowEnds(seats, textOf(data.displayLabel) || name, radius));
  return tag(
    'g',
    {
      [kind === 'row' ? 'data-row' : 'data-table']: name || '?',
      'data-section': textOf(section?.data.label),
      'data-shown': textOf(data.displayLabel),
      'data-entrance': textOf(data.entrance),
      'data-id': textOf(data.uuid),
    },
    ...inside,
  );
}

/** Writes an object with an outline, and its name in the middle. */
function writeBlock(writing: Writing, item: Item, more: Attributes): string {
  const origin = originOf(writing.doc, item);
  const { data } = item;
  const degrees = numberOf(data.rotationAngle);
  const paint = {
    fill: textOf(data.fillColor) === '' ? '#f1f1ee' : hexOf(data.fillColor),
    stroke: '#8a8f99',
    'stroke-width': 1,
    ...more,
  };
  const corners = rawsOf(data.points).map((point) => add(pointOf(point), origin));
  const center = isRaw(data.center) ? add(pointOf(data.center), origin) : meanOf(corners);
  const name = label(textOf(data.displayLabel) || textOf(data.label), center, 14, {
    // A transparent ground shows the white paper.
    fill: inkOn(paint.fill.length === 7 && !more['fill-opacity'] ? paint.fill : '#ffffff'),
  });
  if (corners.length > 2) {
    writing.corners.push(...corners);
    return tag('polygon', { points: pointsOf(corners), ...paint }) + name;
  }
  const isRound =
    typeof data.radius1 === 'number' || ['round', 'ellipse', 'circle'].includes(textOf(data.type));
  const radius = numberOf(data.radius, 20);
  const [width, height] = isRound
    ? [
        2 * numberOf(data.radius1, numberOf(data.width, 2 * radius) / 2),
        2 * numberOf(data.radius2, numberOf(data.height, 2 * radius) / 2),
      ]
    : [numberOf(data.width, 40), numberOf(data.height, 40)];
  const reach = Math.hypot(width, height) / 2;
  writing.corners.push(add(center, { x: -reach, y: -reach }), add(center, { x: reach, y: reach }));
  const transform = turned(degrees, center);
  const shape = isRound
    ? tag('ellipse', {
        cx: center.x,
        cy: center.y,
        rx: width / 2,
        ry: height / 2,
        transform,
        ...paint,
      })
    : tag('rect', {
        x: center.x - width / 2,
        y: center.y - height / 2,
        width,
        height,
        rx: numberOf(data.cornerRadius),
        transform,
        ...paint,
      });
  return shape + name;
}

function hexOf(value: unknown): string {
  const text = textOf(value);
  return /^#(?:[\da-f]{3}|[\da-f]{6}|[\da-f]{8})$/i.test(text) ? text : '#f1f1ee';
}

function writeText(writing: Writing, item: Extract<Item, { kind: 'text' }>): string {
  const at = add(pointOf(item.data.center), originOf(writing.doc, item));
  writing.corners.push(at);
  return label(
    textOf(item.data.text) || textOf(item.data.label),
    at,
    numberOf(item.data.fontSize, 16),
    {
      transform: turned(numberOf(item.data.rotationAngle), at),
      fill: hexOf(item.data.textColor ?? '#1b1f27'),
      'data-text': 'yes',
    },
  );
}

function writeItem(writing: Writing, item: Item, seats: Map<string, WalkedSeat[]>): string {
  const { doc } = writing;
  switch (item.kind) {
    case 'row':
    case 'table':
      return writeHolder(writing, item, seats.get(item.id) ?? []);
    case 'text':
      return writeText(writing, item);
    case 'section':
      return tag(
        'g',
        {
          'data-outline': textOf(item.data.label) || '?',
          'data-entrance': textOf(item.data.entrance),
        },
        writeSection(writing, item),
      );
    case 'area':
    case 'booth': {
      const section = sectionOf(doc, item);
      const category = categoryUnder(doc, item.data.categoryKey ?? section?.data.categoryKey);
      return tag(
        'g',
        {
          [`data-${item.kind}`]: textOf(item.data.label) || '?',
          'data-section': textOf(section?.data.label),
          'data-category': category?.label,
          'data-entrance': textOf(item.data.entrance),
          'data-at': isRaw(item.data.center) ? centerOf(doc, item) : undefined,
          'data-capacity': item.kind === 'area' ? numberOf(item.data.capacity) : undefined,
        },
        writeBlock(
          writing,
          item,
          writing.look.hasColors ? { 'fill-opacity': 0.35, fill: colorOf(category?.color, 7) } : {},
        ),
      );
    }
    case 'shape':
      return tag(
        'g',
        {
          'data-shape': textOf(item.data.smartType) || 'shape',
          'data-name': textOf(item.data.label),
        },
        writeBlock(writing, item, {}),
      );
    default:
      return '';
  }
}

function centerOf(doc: Doc, item: Item): string {
  const { x, y } = add(pointOf(item.data.center), originOf(doc, item));
  return `${x} ${y}`;
}

/** Writes a section with its name above it, where there are no seats. */
function writeSection(writing: Writing, { data }: Extract<Item, { kind: 'section' }>): string {
  const points = rawsOf(data.points).map(pointOf);
  if (points.length === 0) return '';
  writing.corners.push(...points);
  const top = points.reduce((a, b) => (b.y < a.y ? b : a));
  const middle = meanOf(points);
  // The middle of a ring lies in another section.
  const { x } = isInside(points, middle) ? middle : top;
  return (
    tag('polygon', {
      points: pointsOf(points),
      fill: '#f7f7f4',
      stroke: '#c9ccd2',
      'stroke-width': 1,
    }) + label(textOf(data.displayLabel) || textOf(data.label), { x, y: top.y - 9 }, 14)
  );
}

/** Writes the categories and their numbers of seats under the picture. */
function writeLegend(seats: readonly WalkedSeat[], at: Point): { svg: string; height: number } {
  const counts = groupBy(seats, ({ category }) => category);
  const lines = [...counts].flatMap(([category, { length }], index) => {
    const y = at.y + index * 22;
    const name = `${category?.label ?? 'Senza categoria'} (${length})`;
    return [
      tag('rect', {
        x: at.x,
        y: y - 7,
        width: 14,
        height: 14,
        rx: 3,
        fill: colorOf(category?.color, 7),
      }),
      label(name, { x: at.x + 22, y }, 13, { 'text-anchor': 'start' }),
    ];
  });
  return { svg: tag('g', { 'data-legend': 'yes' }, ...lines), height: counts.size * 22 };
}

const MARGIN = 30;

/** Kinds in the order in which they are drawn: sections and shapes lie under the rest. */
const FROM_BELOW = ['section', 'shape', 'area', 'booth', 'table', 'row', 'text'] as const;

export function svgOf(doc: Doc, floor: string, look: SvgLook): string {
  const writing: Writing = { doc, look, corners: [] };
  const walked = walkSeats(doc, floor);
  const seats = groupBy(walked, ({ holder }) => holder.id);
  const items = itemsOnFloor(doc, floor).filter(({ data }) => data.x_hidden !== true);
  const body = FROM_BELOW.flatMap((kind) =>
    items.filter((item) => item.kind === kind).map((item) => writeItem(writing, item, seats)),
  );
  const xs = writing.corners.map(({ x }) => x);
  const ys = writing.corners.map(({ y }) => y);
  const least = (values: number[]) => values.reduce((a, b) => Math.min(a, b), Infinity);
  const most = (values: number[]) => values.reduce((a, b) => Math.max(a, b), -Infinity);
  const isEmpty = writing.corners.length === 0;
  const [left, top] = isEmpty ? [0, 0] : [least(xs) - MARGIN, least(ys) - MARGIN];
  const width = isEmpty ? 400 : most(xs) + MARGIN - left;
  const bottom = isEmpty ? 100 : most(ys) + MARGIN;
  const head = look.title ? 50 : 0;
  const legend =
    look.hasColors && walked.length > 0
      ? writeLegend(walked, { x: left + MARGIN, y: bottom + 10 })
      : { svg: '', height: 0 };
  const height = bottom - top + head + legend.height + (legend.height > 0 ? 10 : 0);
  return tag(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: [left, top - head, width, height].map(tidy).join(' '),
      'font-family': 'sans-serif',
      'data-units': numberOf(rawOf(doc.root).x_cmPerUnit) || undefined,
    },
    ...(look.title ? [tag('title', {}, escape(look.title))] : []),
    label(look.title ?? '', { x: left + width / 2, y: top - head / 2 }, 24, {
      'font-weight': 'bold',
      'data-legend': 'yes',
    }),
    ...body,
    legend.svg,
  );
}
