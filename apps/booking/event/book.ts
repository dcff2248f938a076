/** The booking flow of RULES O11, from the chosen seats to the payment provider's checkout. */
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { call, CallError } from '#apps/shared/api.ts';
import { isSettled } from '#apps/shared/query.ts';
import { errorMessage } from '#apps/shared/error-message.ts';
import { formatEuro } from '#apps/shared/format.ts';
import { track } from '#apps/shared/track.ts';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { bookSeats } from '#server/contract/order/orders.ts';
import { choiceFaults } from '#server/domain/seat/seating-words.ts';
import { selectedObjectsOf, totalOf, type Choice } from '#apps/booking/event/seats/choices.ts';
import { feesPerOrder, type SoldSurcharge } from '#server/domain/price/surcharge.ts';
import type { Deal } from '#apps/booking/order/exchange/deal.tsx';
import type { EventReply } from '#apps/booking/shell/replies.ts';
import { rememberOrder } from '#apps/booking/order/open/last-order.ts';
import {
  bodyOf,
  forgetBooking,
  keepBooking,
  openBookingOf,
  type FreeBuyer,
  type OpenBooking,
} from './open-booking.ts';
import type {
  SeatSelection,
  SelectionState,
  Settled,
} from '#apps/booking/event/seats/selection.ts';

/** The texts and times of RULES O11 and W9. */
const nothingSelected = 'Seleziona prima i posti...';
const bookingFailed = 'Oops... si è verificato un problema. Riprova...';
const redirectDelayMs = 10;
const busyAfterRedirectMs = 10_000;

/** After these refusals the chart is out of date. */
const chartIsStale = new Set([
  'seats_taken',
  'seats_reserved',
  'hold_expired',
  'object_unknown',
  'price_withdrawn',
]);

/** After these refusals a code or the convention is taken away. */
const goneCodes = new Set(['code_used_up', 'code_unknown', 'convention_unknown']);

/** The id of the place beside a code that is counted by address. */
export const addressPlaceId = 'code-address';
const addressNeeded = 'Per il tuo codice serve la tua e-mail: scrivila sotto il codice.';

function lacksAddress({ codes, address }: SelectionState): boolean {
  return address === '' && codes.some(({ found }) => found.needs_address);
}

/** Refusals about the buyer of free places. */
const buyersFaults = new Set(['buyer_needed', 'too_many_for_address']);

export interface Booking {
  book: () => Promise<void>;
  /** What these choices cost in cents, as shown and as sent; null: a price is unknown. */
  sumOf: (choices: readonly Choice[]) => number | null;
  /** Set while the form for the buyer of free places is open: sends the booking, or closes it. */
  free: { send: (buyer: FreeBuyer) => Promise<void>; close: () => void } | null;
  busy: boolean;
  /** Null: the seats replace no tickets. */
  deal: Deal | null;
  /** Why the last attempt failed; shown even after the alert is closed. */
  refusal: string | null;
  /** A code was taken away, so that the page says the new total beside the refusal. */
  isTotalNew: boolean;
}

type Offered = Pick<EventReply, 'event' | 'offer' | 'surcharges'>;

