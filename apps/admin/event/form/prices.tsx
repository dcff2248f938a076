/** The section of the event form with the chart and the prices of its categories. */
import { Link } from 'react-router-dom';
import { chartCategories, listCharts } from '#server/contract/charts.ts';
import { readSeatEvent } from '#server/contract/seats.ts';
import { eventFieldNames } from '#server/domain/event/field-names.ts';
import { gatesIn } from '#server/domain/door/gate.ts';
import { formatCount } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { Spinner } from '#apps/shared/ui/spinner.tsx';
import { CategoryPrices } from './category.tsx';
import { Section, Spot } from '#apps/admin/kit/form/form-section.tsx';
import type { SectionProps } from './controls.tsx';
import type { CategoryValues } from './values.ts';
import { priceWords, usePrices, useUsedPrices } from './known-prices.ts';
import { Loaded, tellFailure } from '#apps/admin/kit/page/loaded.tsx';
import { Suggestions } from '#apps/admin/kit/form/suggestions.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { useAllPages } from '#apps/admin/kit/list/all-pages.ts';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './form.module.css';

interface ChartCategory {
  key: string;
  label: string;
  color: string | null;
}
/** `newPlaces`: how many places the last save added. `fixed`: why the chart cannot change. */
interface PricesProps {
  section: SectionProps;
  eventKey: string | null;
  fixed: string | null;
  newPlaces: number;
  /** The path of the screen for prices in euros; null: there is none yet. */
  typedAt: string | null;
}

export function Prices({ section, eventKey, fixed, newPlaces, typedAt }: PricesProps) {
  const { values, faults, set } = section;
  const charts = useAllPages(listCharts, { staleTime: 30_000 });
  const chart = charts.data?.items.find((item) => item.key === values.chart_key);
  // Only the seat map knows the chart of an event that was made elsewhere.
  const atMap = useEndpoint(
    readSeatEvent,
    { params: { eventKey: eventKey ?? '' } },
    { enabled: eventKey !== null && values.chart_key === null, staleTime: 30_000 },
  );
  const ofChart = useEndpoint(
    chartCategories,
    { params: { chartKey: values.chart_key ?? '' } },
    { enabled: values.chart_key !== null, staleTime: 30_000 },
  );
  const categories =
    (values.chart_key === null ? atMap.data?.categories : ofChart.data?.items) ?? null;
  return (
    <Section title="Posti e prezzi">
      <Spot field="chart_key">
        {fixed !== null ? (
          <Notice icon="lock">
            {eventFieldNames.chart_key}:{' '}
            <strong>{chart?.name ?? values.chart_key ?? eventKey}</strong>. {fixed}
          </Notice>
        ) : (
          <Loaded query={charts}>
            {({ items }) => (
              <ChartChoice
                charts={items}
                value={values.chart_key}
                error={faults['chart_key'] ?? null}
                onChange={(chart_key) => set({ chart_key })}
              />
            )}
          </Loaded>
        )}
      </Spot>
      <div aria-live="polite">
        {newPlaces > 0 && (
          <Notice>
            La pianta ha {formatCount(newPlaces, 'posto nuovo', 'posti nuovi')}: ora{' '}
            {newPlaces === 1 ? 'fa' : 'fanno'} parte dell’evento. Controlla che i settori abbiano i
            loro prezzi.
          </Notice>
        )}
      </div>
      <TypedAt path={typedAt} />
      <Spot field="seat_pricing">
        <Categories
          section={section}
          categories={categories}
          waiting={values.chart_key !== null && ofChart.isLoading}
          failure={ofChart.isError ? tellFailure(ofChart.error) : null}
        />
      </Spot>
    </Section>
  );
}

function TypedAt({ path }: { path: string | null }) {
  return (
    <p>
      {path === null ? (
        'Gli importi si scrivono in euro nella scheda «Prezzi», dopo aver creato la bozza.'
      ) : (
        <Link to={path}>Scrivi i prezzi in euro</Link>
      )}
    </p>
  );
}

type Chart = { key: string; name: string; places: number | null; thumbnail: string | null };

interface ChartChoiceProps {
  charts: readonly Chart[];
  value: string | null;
  error: string | null;
  onChange: (key: string) => void;
}

