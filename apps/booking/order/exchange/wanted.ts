/** The change of date that this tab is at: old tickets whose new seats are being chosen. */
import { useMemo, useSyncExternalStore } from 'react';
import { exchangeSums } from '#server/domain/order/exchange-sums.ts';
import { CallError } from '#apps/shared/api.ts';
import { formatEuro } from '#apps/shared/format.ts';
import { keptText, parseKept } from '#apps/booking/shell/kept-text.ts';

export interface WantedExchange {
  /** The secret of the old order's link. */ order_id: string;
  ticket_ids: string[];
  worth_cents: number;
  fee_cents: number;
  /** Of the old evening. */ starts_at: string;
  /** The evenings to choose from. */ event_ids: string[];
}

const kept = keptText('sessionStorage', 'botteghino.exchange.1');
const listeners = new Set<() => void>();

/** Null: the tickets stay as they are. */
export function keepExchange(wanted: WantedExchange | null): void {
  kept.write(wanted && JSON.stringify(wanted));
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function useWantedExchange(eventId: string): WantedExchange | null {
  const text = useSyncExternalStore(subscribe, kept.read, () => null);
  return useMemo(() => {
    const wanted = parseKept(text) as WantedExchange | null;
    return wanted?.event_ids.includes(eventId) === true ? wanted : null;
  }, [text, eventId]);
}

/** The last button of a change of date. */
export function changeWords(wanted: WantedExchange, seats: number | null): string {
  if (seats === null) return 'Cambia data';
  const { due } = exchangeSums(wanted, seats);
  return due === 0 ? 'Conferma il cambio' : `Cambia e paga ${formatEuro(due)}`;
}

/** What a booking sends besides, with the cost of the change in its total. */
export function exchangeOf(wanted: WantedExchange, seats: number | null) {
  const { order_id, ticket_ids, worth_cents } = wanted;
  return {
    exchange: { order_id, ticket_ids, expected_worth_cents: worth_cents },
    ...(seats !== null && { expected_cents: exchangeSums(wanted, seats).total }),
  };
}

/** After a refusal because the old tickets are worth another sum, the page says the new one. */
export function learnWorth(wanted: WantedExchange, error: unknown): void {
  if (!(error instanceof CallError) || error.code !== 'exchange_changed') return;
  const { worth_cents } = (error.detail ?? {}) as { worth_cents?: unknown };
  if (typeof worth_cents === 'number') keepExchange({ ...wanted, worth_cents });
}
