/** How the event form reads and writes which objects of a hall are sold whole. */
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { chartWholes } from '#server/contract/charts.ts';
import type { EventValues } from './values.ts';

export type ChartWhole = ReplyOf<typeof chartWholes>['items'][number];
export type WholeTerms = NonNullable<EventValues['whole_terms']>;
export type TableChoice = WholeTerms['tables'];

export function isSoldWhole(
  { kind, label, drawn_whole }: ChartWhole,
  { tables: { mode, tables = {} } }: WholeTerms,
): boolean {
  if (kind !== 'table' || mode === 'ALL_BY_TABLE') return true;
  if (mode === 'ALL_BY_SEAT') return false;
  const named = mode === 'CUSTOM' ? tables[label] : undefined;
  return named === undefined ? drawn_whole : named === 'BY_TABLE';
}

/**
 * The choice one by one that sells each table as before; one that is in use stays as it is stored.
 */
export function nameTables(
  tables: readonly ChartWhole[],
  { terms, stored }: { terms: WholeTerms; stored: WholeTerms },
): TableChoice {
  const isWhole = (table: ChartWhole) => isSoldWhole(table, table.in_use ? stored : terms);
  return {
    mode: 'CUSTOM',
    tables: Object.fromEntries(
      tables.map((table) => [table.label, isWhole(table) ? 'BY_TABLE' : 'BY_SEAT']),
    ),
  };
}

const mostNamed = 6;

/** "Tavolo 3, Tavolo 7 e altri 2"; null: nothing is in use. */
export function namesInUse(items: readonly ChartWhole[]): string | null {
  const names = items.filter(({ in_use }) => in_use).map(({ name }) => name);
  if (names.length === 0) return null;
  const more = names.length - mostNamed;
  return names.slice(0, mostNamed).join(' · ') + (more > 0 ? ` e altri ${more}` : '');
}
