/** One event as it stands: dates, sale, prices, figures. */
import { Link, useParams } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { readEvent } from '#server/contract/event-desk.ts';
import { getEvent } from '#server/contract/events.ts';
import { mostPrices } from '#server/contract/prices.ts';
import { formatCount, formatEuro, formatLongDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { EventBadge, EventLinks, Sold } from './links.tsx';
import { Fact } from '#apps/admin/kit/facts.tsx';
import { PageTitle } from '#apps/admin/shell/layout.tsx';
import { Loaded } from '#apps/admin/kit/loaded.tsx';

type OfficeEvent = ReplyOf<typeof readEvent>;

export function EventScreen() {
  const { eventId } = useParams() as { eventId: string };
  const event = useEndpoint(readEvent, { params: { eventId } }, { refetchInterval: 15_000 });
  return (
    <>
      <Link className="back" to="/">
        <Icon name="back" size={16} /> Eventi
      </Link>
      <Loaded query={event}>{(data) => <EventFacts event={data} />}</Loaded>
    </>
  );
}

function EventFacts({ event }: { event: OfficeEvent }) {
  return (
    <>
      <PageTitle title={event.title || 'Evento senza titolo'}>
        <EventBadge event={event} />
      </PageTitle>
      <EventLinks event={event} />
      {event.status === 'draft' && (
        <p className="notice notice-warn">
          <Icon name="edit" />{' '}
          <span>
            <strong>È una bozza: sul sito non si vede.</strong>{' '}
            {event.missing.length === 0
              ? 'È pronta da pubblicare.'
              : `Per pubblicarla ${event.missing.length === 1 ? 'manca una cosa' : `mancano ${event.missing.length} cose`}.`}{' '}
            <Link to={`/events/${encodeURIComponent(event.id)}/edit`}>
              Apri la scheda dell’evento
            </Link>
          </span>
        </p>
      )}
      {event.status === 'cancelled' && (
        <p className="notice notice-bad">
          <Icon name="warning" />{' '}
          <span>
            <strong>Evento annullato.</strong>{' '}
            <Link to={`/events/${encodeURIComponent(event.id)}/cancel`}>Segui i rimborsi</Link>
          </span>
        </p>
      )}
      <div className="panels">
        <section className="panel">
          <h2>Quando e dove</h2>
          <dl className="facts">
            <Fact name="Inizio">{formatLongDate(event.starts_at)}</Fact>
            <Fact name="Apertura porte">
              {event.doors_at === null ? 'non indicata' : formatLongDate(event.doors_at)}
            </Fact>
            <Fact name="Luogo">
              {event.venue_href === null ? (
                event.venue_title
              ) : (
                <a href={event.venue_href} target="_blank" rel="noreferrer">
                  {event.venue_title}
                </a>
              )}
            </Fact>
            <Fact name="Pianta">
              <code>{event.seatsio_event_key}</code>
            </Fact>
          </dl>
        </section>
        <section className="panel">
          <h2>Vendita</h2>
          <dl className="facts">
            <Fact name="Dal">
              {event.sales.opens_at === null
                ? 'dalla pubblicazione'
                : formatLongDate(event.sales.opens_at)}
            </Fact>
            <Fact name="Al">{formatLongDate(event.sales.closes_at)}</Fact>
            <Fact name="Per ordine">
              al massimo {formatCount(event.sales.max_seats, 'posto', 'posti')}
            </Fact>
            <Fact name="Pagina">
              <code>/event/{event.id}</code>
            </Fact>
          </dl>
        </section>
        <section className="panel">
          <h2>Numeri</h2>
          <dl className="facts">
            <Fact name="Venduti">
              <Sold counts={event.counts} />
            </Fact>
            <Fact name="Liberi">
              {(event.counts.places - event.counts.sold).toLocaleString('it-IT')}
            </Fact>
            <Fact name="Presenti">{event.counts.inside.toLocaleString('it-IT')}</Fact>
          </dl>
        </section>
        <Prices event={event} />
      </div>
      {event.status !== 'cancelled' && (
        <p className="actions actions-left far">
          <Link
            className="ui-button ui-button-danger small"
            to={`/events/${encodeURIComponent(event.id)}/cancel`}
          >
            Annulla l’evento…
          </Link>
        </p>
      )}
    </>
  );
}

/** Amounts live at Stripe and come with the public page, which a draft does not have. */
function Prices({ event }: { event: OfficeEvent }) {
  const published = event.status !== 'draft';
  const page = useEndpoint(getEvent, { params: { eventId: event.id } }, { enabled: published });
  const ids = [
    ...new Set(
      event.attributes.seat_pricing.flatMap((entry) =>
        entry.ticketTypes.map((type) => type.price_id),
      ),
    ),
  ];
  const amounts = new Map(page.data?.prices.map((price) => [price.id, price.unit_amount]));
  return (
    <section className="panel panel-wide">
      <div className="section-title">
        <h2>Prezzi</h2>
        {ids.length > 0 && ids.length <= mostPrices && (
          <Link to={`/prices?ids=${ids.map(encodeURIComponent).join(',')}`}>
            Controlla su Stripe
          </Link>
        )}
      </div>
      <table className="table prices">
        <thead>
          <tr>
            <th scope="col">Settore</th>
            <th scope="col">Biglietto</th>
            <th scope="col">Prezzo su Stripe</th>
            <th scope="col" className="number">
              Importo
            </th>
          </tr>
        </thead>
        <tbody>
          {event.attributes.seat_pricing.flatMap((entry) =>
            entry.ticketTypes.map((type) => (
              <tr key={`${entry.category} ${type.ticketType}`}>
                <td>{entry.category}</td>
                <td>{type.label}</td>
                <td>
                  <code className="soft">{type.price_id}</code>
                </td>
                <td className="number">
                  {page.isLoading ? '…' : formatEuro(amounts.get(type.price_id))}
                </td>
              </tr>
            )),
          )}
        </tbody>
      </table>
      {!published && (
        <p className="soft">Gli importi si vedono qui quando l’evento è pubblicato.</p>
      )}
      {page.isSuccess &&
        event.attributes.seat_pricing.some((entry) =>
          entry.ticketTypes.some((type) => !amounts.has(type.price_id)),
        ) && (
          <p className="notice notice-warn">
            <Icon name="warning" /> I biglietti con «N/D» non sono in vendita: il loro prezzo manca,
            non è attivo o non è in euro.
          </p>
        )}
    </section>
  );
}
