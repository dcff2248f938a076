/** Which tickets to give for another date, what they are worth, and the dates to choose from. */
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { quoteOwnExchange } from '#server/contract/order/exchanges.ts';
import { exchangeObstacleWords } from '#server/domain/order/exchange-words.ts';
import { errorMessage } from '#apps/shared/error-message.ts';
import { formatEuro, formatLongDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import choice from '#apps/booking/order/refund/refunds.module.css';
import { keepExchange } from './deal.tsx';
import styles from './exchange.late.module.css';

type Quote = ReplyOf<typeof quoteOwnExchange>;

interface ChooserProps {
  order_id: string;
  onCancel: () => void;
}

export function ExchangeChooser({ order_id, onCancel }: ChooserProps) {
  // Null: all that can be exchanged.
  const [chosen, setChosen] = useState<string[] | null>(null);
  const body = chosen === null || chosen.length === 0 ? {} : { ticket_ids: chosen };
  const quote = useEndpoint(
    quoteOwnExchange,
    { params: { orderId: order_id }, body },
    { retry: false, placeholderData: keepPreviousData },
  );
  if (quote.error !== null) return <p role="alert">{errorMessage(quote.error)}</p>;
  if (quote.data === undefined) return <p className="soft">Un momento…</p>;
  const { tickets } = quote.data;
  const picked = chosen ?? tickets.filter((one) => one.chosen).map(({ ticket_id }) => ticket_id);
  return (
    <div className={styles.form}>
      <Tickets tickets={tickets} picked={picked} onPick={setChosen} />
      {picked.length === 0 ? (
        <p className="soft">{exchangeObstacleWords.nothing_chosen}</p>
      ) : (
        !quote.isPlaceholderData && <Dates quote={quote.data} picked={picked} />
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

function Dates({ quote, picked }: { quote: Quote; picked: readonly string[] }) {
  const { worth_cents, fee_cents, because, obstacle, dates } = quote;
  if (obstacle !== null) return <p role="alert">{exchangeObstacleWords[obstacle]}</p>;
  if (dates.length === 0)
    return <p>Adesso non ci sono altre date in vendita: i tuoi biglietti restano validi.</p>;
  const begin = () =>
    keepExchange({
      order_id: quote.order_id,
      ticket_ids: [...picked],
      worth_cents,
      fee_cents,
      starts_at: quote.event.starts_at,
      event_ids: dates.map(({ event_id }) => event_id),
    });
  return (
    <>
      <p aria-live="polite">
        {picked.length === 1 ? 'Vale' : 'Valgono'} <strong>{formatEuro(worth_cents)}</strong>
        {fee_cents > 0 && `, il cambio costa ${formatEuro(fee_cents)}`}. {because}
      </p>
      <h3>Quale data?</h3>
      <ul className={styles.dates}>
        {dates.map(({ event_id, starts_at }) => (
          <li key={event_id}>
            <Link className="ui-button" to={`/event/${event_id}`} onClick={begin}>
              {formatLongDate(starts_at)}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
