/** The start of an exchange: which tickets of the order, and which evening instead. */
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams, useSearchParams } from 'react-router-dom';
import { readCounter } from '#server/contract/counter.ts';
import { quoteExchange } from '#server/contract/order/exchanges.ts';
import { readOrder } from '#server/contract/order/orders.ts';
import { exchangeObstacleWords } from '#server/domain/order/exchange-words.ts';
import { formatCount, formatEuro, formatLongDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Check } from '#apps/admin/kit/form/choices.tsx';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { BackLink, PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { EveningLinks } from '#apps/admin/sell/evenings.tsx';
import { exchangePath } from './given.ts';
import type { ExchangeQuote } from './sums.ts';
import styles from './exchange.module.css';

export function ExchangeScreen() {
  const { orderId } = useParams() as { orderId: string };
  const [search] = useSearchParams();
  const named = (search.get('tickets') ?? '').split(',').filter(Boolean);
  // Null: all that can be exchanged.
  const [chosen, setChosen] = useState(named.length === 0 ? null : named);
  const order = useEndpoint(readOrder, { params: { orderId } });
  const body = chosen === null || chosen.length === 0 ? {} : { ticket_ids: chosen };
  const quote = useEndpoint(
    quoteExchange,
    { params: { orderId }, body },
    { retry: false, placeholderData: keepPreviousData },
  );
  const none = chosen !== null && chosen.length === 0;
  return (
    <>
      <BackLink to={`/orders/${encodeURIComponent(orderId)}`}>Ordine</BackLink>
      <PageTitle title={`Cambia data all’ordine ${order.data?.number ?? '…'}`} />
      <Loaded query={quote}>
        {(data) => {
          const picked = none
            ? []
            : (chosen ?? data.tickets.filter((one) => one.chosen).map((one) => one.ticket_id));
          return (
            <>
              <Tickets quote={data} picked={picked} onPick={setChosen} />
              {quote.isPlaceholderData ? null : (
                <Worth quote={data} orderId={orderId} picked={picked} />
              )}
            </>
          );
        }}
      </Loaded>
    </>
  );
}

interface TicketsProps {
  quote: ExchangeQuote;
  picked: readonly string[];
  onPick: (ids: string[]) => void;
}

function Tickets({ quote, picked, onPick }: TicketsProps) {
  const toggle = (id: string) =>
    onPick(picked.includes(id) ? picked.filter((one) => one !== id) : [...picked, id]);
  return (
    <>
      <p>
        {quote.event.title} · {formatLongDate(quote.event.starts_at)}
      </p>
      <ul className={styles.tickets} aria-label="Biglietti da cambiare">
        {quote.tickets.map(({ ticket_id, seat, type_label, paid_cents, obstacle }) => (
          <li key={ticket_id}>
            <Check
              label={`${seat}, ${type_label}: pagato ${formatEuro(paid_cents)}`}
              hint={obstacle === null ? undefined : exchangeObstacleWords[obstacle]}
              checked={picked.includes(ticket_id)}
              disabled={obstacle !== null}
              onChange={() => toggle(ticket_id)}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

interface WorthProps {
  quote: ExchangeQuote;
  orderId: string;
  picked: readonly string[];
}

/** What the chosen tickets are worth, and the evenings to choose from. */
function Worth({ quote, orderId, picked }: WorthProps) {
  if (picked.length === 0 || quote.obstacle !== null)
    return (
      <Notice tone={picked.length === 0 ? undefined : 'bad'}>
        {
          exchangeObstacleWords[
            picked.length === 0 ? 'nothing_chosen' : (quote.obstacle ?? 'nothing_chosen')
          ]
        }
      </Notice>
    );
  return (
    <>
      <p className={styles.worth} aria-live="polite">
        {formatCount(picked.length, 'biglietto vale', 'biglietti valgono')}{' '}
        <strong>{formatEuro(quote.worth_cents)}</strong>
        {quote.fee_cents > 0 && `, il cambio costa ${formatEuro(quote.fee_cents)}`}.
      </p>
      {quote.because !== null && <p>{quote.because}</p>}
      <h2 className={styles.which}>Quale data?</h2>
      <Evenings quote={quote} given={{ orderId, ticketIds: [...picked] }} />
    </>
  );
}

interface EveningsProps {
  quote: ExchangeQuote;
  given: { orderId: string; ticketIds: string[] };
}

/** First those of the same title, which are dates of the same show. */
function Evenings({ quote: { event }, given }: EveningsProps) {
  const counter = useEndpoint(readCounter, {});
  return (
    <Loaded query={counter}>
      {(data) => {
        const others = data.events.filter(({ id }) => id !== event.id);
        const isSame = ({ title }: { title: string }) => title === event.title;
        const events = [...others.filter(isSame), ...others.filter((one) => !isSame(one))];
        return events.length === 0 ? (
          <Notice>Nessun’altra data in vendita adesso.</Notice>
        ) : (
          <EveningLinks events={events} pathOf={(id) => exchangePath(id, given)} />
        );
      }}
    </Loaded>
  );
}
