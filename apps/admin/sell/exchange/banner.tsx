/** Says at the till which tickets the sale replaces, and what they are worth. */
import { Link } from 'react-router-dom';
import { exchangeObstacleWords } from '#server/domain/order/exchange-words.ts';
import { formatCount, formatEuro, formatShortDate } from '#apps/shared/format.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { tellFailure } from '#apps/admin/kit/page/loaded.tsx';
import { FailureNotice, Notice } from '#apps/admin/kit/page/notice.tsx';
import type { Exchange } from './sums.ts';
import styles from './exchange.module.css';

interface BannerProps {
  exchange: Exchange;
  onGiveUp: () => void;
}

export function ExchangeBanner({ exchange, onGiveUp }: BannerProps) {
  const { given, number, quote, failure } = exchange;
  const link = (
    <Link to={`/orders/${encodeURIComponent(given.orderId)}`}>{number ?? 'ordine'}</Link>
  );
  const stop = <Button small look="quiet" onClick={onGiveUp} label="Lascia il cambio" />;
  if (failure !== null)
    return (
      <div className={styles.banner}>
        <FailureNotice text={tellFailure(failure)} /> {stop}
      </div>
    );
  if (quote === null)
    return (
      <Notice as="output" icon="refresh" className={styles.banner}>
        Leggo quanto valgono i biglietti…
      </Notice>
    );
  if (quote.obstacle !== null)
    return (
      <Notice as="div" tone="bad" className={styles.banner}>
        Cambio di {link}: {exchangeObstacleWords[quote.obstacle]} {stop}
      </Notice>
    );
  const count = given.ticketIds.length;
  return (
    <Notice as="div" icon="refresh" className={styles.banner}>
      <strong>
        Cambio di {link}: {formatCount(count, 'biglietto', 'biglietti')} del{' '}
        {formatShortDate(quote.event.starts_at)}, {count === 1 ? 'vale' : 'valgono'}{' '}
        {formatEuro(quote.worth_cents)}.
      </strong>{' '}
      {quote.because !== null && `${quote.because} `}
      {quote.kept_fee_cents > 0 &&
        `Di prevendita e commissioni ${formatEuro(quote.kept_fee_cents)} non tornano. `}
      {stop}
    </Notice>
  );
}
