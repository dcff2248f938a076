/**
 * Seat rules: which selections leave a single seat, are scattered or too small; the chart and the
 * server use the same functions.
 */
import { requireValue } from '#server/domain/require-value.ts';

/**
 * One seat as the rules see it. `mine`: in the selection under test; `free`: any visitor can
 * select it now; `other`: booked, held by another visitor, not for sale, invisible.
 */
export interface RuleSeat {
  label: string;
  state: 'free' | 'mine' | 'other';
  category: string;
  /** An aisle is between this seat and the next one of the row. */
  gapAfter?: boolean;
  accessible?: boolean;
  companion?: boolean;
}

/**
 * Seats in physical order. An odd number leaves no guest alone around a table, so tables have no
 * orphans.
 */
export interface RuleRow {
  seats: RuleSeat[];
  table?: boolean;
}

type SeatRuleName =
  | 'noOrphanSeats'
  | 'consecutiveSeats'
  | 'minimumSelectedPlaces'
  | 'companionSeats';

/** A rule as a page configures it (seats.io `selectionValidators`). */
export interface SeatRule {
  type: SeatRuleName;
  /**
   * noOrphanSeats: `strict` (default) looks for a better block on the whole chart, `lenient` only
   * in the same block.
   */
  mode?: 'strict' | 'lenient';
  ignoreCategories?: boolean;
  /** noOrphanSeats: false keeps the rule and drops the red mark on the chart. */
  highlight?: boolean;
  /** minimumSelectedPlaces: at least this many places, default 1. */
  minimum?: number;
  /** companionSeats: false switches it off. */
  enabled?: boolean;
}

type OrphanOptions = Pick<SeatRule, 'mode' | 'ignoreCategories'>;

/**
 * The rules that a selection breaks, in the order of the rules given, and the labels of the seats
 * it leaves alone.
 */
export interface SelectionFault {
  broken: SeatRuleName[];
  orphans: string[];
}

/**
 * Runs the rules over the rows of a chart; `places` counts all selected places, including
 * standing ones.
 */
export function checkSelection(rows: RuleRow[], rules: SeatRule[], places: number): SelectionFault {
  const rowAt = (at: number) => requireValue(rows[at], 'row at this place');
  return indexRows(rows.length, rowAt).check(rules, places);
}

/**
 * A chart's rows, prepared for the rules: after a change only the changed rows are read again.
 */
export interface RowIndex {
  /** Makes the row with this index be read again. */
  markStale: (at: number) => void;
  /** As checkSelection(). */
  check: (rules: SeatRule[], places: number) => SelectionFault;
}

/** A maximal run of free or own seats, as indexes in its row. */
interface Block {
  category: string;
  start: number;
  length: number;
}

/**
 * The blocks of all rows, and for each category how many blocks there are of each length; with
 * `ignoreCategories` all have the same category.
 */
interface BlockTable {
  ignoreCategories: boolean;
  byRow: Block[][];
  lengths: Map<string, Map<number, number>>;
}

/** `readRow` is called at the first check, and again for a row that was marked. */
export function indexRows(size: number, readRow: (at: number) => RuleRow): RowIndex {
  const stale = new Set(Array.from({ length: size }, (_, at) => at));
  /** Rows with own seats; no other row can break a rule. */
  const used = new Set<number>();
  const tables = new Map<boolean, BlockTable>();
  const tableFor = (ignoreCategories: boolean) => {
    const known = tables.get(ignoreCategories);
    if (known) return known;
    const table: BlockTable = { ignoreCategories, byRow: [], lengths: new Map() };
    for (let at = 0; at < size; at++) putRow(table, at, readRow(at));
    tables.set(ignoreCategories, table);
    return table;
  };
  return {
    markStale: (at) => {
      stale.add(at);
    },
    check(rules, places) {
      for (const at of stale) {
        const row = readRow(at);
        if (row.seats.some((seat) => seat.state === 'mine')) used.add(at);
        else used.delete(at);
        for (const table of tables.values()) putRow(table, at, row);
      }
      stale.clear();
      const rows = [...used].sort((a, b) => a - b).map((at) => ({ at, row: readRow(at) }));
      const fault: SelectionFault = { broken: [], orphans: [] };
      for (const rule of rules) {
        if (rule.type === 'noOrphanSeats')
          fault.orphans = orphansIn(rows, tableFor(rule.ignoreCategories === true), rule.mode);
        if (
          isBroken(
            rule,
            rows.map(({ row }) => row),
            { places, orphans: fault.orphans.length },
          )
        )
          fault.broken.push(rule.type);
      }
      return fault;
    },
  };
}

function putRow(table: BlockTable, at: number, row: RuleRow): void {
  const count = (block: Block, by: number) => {
    const lengths = table.lengths.get(block.category) ?? new Map<number, number>();
    table.lengths.set(block.category, lengths);
    lengths.set(block.length, (lengths.get(block.length) ?? 0) + by);
  };
  for (const block of table.byRow[at] ?? []) count(block, -1);
  const blocks = row.table ? [] : splitBlocks(row.seats, table.ignoreCategories);
  for (const block of blocks) count(block, 1);
  table.byRow[at] = blocks;
}