export function useBooking(
  { event: { id: eventId }, offer, surcharges }: Offered,
  selection: SeatSelection,
  deal: Deal | null,
): Booking {
  const { busy, running, begin } = useOneAtATime();
  const { say, tell, askAddress, takeAway, ...told } = useRefusal(selection);
  const { sumOf, learn } = useToldTotal(say, surcharges, deal);
  const form = useBuyerForm((buyer) => begin(() => leaveForCheckout(buyer)));
  const queryClient = useQueryClient();
  useBegunBooking(eventId, begin);

  async function book(): Promise<void> {
    if (running.current) return;
    track('book_button_clicked');
    const { choices, violations } = selection.snapshot();
    const isNew = openBookingOf(eventId) === null;
    if (isNew && choices.length === 0) return tell(nothingSelected);
    if (isNew && violations.length > 0) return pointAtSeats();
    say(null);
    if (isNew && lacksAddress(selection.snapshot())) return askAddress();
    if (isNew && deal === null && sumOf(choices) === 0) return form.open(true);
    if (isNew && (await deal?.agree(sumOf(choices))) === false) return;
    await begin(() => leaveForCheckout());
  }

  async function leaveForCheckout(buyer?: FreeBuyer): Promise<void> {
    let choices: Choice[] = [];
    try {
      const settled = await selection.settle();
      choices = settled.choices;
      const sum = sumOf(choices);
      const booking = bookingOf(eventId, settled, { buyer, offer, sum, deal });
      if (booking === null) return tell(nothingSelected);
      await goToCheckout(booking, selection);
      form.open(false);
    } catch (error) {
      if (!buyer || !leadsToWaiting(error)) return failed(error, choices);
    }
    await stayBusy();
    // The visitor is still here, so the redirect was stopped.
    selection.revive();
  }

  function failed(error: unknown, choices: readonly Choice[]): void {
    // The form says beside its field what is wrong with the buyer.
    const code = error instanceof CallError ? error.code : null;
    const isBuyers = code !== null && buyersFaults.has(code);
    form.open(isBuyers);
    if (isBuyers) return say(errorMessage(error));
    if (code === 'code_needs_address') return askAddress();
    if (goneCodes.has(code ?? '')) return takeAway(error as CallError);
    if (!learn(error, choices)) tell(`${bookingFailed}\n\n${sayReason(error, choices)}`);
    if (error instanceof CallError && chartIsStale.has(error.code)) selection.renew();
    // Any 4xx may mean that the sale, its prices or the turn in the queue have changed.
    if (isSettled(error)) void queryClient.invalidateQueries();
  }

  return { book, busy, ...told, free: form.shown, sumOf, deal };
}

async function goToCheckout(booking: OpenBooking, selection: SeatSelection): Promise<void> {
  const { order_id, checkout_url } = await sendBooking(booking);
  track('checkout_session_started');
  selection.destroy();
  rememberOrder(order_id);
  setTimeout(() => location.assign(checkout_url), redirectDelayMs);
}

/** Why the last attempt failed, and what the page does about it. */
function useRefusal(selection: SeatSelection) {
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isTotalNew, setTotalNew] = useState(false);
  function say(text: string | null): void {
    setTotalNew(false);
    setRefusal(text);
  }
  return {
    refusal,
    isTotalNew,
    say,
    /** The alert that RULES W9 asks for; the line on the page stays after it. */
    tell(text: string): void {
      say(text);
      alert(text);
    },
    askAddress(): void {
      say(addressNeeded);
      document.querySelector<HTMLElement>(`#${addressPlaceId} input`)?.focus();
    },
    /** The next press sends the booking with the total that the page then shows. */
    takeAway(error: CallError): void {
      const { code } = (error.detail ?? {}) as { code?: unknown };
      selection.closeGone(error.code, code);
      const name = typeof code === 'string' ? `${code}: ` : '';
      setRefusal(`${name}${error.message} Puoi continuare senza.`);
      setTotalNew(true);
      pointAtSeats();
    },
  };
}

/** The total that the server named for a selection: the page shows it, the next press sends it. */
function useToldTotal(
  say: (sentence: string) => void,
  surcharges: readonly SoldSurcharge[],
  deal: Deal | null,
) {
  const per_order = feesPerOrder(surcharges);
  const [told, setTold] = useState<{ of: string; cents: number } | null>(null);
  // A code that is opened meanwhile changes the page's own total, so the server's is dropped.
  const nameOf = (choices: readonly Choice[]) =>
    JSON.stringify([selectedObjectsOf(choices), totalOf(choices, per_order)]);
  return {
    sumOf: (choices: readonly Choice[]) =>
      told !== null && told.of === nameOf(choices) ? told.cents : totalOf(choices, per_order),
    /** False: the error is about something else. */
    learn: (error: unknown, choices: readonly Choice[]) => {
      deal?.learn(error);
      const cents = newTotalIn(error);
      if (cents === null) return false;
      setTold({ of: nameOf(choices), cents: deal?.seatsIn(cents) ?? cents });
      say(`Il totale è cambiato: ora è ${formatEuro(cents)}. Premi di nuovo per continuare.`);
      pointAtSeats();
      return true;
    },
  };
}

/** What the booking costs now, if it was refused because the page showed another total. */
function newTotalIn(error: unknown): number | null {
  if (!(error instanceof CallError) || error.code !== 'total_changed') return null;
  const { total_cents } = (error.detail ?? {}) as { total_cents?: unknown };
  return typeof total_cents === 'number' ? total_cents : null;
}

function stayBusy(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, busyAfterRedirectMs);
  });
}

function useBuyerForm(send: (buyer: FreeBuyer) => Promise<void>) {
  const [isOpen, open] = useState(false);
  return { open, shown: isOpen ? { send, close: () => open(false) } : null };
}

