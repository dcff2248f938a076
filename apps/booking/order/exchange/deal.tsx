/** A change of date on an event page: what the booking sends, its words and its banner. */
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { exchangeSums } from '#server/domain/order/exchange-sums.ts';
import { CallError } from '#apps/shared/api.ts';
import { formatEuro, formatShortDate } from '#apps/shared/format.ts';
import { keptExchange } from './kept-exchange.ts';
import { parseKept } from '#apps/booking/shell/kept-text.ts';
import styles from './exchange.late.module.css';

export interface WantedExchange {
  /** The secret of the old order's link. */ order_id: string;
  ticket_ids: string[];
  worth_cents: number;
  fee_cents: number;
  /** Of the old evening. */ starts_at: string;
  /** The evenings to choose from. */ event_ids: string[];
}

export function keepExchange(wanted: WantedExchange | null): void {
  keptExchange.write(wanted && JSON.stringify(wanted));
}

/** `seats`: the price of the chosen seats; null: a price is unknown. */
export interface Deal {
  /** The last button. */
  words: (seats: number | null) => string;
  /** What the booking sends besides, with the cost of the change in its total. */
  body: (seats: number | null) => object;
  /** After a refusal because the old tickets are worth another sum, the page says the new one. */
  learn: (error: unknown) => null;
  banner: (seats: number | null) => ReactNode;
}

type Show = (deal: Deal | null) => void;

export function startDeal(text: string | null, eventId: string, show: Show): void {
  const wanted = parseKept(text) as WantedExchange | null;
  show(wanted?.event_ids.includes(eventId) === true ? dealOf(wanted, show) : null);
}

function dealOf(wanted: WantedExchange, show: Show): Deal {
  const { order_id, ticket_ids, worth_cents: expected_worth_cents } = wanted;
  return {
    words: (seats) => changeWords(wanted, seats),
    body(seats) {
      // After a refusal this page still knows it; a later visit sells as usual.
      keepExchange(null);
      return {
        exchange: { order_id, ticket_ids, expected_worth_cents },
        ...(seats !== null && { expected_cents: exchangeSums(wanted, seats).total }),
      };
    },
    learn(error) {
      const worth_cents = worthIn(error);
      if (worth_cents === null) return null;
      keepExchange({ ...wanted, worth_cents });
      show(dealOf({ ...wanted, worth_cents }, show));
      return null;
    },
    banner: (seats) => <Banner wanted={wanted} seats={seats} />,
  };
}

function changeWords(wanted: WantedExchange, seats: number | null): string {
  if (seats === null) return 'Cambia data';
  const { due } = exchangeSums(wanted, seats);
  return due === 0 ? 'Conferma il cambio' : `Cambia e paga ${formatEuro(due)}`;
}

function worthIn(error: unknown): number | null {
  if (!(error instanceof CallError) || error.code !== 'exchange_changed') return null;
  const { worth_cents } = (error.detail ?? {}) as { worth_cents?: unknown };
  return typeof worth_cents === 'number' ? worth_cents : null;
}

interface BannerProps {
  wanted: WantedExchange;
  /** The price of the chosen seats; null: none is chosen, or a price is unknown. */
  seats: number | null;
}

function Banner({ wanted, seats }: BannerProps) {
  const { starts_at, worth_cents, ticket_ids } = wanted;
  const isOne = ticket_ids.length === 1;
  return (
    <section className={`${styles.banner} no-print`} aria-labelledby="exchange-title">
      <h2 id="exchange-title">Cambio di data</h2>
      <p>
        {isOne ? 'Il biglietto' : `I ${ticket_ids.length} biglietti`} del{' '}
        {formatShortDate(starts_at)} {isOne ? 'vale' : 'valgono'}{' '}
        <strong>{formatEuro(worth_cents)}</strong>. Scegli qui i posti nuovi: fino alla conferma non
        cambia nulla.
      </p>
      {seats !== null && <Sums wanted={wanted} seats={seats} />}
      <p>
        <Link
          className="ui-button"
          to={`/orders/${wanted.order_id}`}
          onClick={() => keepExchange(null)}
        >
          Lascia il cambio
        </Link>
      </p>
    </section>
  );
}

function Sums({ wanted, seats }: { wanted: WantedExchange; seats: number }) {
  const { fee, due, back } = exchangeSums(wanted, seats);
  return (
    <dl className={styles.sums} aria-live="polite">
      <dt>Posti nuovi</dt>
      <dd>{formatEuro(seats)}</dd>
      {fee > 0 && (
        <>
          <dt>Costo del cambio</dt>
          <dd>{formatEuro(fee)}</dd>
        </>
      )}
      <dt>Biglietti di prima</dt>
      <dd>−{formatEuro(wanted.worth_cents)}</dd>
      <dt>{back > 0 ? 'Ti torna' : 'Da pagare'}</dt>
      <dd>
        <strong>{formatEuro(back > 0 ? back : due)}</strong>
      </dd>
    </dl>
  );
}