function ChartChoice({ charts, value, error, onChange }: ChartChoiceProps) {
  if (charts.length === 0)
    return (
      <Notice tone="warn" icon="map">
        Non c’è ancora nessuna pianta: importane una dalla pagina «Piante».
      </Notice>
    );
  return (
    <fieldset className={styles.chartChoice}>
      <legend>{eventFieldNames.chart_key}</legend>
      <div className={styles.chartOptions}>
        {charts.map((chart) => (
          <label key={chart.key} className={styles.chartOption}>
            <input
              type="radio"
              name="chart_key"
              checked={chart.key === value}
              onChange={() => onChange(chart.key)}
            />
            <span className={styles.chartOptionPicture}>
              {chart.thumbnail === null ? (
                <Icon name="map" size={32} />
              ) : (
                <img src={chart.thumbnail} alt="" />
              )}
            </span>
            <span className={styles.chartOptionName}>
              {chart.name}
              <span className={textStyles.soft}>
                {chart.places === null ? '' : formatCount(chart.places, 'posto', 'posti')}
              </span>
            </span>
          </label>
        ))}
      </div>
      {error !== null && <p className="ui-field-error">{error}</p>}
    </fieldset>
  );
}

interface CategoriesProps {
  section: SectionProps;
  categories: readonly ChartCategory[] | null;
  waiting: boolean;
  failure: string | null;
}

function Categories({ section, categories, waiting, failure }: CategoriesProps) {
  const { values, faults, set } = section;
  const find = usePrices(
    values.seat_pricing.flatMap((entry) => entry.ticketTypes.map((type) => type.price_id)),
  );
  const change = (category: string, entry: CategoryValues | null) =>
    set({ seat_pricing: withEntry(values.seat_pricing, category, entry) });
  const cards = cardsOf(values.seat_pricing, categories);
  return (
    <div className={styles.categories}>
      {'seat_pricing' in faults && <p className="ui-field-error">{faults['seat_pricing']}</p>}
      {failure !== null && (
        <Notice tone="bad">I settori della pianta non si vedono: {failure}</Notice>
      )}
      {waiting && <Spinner />}
      {values.chart_key === null && categories === null && cards.length === 0 && (
        <p className={textStyles.soft}>Scegli la pianta: qui compariranno i suoi settori.</p>
      )}
      {cards.map(({ name, ...card }) => (
        <CategoryPrices
          key={name}
          {...card}
          entry={values.seat_pricing[card.at] ?? { category: name, ticketTypes: [] }}
          faults={faults}
          find={find}
          onChange={(entry) => change(name, entry)}
        />
      ))}
      <Used pricing={values.seat_pricing} />
    </div>
  );
}

/** Suggestions for the fields of gates and prices. */
function Used({ pricing }: { pricing: readonly CategoryValues[] }) {
  const prices = useUsedPrices();
  const options = prices.map((price): [string, string] => [price.id, priceWords(price)]);
  return (
    <>
      <Suggestions id="used-gates" options={gatesIn(pricing).map((gate) => [gate, gate])} />
      <Suggestions id="used-prices" options={options} />
    </>
  );
}

/** One list, so that a card keeps its fields and cursor when its category becomes known. */
function cardsOf(pricing: readonly CategoryValues[], categories: readonly ChartCategory[] | null) {
  const known = (categories ?? []).map((category) => ({
    name: nameOf(category, pricing, categories ?? []),
    label: category.label,
    color: category.color,
    stray: false,
  }));
  const strays = pricing
    .filter((entry) => known.every(({ name }) => name !== entry.category))
    .map(({ category }) => ({
      name: category,
      label: category,
      color: null,
      stray: categories !== null,
    }));
  return [...known, ...strays].map((card) => ({
    ...card,
    at: pricing.findIndex((entry) => entry.category === card.name),
  }));
}

/** Pricing names a category by key or label; a label that two categories share is not used. */
function nameOf(
  category: ChartCategory,
  pricing: readonly CategoryValues[],
  all: readonly ChartCategory[],
): string {
  const known = pricing.find(
    (entry) => entry.category === category.key || entry.category === category.label,
  );
  if (known) return known.category;
  return all.filter((other) => other.label === category.label).length > 1
    ? category.key
    : category.label;
}

/** Replaces or adds a category's entry; null removes it. */
function withEntry(
  pricing: readonly CategoryValues[],
  category: string,
  entry: CategoryValues | null,
): CategoryValues[] {
  const at = pricing.findIndex((old) => old.category === category);
  if (entry === null) return pricing.filter((old) => old.category !== category);
  return at < 0 ? [...pricing, entry] : pricing.with(at, entry);
}
