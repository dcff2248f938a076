/** Makes a chart's scene from the server's WireChart, in one pass over the seats. */
import type {
  Point,
  RenderingInfo,
  WireChart,
  WireRow,
  WireShape,
} from '#server/standins/seatsio/wire.ts';
import {
  type Box,
  distanceToEdge,
  emptyBox,
  heightAt,
  middleOf,
  pathOf,
  widen,
  widenBy,
  widthAt,
} from './outline.ts';
import {
  AREA,
  BOOTH,
  boxOfOther,
  LabelIndex,
  placeLabel,
  type Scene,
  type SceneGroup,
  type SceneRow,
  SEAT,
  TABLE,
} from './scene.ts';
import { measureRadius } from './spacing.ts';
import { countSeats, eachSeat, labelAt, pairsOf, unpackCategories } from './unpack.ts';
import { translate } from '#apps/chart/words.ts';

/** Converts a rendering-info into a scene; units are the wire's tenths. */
export function buildScene({ chart }: Pick<RenderingInfo, 'chart'>): Scene {
  const scene = emptyScene(chart);
  const seats = scene.seatCount;
  for (let i = 0; i < scene.size; i++) scene.owner[i] = i;
  const [ground, ...upper] = (chart.floors ?? ['']).map((_, floor) => makeGroup(-1, floor, ''));
  const loose = [ground ?? makeGroup(-1, 0, ''), ...upper] as const;
  const sections = chart.sections.map((section, at) =>
    makeGroup(at, section.floor ?? 0, translate(section.displayLabel || section.label)),
  );
  const groupOf = ({ section, floor = 0 }: { section: number; floor?: number }) =>
    sections[section] ?? loose[floor] ?? loose[0];
  let next = addRows(scene, groupOf, seats);
  chart.booths.forEach((booth, at) => {
    place(scene, next, {
      kind: BOOTH,
      at: booth.center,
      label: booth.label,
      name: booth.displayLabel,
      parent: at,
      section: booth.section,
      category: booth.category,
    });
    addOther(scene, groupOf(booth), next++);
  });
  chart.areas.forEach((area, at) => {
    const middle = area.shape.type === 'circle' ? area.shape.center : middleOf(area.shape.points);
    if (!area.bookAsAWhole) scene.counted[next] = 1;
    place(scene, next, {
      kind: AREA,
      at: middle,
      label: area.label,
      name: area.displayLabel,
      parent: at,
      section: area.section,
      category: area.category,
    });
    addOther(scene, groupOf(area), next++);
  });
  for (const group of [...sections, ...loose]) finishGroup(scene, group);
  scene.floors = (chart.floors ?? [{ name: '', displayName: '' }]).map((floor, at) => ({
    ...floor,
    bounds: boundsOf(scene, at),
  }));
  return scene;
}

function emptyScene(chart: WireChart): Scene {
  const seats = chart.rows.reduce((sum, row) => sum + countSeats(row), 0);
  const wholeTables = chart.rows.filter((row) => row.bookAsAWhole).length;
  const size = seats + wholeTables + chart.booths.length + chart.areas.length;
  const scene: Scene = {
    chart,
    size,
    seatCount: seats,
    kind: new Uint8Array(size),
    x: new Float32Array(size),
    y: new Float32Array(size),
    category: new Int16Array(size).fill(-1),
    flags: new Uint8Array(size),
    counted: new Uint8Array(size),
    owner: new Int32Array(size),
    parent: new Int32Array(size),
    section: new Int16Array(size).fill(-1),
    labels: [],
    names: [],
    byLabel: new LabelIndex(() => indexLabels(scene)),
    rows: [],
    groups: [],
    floors: [],
  };
  return scene;
}

function makeGroup(section: number, floor: number, name: string): SceneGroup {
  return {
    section,
    floor,
    name,
    rows: [],
    others: [],
    box: emptyBox(),
    radius: 0,
    middle: { x: 0, y: 0 },
    room: { width: 0, height: 0, around: 0 },
    outline: null,
  };
}

interface Placing {
  kind: number;
  at: Point;
  label: string;
  name: string;
  parent: number;
  section: number;
  category: number;
}

function place(scene: Scene, i: number, what: Placing): void {
  scene.kind[i] = what.kind;
  scene.x[i] = what.at.x;
  scene.y[i] = what.at.y;
  scene.parent[i] = what.parent;
  scene.section[i] = what.section;
  scene.category[i] = what.category;
  scene.labels[i] = what.label;
  scene.names[i] = what.name || what.label;
}

function addOther(scene: Scene, group: SceneGroup, i: number): void {
  group.others.push(i);
  widenBy(group.box, boxOfOther(scene, i));
}

