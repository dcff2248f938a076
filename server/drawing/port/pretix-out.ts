/** Writes a drawing as a plan of pretix, and counts the objects that pretix cannot express. */
import { FLAGS } from '#server/drawing/model/flags.ts';
import type { Doc, Item, Point } from '#server/drawing/model/data.ts';
import { isRaw, rawOf, type Raw } from '#server/drawing/model/open.ts';
import { originOf, seatsOf } from '#server/drawing/model/selection.ts';
import { add, numberOf, pointOf, rawsOf, subtract, textOf, tidy, turn, groupBy } from './values.ts';
import { itemsOnFloor, sectionOf, walkSeats, type WalkedSeat } from './walk.ts';
import { entryAt } from '#server/drawing/model/entry.ts';

/** The numbers of objects that pretix draws but cannot sell or describe. */
export interface PretixLoss {
  tables: number;
  areas: number;
  booths: number;
  flags: number;
  aisles: number;
  floors: number;
  unpainted: number;
}

interface Zone {
  meta: Raw;
  corner: Point;
  rows: Raw[];
  areas: Raw[];
}

interface Writing {
  doc: Doc;
  zones: Map<string, Zone>;
  guids: Set<string>;
  loss: PretixLoss;
}

function zoneUnder(writing: Writing, key: string, make: () => Raw): Zone {
  const known = writing.zones.get(key);
  if (known) return known;
  const meta = make();
  const zone = { meta, corner: pointOf(meta.position), rows: [], areas: [] };
  writing.zones.set(key, zone);
  return zone;
}

/** An object's zone: the one it was imported from, or its section, or its floor. */
function zoneOf(writing: Writing, item: Item): Zone {
  const { doc } = writing;
  const section = sectionOf(doc, item);
  const kept = rawOf((section ?? item).data.x_pretix).zone;
  const known = rawsOf(rawOf(doc.root.x_pretix).zones)[numberOf(kept, -1)];
  if (known) {
    const zone = zoneUnder(writing, `zone ${String(kept)}`, () => known);
    if (section?.data.label) zone.meta = { ...zone.meta, name: section.data.label };
    return zone;
  }
  const floor = doc.floors.findIndex(({ id }) => id === item.floor);
  const data = entryAt(doc.floors, floor).data;
  const name =
    textOf(section?.data.label) ||
    textOf(data.floorDisplayName) ||
    textOf(data.floorName) ||
    (doc.floors.length === 1 ? textOf(doc.root.name) : '') ||
    `Piano ${floor + 1}`;
  return zoneUnder(writing, section ? `section ${section.id}` : `floor ${item.floor}`, () => ({
    name,
    position: { x: 0, y: 0 },
  }));
}

function writeSeat(writing: Writing, walked: WalkedSeat, corner: Point): Raw {
  const { seat, at, category, label } = walked;
  const kept = rawOf(seat.x_pretix);
  const wanted = textOf(kept.seat_guid) || label;
  const guid = writing.guids.has(wanted) ? `${wanted} ${seat.uuid ?? writing.guids.size}` : wanted;
  writing.guids.add(guid);
  if (FLAGS.some(([flag]) => seat[flag] === true)) writing.loss.flags += 1;
  if (seat.x_gapAfter) writing.loss.aisles += 1;
  if (!category) writing.loss.unpainted += 1;
  return {
    ...kept,
    ...(seat.uuid === undefined ? {} : { uuid: seat.uuid }),
    seat_number: textOf(seat.label),
    seat_guid: guid,
    position: subtract(at, corner),
    category: category?.label ?? textOf(kept.category),
  };
}

function writeRow(writing: Writing, item: Item, seats: readonly WalkedSeat[]): void {
  const zone = zoneOf(writing, item);
  const kept = rawOf(item.data.x_pretix);
  const { zone: _zone, ...more } = kept;
  const first = seats[0]?.at ?? { x: 0, y: 0 };
  const position = isRaw(kept.position) ? pointOf(kept.position) : subtract(first, zone.corner);
  const corner = add(zone.corner, position);
  const shown = textOf(item.data.displayLabel);
  zone.rows.push({
    row_number_position: 'both',
    position,
    ...more,
    ...(item.data.uuid === undefined ? {} : { uuid: item.data.uuid }),
    row_number: textOf(item.data.label),
    ...(shown === '' ? {} : { row_label: shown }),
    seats: seats.map((seat) => writeSeat(writing, seat, corner)),
  });
}

