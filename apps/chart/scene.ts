/** The drawing as flat arrays: one index per seat, booth, area and whole table; geometry never changes while a chart stands. */
import type { Point, RenderingInfo, WireChart } from '#server/standins/seatsio/wire.ts';

export const SEAT = 0;
export const BOOTH = 1;
export const AREA = 2;
export const TABLE = 3;

export const ACCESSIBLE = 1;
export const COMPANION = 2;
export const RESTRICTED = 4;

export interface Box { left: number; top: number; right: number; bottom: number }

/** Seats `first` … `first + count - 1` in physical order; `gaps` holds the offsets after which an aisle lies. */
export interface SceneRow {
  wire: number;
  first: number;
  count: number;
  section: number;
  table: boolean;
  label: string;
  name: string;
  box: Box;
  gaps: Set<number>;
  /** Where the row's name is written: beyond its ends, or beside its middle where other seats stand at the ends. */
  marks: Point[];
}

/** What is culled, shown from afar as one block and listed together: a section, or (section -1) all that stands in none. */
export interface SceneGroup {
  section: number;
  name: string;
  rows: SceneRow[];
  /** Booths, areas and whole tables. */
  others: number[];
  box: Box;
  /** Half the width of a seat here, so that neighbours do not touch. */
  radius: number;
  /** Where a name has room, and how much. */
  middle: Point;
  room: { width: number; height: number };
  outline: Path2D | null;
}

export interface Scene {
  chart: WireChart;
  size: number;
  kind: Uint8Array;
  x: Float32Array;
  y: Float32Array;
  category: Int16Array;
  flags: Uint8Array;
  /** 1 for what is sold by number of places: standing areas that are not booked as a whole. */
  counted: Uint8Array;
  /** The bookable object a point stands for: itself, or the table that is sold as a whole. */
  owner: Int32Array;
  /** Index into `rows`, or for areas and booths into the wire's list. */
  parent: Int32Array;
  section: Int16Array;
  labels: string[];
  names: string[];
  byLabel: Map<string, number>;
  rows: SceneRow[];
  groups: SceneGroup[];
  bounds: Box;
  seatCount: number;
}

const emptyBox = (): Box => ({ left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity });

function widen(box: Box, x: number, y: number, by = 0): void {
  box.left = Math.min(box.left, x - by);
  box.top = Math.min(box.top, y - by);
  box.right = Math.max(box.right, x + by);
  box.bottom = Math.max(box.bottom, y + by);
}

function widenBy(box: Box, other: Box): void {
  widen(box, other.left, other.top);
  widen(box, other.right, other.bottom);
}

/** Flattens a rendering-info into a scene; units are the wire's tenths. */
export function buildScene({ chart }: RenderingInfo): Scene {
  const seats = chart.rows.reduce((sum, row) => sum + row.seats.labels.length, 0);
  const wholeTables = chart.rows.filter((row) => row.bookAsAWhole).length;
  const size = seats + wholeTables + chart.booths.length + chart.areas.length;
  const scene: Scene = {
    chart, size, seatCount: seats,
    kind: new Uint8Array(size), x: new Float32Array(size), y: new Float32Array(size), category: new Int16Array(size).fill(-1), flags: new Uint8Array(size), counted: new Uint8Array(size),
    owner: Int32Array.from({ length: size }, (_, at) => at), parent: new Int32Array(size), section: new Int16Array(size).fill(-1),
    labels: [], names: [], byLabel: new Map(), rows: [], groups: [], bounds: emptyBox(),
  };
  const loose = makeGroup(-1, '');
  const groups = chart.sections.map((section, at) => makeGroup(at, section.displayLabel || section.label));
  const groupOf = (section: number) => groups[section] ?? loose;
  let next = addRows(scene, groupOf, seats);
  chart.booths.forEach((booth, at) => place(scene, next++, { kind: BOOTH, at: booth.center, label: booth.label, name: booth.displayLabel, parent: at, section: booth.section, category: booth.category }));
  chart.areas.forEach((area, at) => {
    const middle = area.shape.type === 'circle' ? area.shape.center : middleOf(area.shape.points);
    if (!area.bookAsAWhole) scene.counted[next] = 1;
    place(scene, next++, { kind: AREA, at: middle, label: area.label, name: area.displayLabel, parent: at, section: area.section, category: area.category });
  });
  for (let i = seats; i < size; i++) {
    const group = groupOf(scene.section[i]!);
    group.others.push(i);
    widenBy(group.box, boxOfOther(scene, i));
  }
  for (const group of [...groups, loose]) finishGroup(scene, group);
  scene.bounds = boundsOf(scene);
  return scene;
}

