/** The event booking page (specification §2): header, chart, summary, order overlay, footer. */
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { Link, useParams } from 'react-router-dom';
import { CallError } from '#apps/shared/api.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { ErrorView } from '#apps/shared/ui/error-view.tsx';
import { Spinner } from '#apps/shared/ui/spinner.tsx';
import { getEvent } from '#server/contract/events.ts';
import { sellable } from '#server/domain/pricing.ts';
import { useBooking } from './book.ts';
import { BookButton } from './book-button.tsx';
import { countPlaces } from './choices.ts';
import { EventHeader } from './event-header.tsx';
import { OrderOverlay } from './order-overlay.tsx';
import { PageFooter } from './page-footer.tsx';
import { usePageTitle } from './page-title.ts';
import type { EventReply } from './replies.ts';
import { SaleNotice } from './sale-notice.tsx';
import { SeatChart } from './seat-chart.tsx';
import { SeatSelection } from './selection.ts';
import { SelectionBar, SelectionList } from './selection-summary.tsx';

export function EventPage() {
  const { eventId = '' } = useParams();
  const event = useEndpoint(getEvent, { params: { eventId } }, { refetchInterval: (query) => untilSale(query.state.data) });
  usePageTitle(event.data?.event.title ?? 'Evento');
  useFreshReturn();
  if (event.isPending) return <main tabIndex={-1}><Spinner fullScreen /></main>;
  if (event.data === undefined) {
    const unknown = event.error instanceof CallError && event.error.code === 'event_not_found';
    return (
      <main tabIndex={-1}>
        <ErrorView detail={unknown ? <>{event.error.message} <Link to="/">Guarda gli spettacoli in programma</Link></> : undefined} onRetry={() => event.refetch()} />
      </main>
    );
  }
  return <LoadedEvent key={eventId} page={event.data} />;
}

function LoadedEvent({ page }: { page: EventReply }) {
  const { event, prices, sales } = page;
  const [selection] = useState(() => new SeatSelection());
  const pricing = useMemo(() => sellable(event.attributes.seat_pricing, prices), [event.attributes.seat_pricing, prices]);
  useEffect(() => selection.reprice(pricing), [selection, pricing]);
  const state = useSyncExternalStore(selection.subscribe, selection.snapshot);
  const booking = useBooking(event.id, selection);
  const sells = sales.state === 'open';
  const fee = page.fee && { id: page.fee.price_id, unit_amount: page.fee.unit_amount };
  return (
    <div className="event">
      <EventHeader page={page}>
        {sells && <BookButton places={countPlaces(state.choices)} booking={booking} />}
      </EventHeader>
      <main className="content" tabIndex={-1}>
        <SaleNotice sales={sales} fee={page.fee} />
        {(sells || sales.state === 'not_yet') && <SeatChart key={state.generation} page={page} selection={selection} state={state} />}
        {sells && <SelectionList selection={selection} state={state} fee={fee} refusal={booking.refusal} />}
        {sells && <SelectionBar state={state} fee={fee} booking={booking} />}
      </main>
      <PageFooter />
      {/* The order that is being left for the checkout is not a pending one yet. */}
      {!booking.busy && <OrderOverlay />}
    </div>
  );
}

/** A page that waits for its sale looks again when it opens, and at least once a minute near it. */
function untilSale(page: EventReply | undefined): number | false {
  if (page === undefined || page.sales.state !== 'not_yet' || page.sales.opens_at === null) return false;
  return Math.min(Math.max(Date.parse(page.sales.opens_at) - Date.now() + 500, 1_000), 60_000);
}

/** Coming back with the browser's arrow shows the page as it was left, with a destroyed chart: it has to begin again. */
function useFreshReturn() {
  useEffect(() => {
    const begin = (shown: PageTransitionEvent) => {
      if (shown.persisted) location.reload();
    };
    window.addEventListener('pageshow', begin);
    return () => window.removeEventListener('pageshow', begin);
  }, []);
}
