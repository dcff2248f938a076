/** What the seats cost, category by category: there before the chart is, and for whoever cannot use it. */
import { formatEuro } from '#apps/shared/format.ts';
import type { PricedCategory } from '#server/domain/pricing.ts';
import styles from './prices.module.css';

/** A category may be named by the chart's key, which says nothing to a visitor: such lists are the chart's legend alone. */
const isKey = /^\d+$/;

export function EventPrices({ categories }: { categories: readonly PricedCategory[] }) {
  if (categories.length === 0 || categories.some(({ category }) => isKey.test(category)))
    return null;
  return (
    <section aria-label="Prezzi">
      <dl className={styles.list}>
        {categories.map(({ category, ticketTypes }) => (
          <div key={category}>
            <dt>{category}</dt>
            {ticketTypes.map(({ ticketType, label, unit_amount }) => (
              <dd key={ticketType}>
                <span className="soft">{ticketTypes.length > 1 ? label : 'Prezzo unico'}</span>{' '}
                <strong>{formatEuro(unit_amount)}</strong>
              </dd>
            ))}
          </div>
        ))}
      </dl>
    </section>
  );
}
