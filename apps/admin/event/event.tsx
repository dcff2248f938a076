/** One event: dates, sales period, figures. */
import { Link, useParams } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { readEvent } from '#server/contract/event-desk.ts';
import { readQueueDesk } from '#server/contract/queue.ts';
import { postponeEvent } from '#server/contract/postponements.ts';
import { cancelEvent } from '#server/contract/order/refunds.ts';
import { formatCount, formatLongDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Sold } from './links.tsx';
import { GiftPanel } from '#apps/admin/papers/gifts.tsx';
import { MissingSeals, TaxFacts } from '#apps/admin/papers/tax-facts.tsx';
import { DeleteDraft } from './delete-draft.tsx';
import { DuplicateEvent } from './duplicate.tsx';
import { QueuePanel } from './queue/panel.tsx';
import { Fact, Facts } from '#apps/admin/kit/page/facts.tsx';
import { Toolbar } from '#apps/admin/kit/page/page-title.tsx';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { reportOfEvent } from '#apps/admin/reports/scope.ts';
import { useMay } from '#apps/admin/kit/session/session.ts';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import buttonStyles from '#apps/admin/kit/buttons.module.css';
import panelStyles from '#apps/admin/kit/page/panel.module.css';
import styles from './event.module.css';

type OfficeEvent = ReplyOf<typeof readEvent>;

export function EventScreen() {
  const { eventId } = useParams() as { eventId: string };
  const event = useEndpoint(readEvent, { params: { eventId } }, { refetchInterval: 15_000 });
  return <Loaded query={event}>{(data) => <EventFacts event={data} />}</Loaded>;
}

function EventFacts({ event }: { event: OfficeEvent }) {
  const mayCancel = useMay(cancelEvent.who);
  const maySeeReport = useMay('see_reports');
  const maySetQueue = useMay(readQueueDesk.who);
  return (
    <>
      <Toolbar>
        <DuplicateEvent event={event} />
      </Toolbar>
      <EventNotices event={event} />
      <MissingSeals eventId={event.id} form={event.form} />
      <div className={panelStyles.panels}>
        <WhenAndWhere event={event} />
        <Sale event={event} />
        <Panel>
          <h2>Numeri</h2>
          <Facts>
            <Fact name="Venduti">
              <Sold counts={event.counts} />
            </Fact>
            <Fact name="Liberi">{event.counts.free.toLocaleString('it-IT')}</Fact>
            <Fact name="Presenti">{event.counts.inside.toLocaleString('it-IT')}</Fact>
          </Facts>
          {maySeeReport && (
            <Link to={reportOfEvent(event.id)}>Rapporto: vendite, sala, porta e soldi</Link>
          )}
        </Panel>
        <TaxFacts eventId={event.id} form={event.form} />
        <GiftPanel eventId={event.id} />
        {maySetQueue && event.status !== 'cancelled' && <QueuePanel eventId={event.id} />}
      </div>
      <ShowLinks event={event} />
      <DeleteDraft event={event} />
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

function WhenAndWhere({ event }: { event: OfficeEvent }) {
  return (
    <Panel>
      <h2>Quando e dove</h2>
      <Facts>
        <Fact name="Inizio">{formatLongDate(event.starts_at)}</Fact>
        {event.postponed_from !== null && (
          <Fact name="Rinviato">era {formatLongDate(event.postponed_from)}</Fact>
        )}
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
  );
}

/** Links to the show of this date and to its other dates. */
function ShowLinks({ event }: { event: OfficeEvent }) {
  const mayPostpone = useMay(postponeEvent.who);
  return (
    <p className={`${buttonStyles.actions} ${styles.links}`}>
      {event.show_id !== null && (
        <Link className="ui-button" to={`/shows/${encodeURIComponent(event.show_id)}`}>
          Tutte le date
        </Link>
      )}
      {event.status === 'published' && mayPostpone && (
        <Link className="ui-button" to={`/events/${encodeURIComponent(event.id)}/postpone`}>
          Rinvia…
        </Link>
      )}
    </p>
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

function Sale({ event: { id, sales, reminders } }: { event: OfficeEvent }) {
  return (
    <Panel>
      <h2>Vendita</h2>
      <Facts>
        <Fact name="Dal">
          {sales.opens_at === null ? 'dalla pubblicazione' : formatLongDate(sales.opens_at)}
        </Fact>
        <Fact name="Al">{formatLongDate(sales.closes_at)}</Fact>
        <Fact name="Per ordine">al massimo {formatCount(sales.max_seats, 'posto', 'posti')}</Fact>
        {(sales.state === 'not_yet' || reminders > 0) && (
          <Fact name="Aspettano l’apertura">{formatCount(reminders, 'persona', 'persone')}</Fact>
        )}
        <Fact name="Pagina">
          <code>/event/{id}</code>
        </Fact>
      </Facts>
    </Panel>
  );
}
