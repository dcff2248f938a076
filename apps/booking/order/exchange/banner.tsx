/** Says on an event page which tickets the new seats replace, and what is paid or comes back. */
import { Link } from 'react-router-dom';
import { exchangeSums } from '#server/domain/order/exchange-sums.ts';
import { formatEuro, formatShortDate } from '#apps/shared/format.ts';
import { keepExchange, type WantedExchange } from './wanted.ts';
import styles from './exchange.late.module.css';

interface BannerProps {
  wanted: WantedExchange;
  /** The price of the chosen seats; null: none is chosen, or a price is unknown. */
  seats: number | null;
}

export function ExchangeBanner({ wanted, seats }: BannerProps) {
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
    <dl className={styles.sums} aria-label="Conto del cambio" aria-live="polite">
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
