/** The door as it happens: the last scans of all phones, and a desk for one ticket. */
import { keepPreviousData } from '@tanstack/react-query';
import { useSearchParams } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { listRecentAdmissions } from '#server/contract/admissions.ts';
import { listEvents } from '#server/contract/events.ts';
import { hasRole } from '#server/domain/user.ts';
import { formatCount } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { AdmissionTable, type AdmissionRow } from './admission-table.tsx';
import { Desk } from './desk.tsx';
import { PageTitle } from './layout.tsx';
import { Live } from './live.tsx';
import { Empty, Loaded } from './loaded.tsx';
import { useUser } from './session.ts';

/** While the page is visible; a hidden one asks nothing. */
const pollMs = 3_000;

export function AdmissionsScreen() {
  const [params, setParams] = useSearchParams();
  const event_id = params.get('event_id') ?? '';
  const recent = useEndpoint(listRecentAdmissions, { query: { limit: '100', ...(event_id && { event_id }) } }, { refetchInterval: pollMs, placeholderData: keepPreviousData });
  const events = useDoorEvents(recent.data?.items ?? []);
  const chosen = events.find((event) => event.id === event_id);

  function choose(id: string) {
    setParams((old) => {
      const next = new URLSearchParams(old);
      if (id === '') next.delete('event_id');
      else next.set('event_id', id);
      return next;
    }, { replace: true });
  }

  return (
    <>
      <PageTitle title="Ingressi">
        <label className="filter">
          <span className="visually-hidden">Evento</span>
          <select className="ui-input" value={event_id} onChange={(event) => choose(event.target.value)}>
            <option value="">Tutti gli eventi</option>
            {event_id !== '' && !chosen && <option value={event_id}>{event_id}</option>}
            {events.map((event) => <option key={event.id} value={event.id}>{event.title}</option>)}
          </select>
        </label>
      </PageTitle>
      <Desk />
      <section className="scans" aria-labelledby="scans-title">
        <div className="section-title">
          <h2 id="scans-title">Ultime letture</h2>
          {chosen?.counts && <p>Presenti <b>{chosen.counts.inside.toLocaleString('it-IT')}</b> <span className="soft">su {formatCount(chosen.counts.sold, 'biglietto', 'biglietti')}</span></p>}
          {recent.isSuccess && <Live updatedAt={recent.dataUpdatedAt} pollMs={pollMs} />}
        </div>
        <Loaded query={recent}>
          {({ items }) => (items.length === 0
            ? <Empty icon="door" title="Nessuna lettura."><p>Ogni biglietto letto alla porta compare qui entro pochi secondi.</p></Empty>
            : <AdmissionTable rows={items} withEvent={event_id === '' && new Set(items.map((row) => row.event_id)).size > 1} />)}
        </Loaded>
      </section>
    </>
  );
}

interface DoorEvent { id: string; title: string; counts?: ReplyOf<typeof listEvents>['items'][number]['counts'] }

/** The door may not list events: it chooses among those that it has just seen. */
function useDoorEvents(rows: AdmissionRow[]): DoorEvent[] {
  const office = hasRole(useUser().role, 'office');
  const events = useEndpoint(listEvents, {}, { enabled: office, refetchInterval: 10_000 });
  if (office) return events.data?.items ?? [];
  return [...new Map(rows.map((row) => [row.event_id, { id: row.event_id, title: row.event_title }])).values()];
}
