/** The seat rules: which selections leave an orphan, are scattered or too small; the chart marks by the rule with which the server refuses. */

/**
 * One seat as the rules see it. `mine`: in the selection under test; `free`: could be selected by anybody now;
 * `other`: booked, held by somebody else, not for sale, invisible.
 */
export interface RuleSeat {
  label: string;
  state: 'free' | 'mine' | 'other';
  category: string;
  /** An aisle lies between this seat and the next one of the row. */
  gapAfter?: boolean;
  accessible?: boolean;
  companion?: boolean;
}

/** Seats in physical order. Around a table nobody is left alone by an odd number, so tables know no orphans. */
export interface RuleRow {
  seats: RuleSeat[];
  table?: boolean;
}

export type SeatRuleName = 'noOrphanSeats' | 'consecutiveSeats' | 'minimumSelectedPlaces' | 'companionSeats';

/** A rule as a page configures it (seats.io `selectionValidators`). */
export interface SeatRule {
  type: SeatRuleName;
  /** noOrphanSeats: `strict` (default) looks for a better block on the whole chart, `lenient` only in the same block. */
  mode?: 'strict' | 'lenient';
  ignoreCategories?: boolean;
  /** noOrphanSeats: false keeps the rule and drops the red mark on the chart. */
  highlight?: boolean;
  /** minimumSelectedPlaces: at least this many places, default 1. */
  minimum?: number;
  /** companionSeats: false switches it off. */
  enabled?: boolean;
}

export type OrphanOptions = Pick<SeatRule, 'mode' | 'ignoreCategories'>;

/** What a selection breaks, in the order of the rules given, and the labels of the seats it leaves alone. */
export interface SelectionFault {
  broken: SeatRuleName[];
  orphans: string[];
}

/** Runs the rules over the rows of a chart; `places` counts all places selected, standing ones included. */
export function checkSelection(rows: RuleRow[], rules: SeatRule[], places: number): SelectionFault {
  const fault: SelectionFault = { broken: [], orphans: [] };
  for (const rule of rules) {
    if (rule.type === 'noOrphanSeats') fault.orphans = findOrphans(rows, rule);
    if (isBroken(rule, rows, { places, orphans: fault.orphans.length })) fault.broken.push(rule.type);
  }
  return fault;
}

function isBroken(rule: SeatRule, rows: RuleRow[], found: { places: number; orphans: number }): boolean {
  switch (rule.type) {
    case 'noOrphanSeats': return found.orphans > 0;
    case 'consecutiveSeats': return !areConsecutive(rows);
    case 'minimumSelectedPlaces': return found.places < (rule.minimum ?? 1);
    case 'companionSeats': return rule.enabled !== false && hasLoneCompanion(rows);
    // A page may ask for a rule of a newer chart: unknown rules are not ours to break.
    default: return false;
  }
}

/**
 * Labels of the single free seats that the selection leaves although it could do better.
 * Within a block (a maximal run of free or own seats, one category) a free run of exactly one seat beside own seats is a candidate;
 * it counts when some block, in lenient mode its own, can take as many seats as were chosen there without leaving one alone.
 */
export function findOrphans(rows: RuleRow[], options: OrphanOptions = {}): string[] {
  const blocks = rows.filter((row) => !row.table).flatMap((row) => splitBlocks(row.seats, options.ignoreCategories === true));
  const orphans: string[] = [];
  for (const block of blocks) {
    const chosen = block.filter((seat) => seat.state === 'mine').length;
    if (chosen === 0) continue;
    const alone = findSingles(block);
    if (alone.length === 0) continue;
    const rivals = options.mode === 'lenient' ? [block] : blocks;
    const category = block[0]!.category;
    const avoidable = rivals.some((rival) => (options.ignoreCategories || rival[0]!.category === category) && takesCleanly(rival.length, chosen));
    if (avoidable) orphans.push(...alone);
  }
  return orphans;
}

/** True when all own seats sit side by side in one row and one category, or at one table; standing places are not asked. */
export function areConsecutive(rows: RuleRow[]): boolean {
  const used = rows.filter((row) => row.seats.some((seat) => seat.state === 'mine'));
  if (used.length === 0) return true;
  const [row] = used;
  if (used.length > 1 || !row) return false;
  const { seats } = row;
  const mine = seats.filter((seat) => seat.state === 'mine');
  if (mine.some((seat) => seat.category !== mine[0]!.category)) return false;
  if (row.table) return true;
  const first = seats.findIndex((seat) => seat.state === 'mine');
  const run = seats.slice(first, first + mine.length);
  return run.every((seat, at) => seat.state === 'mine' && (at === run.length - 1 || !seat.gapAfter));
}

/** True when a companion seat is chosen without any wheelchair space. */
function hasLoneCompanion(rows: RuleRow[]): boolean {
  const mine = rows.flatMap((row) => row.seats).filter((seat) => seat.state === 'mine');
  return mine.some((seat) => seat.companion) && !mine.some((seat) => seat.accessible);
}

/** A run of `length` seats takes `count` together without leaving one alone when it is filled, or two or more stay free. */
function takesCleanly(length: number, count: number): boolean {
  return length === count || length >= count + 2;
}

function splitBlocks(seats: RuleSeat[], ignoreCategories: boolean): RuleSeat[][] {
  const blocks: RuleSeat[][] = [];
  let block: RuleSeat[] = [];
  for (const seat of seats) {
    const breaks = seat.state === 'other' || (!ignoreCategories && block.length > 0 && block[0]!.category !== seat.category);
    if (breaks && block.length > 0) { blocks.push(block); block = []; }
    if (seat.state !== 'other') block.push(seat);
    if (seat.gapAfter && block.length > 0) { blocks.push(block); block = []; }
  }
  if (block.length > 0) blocks.push(block);
  return blocks;
}

/** In a block that holds own seats, a free seat whose two neighbours in the block are own seats or its ends. */
function findSingles(block: RuleSeat[]): string[] {
  const isFree = (seat: RuleSeat | undefined) => seat?.state === 'free';
  return block.filter((seat, at) => isFree(seat) && !isFree(block[at - 1]) && !isFree(block[at + 1])).map((seat) => seat.label);
}