function makeGroup(section: number, name: string): SceneGroup {
  return { section, name, rows: [], others: [], box: emptyBox(), radius: 0, middle: { x: 0, y: 0 }, room: { width: 0, height: 0 }, outline: null };
}

interface Placing { kind: number; at: Point; label: string; name: string; parent: number; section: number; category: number }

function place(scene: Scene, i: number, what: Placing): void {
  scene.kind[i] = what.kind;
  scene.x[i] = what.at.x;
  scene.y[i] = what.at.y;
  scene.parent[i] = what.parent;
  scene.section[i] = what.section;
  scene.category[i] = what.category;
  scene.labels[i] = what.label;
  scene.names[i] = what.name || what.label;
  scene.byLabel.set(what.label, i);
}

/** Seats come first, then the tables that are sold whole; returns the next free index. */
function addRows(scene: Scene, groupOf: (section: number) => SceneGroup, seatCount: number): number {
  const { chart } = scene;
  let i = 0;
  let table = seatCount;
  chart.rows.forEach((row, wire) => {
    const { seats } = row;
    const section = chart.sections[row.section];
    const rowLabel = section ? `${section.label}-${row.label}` : row.label;
    const own: SceneRow = {
      wire, first: i, count: seats.labels.length, section: row.section, table: row.type === 'table', label: row.label, name: row.displayLabel || row.label,
      box: emptyBox(), gaps: new Set(seats.gapsAfter), marks: [],
    };
    let x = 0;
    let y = 0;
    for (let s = 0; s < own.count; s++, i++) {
      x += seats.x[s]!;
      y += seats.y[s]!;
      widen(own.box, x, y);
      place(scene, i, {
        kind: SEAT, at: { x, y }, label: `${rowLabel}-${seats.labels[s]}`, name: seats.displayLabels?.[s] ?? seats.labels[s]!,
        parent: scene.rows.length, section: row.section, category: seats.categories[s]!,
      });
      scene.flags[i] = seats.flags?.[s] ?? 0;
      if (row.bookAsAWhole) {
        scene.byLabel.delete(scene.labels[i]!);
        scene.owner[i] = table;
      }
    }
    if (row.bookAsAWhole) {
      const center = row.center ?? { x: (own.box.left + own.box.right) / 2, y: (own.box.top + own.box.bottom) / 2 };
      place(scene, table++, { kind: TABLE, at: center, label: rowLabel, name: own.name, parent: scene.rows.length, section: row.section, category: seats.categories[0] ?? -1 });
    }
    if (row.center) widen(own.box, row.center.x, row.center.y, row.radius);
    scene.rows.push(own);
    const group = groupOf(row.section);
    group.rows.push(own);
    widenBy(group.box, own.box);
  });
  return table;
}

function finishGroup(scene: Scene, group: SceneGroup): void {
  if (group.rows.length === 0 && group.others.length === 0 && group.section < 0) return;
  group.radius = measureRadius(scene, group);
  const points = scene.chart.sections[group.section]?.points ?? [];
  for (const point of points) widen(group.box, point.x, point.y);
  if (points.length > 2) {
    group.outline = pathOf(points);
    group.middle = middleOf(points);
    group.room = { width: widthAt(points, group.middle), height: 2 * distanceToEdge(points, group.middle) };
  } else {
    group.middle = { x: (group.box.left + group.box.right) / 2, y: (group.box.top + group.box.bottom) / 2 };
  }
  const air = group.radius;
  if (group.box.left !== Infinity) {
    widen(group.box, group.box.left, group.box.top, air);
    widen(group.box, group.box.right, group.box.bottom, air);
    scene.groups.push(group);
  }
}