/**
 * Labels of the single free seats that the selection leaves although it could do better. Within a
 * block (one category) a free run of exactly one seat beside own seats is a candidate; it counts if
 * a block (in lenient mode only its own) has room for as many seats as were chosen there without
 * leaving one alone.
 */
function orphansIn(
  rows: { at: number; row: RuleRow }[],
  table: BlockTable,
  mode: SeatRule['mode'],
): string[] {
  return rows.flatMap(({ at, row }) =>
    (table.byRow[at] ?? []).flatMap((block) => {
      const seats = row.seats.slice(block.start, block.start + block.length);
      const chosen = seats.filter((seat) => seat.state === 'mine').length;
      if (chosen === 0) return [];
      const alone = findSingles(seats);
      if (alone.length === 0) return [];
      const rivals =
        mode === 'lenient'
          ? [[block.length, 1] as const]
          : [...(table.lengths.get(block.category) ?? [])];
      return rivals.some(([length, count]) => count > 0 && takesCleanly(length, chosen))
        ? alone
        : [];
    }),
  );
}

function isBroken(
  rule: SeatRule,
  rows: RuleRow[],
  found: { places: number; orphans: number },
): boolean {
  switch (rule.type) {
    case 'noOrphanSeats':
      return found.orphans > 0;
    case 'consecutiveSeats':
      return !areConsecutive(rows);
    case 'minimumSelectedPlaces':
      return found.places < (rule.minimum ?? 1);
    case 'companionSeats':
      return rule.enabled !== false && hasLoneCompanion(rows);
    // A page may ask for a rule of a newer chart; a selection cannot break an unknown rule.
    default:
      return false;
  }
}

/** The orphans of a selection, see orphansIn(). */
export function findOrphans(rows: RuleRow[], options: OrphanOptions = {}): string[] {
  return checkSelection(rows, [{ type: 'noOrphanSeats', ...options }], 0).orphans;
}

/**
 * Whether any single free seat is left beside own seats: only then the strict rule needs the rest
 * of the chart.
 */
export function leavesSingles(rows: RuleRow[]): boolean {
  return rows.some(
    ({ seats, table }) =>
      !table &&
      splitBlocks(seats, false).some(({ start, length }) => {
        const block = seats.slice(start, start + length);
        return block.some((seat) => seat.state === 'mine') && findSingles(block).length > 0;
      }),
  );
}

/**
 * True when all own seats are side by side in one row and one category, or at one table; standing
 * places do not matter.
 */
export function areConsecutive(rows: RuleRow[]): boolean {
  const used = rows.filter((row) => row.seats.some((seat) => seat.state === 'mine'));
  if (used.length === 0) return true;
  const [row] = used;
  if (used.length > 1 || !row) return false;
  const { seats } = row;
  const mine = seats.filter((seat) => seat.state === 'mine');
  if (mine.some((seat) => seat.category !== mine[0]?.category)) return false;
  if (row.table) return true;
  const first = seats.findIndex((seat) => seat.state === 'mine');
  const run = seats.slice(first, first + mine.length);
  return run.every(
    (seat, at) => seat.state === 'mine' && (at === run.length - 1 || !seat.gapAfter),
  );
}

/** True when a companion seat is chosen without any wheelchair space. */
function hasLoneCompanion(rows: RuleRow[]): boolean {
  const mine = rows.flatMap((row) => row.seats).filter((seat) => seat.state === 'mine');
  return mine.some((seat) => seat.companion) && !mine.some((seat) => seat.accessible);
}

/**
 * Whether `count` seats together fit into a run of `length` without leaving one alone: they fill
 * it, or two or more stay free.
 */
function takesCleanly(length: number, count: number): boolean {
  return length === count || length >= count + 2;
}

function splitBlocks(seats: RuleSeat[], ignoreCategories: boolean): Block[] {
  const blocks: Block[] = [];
  let block: Block | null = null;
  seats.forEach((seat, at) => {
    const category = ignoreCategories ? '' : seat.category;
    if (seat.state === 'other' || block?.category !== category) block = null;
    if (seat.state !== 'other' && !block) blocks.push((block = { category, start: at, length: 0 }));
    if (block) block.length += 1;
    if (seat.gapAfter) block = null;
  });
  return blocks;
}

/**
 * In a block with own seats, the free seats whose two neighbours in the block are own seats or
 * its ends.
 */
function findSingles(block: RuleSeat[]): string[] {
  const isFree = (seat: RuleSeat | undefined) => seat?.state === 'free';
  return block
    .filter((seat, at) => isFree(seat) && !isFree(block[at - 1]) && !isFree(block[at + 1]))
    .map((seat) => seat.label);
}
