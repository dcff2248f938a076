/** The start page: all events with tickets sold and people inside, the next one first. */
import { Link } from 'react-router-dom';
import { createEvent } from '#server/contract/event-desk.ts';
import { listEvents } from '#server/contract/events.ts';
import { formatShortDate } from '#apps/shared/format.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { newEventPath } from '#apps/admin/shell/navigation.ts';
import { EventBadge, EventLinks, Sold, type EventRow } from './links.tsx';
import { PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { Empty } from '#apps/admin/kit/page/loaded.tsx';
import { ListSearchField, NothingFound, useListSearch } from '#apps/admin/kit/list/list-search.tsx';
import { PagedList, usePages } from '#apps/admin/kit/list/paged-list.tsx';
import { useMay } from '#apps/admin/kit/session/session.ts';
import { Table, SecondLine } from '#apps/admin/kit/list/table.tsx';
import tableStyles from '#apps/admin/kit/list/table.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './events.module.css';

export function EventsScreen() {
  const search = useListSearch();
  const events = usePages(listEvents, { query: search.query }, 15_000);
  const mayCreate = useMay(createEvent.who);
  const fresh = (
    <Link className="ui-button ui-button-primary" to={newEventPath}>
      <Icon name="plus" /> Nuovo evento
    </Link>
  );
  return (
    <>
      <PageTitle title="Spettacoli">
        {mayCreate && fresh}
        <Link className="ui-button" to="/shows">
          <Icon name="calendar" /> Per spettacolo
        </Link>
      </PageTitle>
      <ListSearchField search={search} label="Cerca per titolo o luogo" hint="Titolo o luogo" />
      <PagedList pages={events}>
        {(rows) => {
          if (rows.length > 0) return <EventTable events={rows} />;
          return search.q !== '' ? (
            <NothingFound search={search} title="Nessun evento con queste parole." />
          ) : (
            <Empty icon="calendar" title="Non c’è ancora nessun evento.">
              <p>Quando ne crei uno, qui vedrai le vendite e gli ingressi.</p>
              {mayCreate && fresh}
            </Empty>
          );
        }}
      </PagedList>
    </>
  );
}

function EventTable({ events }: { events: EventRow[] }) {
  return (
    <Table
      cards
      className={styles.events}
      columns={['Evento', 'Stato', 'Venduti', { number: 'Presenti' }, { hidden: 'Vai a' }]}
    >
      <tbody>
        {events.map((event) => (
          <tr key={event.id}>
            <th scope="row">
              <Link className={textStyles.strong} to={`/events/${event.id}`}>
                {event.title || 'Senza titolo'}
              </Link>
              <SecondLine>
                {formatShortDate(event.starts_at)} · {event.venue_title}
              </SecondLine>
            </th>
            <td>
              <EventBadge event={event} />
            </td>
            <td className={styles.sold}>
              <Sold counts={event.counts} />
            </td>
            <td className={`${tableStyles.number} ${styles.inside}`}>
              <span className={tableStyles.label}>Presenti </span>
              {event.counts.inside.toLocaleString('it-IT')}
            </td>
            <td className={styles.links}>
              <EventLinks event={event} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
