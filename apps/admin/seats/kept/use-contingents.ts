/** The contingents of an event, acts on them, and undo of the last act. */
import { useState } from 'react';
import {
  addToContingent,
  editContingent,
  listContingents,
  makeContingent,
  releaseContingent,
  removeFromContingent,
  restoreContingent,
} from '#server/contract/contingents.ts';
import type { Asked, ReplyOf } from '#server/contract/endpoint.ts';
import { formatCount } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { useChange } from '#apps/admin/kit/refresh.ts';
import { useMay } from '#apps/admin/kit/session/session.ts';
import type { Done } from './use-blocks.ts';

export type Contingent = ReplyOf<typeof listContingents>['items'][number];
export type ContingentTerms = Asked<typeof editContingent>['body'];
type ContingentPlaces = Pick<Asked<typeof makeContingent>['body'], 'objects' | 'areas'>;

/** Places to add to a contingent or to remove. */
type Part = ContingentPlaces & { contingent: Contingent };

const pollMs = 15_000;

export function useContingents(eventId: string) {
  const params = { eventId };
  const may = useMay('block_seats');
  const query = useEndpoint(listContingents, { params }, { refetchInterval: pollMs, enabled: may });
  const change = useChange();
  const [done, setDone] = useState<Done | null>(null);
  const at = ({ contingent_id }: Contingent) => ({
    params: { ...params, contingentId: contingent_id },
  });
  const release = (one: Contingent) => change(releaseContingent, at(one));
  const restore = (one: Contingent) => change(restoreContingent, at(one));
  const add = ({ contingent, objects, areas }: Part) =>
    change(addToContingent, { ...at(contingent), body: { objects, areas } });
  const remove = ({ contingent, objects, areas }: Part) =>
    change(removeFromContingent, { ...at(contingent), body: { objects, areas } });
  const tell = (text: string, undo: () => Promise<unknown>) => setDone({ text, undo });

  return {
    may,
    query,
    done,
    forget: () => setDone(null),
    async make(places: ContingentPlaces, terms: ContingentTerms) {
      const made = await change(makeContingent, { params, body: { ...terms, ...places } });
      tell(
        `${formatCount(made.places, 'posto riservato', 'posti riservati')} a ${made.name}.`,
        () => release(made),
      );
    },
    async edit(before: Contingent, body: ContingentTerms) {
      await change(editContingent, { ...at(before), body });
      const { name, color, sale, code, release_at } = before;
      tell('Contingente cambiato.', () =>
        change(editContingent, { ...at(before), body: { name, color, sale, code, release_at } }),
      );
    },
    async add(contingent: Contingent, places: ContingentPlaces) {
      const added = await add({ contingent, ...places });
      const words = formatCount(countOf(added), 'posto aggiunto', 'posti aggiunti');
      tell(`${words} a ${contingent.name}.`, () => remove(added));
    },
    async remove(parts: readonly (Pick<Part, 'contingent' | 'objects'> & Partial<Part>)[]) {
      const gone: Part[] = [];
      for (const part of parts) gone.push(await remove({ areas: [], ...part }));
      const count = gone.reduce((sum, part) => sum + countOf(part), 0);
      tell(`${formatCount(count, 'posto', 'posti')} di nuovo per tutti.`, async () => {
        for (const part of gone) if (countOf(part) > 0) await add(part);
      });
    },
    async release(one: Contingent) {
      const gone = await release(one);
      const left = gone.places - gone.sold;
      tell(`${formatCount(left, 'posto', 'posti')} di nuovo per tutti.`, () => restore(one));
    },
    async restore(one: Contingent) {
      await restore(one);
      tell(`${one.name}: posti di nuovo riservati.`, () => release(one));
    },
  };
}

function countOf({ objects, areas }: ContingentPlaces): number {
  return areas.reduce((sum, { places }) => sum + places, objects.length);
}

export type Contingents = ReturnType<typeof useContingents>;
