/** The prices of a show, which apply to every date without prices of its own. */
import { useParams } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { readShowPrices, saveShowPrices } from '#server/contract/price-matrix.ts';
import { formatCount, formatShortDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { BackLink, PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import { PriceMatrix } from '#apps/admin/event/matrix/matrix.tsx';
import type { MatrixBody } from '#apps/admin/event/matrix/stored.ts';

type ShowPrices = ReplyOf<typeof readShowPrices>;

export function ShowPricesScreen() {
  const { showId } = useParams() as { showId: string };
  const prices = useEndpoint(
    readShowPrices,
    { params: { showId } },
    { refetchOnWindowFocus: false },
  );
  return (
    <>
      <BackLink to={`/shows/${encodeURIComponent(showId)}`}>Date dello spettacolo</BackLink>
      <Loaded query={prices}>
        {(data) => (
          <>
            <PageTitle title={data.title || 'Spettacolo senza titolo'} />
            <ShowPricesForm key={`${showId} ${data.version}`} id={showId} prices={data} />
          </>
        )}
      </Loaded>
    </>
  );
}

function ShowPricesForm({ id, prices }: { id: string; prices: ShowPrices }) {
  const change = useChange();
  const own = prices.dates.filter(({ differs }) => differs);
  const following = prices.dates.length - own.length;
  const save = (typed: MatrixBody) =>
    change(saveShowPrices, {
      params: { showId: id },
      body: {
        version: prices.version,
        dates: prices.dates.map((date) => ({ id: date.id, version: date.version })),
        prices: typed,
      },
    });
  return (
    <PriceMatrix
      matrix={prices}
      onSave={save}
      effect={<p>Cambiano in {formatCount(following, 'data futura', 'date future')}.</p>}
    >
      <Notice>
        Valgono per {formatCount(following, 'data futura', 'date future')}.
        {own.length > 0 &&
          ` Hanno prezzi propri e li tengono: ${own.map((date) => formatShortDate(date.starts_at)).join(', ')}.`}
      </Notice>
    </PriceMatrix>
  );
}