/** 43 % of the usual distance to the nearest neighbour, found through a grid so that 50,000 seats cost milliseconds; marks the rows too. */
function measureRadius(scene: Scene, group: SceneGroup): number {
  const pitches: number[] = [];
  for (const row of group.rows) {
    for (let i = row.first + 1; i < row.first + row.count; i++) pitches.push(Math.hypot(scene.x[i]! - scene.x[i - 1]!, scene.y[i]! - scene.y[i - 1]!));
  }
  pitches.sort((a, b) => a - b);
  const cell = pitches[Math.floor(pitches.length * 0.3)] || 240;
  const grid = new Map<string, number[]>();
  const keyOf = (x: number, y: number) => `${Math.floor(x / cell)},${Math.floor(y / cell)}`;
  const indexes = group.rows.flatMap((row) => Array.from({ length: row.count }, (_, s) => row.first + s));
  for (const i of indexes) {
    const key = keyOf(scene.x[i]!, scene.y[i]!);
    const there = grid.get(key);
    if (there) there.push(i); else grid.set(key, [i]);
  }
  const nearest: number[] = [];
  const step = Math.max(1, Math.floor(indexes.length / 400));
  for (let n = 0; n < indexes.length; n += step) {
    const i = indexes[n]!;
    let best = cell;
    for (let dx = -1; dx <= 1; dx++) {
      for (let dy = -1; dy <= 1; dy++) {
        for (const j of grid.get(keyOf(scene.x[i]! + dx * cell, scene.y[i]! + dy * cell)) ?? []) {
          if (j !== i) best = Math.min(best, Math.hypot(scene.x[i]! - scene.x[j]!, scene.y[i]! - scene.y[j]!));
        }
      }
    }
    nearest.push(best);
  }
  nearest.sort((a, b) => a - b);
  const radius = Math.max(1, (nearest[Math.floor(nearest.length * 0.1)] ?? cell) * 0.43);
  const isClear = (at: Point) => {
    for (let dx = -1; dx <= 1; dx++) {
      for (let dy = -1; dy <= 1; dy++) {
        for (const i of grid.get(keyOf(at.x + dx * cell, at.y + dy * cell)) ?? []) if (Math.hypot(scene.x[i]! - at.x, scene.y[i]! - at.y) < radius * 1.7) return false;
      }
    }
    return true;
  };
  for (const row of group.rows) row.marks = markRow(scene, row, { radius, isClear });
  return radius;
}