/** Writes objects that are drawn but not sold by seats. */
function writeArea(writing: Writing, item: Item): void {
  const zone = zoneOf(writing, item);
  const { zone: _zone, isNameless, ...kept } = rawOf(item.data.x_pretix);
  const origin = originOf(writing.doc, item);
  const degrees = numberOf(item.data.rotationAngle);
  const center = add(pointOf(item.data.center), origin);
  const base = {
    ...kept,
    // A table is identified by its row.
    ...(item.data.uuid === undefined || isNameless || item.kind === 'table'
      ? {}
      : { uuid: item.data.uuid }),
    color: kept.color ?? item.data.fillColor ?? '#dddddd',
    border_color: kept.border_color ?? '#888888',
  };
  if (item.kind === 'text') {
    const said = rawOf(kept.text);
    const position = subtract(subtract(center, zone.corner), pointOf(said.position));
    zone.areas.push({
      ...base,
      shape: 'text',
      rotation: degrees,
      position,
      text: {
        position: { x: 0, y: 0 },
        color: item.data.textColor ?? '#333333',
        size: item.data.fontSize ?? 16,
        ...said,
        text: textOf(item.data.text),
      },
    });
    return;
  }
  const label = textOf(item.data.label);
  const text = {
    position: { x: 0, y: 0 },
    color: '#333333',
    ...rawOf(kept.text),
    text: label,
  };
  zone.areas.push({
    ...base,
    ...outlineOf(item, { center, origin, corner: zone.corner }),
    ...(label === '' && kept.text === undefined ? {} : { text }),
  });
}

function outlineOf(
  { data }: Item,
  { center, origin, corner }: Record<'center' | 'origin' | 'corner', Point>,
): Raw {
  const degrees = numberOf(data.rotationAngle);
  const kept = rawOf(data.x_pretix);
  if (Array.isArray(data.points) && data.points.length > 0) {
    const rotation = numberOf(kept.rotation);
    const points = data.points.map((point) => add(pointOf(point), origin));
    const at = isRaw(kept.position) ? pointOf(kept.position) : subtract(entryAt(points, 0), corner);
    return {
      shape: 'polygon',
      rotation,
      position: at,
      polygon: {
        points: points.map((point) => {
          const turned = turn(subtract(point, add(corner, at)), -rotation);
          return { x: tidy(turned.x), y: tidy(turned.y) };
        }),
      },
    };
  }
  if (typeof data.radius1 === 'number' || data.type === 'ellipse' || data.type === 'round') {
    const [x, y] = [
      numberOf(data.radius1, numberOf(data.radius, numberOf(data.width, 40) / 2)),
      numberOf(data.radius2, numberOf(data.radius, numberOf(data.height, 40) / 2)),
    ];
    const isCircle = kept.shape === 'circle' ? x === y : x === y && kept.shape !== 'ellipse';
    return {
      rotation: degrees,
      position: subtract(center, corner),
      ...(isCircle
        ? { shape: 'circle', circle: { radius: x } }
        : { shape: 'ellipse', ellipse: { radius: { x, y } } }),
    };
  }
  const [width, height] = [numberOf(data.width, 40), numberOf(data.height, 40)];
  return {
    shape: 'rectangle',
    rotation: degrees,
    position: subtract(center, add(corner, turn({ x: width / 2, y: height / 2 }, degrees))),
    rectangle: { ...rawOf(kept.rectangle), width, height },
  };
}

/** Sorts texts and shapes, which have one list in pretix and two in a drawing. */
function inTheirOrder(areas: readonly Raw[]): Raw[] {
  return areas
    .toSorted((a, b) => numberOf(a.place, Infinity) - numberOf(b.place, Infinity) || 0)
    .map(({ place: _place, ...area }) => area);
}

function writeFloor(writing: Writing, floor: string): void {
  const { doc, loss } = writing;
  const byHolder = groupBy(walkSeats(doc, floor), ({ holder }) => holder.id);
  for (const item of itemsOnFloor(doc, floor)) {
    if (item.kind === 'section' || item.kind === 'icon' || item.kind === 'image') continue;
    if (item.kind === 'row' || item.kind === 'table') {
      if (seatsOf(item).length > 0 || item.kind === 'row')
        writeRow(writing, item, byHolder.get(item.id) ?? []);
      if (item.kind === 'row') continue;
      loss.tables += 1;
    }
    if (item.kind === 'area') loss.areas += 1;
    if (item.kind === 'booth') loss.booths += 1;
    writeArea(writing, item);
  }
}

export function pretixOf(doc: Doc): { plan: Raw; loss: PretixLoss } {
  const { x_pretix: rootKept, name } = doc.root;
  const { zones: metas, ...kept } = rawOf(rootKept);
  const writing: Writing = {
    doc,
    zones: new Map(),
    guids: new Set(),
    loss: {
      tables: 0,
      areas: 0,
      booths: 0,
      flags: 0,
      aisles: 0,
      floors: doc.floors.length - 1,
      unpainted: 0,
    },
  };
  // Zones imported from pretix keep their order, including empty ones.
  for (const [index, meta] of rawsOf(metas).entries())
    zoneUnder(writing, `zone ${index}`, () => meta);
  for (const { id } of doc.floors) writeFloor(writing, id);
  const [first] = doc.floors;
  const plan = {
    name: textOf(name),
    categories: doc.categories.map(({ label, color, x_pretix }) => ({
      color,
      ...rawOf(x_pretix),
      name: label,
    })),
    zones: [...writing.zones.values()].map(({ meta, rows, areas }) => ({
      ...meta,
      rows,
      areas: inTheirOrder(areas),
    })),
    size: {
      width: Math.round(numberOf(first?.data.width, 1000)),
      height: Math.round(numberOf(first?.data.height, 1000)),
    },
    ...kept,
  };
  return { plan, loss: writing.loss };
}
