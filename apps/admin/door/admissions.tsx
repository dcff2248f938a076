/** The screen of recent scans from all phones, with a desk to check a single ticket. */
import { keepPreviousData } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { listRecentAdmissions } from '#server/contract/door/admissions.ts';
import { formatCount } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { AdmissionTable } from './admission-table.tsx';
import { Desk } from './desk.tsx';
import { EventChoice, useChosenEvent, useDoorEvents } from './event-choice.tsx';
import { Check } from '#apps/admin/kit/form/choices.tsx';
import { useAddressFilters } from '#apps/admin/kit/list/filters.tsx';
import { PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { Live } from '#apps/admin/kit/list/live.tsx';
import { Empty, Loaded } from '#apps/admin/kit/page/loaded.tsx';
import panelStyles from '#apps/admin/kit/page/panel.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import tableStyles from '#apps/admin/kit/list/table.module.css';

/** Used only while the page is visible. */
const pollMs = 3_000;

export function AdmissionsScreen() {
  const [event_id, choose] = useChosenEvent();
  const filters = useAddressFilters();
  const rehearsal = event_id === '' && filters.oneOf('rehearsal', ['1']) === '1';
  const recent = useEndpoint(
    listRecentAdmissions,
    {
      query: {
        limit: '100',
        ...(event_id && { event_id }),
        ...(rehearsal && { rehearsal: '1' as const }),
      },
    },
    { refetchInterval: pollMs, placeholderData: keepPreviousData },
  );
  const events = useDoorEvents().data ?? [];
  const chosen = events.find((event) => event.id === event_id);

  return (
    <>
      <PageTitle title="Letture">
        <EventChoice events={events} value={event_id} all="Tutti gli eventi" onChoose={choose} />
        {event_id === '' && (
          <Check
            label="Solo le prove generali"
            checked={rehearsal}
            onChange={(on) => filters.set('rehearsal', on ? '1' : '')}
          />
        )}
      </PageTitle>
      <Desk />
      <section className={tableStyles.outset} aria-labelledby="scans-title">
        <div className={panelStyles.title}>
          <h2 id="scans-title">Ultime letture</h2>
          {chosen?.counts && <Inside eventId={event_id} counts={chosen.counts} />}
          {recent.isSuccess && <Live updatedAt={recent.dataUpdatedAt} pollMs={pollMs} />}
        </div>
        <Loaded query={recent}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty icon="door" title="Nessuna lettura.">
                <p>Ogni biglietto letto alla porta compare qui entro pochi secondi.</p>
              </Empty>
            ) : (
              <AdmissionTable
                rows={items}
                withEvent={event_id === '' && new Set(items.map((row) => row.event_id)).size > 1}
              />
            )
          }
        </Loaded>
      </section>
    </>
  );
}

function Inside({
  eventId,
  counts,
}: {
  eventId: string;
  counts: { inside: number; sold: number };
}) {
  return (
    <p>
      Presenti <b>{counts.inside.toLocaleString('it-IT')}</b>{' '}
      <span className={textStyles.soft}>
        su {formatCount(counts.sold, 'biglietto', 'biglietti')}
      </span>{' '}
      · <Link to={`/door/presence?event_id=${encodeURIComponent(eventId)}`}>Presenze</Link>
    </p>
  );
}
