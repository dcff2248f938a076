/** The screens of price rules: of a date, of a show, and of the house. */
import { useParams } from 'react-router-dom';
import { readEvent } from '#server/contract/event-desk.ts';
import { readShow } from '#server/contract/shows.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { BackLink, PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { PriceRules } from './desk.tsx';

export function EventRulesScreen() {
  const { eventId } = useParams() as { eventId: string };
  const event = useEndpoint(readEvent, { params: { eventId } });
  return (
    <Loaded query={event}>
      {({ show_id }) => (
        <PriceRules key={eventId} owner={{ of: 'event', id: eventId }} showId={show_id} />
      )}
    </Loaded>
  );
}

export function ShowRulesScreen() {
  const { showId } = useParams() as { showId: string };
  const show = useEndpoint(readShow, { params: { showId } });
  return (
    <>
      <BackLink to={`/shows/${encodeURIComponent(showId)}`}>Date dello spettacolo</BackLink>
      <Loaded query={show}>
        {({ title }) => (
          <>
            <PageTitle title={title || 'Spettacolo senza titolo'} />
            <PriceRules key={showId} owner={{ of: 'show', id: showId }} />
          </>
        )}
      </Loaded>
    </>
  );
}

export function HouseRulesScreen() {
  return (
    <>
      <PageTitle title="Prezzi" />
      <PriceRules owner={{ of: 'house', id: '' }} />
    </>
  );
}