function markRow(scene: Scene, row: SceneRow, room: { radius: number; isClear: (at: Point) => boolean }): Point[] {
  const last = row.first + row.count - 1;
  if (row.count === 0 || row.table) return [];
  const at = (i: number) => ({ x: scene.x[i]!, y: scene.y[i]! });
  const step = (from: Point, to: Point) => {
    const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
    return { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
  };
  const [head, tail] = [at(row.first), at(last)];
  const out = row.count > 1 ? step(at(row.first + 1), head) : { x: -1, y: 0 };
  const on = row.count > 1 ? step(at(last - 1), tail) : { x: 1, y: 0 };
  const far = room.radius * 2.2;
  const ends = [{ x: head.x + out.x * far, y: head.y + out.y * far }, { x: tail.x + on.x * far, y: tail.y + on.y * far }].filter(room.isClear);
  if (ends.length === 2) return [...ends, ...markAisles(scene, row, room.radius)];
  const middle = { x: (head.x + tail.x) / 2, y: (head.y + tail.y) / 2 };
  const along = row.count > 1 ? step(head, tail) : { x: 1, y: 0 };
  const sides = [{ x: middle.x + along.y * far, y: middle.y - along.x * far }, { x: middle.x - along.y * far, y: middle.y + along.x * far }].filter(room.isClear);
  return [...(sides.length > 0 ? sides.slice(0, 1) : ends), ...markAisles(scene, row, room.radius)];
}

/** In a wide aisle the name helps whoever sees only the middle of the row. */
function markAisles(scene: Scene, row: SceneRow, radius: number): Point[] {
  return [...row.gaps].map((gap) => row.first + gap).filter((i) => i + 1 < row.first + row.count)
    .map((i) => ({ from: { x: scene.x[i]!, y: scene.y[i]! }, to: { x: scene.x[i + 1]!, y: scene.y[i + 1]! } }))
    .filter(({ from, to }) => Math.hypot(to.x - from.x, to.y - from.y) > radius * 4.8)
    .map(({ from, to }) => ({ x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 }));
}

/** The point of a lattice that lies farthest from the outline, in doubt near the middle: a name put there stays inside even of a horseshoe. */
function middleOf(points: Point[]): Point {
  const box = emptyBox();
  for (const point of points) widen(box, point.x, point.y);
  const center = { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 };
  const steps = 20;
  let best = center;
  let room = -Infinity;
  for (let column = 1; column < steps; column++) {
    for (let line = 1; line < steps; line++) {
      const at = { x: box.left + ((box.right - box.left) * column) / steps, y: box.top + ((box.bottom - box.top) * line) / steps };
      if (!isInside(points, at.x, at.y)) continue;
      const score = distanceToEdge(points, at) - Math.hypot(at.x - center.x, at.y - center.y) * 0.02;
      if (score > room) { room = score; best = at; }
    }
  }
  return best;
}

/** How far a line of text may run to both sides before it leaves the outline. */
function widthAt(points: Point[], { x, y }: Point): number {
  let half = Infinity;
  for (let a = 0, b = points.length - 1; a < points.length; b = a++) {
    const [p, q] = [points[b]!, points[a]!];
    if (p.y > y !== q.y > y) half = Math.min(half, Math.abs(((q.x - p.x) * (y - p.y)) / (q.y - p.y) + p.x - x));
  }
  return half === Infinity ? 0 : 2 * half;
}

function distanceToEdge(points: Point[], { x, y }: Point): number {
  let nearest = Infinity;
  for (let a = 0, b = points.length - 1; a < points.length; b = a++) {
    const [p, q] = [points[b]!, points[a]!];
    const length = (q.x - p.x) ** 2 + (q.y - p.y) ** 2 || 1;
    const share = Math.max(0, Math.min(1, ((x - p.x) * (q.x - p.x) + (y - p.y) * (q.y - p.y)) / length));
    nearest = Math.min(nearest, Math.hypot(p.x + share * (q.x - p.x) - x, p.y + share * (q.y - p.y) - y));
  }
  return nearest;
}

export function isInside(points: Point[], x: number, y: number): boolean {
  let inside = false;
  for (let a = 0, b = points.length - 1; a < points.length; b = a++) {
    const p = points[a]!;
    const q = points[b]!;
    if (p.y > y !== q.y > y && x < ((q.x - p.x) * (y - p.y)) / (q.y - p.y) + p.x) inside = !inside;
  }
  return inside;
}

export function pathOf(points: Point[]): Path2D {
  const path = new Path2D();
  points.forEach((point, at) => (at === 0 ? path.moveTo(point.x, point.y) : path.lineTo(point.x, point.y)));
  path.closePath();
  return path;
}

/** The box around a booth, an area or a whole table. */
export function boxOfOther(scene: Scene, i: number): Box {
  const box = emptyBox();
  const at = scene.parent[i]!;
  if (scene.kind[i] === AREA) {
    const { shape } = scene.chart.areas[at]!;
    if (shape.type === 'polygon') for (const point of shape.points) widen(box, point.x, point.y);
    else widen(box, shape.center.x, shape.center.y, Math.max(shape.radius1, shape.radius2));
  } else if (scene.kind[i] === BOOTH) {
    const booth = scene.chart.booths[at]!;
    widen(box, booth.center.x, booth.center.y, Math.max(booth.width, booth.height) / 2);
  } else {
    widenBy(box, scene.rows[at]!.box);
  }
  return box;
}

/** All that is drawn, with the stage; an empty chart still has a surface. */
function boundsOf(scene: Scene): Box {
  const box = emptyBox();
  for (const group of scene.groups) widenBy(box, group.box);
  for (const shape of scene.chart.shapes) {
    for (const point of shape.points ?? []) widen(box, point.x, point.y);
    if (!shape.center) continue;
    const turned = Math.abs(Math.sin(((shape.rotationAngle ?? 0) * Math.PI) / 180));
    const [width, height] = [shape.width ?? 0, shape.height ?? 0];
    const halfWidth = (width * (1 - turned) + height * turned) / 2;
    const halfHeight = (height * (1 - turned) + width * turned) / 2;
    widen(box, shape.center.x - halfWidth, shape.center.y - halfHeight);
    widen(box, shape.center.x + halfWidth, shape.center.y + halfHeight);
  }
  for (const text of scene.chart.texts) widen(box, text.center.x, text.center.y, text.size);
  if (box.left === Infinity) return { left: 0, top: 0, right: Math.max(1, scene.chart.width), bottom: Math.max(1, scene.chart.height) };
  return box;
}
