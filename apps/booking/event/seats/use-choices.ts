/** Turns the chart's objects into choices, named as the server will name their tickets. */
import { useEffect, useRef, useState } from 'react';
import { call } from '#apps/shared/api.ts';
import { chosenName, type ChosenObject } from '#apps/shared/chosen-place.ts';
import type { EventReply } from '#apps/booking/shell/replies.ts';
import { namePlaces } from '#server/contract/events.ts';
import type { PricedCategory } from '#server/domain/price/pricing.ts';
import { choicesOf } from './read-choices.ts';
import type { SeatSelection } from './selection.ts';

interface About {
  page: EventReply;
  pricing: readonly PricedCategory[];
  selection: SeatSelection;
}

export function useChoices({ page, pricing, selection }: About): void {
  const { names, learn } = useNames(page.event.id);
  const { whole_objects: whole } = page;
  useEffect(
    () =>
      selection.readWith((objects) => {
        learn(objects);
        const { coming } = selection;
        const nameOf = (object: ChosenObject) => names.get(object.label) ?? chosenName(object);
        return choicesOf(objects, { pricing, whole, coming, nameOf });
      }),
    [selection, pricing, whole, names, learn],
  );
}

/** The server's names; until it answers, and where it does not, the chart's words stand. */
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
