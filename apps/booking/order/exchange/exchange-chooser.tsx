/** Which tickets to give for another date, what they are worth, and the dates to choose from. */
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { quoteOwnExchange } from '#server/contract/order/exchanges.ts';
import { exchangeObstacleWords, ownBackWords } from '#server/domain/order/exchange-words.ts';
import { errorMessage } from '#apps/shared/error-message.ts';
import { formatEuro, formatLongDate, formatShortDate, sayLowest } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { ErrorView } from '#apps/shared/ui/error-view.tsx';
import choice from '#apps/booking/order/refund/refunds.module.css';
import { keptExchange, type WantedExchange } from './kept-exchange.ts';
import styles from './exchange.late.module.css';

type Quote = ReplyOf<typeof quoteOwnExchange>;

interface ChooserProps {
  order_id: string;
  /** The evening was cancelled: the old tickets are good for nothing else. */
  isCancelled?: boolean;
  onCancel: () => void;
}

export function ExchangeChooser({ order_id, isCancelled = false, onCancel }: ChooserProps) {
  // Null: all that can be exchanged.
  const [chosen, setChosen] = useState<string[] | null>(null);
  const body = chosen === null || chosen.length === 0 ? {} : { ticket_ids: chosen };
  const quote = useEndpoint(
    quoteOwnExchange,
    { params: { orderId: order_id }, body },
    { retry: false, placeholderData: keepPreviousData },
  );
  if (quote.data === undefined)
    return quote.error === null ? (
      <p className="soft" role="status">
        Un momento…
      </p>
    ) : (
      <ErrorView text={errorMessage(quote.error)} onRetry={() => quote.refetch()} />
    );
  const { tickets } = quote.data;
  const isStuck = tickets.every(({ obstacle }) => obstacle !== null);
  const picked = chosen ?? tickets.filter((one) => one.chosen).map(({ ticket_id }) => ticket_id);
  return (
    <div className={styles.form}>
      <Tickets tickets={tickets} picked={picked} onPick={setChosen} />
      {picked.length === 0 ? (
        <p role="status">
          {isStuck
            ? 'Nessuno di questi biglietti si può cambiare adesso.'
            : exchangeObstacleWords.nothing_chosen}
        </p>
      ) : (
        !quote.isPlaceholderData && (
          <Dates quote={quote.data} picked={picked} isCancelled={isCancelled} />
        )
      )}
      <div className={choice.actions}>
        <button type="button" className="ui-button" onClick={onCancel}>
          Annulla
        </button>
      </div>
    </div>
  );
}

interface TicketsProps {
  tickets: Quote['tickets'];
  picked: readonly string[];
  onPick: (ids: string[]) => void;
}

function Tickets({ tickets, picked, onPick }: TicketsProps) {
  return (
    <fieldset className={choice.tickets}>
      <legend>Quali biglietti vuoi cambiare?</legend>
      {tickets.map(({ ticket_id, seat, type_label, worth_cents, obstacle }) => (
        <label key={ticket_id} className={choice.ticket}>
          <input
            type="checkbox"
            checked={picked.includes(ticket_id)}
            disabled={obstacle !== null}
            onChange={() =>
              onPick(
                picked.includes(ticket_id)
                  ? picked.filter((one) => one !== ticket_id)
                  : [...picked, ticket_id],
              )
            }
          />
          <span className={choice.seat}>
            {seat} <span className="soft">{type_label}</span>
            {obstacle !== null && <span className="soft"> {exchangeObstacleWords[obstacle]}</span>}
          </span>
          {obstacle === null && <span>{formatEuro(worth_cents)}</span>}
        </label>
      ))}
    </fieldset>
  );
}

interface DatesProps {
  quote: Quote;
  picked: readonly string[];
  isCancelled: boolean;
}

/** What the chosen tickets give, and where they can go. */
function Dates({ quote, picked, isCancelled }: DatesProps) {
  const { worth_cents, fee_cents, because, obstacle, dates } = quote;
  if (obstacle !== null) return <p role="alert">{exchangeObstacleWords[obstacle]}</p>;
  const free = dates.filter(({ availability }) => availability !== 'none');
  if (free.length === 0) return <p role="status">{sayNoDates(dates, isCancelled)}</p>;
  const begin = () =>
    keptExchange.write(
      JSON.stringify({
        order_id: quote.order_id,
        ticket_ids: [...picked],
        worth_cents,
        fee_cents,
        starts_at: quote.event.starts_at,
        event_ids: dates.map(({ event_id }) => event_id),
      } satisfies WantedExchange),
    );
  return (
    <>
      <p aria-live="polite">
        {picked.length === 1 ? 'Vale' : 'Valgono'} <strong>{formatEuro(worth_cents)}</strong>
        {fee_cents > 0 && `, il cambio costa ${formatEuro(fee_cents)}`}. {because} Se i posti nuovi
        costano di più paghi la differenza, se costano di meno il resto è tuo.{' '}
        {ownBackWords[quote.back]}
      </p>
      <h3>Quale data?</h3>
      <ul className={styles.dates}>
        {dates.map((date) => (
          <li key={date.event_id}>
            <DateChoice date={date} onBegin={begin} />
          </li>
        ))}
      </ul>
    </>
  );
}

function sayNoDates(dates: Quote['dates'], isCancelled: boolean): string {
  const still = isCancelled
    ? 'Torna indietro e scegli un’altra risposta.'
    : 'I tuoi biglietti restano validi.';
  const [first, ...others] = dates;
  if (first === undefined) return `Adesso non ci sono altre date in vendita. ${still}`;
  const which =
    others.length === 0
      ? `L’altra data, ${formatShortDate(first.starts_at)}, è esaurita`
      : 'Le altre date sono esaurite';
  return `${which}: se si libera un posto la trovi qui. ${still}`;
}

interface DateProps {
  date: Quote['dates'][number];
  onBegin: () => void;
}

function DateChoice({
  date: { event_id, starts_at, from_cents, availability },
  onBegin,
}: DateProps) {
  const day = <span>{formatLongDate(starts_at)}</span>;
  if (availability === 'none')
    return (
      <span className={styles.gone}>
        {day} <span>Esaurito</span>
      </span>
    );
  return (
    <Link className={`ui-button ${styles.date}`} to={`/event/${event_id}`} onClick={onBegin}>
      {day}{' '}
      <span className={styles.price}>
        {from_cents !== null && sayLowest(from_cents)}
        {availability === 'few' && <small>Ultimi posti</small>}
      </span>
    </Link>
  );
}
