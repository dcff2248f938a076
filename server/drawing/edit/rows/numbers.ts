/** Numbers for seats that are added to a row, continuing those of their neighbours. */
import type { Doc, Item, SeatData } from '#server/drawing/model/data.ts';
import { isSeated } from '#server/drawing/edit/targets.ts';
import { itemLabel, nextName } from '#server/drawing/edit/names.ts';

/** The numbers of all seats under this row's name, including other parts of the row. */
export function takenNumbers(doc: Doc, item: Item): Set<string> {
  const nameOf = (id: string | null) => {
    const section = id === null ? undefined : doc.items.get(id);
    return section ? itemLabel(section) : '';
  };
  const [own, around] = [itemLabel(item), nameOf(item.section)];
  const taken = new Set<string>();
  for (const other of doc.items.values())
    if (isSeated(other) && itemLabel(other) === own && nameOf(other.section) === around)
      for (const seat of other.data.seats) taken.add(String(seat.label ?? ''));
  return taken;
}

function stepAt(last: SeatData | undefined, before: SeatData | undefined): number {
  const [a, b] = [Number(before?.label), Number(last?.label)];
  const step = b - a;
  return Number.isInteger(step) && step !== 0 && Math.abs(step) <= 2 ? step : 1;
}

/** The next `count` names beyond the end of `seats`, outwards. */
export function nextNumbers(
  seats: readonly SeatData[],
  count: number,
  taken: Set<string>,
): string[] {
  const [last, before] = [seats.at(-1), seats.at(-2)];
  const step = stepAt(last, before);
  const names: string[] = [];
  let name = String(last?.label ?? '0');
  for (let added = 0; added < count; added += 1) {
    const next = nextName(name, step);
    // There is no seat 0; instead the numbers continue after the highest one.
    const isEnd = step < 0 && /^0*$/.test(next);
    name = isEnd ? highestFree(taken) : next;
    while (taken.has(name)) name = nextName(name, Math.abs(step));
    taken.add(name);
    names.push(name);
  }
  return names;
}

export function highestFree(taken: Set<string>): string {
  const numbers = [...taken].map(Number).filter(Number.isInteger);
  return String(Math.max(0, ...numbers) + 1);
}
