/** All shows with their next dates, soonest first. */
import { Link } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { createEvent } from '#server/contract/event-desk.ts';
import { listShows } from '#server/contract/shows.ts';
import { formatCount } from '#apps/shared/format.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { newEventPath } from '#apps/admin/shell/navigation.ts';
import { ListSearchField, NothingFound, useListSearch } from '#apps/admin/kit/list/list-search.tsx';
import { PagedList, usePages } from '#apps/admin/kit/list/paged-list.tsx';
import { Empty } from '#apps/admin/kit/page/loaded.tsx';
import { BackLink, PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { useMay } from '#apps/admin/kit/session/session.ts';
import panelStyles from '#apps/admin/kit/page/panel.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import { DateTable } from './date-table.tsx';

type ListedShow = ReplyOf<typeof listShows>['items'][number];

export function ShowsScreen() {
  const search = useListSearch();
  const mayCreate = useMay(createEvent.who);
  const shows = usePages(listShows, { query: search.query }, 15_000);
  return (
    <>
      <BackLink to="/events">Spettacoli</BackLink>
      <PageTitle title="Per spettacolo">
        {mayCreate && (
          <Link className="ui-button ui-button-primary" to={newEventPath}>
            <Icon name="plus" /> Nuovo evento
          </Link>
        )}
      </PageTitle>
      <ListSearchField search={search} label="Cerca per titolo o luogo" hint="Titolo o luogo" />
      <PagedList pages={shows}>
        {(rows) => {
          if (rows.length > 0) return rows.map((show) => <ShowPanel key={show.id} show={show} />);
          return search.q !== '' ? (
            <NothingFound search={search} title="Nessuno spettacolo con queste parole." />
          ) : (
            <Empty icon="calendar" title="Non c’è ancora nessuno spettacolo.">
              <p>
                Ogni evento che crei comincia il suo spettacolo: poi puoi aggiungere altre date.
              </p>
            </Empty>
          );
        }}
      </PagedList>
    </>
  );
}

function ShowPanel({ show }: { show: ListedShow }) {
  const path = `/shows/${encodeURIComponent(show.id)}`;
  const more = show.coming - show.dates.length;
  return (
    <Panel wide aria-label={show.title || 'Senza titolo'}>
      <div className={panelStyles.title}>
        <h2>
          <Link to={path}>{show.title || 'Senza titolo'}</Link>
        </h2>
        <span className={textStyles.soft}>{sayCounts(show)}</span>
      </div>
      <DateTable dates={show.dates} title={show.title} />
      {more > 0 && <Link to={path}>{formatCount(more, 'altra data', 'altre date')}</Link>}
    </Panel>
  );
}

function sayCounts({ coming, past, venue_title }: ListedShow): string {
  const parts = [
    venue_title,
    `${formatCount(coming, 'data', 'date')} in programma`,
    past === 0 ? '' : `${formatCount(past, 'passata', 'passate')}`,
  ];
  return parts.filter((part) => part !== '').join(' · ');
}
