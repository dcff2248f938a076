/** The booking flow of specification §4: from the selected seats to the checkout of the payment provider. */
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { call, CallError, networkError } from '#apps/shared/api.ts';
import { keyOf } from '#apps/shared/query.ts';
import { getEvent } from '#server/contract/events.ts';
import { bookSeats } from '#server/contract/orders.ts';
import { selectedObjectsOf, type Choice } from './choices.ts';
import { rememberOrder } from './last-order.ts';
import type { SeatSelection } from './selection.ts';

/** Specification §8 and §9, word for word and number for number. */
const nothingSelected = 'Seleziona prima i posti...';
const bookingFailed = 'Oops... si è verificato un problema. Riprova...';
const redirectDelayMs = 10;
const busyAfterRedirectMs = 10_000;

/** After these the chart shows something that is no longer true. */
const chartIsStale = new Set(['seats_taken', 'hold_expired', 'object_unknown']);
const eventIsStale = new Set(['sale_closed', 'event_cancelled', 'event_not_found', 'object_without_price', 'too_many_seats']);

export interface Booking {
  book: () => Promise<void>;
  busy: boolean;
  /** Why the last attempt failed, for a line that stays when the alert is closed. */
  refusal: string | null;
}

export function useBooking(eventId: string, selection: SeatSelection): Booking {
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  // Two buttons run this, and a second tap may come before the first render.
  const running = useRef(false);
  const queryClient = useQueryClient();

  async function book(): Promise<void> {
    if (running.current) return;
    const { choices: visible, violations } = selection.snapshot();
    if (visible.length === 0) return alert(nothingSelected);
    if (violations.length > 0) return alert(sayViolation(violations));
    running.current = true;
    setBusy(true);
    setRefusal(null);
    try {
      await leaveForCheckout();
    } finally {
      running.current = false;
      setBusy(false);
    }
  }

  async function leaveForCheckout(): Promise<void> {
    let choices: Choice[] = [];
    try {
      const settled = await selection.settle();
      choices = settled.choices;
      if (choices.length === 0) return alert(nothingSelected);
      const { order_id, checkout_url } = await call(bookSeats, {
        params: { eventId }, body: { hold_token: settled.hold_token, selected_objects: selectedObjectsOf(choices) },
      });
      selection.destroy();
      rememberOrder(order_id);
      setTimeout(() => location.assign(checkout_url), redirectDelayMs);
    } catch (error) {
      const reason = sayReason(error, choices);
      setRefusal(reason);
      alert(`${bookingFailed}\n\n${reason}`);
      // The overlay of that order then offers to pay or to cancel it.
      const pending = error instanceof CallError && error.code === 'order_pending' ? pendingIn(error.detail) : null;
      if (pending !== null) rememberOrder(pending);
      if (error instanceof CallError && chartIsStale.has(error.code)) selection.renew();
      if (error instanceof CallError && eventIsStale.has(error.code)) void queryClient.invalidateQueries({ queryKey: keyOf(getEvent, { params: { eventId } }) });
      return;
    }
    await new Promise((resolve) => { setTimeout(resolve, busyAfterRedirectMs); });
  }

  return { book, busy, refusal };
}

/** Why the selection as it stands cannot be booked; the server refuses by the same rules. */
export function sayViolation(violations: readonly string[]): string {
  return violations.includes('noOrphanSeats') ? 'Così resterebbe un posto isolato: spostati di uno.' : 'Scegli posti vicini tra loro.';
}

/** One Italian sentence about a failed booking, naming the seats where the server names them. */
export function sayReason(error: unknown, choices: readonly Choice[]): string {
  if (!(error instanceof CallError)) return 'La pianta non risponde: ricarica la pagina.';
  if (error.code === networkError) return 'Sembra che manchi la connessione a Internet.';
  if (error.status === 'unknown') return 'Il sito non ha risposto come previsto.';
  const lost = error.code === 'seats_taken' ? choices.filter((choice) => namedIn(error.detail).includes(choice.object_id)) : [];
  return lost.length === 0 ? error.message : `${error.message} (${lost.map((choice) => choice.name).join('; ')})`;
}

function namedIn(detail: unknown): unknown[] {
  const objects = typeof detail === 'object' && detail !== null && 'objects' in detail ? detail.objects : null;
  return Array.isArray(objects) ? objects : [];
}

function pendingIn(detail: unknown): string | null {
  return typeof detail === 'object' && detail !== null && 'order_id' in detail && typeof detail.order_id === 'string' ? detail.order_id : null;
}
