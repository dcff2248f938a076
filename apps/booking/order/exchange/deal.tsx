/** A change of date on an event page: what the booking sends, its words and its parts. */
import type { ReactNode } from 'react';
import { exchangeSums } from '#server/domain/order/exchange-sums.ts';
import { CallError } from '#apps/shared/api.ts';
import { formatEuro } from '#apps/shared/format.ts';
import { parseKept } from '#apps/booking/shell/kept-text.ts';
import { DealBanner, DealSums, LastQuestion } from './deal-parts.tsx';
import { keptExchange, type WantedExchange } from './kept-exchange.ts';

/** `seats`: the price of the chosen seats; null: a price is unknown. */
export interface Deal {
  /** The last button. */
  words: (seats: number | null) => string;
  /** What the last button means, above the terms of the sale. */
  terms: (seats: number | null) => string;
  /** Where no page of Stripe follows, a last question; false: the buyer does not want it. */
  agree: (seats: number | null) => Promise<boolean>;
  /** What the booking sends besides, with the cost of the change in its total. */
  body: (seats: number | null) => object;
  /** The price of the seats in a total that the server named. */
  seatsIn: (total: number) => number;
  /** After a refusal because the old tickets are worth another sum, the page says the new one. */
  learn: (error: unknown) => void;
  banner: ReactNode;
  /** `seats` is null too where none is chosen. */
  sums: (seats: number | null) => ReactNode;
}

type Show = (deal: Deal | null) => void;

export function startDeal(text: string | null, eventId: string, show: Show): void {
  const wanted = parseKept(text) as WantedExchange | null;
  show(wanted?.event_ids.includes(eventId) === true ? dealOf(wanted, show) : null);
}

/** `question`: the last one, while it is asked. */
function dealOf(wanted: WantedExchange, show: Show, question: ReactNode = null): Deal {
  const { order_id, ticket_ids, worth_cents: expected_worth_cents, fee_cents } = wanted;
  return {
    words: (seats) => changeWords(wanted, seats),
    terms: (seats) => changeTerms(wanted, seats),
    agree(seats) {
      if (seats === null || exchangeSums(wanted, seats).due > 0) return Promise.resolve(true);
      return new Promise((resolve) => {
        const answer = (agrees: boolean) => {
          show(dealOf(wanted, show));
          resolve(agrees);
        };
        show(dealOf(wanted, show, <LastQuestion {...{ wanted, seats, answer }} />));
      });
    },
    body: (seats) => ({
      exchange: { order_id, ticket_ids, expected_worth_cents },
      ...(seats !== null && { expected_cents: exchangeSums(wanted, seats).total }),
    }),
    seatsIn: (total) => (total > fee_cents ? total - fee_cents : total),
    learn(error) {
      const worth_cents = worthIn(error);
      if (worth_cents === null) return;
      keptExchange.write(JSON.stringify({ ...wanted, worth_cents }));
      show(dealOf({ ...wanted, worth_cents }, show));
    },
    banner: <DealBanner wanted={wanted} />,
    sums: (seats) => (
      <>
        {seats !== null && <DealSums wanted={wanted} seats={seats} />}
        {question}
      </>
    ),
  };
}

function changeWords(wanted: WantedExchange, seats: number | null): string {
  if (seats === null) return 'Cambia data';
  const { due } = exchangeSums(wanted, seats);
  return due === 0 ? 'Conferma il cambio' : `Cambia e paga ${formatEuro(due)}`;
}

function changeTerms(wanted: WantedExchange, seats: number | null): string {
  const pressing = `Premendo «${changeWords(wanted, seats)}»`;
  const due = seats === null ? null : exchangeSums(wanted, seats).due;
  return due === 0
    ? `${pressing} ti chiediamo un’ultima conferma, poi i biglietti di prima smettono di valere.`
    : `${pressing} invii un ordine con obbligo di pagare ${formatEuro(due)}. Verrai portato su Stripe, il nostro partner per i pagamenti: non vediamo i dati della tua carta. Quando hai pagato, i biglietti di prima smettono di valere.`;
}

function worthIn(error: unknown): number | null {
  if (!(error instanceof CallError) || error.code !== 'exchange_changed') return null;
  const { worth_cents } = (error.detail ?? {}) as { worth_cents?: unknown };
  return typeof worth_cents === 'number' ? worth_cents : null;
}
