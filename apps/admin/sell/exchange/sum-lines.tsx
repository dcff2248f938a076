/** The sum of an exchange at the till: new tickets, its cost, what the old ones give. */
import { backWayWords } from '#server/domain/order/exchange-words.ts';
import { formatEuro } from '#apps/shared/format.ts';
import type { ExchangeSums } from '#server/domain/order/exchange-sums.ts';
import type { ExchangeQuote } from './sums.ts';
import styles from './exchange.module.css';

interface SumProps {
  quote: ExchangeQuote;
  sums: ExchangeSums;
}

export function ExchangeSum({ quote, sums: { fee, total, due, back } }: SumProps) {
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
      {back > 0 && <dd className={styles.how}>{backWayWords[quote.back]}</dd>}
    </dl>
  );
}
