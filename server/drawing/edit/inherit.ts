/**
 * The category and entrance that an object inherits from its section and keeps when it leaves.
 */
import type { Doc, Item, Key, SectionData } from '#server/drawing/model/data.ts';
import { isSeated, withSeats } from './targets.ts';

type Given = Partial<Pick<SectionData, 'categoryKey' | 'entrance'>>;
interface Own {
  categoryKey?: Key | null;
  entrance?: string;
}

/** The values of a section that the next section, if any, does not have. */
function left(from: Given, into: Given | undefined): Given {
  const { categoryKey, entrance } = from;
  const givesCategory = (into?.categoryKey ?? null) === null;
  return {
    ...(givesCategory && (categoryKey ?? null) !== null ? { categoryKey } : {}),
    ...(into?.entrance === undefined && entrance !== undefined ? { entrance } : {}),
  };
}

function sectionOf(doc: Doc, id: string | null): Given | undefined {
  const section = id === null ? undefined : doc.items.get(id);
  return section?.kind === 'section' ? section.data : undefined;
}

/** The object with what it keeps when it moves from its section into another, or into none. */
export function leaving<T extends Item>(doc: Doc, item: T, into: string | null): T {
  const from = sectionOf(doc, item.section);
  if (!from || item.section === into) return item;
  const { categoryKey, entrance } = left(from, sectionOf(doc, into));
  const given = <D extends Own>(own: D): D => ({
    ...own,
    ...(categoryKey === undefined || (own.categoryKey ?? null) !== null ? {} : { categoryKey }),
    ...(entrance === undefined || own.entrance !== undefined ? {} : { entrance }),
  });
  if (categoryKey === undefined && entrance === undefined) return item;
  const isSold = item.kind === 'table' || item.kind === 'booth' || item.kind === 'area';
  const whole = isSold ? ({ ...item, data: given(item.data as Own) } as T) : item;
  return isSeated(whole) ? withSeats(whole, whole.data.seats.map(given)) : whole;
}