/** Runs one act at a time: a ref also stops a second tap before the next render. */
function useOneAtATime() {
  const [busy, setBusy] = useState(false);
  const running = useRef(false);
  const begin = useCallback(async (act: () => Promise<unknown>) => {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    try {
      await act();
    } finally {
      running.current = false;
      setBusy(false);
    }
  }, []);
  return { busy, running, begin };
}

/** Sends a booking again that was unanswered before a reload, because the order may exist. */
function useBegunBooking(eventId: string, begin: (act: () => Promise<unknown>) => Promise<void>) {
  useEffect(() => {
    const open = openBookingOf(eventId);
    if (open === null) return;
    void begin(() =>
      sendBooking(open).then(
        ({ order_id }) => rememberOrder(order_id),
        () => {},
      ),
    );
  }, [eventId, begin]);
}

interface Asking {
  buyer: FreeBuyer | undefined;
  offer: string;
  sum: number | null;
  deal: Deal | null;
}

/**
 * What to book; null: nothing. If the chart has no seats any more, an unanswered booking has
 * taken them and is sent again.
 */
function bookingOf(
  event_id: string,
  { choices, ...held }: Settled,
  { buyer, offer, sum, deal }: Asking,
): OpenBooking | null {
  if (choices.length === 0) return openBookingOf(event_id);
  const asked = {
    event_id,
    ...held,
    selected_objects: selectedObjectsOf(choices),
    expected_cents: sum ?? undefined,
    offer,
    ...deal?.body(sum),
  };
  return buyer === undefined ? asked : { ...asked, buyer };
}

/** Scrolls to the chosen seats, where the fault is shown. */
function pointAtSeats(): void {
  document.getElementById('selected-title')?.focus();
}

/**
 * Sends a booking and stores it until it is answered. An order that the refusal names is stored
 * too: its overlay offers to pay or cancel it.
 */
async function sendBooking(booking: OpenBooking): Promise<ReplyOf<typeof bookSeats>> {
  keepBooking(booking);
  try {
    const answer = await call(bookSeats, {
      params: { eventId: booking.event_id },
      body: bodyOf(booking),
    });
    forgetBooking();
    return answer;
  } catch (error) {
    const order_id =
      isPending(error) || (error instanceof CallError && error.status === 503)
        ? orderIn(error.detail)
        : null;
    if (isSettled(error)) forgetBooking();
    else if (order_id !== null) keepBooking({ ...booking, order_id });
    if (order_id !== null) rememberOrder(order_id);
    throw error;
  }
}

/** Why the chosen seats cannot be booked; the server applies the same rules. */
export function sayViolation(
  violations: readonly string[],
  choices: readonly Pick<Choice, 'traits'>[],
): string {
  if (!violations.includes('noOrphanSeats')) return choiceFaults.consecutiveSeats;
  const has = (trait: Choice['traits'][number]) =>
    choices.some(({ traits }) => traits.includes(trait));
  return has('companion') && !has('accessible')
    ? choiceFaults.companionSeats
    : choiceFaults.noOrphanSeats;
}

/** One Italian sentence about a failed booking, with the lost seats if the server names them. */
export function sayReason(error: unknown, choices: readonly Choice[]): string {
  const reason = errorMessage(error, 'La pianta non risponde: ricarica la pagina.');
  const lost =
    error instanceof CallError && error.code === 'seats_taken'
      ? choices.filter((choice) => namedIn(error.detail).includes(choice.object_id))
      : [];
  return lost.length === 0 ? reason : `${reason} (${lost.map((choice) => choice.name).join('; ')})`;
}

function namedIn(detail: unknown): unknown[] {
  const { objects } = (detail ?? {}) as { objects?: unknown };
  return Array.isArray(objects) ? objects : [];
}

/**
 * A free booking that waits for the click in its mail has no overlay, because its page says what to
 * do.
 */
function leadsToWaiting(error: unknown): boolean {
  const order_id = isPending(error) ? orderIn(error.detail) : null;
  if (order_id !== null) location.assign(`/orders/${order_id}`);
  return order_id !== null;
}

function isPending(error: unknown): error is CallError {
  return error instanceof CallError && error.code === 'order_pending';
}

function orderIn(detail: unknown): string | null {
  const { order_id } = (detail ?? {}) as { order_id?: unknown };
  return typeof order_id === 'string' ? order_id : null;
}
