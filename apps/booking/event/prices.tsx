/**
 * The prices by category: shown before the chart has loaded, and to visitors who cannot use it.
 */
import { sayPrice } from '#apps/shared/format.ts';
import { fullPriceOf, type PricedCategory } from '#server/domain/price/pricing.ts';
import { sayOrderFees, sayTicketFees } from '#server/domain/price/surcharge-words.ts';
import type { SoldSurcharge } from '#server/domain/price/surcharge.ts';
import type { EventReply } from '#apps/booking/shell/replies.ts';
import { nextWords } from './next-price.ts';
import styles from './prices.module.css';

/** Visitors cannot read the chart's keys of categories, so a list with keys is not shown. */
const isKey = /^\d+$/;

export function EventPrices({
  categories,
  whole,
  surcharges,
  next,
}: {
  categories: readonly PricedCategory[];
  whole: EventReply['whole_objects'];
  surcharges: readonly SoldSurcharge[];
  next: EventReply['next_prices'];
}) {
  const isNamed = !categories.some(({ category }) => isKey.test(category));
  const sentences = [sayTicketFees(surcharges), sayOrderFees(surcharges)].filter(
    (words) => words !== null,
  );
  if (categories.length === 0 || (!isNamed && sentences.length === 0)) return null;
  return (
    <section aria-label="Prezzi">
      {isNamed && <PriceList categories={categories} whole={whole} next={next} />}
      {sentences.length > 0 && <p className="small soft">{sentences.join(' ')}</p>}
    </section>
  );
}

function PriceList({
  categories,
  whole,
  next,
}: Omit<Parameters<typeof EventPrices>[0], 'surcharges'>) {
  return (
    <dl className={styles.list}>
      {categories.map(({ category, ticketTypes }) => {
        const sold = whole.find((one) => one.category === category);
        const places = sold?.price_per === 'object' ? sold.places : 1;
        return (
          <div key={category}>
            <dt>{category}</dt>
            {ticketTypes.map((type) => (
              <dd key={type.ticketType}>
                <span className="soft">
                  {[type.label, sold && wholeFor(sold)].filter(Boolean).join(', ')}
                </span>{' '}
                <strong>{sayPrice(fullPriceOf(type, { places, per: sold?.price_per }))}</strong>
                <NextPrice words={nextWords(next, { category, ...type })} />
              </dd>
            ))}
          </div>
        );
      })}
    </dl>
  );
}

function NextPrice({ words }: { words: string | undefined }) {
  return words === undefined ? null : <span className={`small soft ${styles.next}`}>{words}</span>;
}

/** Whether the price of an object sold whole is for all its places or for each one. */
function wholeFor({ price_per, places }: EventReply['whole_objects'][number]): string {
  return price_per === 'object' ? `per tutti i ${places} posti` : 'a posto';
}