/** Places seats first, then the tables that are sold whole; returns the next free index. */
function addRows(scene: Scene, groupOf: (where: WireRow) => SceneGroup, seatCount: number): number {
  const { chart } = scene;
  let first = 0;
  let table = seatCount;
  for (const row of chart.rows) {
    const section = chart.sections[row.section];
    const rowLabel = section ? `${section.label}-${row.label}` : row.label;
    const own: SceneRow = {
      wire: row,
      first,
      count: countSeats(row),
      section: row.section,
      table: row.type === 'table',
      label: row.label,
      name: row.displayLabel || row.label,
      box: emptyBox(),
      gaps: new Set(row.seats.gapsAfter),
      marks: row.hidesLabel ? [] : null,
    };
    fillRow(scene, own, { row, rowLabel });
    const group = groupOf(row);
    if (row.bookAsAWhole) {
      const center = row.center ?? {
        x: (own.box.left + own.box.right) / 2,
        y: (own.box.top + own.box.bottom) / 2,
      };
      place(scene, table, {
        kind: TABLE,
        at: center,
        label: rowLabel,
        name: own.name,
        parent: scene.rows.length,
        section: row.section,
        category: scene.category[first] ?? -1,
      });
      scene.owner.fill(table, first, first + own.count);
      group.others.push(table++);
    }
    if (row.center) widen(own.box, row.center.x, row.center.y, row.radius);
    for (const { x, y } of row.corners ?? []) widen(own.box, x, y);
    scene.rows.push(own);
    group.rows.push(own);
    widenBy(group.box, own.box);
    first += own.count;
  }
  return table;
}

function fillRow(
  scene: Scene,
  own: SceneRow,
  { row, rowLabel }: { row: WireRow; rowLabel: string },
): void {
  const { first, count } = own;
  const { labels, displayLabels, runs, categories, flags = [] } = row.seats;
  const { box } = own;
  eachSeat(runs, (at, x, y) => {
    scene.x[first + at] = x;
    scene.y[first + at] = y;
    if (x < box.left) box.left = x;
    if (x > box.right) box.right = x;
    if (y < box.top) box.top = y;
    if (y > box.bottom) box.bottom = y;
    const label = labelAt(labels, at);
    scene.labels[first + at] = `${rowLabel}-${label}`;
    scene.names[first + at] = displayLabels ? labelAt(displayLabels, at) : label;
  });
  scene.kind.fill(SEAT, first, first + count);
  unpackCategories(categories, scene.category, { first, count });
  scene.parent.fill(scene.rows.length, first, first + count);
  scene.section.fill(row.section, first, first + count);
  for (const [at, bits] of pairsOf(flags)) scene.flags[first + at] = bits;
}

function indexLabels(scene: Scene): Map<string, number> {
  const map = new Map<string, number>();
  for (let i = 0; i < scene.size; i++) if (scene.owner[i] === i) map.set(placeLabel(scene, i), i);
  return map;
}

function finishGroup(scene: Scene, group: SceneGroup): void {
  if (group.rows.length === 0 && group.others.length === 0 && group.section < 0) return;
  group.radius = measureRadius(scene, group);
  const points = scene.chart.sections[group.section]?.points ?? [];
  for (const point of points) widen(group.box, point.x, point.y);
  if (points.length > 2) {
    group.outline = pathOf(points);
    group.middle = middleOf(points);
    group.room = {
      width: widthAt(points, group.middle),
      height: heightAt(points, group.middle),
      around: 2 * distanceToEdge(points, group.middle),
    };
  } else {
    group.middle = {
      x: (group.box.left + group.box.right) / 2,
      y: (group.box.top + group.box.bottom) / 2,
    };
  }
  if (group.box.left === Infinity) return;
  const { left, top, right, bottom } = group.box;
  widen(group.box, left, top, group.radius);
  widen(group.box, right, bottom, group.radius);
  scene.groups.push(group);
}

/** The box around everything on a floor, with the stage; an empty floor still has a size. */
function boundsOf(scene: Scene, floor: number): Box {
  const { chart } = scene;
  const isHere = (part: { floor?: number }) => (part.floor ?? 0) === floor;
  const box = emptyBox();
  for (const group of scene.groups) if (group.floor === floor) widenBy(box, group.box);
  for (const shape of chart.shapes) if (isHere(shape)) widenBy(box, boxOfShape(shape));
  for (const text of chart.texts)
    if (isHere(text)) widen(box, text.center.x, text.center.y, text.size);
  if (box.left === Infinity)
    return { left: 0, top: 0, right: Math.max(1, chart.width), bottom: Math.max(1, chart.height) };
  return box;
}

function boxOfShape(shape: WireShape): Box {
  const box = emptyBox();
  for (const point of shape.points ?? []) widen(box, point.x, point.y);
  if (!shape.center) return box;
  const angle = ((shape.rotationAngle ?? 0) * Math.PI) / 180;
  const [across, along] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))];
  const [width, height] = [shape.width ?? 0, shape.height ?? 0];
  const halfWidth = (width * across + height * along) / 2;
  const halfHeight = (height * across + width * along) / 2;
  widen(box, shape.center.x - halfWidth, shape.center.y - halfHeight);
  widen(box, shape.center.x + halfWidth, shape.center.y + halfHeight);
  return box;
}
