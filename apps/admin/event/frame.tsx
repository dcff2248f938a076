/** The head of an event's screens: its title, state and day, and the tabs. */
import { Suspense } from 'react';
import { Outlet, useParams } from 'react-router-dom';
import { readEvent } from '#server/contract/event-desk.ts';
import { formatShortDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { OutLink } from '#apps/admin/kit/out-link.tsx';
import { Spinner } from '#apps/shared/ui/spinner.tsx';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { BackLink, PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { Tabs } from '#apps/admin/shell/tabs.tsx';
import { eventTabs } from '#apps/admin/shell/navigation.ts';
import { Announcements } from '#apps/admin/mail/announcements.tsx';
import { EventBadge } from './links.tsx';
import textStyles from '#apps/admin/kit/page/text.module.css';

export function EventFrame() {
  const { eventId } = useParams() as { eventId: string };
  const { data, ...event } = useEndpoint(readEvent, { params: { eventId } });
  return (
    <>
      <BackLink to="/events">Spettacoli</BackLink>
      {data === undefined ? (
        <Loaded query={{ ...event, data }}>{() => null}</Loaded>
      ) : (
        <>
          <PageTitle title={data.title || 'Evento senza titolo'}>
            <EventBadge event={data} />
            <span className={textStyles.soft}>
              {formatShortDate(data.starts_at)} · {data.venue_title}
            </span>
            {data.status !== 'draft' && (
              <OutLink href={`/event/${encodeURIComponent(eventId)}`}>Pagina pubblica</OutLink>
            )}
          </PageTitle>
          <Announcements event_id={eventId} />
          <Tabs label="Parti dell’evento" tabs={eventTabs(eventId)} />
          <Suspense fallback={<Spinner />}>
            <Outlet />
          </Suspense>
        </>
      )}
    </>
  );
}
