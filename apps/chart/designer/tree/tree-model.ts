/** The drawing as a tree: floor, section, row, seat; one line for each visible node. */
import { KINDS, type Doc, type Item } from '#server/drawing/model/data.ts';
import { labelOf } from '#server/drawing/model/places.ts';
import { seatsOf } from '#server/drawing/model/selection.ts';
import { nounOf } from '#server/drawing/model/where.ts';
import { floorName } from '#apps/chart/designer/kit/floor-name.ts';

export interface TreeLine {
  /** `floor-0`, an object's id, or `id 12` for a seat. */
  key: string;
  kind: 'floor' | 'item' | 'seat';
  item: string;
  /** The position of a seat in its object. */
  position: number;
  text: string;
  level: number;
  /** The number among its siblings, from 1. */
  place: number;
  size: number;
  isOpen: boolean | null;
  parent: string | null;
}

const first = ['section', 'row', 'table', 'booth', 'area'];
const order = new Map(
  [...KINDS].toSorted((a, b) => rank(a) - rank(b)).map((kind, index) => [kind, index]),
);

function rank(kind: string): number {
  const at = first.indexOf(kind);
  return at < 0 ? first.length : at;
}

function titled(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function textOf(item: Item): string {
  const noun = titled(nounOf(item));
  if (item.kind === 'text') return `${noun} «${item.data.text ?? ''}»`;
  const label = labelOf(item.data);
  const name = label === '?' ? noun : `${noun} ${label}`;
  const marks = [item.data.x_locked && 'bloccato', item.data.x_hidden && 'nascosto'];
  const told = marks.filter((mark) => typeof mark === 'string').join(', ');
  return told === '' ? name : `${name} (${told})`;
}

type Children = ReadonlyMap<string, readonly Item[]>;

/** The objects of each floor and section, by kind and then in reading order. */
export function childrenOf(doc: Doc): Children {
  const children = new Map<string, Item[]>();
  for (const item of doc.items.values()) {
    const home = item.section ?? item.floor;
    const list = children.get(home);
    if (list) list.push(item);
    else children.set(home, [item]);
  }
  for (const list of children.values())
    list.sort((a, b) => (order.get(a.kind) ?? 0) - (order.get(b.kind) ?? 0));
  return children;
}

interface Walk {
  lines: TreeLine[];
  children: Children;
  open: ReadonlySet<string>;
}

function addSeats({ lines }: Walk, item: Item, level: number): void {
  const seats = seatsOf(item);
  seats.forEach((seat, position) =>
    lines.push({
      key: `${item.id} ${position}`,
      kind: 'seat',
      item: item.id,
      position,
      text: `Posto ${labelOf(seat)}`,
      level,
      place: position + 1,
      size: seats.length,
      isOpen: null,
      parent: item.id,
    }),
  );
}

function addItems(walk: Walk, home: string, level: number): void {
  const items = walk.children.get(home) ?? [];
  items.forEach((item, index) => {
    const hasMore = item.kind === 'section' ? walk.children.has(item.id) : seatsOf(item).length > 0;
    const isOpen = walk.open.has(item.id);
    walk.lines.push({
      key: item.id,
      kind: 'item',
      item: item.id,
      position: -1,
      text: textOf(item),
      level,
      place: index + 1,
      size: items.length,
      isOpen: hasMore ? isOpen : null,
      parent: home,
    });
    if (!hasMore || !isOpen) return;
    if (item.kind === 'section') addItems(walk, item.id, level + 1);
    else addSeats(walk, item, level + 1);
  });
}

export function treeLines(doc: Doc, children: Children, open: ReadonlySet<string>): TreeLine[] {
  const walk: Walk = { lines: [], children, open };
  doc.floors.forEach(({ id, data }, index) => {
    const isOpen = open.has(id);
    walk.lines.push({
      key: id,
      kind: 'floor',
      item: id,
      position: -1,
      text: floorName(data),
      level: 1,
      place: index + 1,
      size: doc.floors.length,
      isOpen,
      parent: null,
    });
    if (isOpen) addItems(walk, id, 2);
  });
  return walk.lines;
}
