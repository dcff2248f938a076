/** One show: its dates, and links to add dates and to change what they share. */
import { useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { publishEvent } from '#server/contract/event-desk.ts';
import { changeShow, makeDates, readShow } from '#server/contract/shows.ts';
import { formatCount } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { Empty, Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { BackLink, PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { reportOfShow } from '#apps/admin/reports/scope.ts';
import { useMay } from '#apps/admin/kit/session/session.ts';
import { eveningMs } from '#server/domain/event/event.ts';
import { Announcements } from '#apps/admin/mail/announcements.tsx';
import { DeleteShow } from './delete-show.tsx';
import { PublishDates } from './publish-dates.tsx';
import { DateTable } from './date-table.tsx';

type Show = ReplyOf<typeof readShow>;

export function ShowScreen() {
  const { showId } = useParams() as { showId: string };
  const show = useEndpoint(readShow, { params: { showId } }, { refetchInterval: 15_000 });
  return (
    <>
      <BackLink to="/shows">Per spettacolo</BackLink>
      <Loaded query={show}>{(data) => <ShowDates show={data} />}</Loaded>
    </>
  );
}

function ShowDates({ show }: { show: Show }) {
  const mayAdd = useMay(makeDates.who);
  const mayChange = useMay(changeShow.who);
  const mayPublish = useMay(publishEvent.who);
  const maySeeReport = useMay('see_reports');
  const [withPast, setWithPast] = useState(false);
  const [now] = useState(() => Date.now());
  const path = `/shows/${encodeURIComponent(show.id)}`;
  const isPast = ({ starts_at }: Show['dates'][number]) => Date.parse(starts_at) + eveningMs < now;
  const past = show.dates.filter(isPast);
  const shown = withPast ? show.dates : show.dates.filter((date) => !isPast(date));
  return (
    <>
      <PageTitle title={show.title || 'Spettacolo senza titolo'}>
        {mayAdd && (
          <Link className="ui-button ui-button-primary" to={`${path}/dates`}>
            <Icon name="plus" /> Aggiungi date
          </Link>
        )}
        {mayPublish && <PublishDates dates={shown} />}
        {mayChange && <ChangeLinks path={path} />}
        {maySeeReport && (
          <Link className="ui-button" to={reportOfShow(show.id)}>
            <Icon name="bars" /> Rapporto
          </Link>
        )}
      </PageTitle>
      <Announcements show_id={show.id} />
      {shown.length > 0 ? (
        <DateTable dates={shown} title={show.title} />
      ) : (
        <Empty icon="calendar" title="Nessuna data in programma.">
          <p>Aggiungi una data, o una serie di date con una regola.</p>
        </Empty>
      )}
      <DeleteShow show={show} />
      {past.length > 0 && (
        <p>
          <Button
            look="quiet"
            aria-expanded={withPast}
            onClick={() => setWithPast(!withPast)}
            label={
              withPast
                ? 'Nascondi le date passate'
                : `Mostra ${formatCount(past.length, 'data passata', 'date passate')}`
            }
          />
        </p>
      )}
    </>
  );
}

function ChangeLinks({ path }: { path: string }) {
  return (
    <>
      <Link className="ui-button" to={`${path}/edit`}>
        <Icon name="edit" /> Cambia per tutte le date
      </Link>
      <Link className="ui-button" to={`${path}/prices`}>
        Prezzi
      </Link>
      <Link className="ui-button" to={`${path}/rules`}>
        Regole
      </Link>
    </>
  );
}
