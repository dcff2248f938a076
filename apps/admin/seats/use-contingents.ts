/** The contingents of an event, what can be done with them, and the way back from what was done last. */
import { useState } from 'react';
import {
  editContingent,
  listContingents,
  makeContingent,
  releaseContingent,
  restoreContingent,
} from '#server/contract/contingents.ts';
import type { Asked, ReplyOf } from '#server/contract/endpoint.ts';
import { formatCount } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { useChange } from '#apps/admin/kit/refresh.ts';
import { useMay } from '#apps/admin/shell/session.ts';
import type { Done } from './use-blocks.ts';

export type Contingent = ReplyOf<typeof listContingents>['items'][number];
export type ContingentTerms = Asked<typeof editContingent>['body'];
export type ContingentPlaces = Pick<Asked<typeof makeContingent>['body'], 'objects' | 'areas'>;

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

export type Contingents = ReturnType<typeof useContingents>;
