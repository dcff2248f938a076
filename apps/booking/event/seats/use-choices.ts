/** Turns the chart's objects into choices, named as the server will name their tickets. */
import { useEffect, useMemo, useRef, useState } from 'react';
import { call } from '#apps/shared/api.ts';
import { chosenName, type ChosenObject } from '#apps/shared/chosen-place.ts';
import type { EventReply } from '#apps/booking/shell/replies.ts';
import { namePlaces } from '#server/contract/events.ts';
import type { PricedCategory } from '#server/domain/price/pricing.ts';
import { feesPerOrder, type SoldSurcharge } from '#server/domain/price/surcharge.ts';
import type { Choice } from './choices.ts';
import { choicesOf } from './read-choices.ts';
import type { pricedByRules } from './rule-prices.ts';
import { openedRules, type SaleRules } from './opened-rules.ts';
import type { SeatSelection, SelectionState } from './selection.ts';

type PricedByRules = typeof pricedByRules;

interface About {
  page: EventReply;
  pricing: readonly PricedCategory[];
  selection: SeatSelection;
  state: Pick<SelectionState, 'codes' | 'convention'>;
}

export function useChoices({ page, pricing, selection, state }: About): void {
  const { names, learn } = useNames(page.event.id);
  const { whole_objects: whole } = page;
  const { price_rules, surcharges } = page;
  const { codes, convention } = state;
  const rules = useMemo(
    () => [...price_rules, ...openedRules({ codes, convention })],
    [price_rules, codes, convention],
  );
  const lower = usePriceRules(rules, surcharges);
  useEffect(() => {
    if (lower === null) return;
    selection.readWith((objects) => {
      learn(objects);
      const { coming } = selection;
      const nameOf = (object: ChosenObject) => names.get(object.label) ?? chosenName(object);
      return lower(choicesOf(objects, { pricing, whole, coming, nameOf }));
    });
  }, [selection, pricing, whole, names, learn, lower]);
}

type Lower = (choices: readonly Choice[]) => Choice[];
const asListed: Lower = (choices) => [...choices];

/**
 * The choices after price rules; null while the code for rules is fetched, so that no other price
 * shows first. If that code cannot be fetched, the booking's answer names the price.
 */
function usePriceRules(rules: SaleRules, surcharges: readonly SoldSurcharge[]): Lower | null {
  const [loaded, setLoaded] = useState<{ pricedByRules: PricedByRules } | null>(null);
  const isNeeded = rules.length > 0;
  useEffect(() => {
    if (!isNeeded) return;
    import('./rule-prices.ts').then(setLoaded, () => setLoaded({ pricedByRules: asListed }));
  }, [isNeeded]);
  return useMemo(() => {
    if (!isNeeded) return asListed;
    const per_order = feesPerOrder(surcharges);
    return loaded && ((choices) => loaded.pricedByRules(choices, rules, per_order));
  }, [isNeeded, loaded, rules, surcharges]);
}

/** The server's names for places; until it answers, the chart's own names are shown. */
function useNames(eventId: string) {
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const asked = useRef(new Set<string>());
  const [learn] = useState(() => (chosen: readonly ChosenObject[]) => {
    const objects = chosen.map(({ label }) => label).filter((label) => !asked.current.has(label));
    if (objects.length === 0) return;
    for (const label of objects) asked.current.add(label);
    call(namePlaces, { params: { eventId }, body: { objects } }).then(
      ({ items }) =>
        setNames(
          (known) =>
            new Map([...known, ...items.map(({ object_id, name }) => [object_id, name] as const)]),
        ),
      () => {
        for (const label of objects) asked.current.delete(label);
      },
    );
  });
  return { names, learn };
}
