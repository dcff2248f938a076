/** The event booking page (RULES W4): header, chart, summary, order overlay, footer. */
import { Suspense, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { Link, useParams } from 'react-router-dom';
import { CallError } from '#apps/shared/api.ts';
import { latePart } from '#apps/shared/late-part.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { ErrorView, type ErrorViewProps } from '#apps/shared/ui/error-view.tsx';
import { Spinner } from '#apps/shared/ui/spinner.tsx';
import { getEvent } from '#server/contract/events.ts';
import { lowestPrice, sellable } from '#server/domain/price/pricing.ts';
import { isSoldOut } from './sale-words.ts';
import { useBooking, type Booking } from './book.ts';
import { BookButton } from './book-button.tsx';
import { countPlaces } from '#apps/booking/event/seats/choices.ts';
import type { DateStripProps } from './date-strip.tsx';
import { EventHeader } from './header.tsx';
import { EventPrices } from './prices.tsx';
import { useLastOrder } from '#apps/booking/order/open/last-order.ts';
import { LateChart } from '#apps/booking/event/seats/late-chart.tsx';
import { useDrawnPage } from '#apps/booking/shell/page/page-data.ts';
import { PageFooter } from '#apps/booking/shell/page/page-footer.tsx';
import { usePageTitle } from '#apps/booking/shell/page/page-title.ts';
import { PlainPage } from '#apps/booking/shell/page/plain-page.tsx';
import type { EventReply } from '#apps/booking/shell/replies.ts';
import { useDeal } from '#apps/booking/order/exchange/wanted.ts';
import { SaleNotice } from './sale-notice.tsx';
import { SeatSelection, type SelectionState } from '#apps/booking/event/seats/selection.ts';
import { SelectionBar, SelectionList } from '#apps/booking/event/seats/selection-summary.tsx';
import { ToSeats } from '#apps/booking/event/seats/to-seats.tsx';
import frame from '#apps/booking/shell/page/frame.module.css';

// Fetched late, because only free places ask for a buyer here.
const BuyerForm = latePart(() => import('./buyer-form.tsx').then((part) => part.BuyerForm));

// Fetched late, because few visitors have an open order.
const OrderOverlay = latePart(() =>
  import('./order-overlay.tsx').then((part) => part.OrderOverlay),
);

/**
 * Fetched late, because many shows have only one date. A page that shows the dates from the start
 * calls `load` first, so that a click on them works at once.
 */
const loadStrip = async () => (await import('./date-strip.tsx')).DateStrip;
export const dateStrip = {
  Part: latePart(loadStrip),
  async load() {
    dateStrip.Part = await loadStrip();
  },
};

export function EventPage() {
  const { eventId = '' } = useParams();
  const missing = useDrawnPage().data.missing_event === eventId;
  const event = useEndpoint(
    getEvent,
    { params: { eventId } },
    { enabled: !missing, refetchInterval: (query) => lookAgainMs(query.state.data) },
  );
  usePageTitle(event.data?.event.title ?? (missing ? 'Evento non trovato' : 'Evento'));
  useFreshReturn();
  if (missing) return <UnknownEvent onRetry={() => location.reload()} />;
  if (event.isPending)
    return (
      <main tabIndex={-1}>
        <h1 className="visually-hidden">Evento</h1>
        <Spinner fullScreen />
      </main>
    );
  if (event.data === undefined) {
    const unknown = event.error instanceof CallError && event.error.code === 'event_not_found';
    const retry = () => event.refetch();
    return unknown ? <UnknownEvent onRetry={retry} /> : <Unavailable onRetry={retry} />;
  }
  return <LoadedEvent key={eventId} page={event.data} />;
}

function Unavailable(view: ErrorViewProps) {
  return (
    <PlainPage>
      <ErrorView {...view} isPage />
    </PlainPage>
  );
}

/** Trying again seldom helps here, so the link home comes first. */
function UnknownEvent({ onRetry }: Pick<ErrorViewProps, 'onRetry'>) {
  return (
    <Unavailable
      onRetry={onRetry}
      detail="Questo spettacolo non esiste o non è in vendita."
      first={
        <Link className="ui-button ui-button-primary" to="/">
          Guarda gli spettacoli in programma
        </Link>
      }
    />
  );
}

/** Said instead of a sale at the full price. */
const exchangeMissing = 'Il cambio di data non si è caricato: intanto qui non si vende.';

export function LoadedEvent({ page }: { page: EventReply }) {
  const { sales } = page;
  const { selection, pricing, state } = useSelection(page);
  const { deal, blocked } = useDeal(page.event.id);
  const booking = useBooking(page, selection, deal);
  const lastOrder = useLastOrder();
  const isOpen = sales.state === 'open';
  // A visitor with a code, a place in the waiting room or chosen seats still sees the chart.
  const isFull = isSoldOut(page) && !page.takes_code && !state.waits && state.choices.length === 0;
  const sells = isOpen && !state.waits && !isFull && blocked === null;
  const isMissing = blocked === 'missing';
  const hasChart = ((isOpen && !isFull) || sales.state === 'not_yet') && !isMissing;
  return (
    <div className={`${frame.page} ${frame.clipped}`}>
      <EventHeader
        page={page}
        dates={
          <Dates page={page} pricing={pricing} selection={selection} state={state} sells={sells} />
        }
      >
        {sells && deal === null && (
          <BookButton
            places={countPlaces(state.choices)}
            sum={booking.sumOf(state.choices)}
            booking={booking}
          />
        )}
      </EventHeader>
      <main className={`${frame.column} ${frame.content}`} tabIndex={-1}>
        {!(state.waits && hasChart) && <SaleNotice page={page} isFull={isFull} />}
        {isMissing ? <ErrorView text={exchangeMissing} /> : sells && deal?.banner}
        {sales.state !== 'cancelled' && (
          <EventPrices
            categories={pricing}
            whole={page.whole_objects}
            surcharges={page.surcharges}
            next={page.next_prices}
          />
        )}
        {hasChart && (
          <LateChart
            key={state.generation}
            page={page}
            pricing={pricing}
            selection={selection}
            state={state}
          />
        )}
        {sells && <Selected page={page} selection={selection} state={state} booking={booking} />}
      </main>
      <PageFooter rules={page} />
      {/* No pending order is shown while the visitor leaves for its checkout. */}
      {!booking.busy && lastOrder !== null && (
        <Suspense>
          <OrderOverlay onSameSeats={() => selection.renew()} />
        </Suspense>
      )}
    </div>
  );
}

function Buyer({ booking: { free, busy, refusal }, phone }: { booking: Booking; phone: boolean }) {
  return (
    free !== null && (
      <Suspense>
        <BuyerForm {...free} busy={busy} refusal={refusal} phone={phone} />
      </Suspense>
    )
  );
}

interface SelectedProps {
  page: EventReply;
  selection: SeatSelection;
  state: SelectionState;
  booking: Booking;
}

function Selected({ page, selection, state, booking }: SelectedProps) {
  const shared = { state, sum: booking.sumOf(state.choices) };
  return (
    <>
      <SelectionBar
        {...shared}
        booking={booking}
        onProlong={() => selection.prolong(page.event.id)}
      />
      {booking.deal?.sums(state.choices.length === 0 ? null : shared.sum)}
      <SelectionList page={page} selection={selection} {...shared} booking={booking} />
      <Buyer booking={booking} phone={page.event.ask_phone} />
    </>
  );
}

/** The visitor's selection on the chart, with the page's prices. */
function useSelection({ event, prices, surcharges, queue }: EventReply) {
  const [selection] = useState(() => new SeatSelection(queue));
  const pricing = useMemo(
    () => sellable(event.attributes.seat_pricing, prices, surcharges),
    [event.attributes.seat_pricing, prices, surcharges],
  );
  const state = useSyncExternalStore(selection.subscribe, selection.snapshot, selection.snapshot);
  return { selection, pricing, state };
}

interface DatesProps extends DateStripProps {
  sells: boolean;
}

/** The price and the way to the seats of this date, then the other dates of its show. */
function Dates({ sells, ...strip }: DatesProps) {
  const { page, pricing } = strip;
  const isFull = isSoldOut(page);
  return (
    <>
      {page.sales.state !== 'cancelled' && (
        <ToSeats page={page} from={isFull ? null : lowestPrice(pricing)} leads={sells && !isFull} />
      )}
      {page.other_dates.length > 0 && (
        <Suspense>
          <dateStrip.Part {...strip} />
        </Suspense>
      )}
    </>
  );
}

/** How often a sold-out page refetches: places may become free. */
const soldOutAgainMs = 20_000;

/** Before the sale the page refetches at the opening, and at least once a minute. */
function lookAgainMs(page: EventReply | undefined): number | false {
  if (page && isSoldOut(page)) return soldOutAgainMs;
  if (page === undefined || page.sales.state !== 'not_yet' || page.sales.opens_at === null)
    return false;
  return Math.min(Math.max(Date.parse(page.sales.opens_at) - Date.now() + 500, 1_000), 60_000);
}

/** The back button restores the page with its destroyed chart, so the page reloads. */
function useFreshReturn() {
  useEffect(() => {
    const begin = (shown: PageTransitionEvent) => {
      if (shown.persisted) location.reload();
    };
    window.addEventListener('pageshow', begin);
    return () => window.removeEventListener('pageshow', begin);
  }, []);
}
