/** Groups items for reports: into named groups, or into counts by every other property. */
import { ApiError } from '#server/standins/seatsio/errors.ts';
import { entryOf, entryAt } from '#server/drawing/model/entry.ts';

interface Dimension<T> {
  of: (item: T) => string;
  /** Groups that are shown even when they are empty. */
  always?: string[];
  /** More groups that summaries show even when they are empty. */
  alwaysCounted?: string[];
  /** Summaries leave this property out, because it would give as many groups as items. */
  isUncounted?: true;
}

/** Dimensions by report type (`byStatus`). */
export type Dimensions<T> = Record<string, Dimension<T>>;

/** Two names of one property; a summary by one of them leaves out the other. */
const SAME: Record<string, string> = {
  byCategoryKey: 'byCategoryLabel',
  byCategoryLabel: 'byCategoryKey',
};

/** @throws ApiError 404 REPORT_NOT_FOUND */
export function findDimension<T>(dimensions: Dimensions<T>, type: string): Dimension<T> {
  const dimension = Object.hasOwn(dimensions, type) ? dimensions[type] : undefined;
  if (dimension === undefined)
    throw new ApiError(404, 'REPORT_NOT_FOUND', { message: `Report not found: ${type}` });
  return dimension;
}

/** With a filter the result is that one group, even if it is empty. */
export function groupItems<T>(
  items: T[],
  dimension: Dimension<T>,
  filter?: string,
): Map<string, T[]> {
  const groups = new Map<string, T[]>(
    (filter === undefined ? (dimension.always ?? []) : [filter]).map((name) => [name, []]),
  );
  for (const item of items) {
    const name = dimension.of(item);
    if (filter !== undefined && name !== filter) continue;
    const members = groups.get(name);
    if (members) members.push(item);
    else groups.set(name, [item]);
  }
  return groups;
}

/** {count, byThis: {name: number}, …}; a deep summary has summaries in place of the numbers. */
interface Summary {
  count: number;
  [dimension: string]: number | Record<string, number | Summary>;
}

interface Tally {
  names: string[];
  count: number;
}

/**
 * {group: Summary}, each summary by all other dimensions; `deep` adds a level. Equal items are
 * first counted together, because twenty thousand seats have only a few hundred different forms.
 * @throws ApiError 404 REPORT_NOT_FOUND
 */
export function summarizeItems<T extends { quantity: number }>(
  items: T[],
  dimensions: Dimensions<T>,
  { type, deep }: { type: string; deep: boolean },
): Record<string, Summary> {
  const { always = [], alwaysCounted = [], isUncounted } = findDimension(dimensions, type);
  if (isUncounted) findDimension<T>({}, `${type}/summary`);
  const counted = Object.entries(dimensions).filter(([, dimension]) => !dimension.isUncounted);
  const columns = new Map(counted.map(([name], index) => [name, index]));
  const tallies = new Map<string, Tally>();
  for (const item of items) {
    if (item.quantity === 0) continue;
    const names = counted.map(([, dimension]) => dimension.of(item));
    const key = JSON.stringify(names);
    const tally = tallies.get(key);
    if (tally) tally.count += item.quantity;
    else tallies.set(key, { names, count: item.quantity });
  }
  const groups = split([...tallies.values()], entryOf(columns, type));
  for (const name of [...always, ...alwaysCounted]) if (!groups.has(name)) groups.set(name, []);
  return Object.fromEntries(
    [...groups].map(([name, members]) => [
      name,
      summarize(members, withoutDimension(columns, type), deep ? 1 : 0),
    ]),
  );
}

function withoutDimension(columns: Map<string, number>, type: string): Map<string, number> {
  return new Map([...columns].filter(([name]) => name !== type && name !== SAME[type]));
}

function summarize(tallies: Tally[], columns: Map<string, number>, depth: number): Summary {
  const by = [...columns].map(
    ([type, column]) =>
      [
        type,
        Object.fromEntries(
          [...split(tallies, column)].map(([name, members]) => [
            name,
            depth === 0
              ? total(members)
              : summarize(members, withoutDimension(columns, type), depth - 1),
          ]),
        ),
      ] as const,
  );
  return { count: total(tallies), ...Object.fromEntries(by) };
}

function total(tallies: Tally[]): number {
  return tallies.reduce((sum, { count }) => sum + count, 0);
}

function split(tallies: Tally[], column: number): Map<string, Tally[]> {
  return Map.groupBy(tallies, ({ names }) => entryAt(names, column));
}
