/**
 * The prices by category: shown before the chart has loaded, and to visitors who cannot use it.
 */
import { formatEuro } from '#apps/shared/format.ts';
import {
  feeWords,
  fullPrice,
  type Fee,
  type PricedCategory,
} from '#server/domain/price/pricing.ts';
import styles from './prices.module.css';

/** Visitors cannot read the chart's keys of categories, so a list with keys is not shown. */
const isKey = /^\d+$/;

export function EventPrices({
  categories,
  fee,
}: {
  categories: readonly PricedCategory[];
  fee: Fee;
}) {
  const isNamed = !categories.some(({ category }) => isKey.test(category));
  if (categories.length === 0 || (!isNamed && fee === null)) return null;
  return (
    <section aria-label="Prezzi">
      {isNamed && <PriceList categories={categories} />}
      {fee !== null && (
        <p className="small soft">
          Ogni prezzo è quello che paghi per un biglietto, {feeWords(fee.unit_amount)}.
        </p>
      )}
    </section>
  );
}

function PriceList({ categories }: { categories: readonly PricedCategory[] }) {
  return (
    <dl className={styles.list}>
      {categories.map(({ category, ticketTypes }) => (
        <div key={category}>
          <dt>{category}</dt>
          {ticketTypes.map((type) => (
            <dd key={type.ticketType}>
              <span className="soft">{ticketTypes.length > 1 ? type.label : 'Prezzo unico'}</span>{' '}
              <strong>{formatEuro(fullPrice(type))}</strong>
            </dd>
          ))}
        </div>
      ))}
    </dl>
  );
}
