/**
 * The positions of the places of a seats.io drawing: metres from the stage, and the angle to it.
 */

export interface Spot {
  x: number;
  y: number;
  /** Metres to the stage, or to the focal point where no stage is drawn. */ distance: number;
  /** Degrees from the middle of the stage, seen from above. */ angle: number;
  /** The floor's name; empty where there is only one. */ floor: string;
}

interface Point {
  x: number;
  y: number;
}
type Raw = Record<string, unknown>;

/** The real distance of two chairs of a row, which gives a drawing its scale. */
const chairMetres = 0.55;
/** The distance of chairs in seats.io, for drawings without rows. */
const usualSpacing = 22;

/**
 * Positions by the technical labels of the objects; an object that cannot be read is left out.
 */
export function spotsOf(drawing: unknown): Map<string, Spot> {
  const root = rawOf(drawing);
  const floors = listOf(root['subChartFloors']);
  const charts = floors.length > 0 ? floors : [rawOf(root['subChart'])];
  const scale = chairMetres / (spacingOf(charts) ?? usualSpacing);
  const spots = new Map<string, Spot>();
  for (const [at, chart] of charts.entries()) {
    const points = pointsOf(chart);
    const floor = charts.length === 1 ? '' : floorName(chart, at);
    const stage = stageOf(chart) ?? middleOf([...points.values()]);
    for (const [label, { x, y }] of points) {
      const [dx, dy] = [x - stage.x, y - stage.y];
      spots.set(label, {
        x: x * scale,
        y: y * scale,
        distance: Math.hypot(dx, dy) * scale,
        angle: (Math.atan2(dx, dy) * 180) / Math.PI,
        floor,
      });
    }
  }
  return spots;
}

function floorName(chart: Raw, at: number): string {
  return textOf(chart['floorDisplayName']) || textOf(chart['floorName']) || `Piano ${at + 1}`;
}

function pointsOf(chart: Raw): Map<string, Point> {
  const points = new Map<string, Point>();
  addPart(points, chart, { prefix: '', offset: { x: 0, y: 0 } });
  for (const section of listOf(chart['sections'])) {
    const prefix = `${textOf(section['label'])}-`;
    const offset = pointOf(section['topLeft']) ?? { x: 0, y: 0 };
    addPart(points, rawOf(section['subChart']), { prefix, offset });
  }
  return points;
}

/** Labels of seats begin with their row or table; areas and booths have only their own. */
function addPart(
  points: Map<string, Point>,
  part: Raw,
  { prefix, offset }: { prefix: string; offset: Point },
): void {
  const put = (label: string, at: Point | null) => {
    if (at && !points.has(label)) points.set(label, { x: at.x + offset.x, y: at.y + offset.y });
  };
  for (const row of [...listOf(part['rows']), ...listOf(part['tables'])])
    for (const seat of listOf(row['seats']))
      put(`${prefix}${textOf(row['label'])}-${textOf(seat['label'])}`, pointOf(seat));
  for (const table of listOf(part['tables']))
    put(`${prefix}${textOf(table['label'])}`, pointOf(table['center']));
  for (const booth of listOf(part['booths'])) put(textOf(booth['label']), pointOf(booth['center']));
  for (const area of listOf(part['generalAdmissionAreas']))
    put(textOf(area['label']), pointOf(area['center']) ?? middleOf(cornersOf(area)));
}

function stageOf(chart: Raw): Point | null {
  const stage = listOf(chart['shapes']).find(({ smartType }) => smartType === 'stage');
  return (stage && pointOf(stage['center'])) ?? pointOf(chart['focalPoint']);
}

/**
 * The usual distance from a chair to the next one of its row, in the drawing's units; null: there
 * is no row.
 */
function spacingOf(charts: readonly Raw[]): number | null {
  const parts = charts.flatMap((chart) => [
    chart,
    ...listOf(chart['sections']).map((section) => rawOf(section['subChart'])),
  ]);
  const gaps = parts.flatMap((part) =>
    listOf(part['rows']).flatMap((row) => {
      const seats = listOf(row['seats']).flatMap((seat) => pointOf(seat) ?? []);
      return seats.flatMap(({ x, y }, at) => {
        const next = seats[at + 1];
        return next === undefined ? [] : Math.hypot(next.x - x, next.y - y);
      });
    }),
  );
  const sorted = gaps.filter((gap) => gap > 0).toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? null;
}

function middleOf(points: readonly Point[]): Point {
  const sum = (of: (point: Point) => number) => points.reduce((all, point) => all + of(point), 0);
  const count = Math.max(1, points.length);
  return { x: sum(({ x }) => x) / count, y: sum(({ y }) => y) / count };
}

function cornersOf(area: Raw): Point[] {
  return listOf(area['points']).flatMap((point) => pointOf(point) ?? []);
}

function pointOf(value: unknown): Point | null {
  const { x, y } = rawOf(value);
  return typeof x === 'number' && typeof y === 'number' ? { x, y } : null;
}

function rawOf(value: unknown): Raw {
  return typeof value === 'object' && value !== null ? (value as Raw) : {};
}

function listOf(value: unknown): Raw[] {
  return Array.isArray(value) ? value.map(rawOf) : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
