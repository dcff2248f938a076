/** The start page: every event with what is sold and who is inside, the coming one first. */
import { Link } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { listEvents } from '#server/contract/events.ts';
import { formatShortDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Badge } from '#apps/shared/ui/badge.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { PageTitle } from './layout.tsx';
import { Empty, Loaded } from './loaded.tsx';
import { eventWords } from './words.ts';

type EventRow = ReplyOf<typeof listEvents>['items'][number];

export function EventsScreen() {
  const events = useEndpoint(listEvents, {}, { refetchInterval: 15_000 });
  return (
    <>
      <PageTitle title="Eventi" />
      <Loaded query={events}>
        {({ items }) => (items.length === 0
          ? <Empty icon="calendar" title="Non c’è ancora nessun evento."><p>Quando ne crei uno, qui vedrai le vendite e gli ingressi.</p></Empty>
          : <EventTable events={items} />)}
      </Loaded>
    </>
  );
}

function EventTable({ events }: { events: EventRow[] }) {
  return (
    <table className="table events">
      <thead>
        <tr><th scope="col">Evento</th><th scope="col">Stato</th><th scope="col">Venduti</th><th scope="col" className="number">Presenti</th><th scope="col"><span className="visually-hidden">Vai a</span></th></tr>
      </thead>
      <tbody>
        {events.map((event) => (
          <tr key={event.id}>
            <th scope="row">
              <Link className="strong" to={`/events/${event.id}`}>{event.title}</Link>
              <span className="soft">{formatShortDate(event.starts_at)} · {event.venue_title}</span>
            </th>
            <td className="cell-state"><EventBadge event={event} /></td>
            <td className="cell-sold"><Sold counts={event.counts} /></td>
            <td className="number cell-inside"><span className="cell-label">Presenti </span>{event.counts.inside.toLocaleString('it-IT')}</td>
            <td className="cell-links"><EventLinks event={event} /></td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function EventBadge({ event }: { event: Pick<EventRow, 'status' | 'sales'> }) {
  const words = eventWords(event);
  return <Badge tone={words.tone} icon={words.icon}>{words.word}</Badge>;
}

/** The bar only repeats the figures beside it. */
export function Sold({ counts }: { counts: EventRow['counts'] }) {
  const share = counts.places === 0 ? 0 : Math.min(1, counts.sold / counts.places);
  return (
    <span className="sold">
      <span><b>{counts.sold.toLocaleString('it-IT')}</b> <span className="soft">/ {counts.places.toLocaleString('it-IT')} posti</span></span>
      <span className="bar" aria-hidden="true"><span style={{ inlineSize: `${share * 100}%` }} /></span>
    </span>
  );
}

export function EventLinks({ event }: { event: Pick<EventRow, 'id' | 'status' | 'title'> }) {
  return (
    <nav className="links" aria-label={event.title}>
      <Link to={`/events/${encodeURIComponent(event.id)}/seats`}>Pianta</Link>
      <Link to={`/orders?event_id=${encodeURIComponent(event.id)}`}>Ordini</Link>
      <Link to={`/admissions?event_id=${encodeURIComponent(event.id)}`}>Ingressi</Link>
      {event.status !== 'draft' && <a href={`/event/${encodeURIComponent(event.id)}`} target="_blank" rel="noreferrer">Pagina pubblica <Icon name="external" size={15} label="(si apre in una nuova scheda)" /></a>}
    </nav>
  );
}
