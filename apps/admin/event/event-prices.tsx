/** The prices of one event, typed in euros. */
import { Link, useParams } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { readEventPrices, saveEventPrices } from '#server/contract/price-matrix.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import { PriceMatrix } from './matrix/matrix.tsx';
import type { MatrixBody } from './matrix/stored.ts';

type EventPrices = ReplyOf<typeof readEventPrices>;

export function EventPricesScreen() {
  const { eventId } = useParams() as { eventId: string };
  // A refetch must not overwrite typed prices; a new version restarts the form.
  const prices = useEndpoint(
    readEventPrices,
    { params: { eventId } },
    { refetchOnWindowFocus: false },
  );
  return (
    <Loaded query={prices}>
      {(data) => <EventPricesForm key={`${eventId} ${data.version}`} id={eventId} prices={data} />}
    </Loaded>
  );
}

function EventPricesForm({ id, prices }: { id: string; prices: EventPrices }) {
  const change = useChange();
  const save = (typed: MatrixBody) =>
    change(saveEventPrices, {
      params: { eventId: id },
      body: { version: prices.version, prices: typed },
    });
  return (
    <PriceMatrix
      matrix={prices}
      onSave={prices.status === 'cancelled' ? null : save}
      effect={
        prices.status === 'published' && <p>L’evento è sul sito: i prezzi nuovi valgono subito.</p>
      }
    >
      <FromShow prices={prices} />
    </PriceMatrix>
  );
}

/** Says whether this date has the show's prices or its own. */
function FromShow({ prices }: { prices: EventPrices }) {
  if (prices.show_id === null || prices.show_dates < 2) return null;
  return (
    <Notice>
      {prices.differs
        ? 'Questa data ha prezzi suoi, diversi da quelli dello spettacolo.'
        : 'Questa data ha i prezzi dello spettacolo: quello che cambi qui vale solo per lei.'}{' '}
      <Link to={`/shows/${encodeURIComponent(prices.show_id)}/prices`}>
        Prezzi di tutte le date
      </Link>
    </Notice>
  );
}
