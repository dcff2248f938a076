/** The sum of an exchange at the till: new tickets, its cost, what the old ones give. */
import { keepPreviousData } from '@tanstack/react-query';
import { quoteExchange } from '#server/contract/order/exchanges.ts';
import { backWayWords } from '#server/domain/order/exchange-words.ts';
import { formatEuro } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import type { ExchangeSums } from '#server/domain/order/exchange-sums.ts';
import type { Given } from './given.ts';
import type { ExchangeQuote } from './sums.ts';
import styles from './exchange.module.css';

interface SumProps {
  given: Given;
  quote: ExchangeQuote;
  sums: ExchangeSums;
}

export function ExchangeSum({ given, quote, sums: { fee, total, due, back } }: SumProps) {
  return (
    <dl className={styles.sums} aria-label="Conto del cambio" aria-live="polite">
      <dt>Biglietti nuovi</dt>
      <dd>{formatEuro(total - fee)}</dd>
      {fee > 0 && (
        <>
          <dt>Costo del cambio</dt>
          <dd>{formatEuro(fee)}</dd>
        </>
      )}
      <dt>Biglietti di prima</dt>
      <dd>−{formatEuro(quote.worth_cents)}</dd>
      <dt className={styles.result}>{back > 0 ? 'Da restituire' : 'Da pagare'}</dt>
      <dd className={styles.result}>{formatEuro(back > 0 ? back : due)}</dd>
      {back > 0 && <HowBack given={given} back={back} />}
    </dl>
  );
}

/** The way back of this very sum; a smaller one may go back in another way than a greater one. */
function HowBack({ given, back: back_cents }: { given: Given; back: number }) {
  const { data } = useEndpoint(
    quoteExchange,
    { params: { orderId: given.orderId }, body: { ticket_ids: given.ticketIds, back_cents } },
    { placeholderData: keepPreviousData, refetchOnWindowFocus: false },
  );
  return <dd className={styles.how}>{data === undefined ? '…' : backWayWords[data.back]}</dd>;
}
