/** Changes a for-sale configuration object by object; all other objects stay as they are. */
import type { LoadedEvent } from '#server/standins/seatsio/catalog/catalog.ts';
import type { ForSaleConfig } from '#server/standins/seatsio/catalog/for-sale.ts';
import type { PlanObject } from '#server/standins/seatsio/plan/plan.ts';

/**
 * Objects may be sections, rows, tables, areas or seats, and need not exist; `quantity` is a
 * number of places of an area.
 */
interface ForSaleEdit {
  forSale: { object: string; quantity?: number | null }[];
  notForSale: { object: string; quantity?: number | null }[];
}

interface List {
  objects: Set<string>;
  places: Map<string, number>;
  categories: Set<string>;
}
type Members = Map<string, PlanObject[]>;

/**
 * Adds objects to the list or removes them, depending on whether the list names what is for sale
 * or what is not. Without a configuration everything is for sale.
 */
export function editForSaleConfig(
  event: LoadedEvent,
  old: ForSaleConfig | null,
  edit: ForSaleEdit,
): ForSaleConfig {
  const config = old ?? { forSale: false, objects: [], areaPlaces: {}, categories: [] };
  const [add, remove] = config.forSale
    ? [edit.forSale, edit.notForSale]
    : [edit.notForSale, edit.forSale];
  const list: List = {
    objects: new Set(config.objects),
    places: new Map(Object.entries(config.areaPlaces)),
    categories: new Set(config.categories),
  };
  const members =
    remove.length > 0 ? membersOf(event) : { byName: new Map(), byCategory: new Map() };
  for (const { object, quantity } of remove)
    strikeOff(list, members, { name: object, quantity: quantity ?? null });
  for (const { object, quantity } of add) {
    const capacity = event.plan.byLabel.get(object)?.capacity ?? Infinity;
    if (quantity === null || quantity === undefined) list.objects.add(object);
    else list.places.set(object, Math.min(capacity, (list.places.get(object) ?? 0) + quantity));
  }
  return {
    forSale: config.forSale,
    objects: [...list.objects],
    areaPlaces: Object.fromEntries([...list.places].filter(([, count]) => count > 0)),
    categories: [...list.categories],
  };
}

function membersOf(event: LoadedEvent): { byName: Members; byCategory: Members } {
  const byName: Members = new Map();
  const byCategory: Members = new Map();
  const put = (members: Members, name: string, object: PlanObject) => {
    const there = members.get(name);
    if (there) there.push(object);
    else members.set(name, [object]);
  };
  for (const object of event.plan.objects) {
    for (const name of new Set([object.label, object.parentLabel, object.section]))
      if (name !== undefined) put(byName, name, object);
    const category = event.categoryOf(object);
    if (category)
      for (const name of new Set([String(category.key), category.label]))
        put(byCategory, name, object);
  }
  return { byName, byCategory };
}

/**
 * Removes an object from the list. An entry that contains more than this object (a row, section
 * or category) is replaced by the rest of its objects.
 */
function strikeOff(
  list: List,
  { byName, byCategory }: { byName: Members; byCategory: Members },
  { name, quantity }: { name: string; quantity: number | null },
): void {
  const inside = byName.get(name) ?? [];
  const gone = new Set(inside);
  const others: PlanObject[] = [];
  let struck = false;
  for (const [names, members] of [
    [list.objects, byName],
    [list.categories, byCategory],
  ] as const) {
    for (const one of names) {
      const listed = members.get(one) ?? [];
      if (!listed.some((object) => gone.has(object))) continue;
      struck = true;
      names.delete(one);
      others.push(...listed.filter((object) => !gone.has(object)));
    }
  }
  for (const { label } of others) list.objects.add(label);
  list.objects.delete(name);
  if (quantity === null) {
    list.places.delete(name);
    return;
  }
  const [only, another] = inside;
  const before = struck && only && !another ? only.capacity : (list.places.get(name) ?? 0);
  list.places.set(name, Math.max(0, before - quantity));
}
