/** Measures where the parts of a cleaned picture are, by a hidden layout in the browser. */
import type {
  Marks,
  OutlineMark,
  OwnNames,
  OwnOutline,
  SeatMark,
  TextMark,
} from '#server/drawing/port/svg/marks.ts';
import type { Point } from '#server/drawing/model/data.ts';
import type { CleanPart, CleanPicture } from './clean.ts';

/** A used symbol of at most this many parts is one mark: a seat drawn as a disc and a back. */
const SMALL_SYMBOL = 6;

/** The browser's matrix is converted, because its older type cannot transform a point. */
function screenOf(element: SVGGraphicsElement): DOMMatrix | null {
  const matrix = element.getScreenCTM();
  return matrix && DOMMatrix.fromMatrix(matrix);
}

interface Box {
  corners: Point[];
  middle: Point;
  width: number;
  height: number;
}

function boxOf({ element }: CleanPart, toRoot: DOMMatrix): Box | null {
  const screen = screenOf(element);
  if (!screen) return null;
  const { x, y, width, height } = element.getBBox();
  const matrix = toRoot.multiply(screen);
  const at = (px: number, py: number): Point => {
    const point = matrix.transformPoint({ x: px, y: py });
    return { x: point.x, y: point.y };
  };
  const corners = [at(x, y), at(x + width, y), at(x + width, y + height), at(x, y + height)];
  const [a, b, c, d] = corners as [Point, Point, Point, Point];
  const box = {
    corners,
    middle: { x: (a.x + c.x) / 2, y: (a.y + c.y) / 2 },
    width: Math.hypot(b.x - a.x, b.y - a.y),
    height: Math.hypot(d.x - a.x, d.y - a.y),
  };
  return Number.isFinite(box.middle.x + box.middle.y + box.width + box.height) ? box : null;
}

/**
 * The box of a symbol's largest part, if the others lie on it: a box around rotated parts would
 * be too wide.
 */
function boxOfSymbol(boxes: readonly Box[]): Box {
  const whole = around(boxes);
  const [largest = whole] = boxes.toSorted((a, b) => b.width * b.height - a.width * a.height);
  return largest.width * largest.height * 2 > whole.width * whole.height ? largest : whole;
}

function around(boxes: readonly Box[]): Box {
  const xs = boxes.flatMap(({ corners }) => corners.map(({ x }) => x));
  const ys = boxes.flatMap(({ corners }) => corners.map(({ y }) => y));
  const [left, right, top, bottom] = [
    Math.min(...xs),
    Math.max(...xs),
    Math.min(...ys),
    Math.max(...ys),
  ];
  return {
    corners: [
      { x: left, y: top },
      { x: right, y: top },
      { x: right, y: bottom },
      { x: left, y: bottom },
    ],
    middle: { x: (left + right) / 2, y: (top + bottom) / 2 },
    width: right - left,
    height: bottom - top,
  };
}

function ownNames({ said }: CleanPart): OwnNames | undefined {
  const row = said['row'] ?? said['table'];
  if (row === undefined || said['seat'] === undefined) return undefined;
  return {
    section: said['section'] ?? '',
    row,
    isTable: said['table'] !== undefined,
    seat: said['seat'],
    shown: said['shown-seat'] ?? '',
    rowShown: said['shown'] ?? '',
    category: said['category'] ?? '',
    entrance: said['gate'] ?? '',
    rowEntrance: said['entrance'] ?? '',
    marks: said['marks'] ?? '',
  };
}

function pointIn(text: string): Point | null {
  const [x = Number.NaN, y = Number.NaN] = text.split(' ').map(Number);
  return Number.isFinite(x + y) ? { x, y } : null;
}

function ownOutline({ said }: CleanPart): OwnOutline | undefined {
  const kinds = [
    ['outline', 'section'],
    ['area', 'area'],
    ['booth', 'booth'],
    ['shape', said['shape'] === 'stage' ? 'stage' : 'shape'],
  ] as const;
  const found = kinds.find(([key]) => said[key] !== undefined);
  if (!found) return undefined;
  return {
    kind: found[1],
    label: said[found[0] === 'shape' ? 'name' : found[0]] ?? '',
    section: said['section'] ?? '',
    category: said['category'] ?? '',
    entrance: said['entrance'] ?? '',
    at: pointIn(said['at'] ?? ''),
    capacity: Math.max(1, Math.trunc(Number(said['capacity']) || 1)),
  };
}

function isOurs(said: CleanPart['said']): boolean {
  return ['row', 'table', 'outline', 'area', 'booth', 'shape', 'legend', 'text'].some(
    (key) => said[key] !== undefined,
  );
}

/** The corners of a polygon, the box of anything else. */
function pointsOf({ element }: CleanPart, box: Box, toRoot: DOMMatrix): Point[] {
  const points = element instanceof SVGPolygonElement ? [...element.points] : [];
  const screen = screenOf(element);
  if (!screen || points.length < 3) return box.corners;
  const matrix = toRoot.multiply(screen);
  return points.map((point) => {
    const { x, y } = matrix.transformPoint({ x: point.x, y: point.y });
    return { x, y };
  });
}

interface Marking {
  seats: SeatMark[];
  texts: TextMark[];
  outlines: OutlineMark[];
}

function markShape(marking: Marking, part: CleanPart, box: Box, toRoot: DOMMatrix): void {
  const { color, groups, name, said } = part;
  const own = ownNames(part);
  if (!own && isOurs(said)) {
    const outline = ownOutline(part);
    if (outline)
      marking.outlines.push({ points: pointsOf(part, box, toRoot), color, own: outline });
    return;
  }
  const { middle, width, height } = box;
  marking.seats.push({
    ...middle,
    width,
    height,
    color,
    groups,
    name,
    ...(own ? { own } : {}),
  });
}

/** Adds the picture to the page invisibly while it is measured. */
function layOut<T>(root: SVGSVGElement, measure: () => T): T {
  const host = document.createElement('div');
  host.setAttribute('aria-hidden', 'true');
  Object.assign(host.style, {
    position: 'fixed',
    left: '-20000px',
    top: '0',
    width: '1000px',
    height: '1000px',
    overflow: 'hidden',
    visibility: 'hidden',
    pointerEvents: 'none',
  });
  root.setAttribute('width', '1000');
  root.setAttribute('height', '1000');
  host.append(root);
  document.body.append(host);
  try {
    return measure();
  } finally {
    host.remove();
  }
}

export function measureSvg({ root, parts }: CleanPicture): Marks {
  return layOut(root, () => {
    const marking: Marking = { seats: [], texts: [], outlines: [] };
    const screen = screenOf(root);
    if (!screen) return marking;
    const toRoot = screen.inverse();
    const symbols = new Map<number, { part: CleanPart; boxes: Box[] }>();
    for (const part of parts) {
      const box = boxOf(part, toRoot);
      if (!box) continue;
      if (part.kind === 'text') {
        if (part.said['text'] !== undefined || !isOurs(part.said))
          marking.texts.push({
            ...box.middle,
            text: part.text,
            size: box.height * 0.85,
            groups: part.groups,
          });
      } else if (part.symbol === null) markShape(marking, part, box, toRoot);
      else {
        const known = symbols.get(part.symbol);
        if (known) known.boxes.push(box);
        else symbols.set(part.symbol, { part, boxes: [box] });
      }
    }
    for (const { part, boxes } of symbols.values())
      for (const box of boxes.length <= SMALL_SYMBOL ? [boxOfSymbol(boxes)] : boxes)
        markShape(marking, part, box, toRoot);
    return marking;
  });
}
