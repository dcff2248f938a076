/**
 * All that is sold in a drawing, in reading order, with full label and position; every export
 * uses it.
 */
import {
  KINDS,
  LISTS,
  type CategoryData,
  type Doc,
  type Item,
  type Key,
  type Kind,
  type Point,
  type SeatData,
} from '#server/drawing/model/data.ts';
import { originOf, seatsOf } from '#server/drawing/model/selection.ts';
import { add, textOf } from './values.ts';
import { entryOf } from '#server/drawing/model/entry.ts';

type SectionItem = Extract<Item, { kind: 'section' }>;

/** The objects of a floor in reading order; a section comes before its contents. */
export function itemsOnFloor(doc: Doc, floor: string, kinds: readonly Kind[] = KINDS): Item[] {
  const inside = (container: string, wanted: readonly Kind[]): Item[] =>
    wanted.flatMap((kind) =>
      (doc.order.get(`${container}/${LISTS[kind]}`) ?? []).map((id) => entryOf(doc.items, id)),
    );
  const sections = inside(floor, ['section']);
  return [
    ...inside(
      floor,
      kinds.filter((kind) => kind !== 'section'),
    ),
    ...sections.flatMap((section) => [
      ...(kinds.includes('section') ? [section] : []),
      ...inside(section.id, kinds),
    ]),
  ];
}

export function sectionOf(doc: Doc, item: Pick<Item, 'section'>): SectionItem | null {
  const section = item.section === null ? undefined : doc.items.get(item.section);
  return section?.kind === 'section' ? section : null;
}

export interface WalkedSeat {
  readonly seat: SeatData;
  readonly position: number;
  readonly holder: Extract<Item, { kind: 'row' | 'table' }>;
  readonly section: SectionItem | null;
  /** `[section-]row-seat`, the label under which it is sold. */
  readonly label: string;
  readonly at: Point;
  readonly category: CategoryData | undefined;
}

export function categoryUnder(doc: Doc, key: Key | null | undefined): CategoryData | undefined {
  return key === null || key === undefined
    ? undefined
    : doc.categories.find((category) => String(category.key) === String(key));
}

export function walkSeats(doc: Doc, floor: string): WalkedSeat[] {
  const byKey = new Map(doc.categories.map((category) => [String(category.key), category]));
  return itemsOnFloor(doc, floor, ['row', 'table']).flatMap((holder) => {
    if (holder.kind !== 'row' && holder.kind !== 'table') return [];
    const section = sectionOf(doc, holder);
    const origin = originOf(doc, holder);
    const prefix = [section?.data.label, holder.data.label].map(textOf).filter(Boolean);
    const own = holder.kind === 'table' ? holder.data.categoryKey : null;
    return seatsOf(holder).map((seat, position) => ({
      seat,
      position,
      holder,
      section,
      label: [...prefix, textOf(seat.label)].join('-'),
      at: add(seat, origin),
      category: byKey.get(String(seat.categoryKey ?? own ?? section?.data.categoryKey ?? '')),
    }));
  });
}
