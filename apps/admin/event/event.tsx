/** One event: dates, sales period, prices, figures. */
import { Link, useParams } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { readEvent } from '#server/contract/event-desk.ts';
import { getEvent } from '#server/contract/events.ts';
import { cancelEvent } from '#server/contract/refunds.ts';
import { mostPrices } from '#server/contract/prices.ts';
import { formatCount, formatEuro, formatLongDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { EventBadge, EventLinks, Sold } from './links.tsx';
import { Fact, Facts } from '#apps/admin/kit/facts.tsx';
import { BackLink, PageTitle } from '#apps/admin/kit/page-title.tsx';
import { Loaded } from '#apps/admin/kit/loaded.tsx';
import { useMay } from '#apps/admin/shell/session.ts';
import { Notice } from '#apps/admin/kit/notice.tsx';
import { Panel } from '#apps/admin/kit/panel.tsx';
import { Table } from '#apps/admin/kit/list/table.tsx';
import buttonStyles from '#apps/admin/kit/buttons.module.css';
import tableStyles from '#apps/admin/kit/list/table.module.css';
import panelStyles from '#apps/admin/kit/panel.module.css';
import textStyles from '#apps/admin/kit/text.module.css';
import styles from './event.module.css';

type OfficeEvent = ReplyOf<typeof readEvent>;

export function EventScreen() {
  const { eventId } = useParams() as { eventId: string };
  const event = useEndpoint(readEvent, { params: { eventId } }, { refetchInterval: 15_000 });
  return (
    <>
      <BackLink to="/">Eventi</BackLink>
      <Loaded query={event}>{(data) => <EventFacts event={data} />}</Loaded>
    </>
  );
}

function EventFacts({ event }: { event: OfficeEvent }) {
  const mayCancel = useMay(cancelEvent.who);
  return (
    <>
      <PageTitle title={event.title || 'Evento senza titolo'}>
        <EventBadge event={event} />
      </PageTitle>
      <EventLinks event={event} />
      <EventNotices event={event} />
      <div className={panelStyles.panels}>
        <Panel>
          <h2>Quando e dove</h2>
          <Facts>
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
          </Facts>
        </Panel>
        <Sale event={event} />
        <Panel>
          <h2>Numeri</h2>
          <Facts>
            <Fact name="Venduti">
              <Sold counts={event.counts} />
            </Fact>
            <Fact name="Liberi">
              {(event.counts.places - event.counts.sold).toLocaleString('it-IT')}
            </Fact>
            <Fact name="Presenti">{event.counts.inside.toLocaleString('it-IT')}</Fact>
          </Facts>
        </Panel>
        <Prices event={event} />
      </div>
      {event.status !== 'cancelled' && mayCancel && (
        <p className={`${buttonStyles.actions} ${styles.far}`}>
          <Link
            className={`ui-button ui-button-danger ${buttonStyles.small}`}
            to={`/events/${encodeURIComponent(event.id)}/cancel`}
          >
            Annulla l’evento…
          </Link>
        </p>
      )}
    </>
  );
}

function EventNotices({ event }: { event: OfficeEvent }) {
  return (
    <>
      {event.status === 'draft' && (
        <Notice tone="warn" icon="edit">
          <strong>È una bozza: sul sito non si vede.</strong>{' '}
          {event.missing.length === 0
            ? 'È pronta da pubblicare.'
            : `Per pubblicarla ${event.missing.length === 1 ? 'manca una cosa' : `mancano ${event.missing.length} cose`}.`}{' '}
          <Link to={`/events/${encodeURIComponent(event.id)}/edit`}>
            Apri la scheda dell’evento
          </Link>
        </Notice>
      )}
      {event.status === 'cancelled' && (
        <Notice tone="bad">
          <strong>Evento annullato.</strong>{' '}
          <Link to={`/events/${encodeURIComponent(event.id)}/cancel`}>Segui i rimborsi</Link>
        </Notice>
      )}
    </>
  );
}

function Sale({ event: { id, sales } }: { event: OfficeEvent }) {
  return (
    <Panel>
      <h2>Vendita</h2>
      <Facts>
        <Fact name="Dal">
          {sales.opens_at === null ? 'dalla pubblicazione' : formatLongDate(sales.opens_at)}
        </Fact>
        <Fact name="Al">{formatLongDate(sales.closes_at)}</Fact>
        <Fact name="Per ordine">al massimo {formatCount(sales.max_seats, 'posto', 'posti')}</Fact>
        <Fact name="Pagina">
          <code>/event/{id}</code>
        </Fact>
      </Facts>
    </Panel>
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
    <Panel wide>
      <div className={panelStyles.title}>
        <h2>Prezzi</h2>
        {ids.length > 0 && ids.length <= mostPrices && (
          <Link to={`/prices?ids=${ids.map(encodeURIComponent).join(',')}`}>
            Controlla su Stripe
          </Link>
        )}
      </div>
      <Table
        className={styles.prices}
        columns={['Settore', 'Biglietto', 'Prezzo su Stripe', { number: 'Importo' }]}
      >
        <tbody>
          {event.attributes.seat_pricing.flatMap((entry) =>
            entry.ticketTypes.map((type) => (
              <tr key={`${entry.category} ${type.ticketType}`}>
                <td>{entry.category}</td>
                <td>{type.label}</td>
                <td>
                  <code className={`${textStyles.soft} ${tableStyles.under}`}>{type.price_id}</code>
                </td>
                <td className={tableStyles.number}>
                  {page.isLoading ? '…' : formatEuro(amounts.get(type.price_id))}
                </td>
              </tr>
            )),
          )}
        </tbody>
      </Table>
      {!published && (
        <p className={textStyles.soft}>Gli importi si vedono qui quando l’evento è pubblicato.</p>
      )}
      {page.isSuccess &&
        event.attributes.seat_pricing.some((entry) =>
          entry.ticketTypes.some((type) => !amounts.has(type.price_id)),
        ) && (
          <Notice tone="warn">
            I biglietti con «N/D» non sono in vendita: il loro prezzo manca, non è attivo o non è in
            euro.
          </Notice>
        )}
    </Panel>
  );
}
