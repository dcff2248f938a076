/** The section of the event form with the tables, booths and areas that are sold whole. */
import { chartCategories, chartWholes } from '#server/contract/charts.ts';
import { eventFieldNames } from '#server/domain/event/field-names.ts';
import { formatCount } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import type { SectionProps } from './controls.tsx';
import { BySingleTable } from './single-tables.tsx';
import type { DeskEvent } from './values.ts';
import { WholeCategory } from './whole-category.tsx';
import {
  isSoldWhole,
  nameTables,
  namesInUse,
  type ChartWhole,
  type WholeTerms,
} from './whole-values.ts';
import { Radios } from '#apps/admin/kit/form/choices.tsx';
import { Section, Spot } from '#apps/admin/kit/form/form-section.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { tellFailure } from '#apps/admin/kit/page/loaded.tsx';
import styles from './form.module.css';

interface WholesProps {
  section: SectionProps;
  /** The stored event; null: it is new. */
  held: DeskEvent | null;
}

/** Nothing where the chart has seats and standing areas only. */
export function Wholes({ section, held }: WholesProps) {
  const { chart_key, whole_terms } = section.values;
  const query = held === null ? {} : { event_id: held.id };
  const found = useEndpoint(
    chartWholes,
    { params: { chartKey: chart_key ?? '' }, query },
    { enabled: chart_key !== null, staleTime: 30_000 },
  );
  const items = found.data?.items ?? [];
  if (!found.isError && items.length === 0) return null;
  return (
    <Section
      title={eventFieldNames.whole_terms}
      hint="Un tavolo intero è un solo acquisto, con un biglietto e un codice per ogni posto."
    >
      <Spot field="whole_terms">
        {found.isError && (
          <Notice tone="bad">
            I tavoli della pianta non si vedono: {tellFailure(found.error)}
          </Notice>
        )}
        {whole_terms === null && !found.isError && (
          <Notice icon="lock">
            L’evento è di prima: qui ogni tavolo o séparé intero resta un solo biglietto. Un evento
            nuovo ha un biglietto per posto.
          </Notice>
        )}
        {whole_terms !== null && items.length > 0 && (
          <Choice
            section={section}
            terms={whole_terms}
            stored={held?.form.whole_terms ?? whole_terms}
            items={items}
          />
        )}
        {'whole_terms' in section.faults && (
          <p className="ui-field-error">{section.faults['whole_terms']}</p>
        )}
      </Spot>
    </Section>
  );
}

interface ChoiceProps {
  section: SectionProps;
  terms: WholeTerms;
  stored: WholeTerms;
  items: readonly ChartWhole[];
}

function Choice({ section: { values, set }, terms, stored, items }: ChoiceProps) {
  const chart = useEndpoint(
    chartCategories,
    { params: { chartKey: values.chart_key ?? '' } },
    { enabled: values.chart_key !== null, staleTime: 30_000 },
  );
  const tables = items.filter(({ kind }) => kind === 'table');
  const whole = items.filter((item) => isSoldWhole(item, terms));
  const used = namesInUse(items);
  const change = (part: Partial<WholeTerms>) => set({ whole_terms: { ...terms, ...part } });
  return (
    <div className={styles.categories}>
      {used !== null && (
        <Notice icon="lock">
          {used}: occupati, bloccati o venduti, quindi restano come sono. Gli altri si cambiano uno
          per uno.
        </Notice>
      )}
      {tables.length > 0 && (
        <Radios
          legend="Tavoli venduti interi"
          value={terms.tables.mode}
          onChange={(mode) =>
            change({ tables: mode === 'CUSTOM' ? nameTables(tables, { terms, stored }) : { mode } })
          }
          options={[
            ['INHERIT', 'Come sono disegnati', drawnWords(tables)],
            ['ALL_BY_TABLE', 'Tutti'],
            ['ALL_BY_SEAT', 'Nessuno', 'Si vendono posto per posto.'],
            ['CUSTOM', 'Li scelgo uno per uno'],
          ]}
        />
      )}
      {terms.tables.mode === 'CUSTOM' && (
        <BySingleTable
          tables={tables}
          terms={terms}
          onChange={(next) => change({ tables: next })}
        />
      )}
      {[...Map.groupBy(whole, ({ category_key }) => category_key)].map(([key, objects]) => (
        <WholeCategory
          key={key}
          category={chart.data?.items.find((category) => category.key === key) ?? null}
          objects={objects}
          value={terms.categories[key] ?? {}}
          onChange={(value) => change({ categories: { ...terms.categories, [key]: value } })}
        />
      ))}
    </div>
  );
}

function drawnWords(tables: readonly ChartWhole[]): string {
  const whole = tables.filter(({ drawn_whole }) => drawn_whole).length;
  const bySeat = tables.length - whole;
  if (bySeat === 0) return formatCount(whole, 'intero', 'interi');
  if (whole === 0) return `${bySeat} a posti singoli`;
  return `${formatCount(whole, 'intero', 'interi')}, ${bySeat} a posti singoli`;
}
