/** What a new drawing changes for the evenings on sale: the prices before and after. */
import type { Diff } from '#server/drawing/diff/diff.ts';
import type { Doc } from '#server/drawing/model/data.ts';
import type { Evening } from '#apps/chart/designer/config.ts';
import { count } from '#apps/chart/designer/kit/count.ts';

/** Places that go from one category to another; null: they are new, or they go. */
interface Turn {
  from: string | null;
  to: string | null;
  places: number;
}

function turnsOf({ places }: Diff): Turn[] {
  const turns = new Map<string, Turn>();
  for (const { before, after } of places) {
    const [from, to] = [before?.category ?? null, after?.category ?? null];
    if (from === to) continue;
    const key = JSON.stringify([from, to]);
    const known = turns.get(key);
    const people = (after ?? before)?.capacity ?? 1;
    turns.set(key, { from, to, places: (known?.places ?? 0) + people });
  }
  return [...turns.values()].toSorted((a, b) => b.places - a.places);
}

const euro = new Intl.NumberFormat('it', { style: 'currency', currency: 'EUR' });

/** «20,00 €», «da 20,00 € a 30,00 €», «non in vendita». */
function priceIn({ prices }: Evening, doc: Doc, category: string): string {
  const name = doc.categories.find(({ key }) => String(key) === category)?.label;
  const cents = prices.find((one) => one.category === category || one.category === name)?.cents;
  if (!cents || cents.length === 0) return 'non in vendita';
  const [least, most] = [Math.min(...cents), Math.max(...cents)];
  const told = (amount: number) => euro.format(amount / 100);
  return least === most ? told(least) : `da ${told(least)} a ${told(most)}`;
}

/** The lines about one evening; none where no place changes its price there. */
export function tellPrices(
  evening: Evening,
  diff: Diff,
  { before, after }: { before: Doc; after: Doc },
): string[] {
  return turnsOf(diff).flatMap(({ from, to, places }) => {
    const old = from === null ? null : priceIn(evening, before, from);
    const now = to === null ? null : priceIn(evening, after, to);
    const seats = count(places, 'posto', 'posti');
    if (old === now) return [];
    if (old === null) return [`${seats} in più: ${now}`];
    if (now === null) return [`${seats} in meno: prima ${old}`];
    return [`${seats}: prima ${old}, poi ${now}`];
  });
}
