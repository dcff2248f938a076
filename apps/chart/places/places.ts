/** Each place's current state for this visitor: free, chosen, taken, not for sale, hidden. */
import { requireValue } from '#server/domain/require-value.ts';
import type { WireStatus, WireStatusGroup } from '#server/standins/seatsio/wire.ts';
import {
  indexRows,
  type RowIndex,
  type RuleRow,
  type RuleSeat,
  type SeatRule,
  type SelectionFault,
} from '#server/domain/seat/seating.ts';
import type { CategoryName, ChartConfig, ObjectChoice } from '#apps/chart/config.ts';
import type { ChartObject } from '#apps/chart/chart-object.ts';
import type { PlaceState } from './event-group.ts';
import type { PriceList } from './pricing.ts';
import {
  ACCESSIBLE,
  areaOf,
  categoryAt,
  COMPANION,
  hasFlag,
  placeCategory,
  placeLabel,
  placeSection,
  rowOf,
  type Scene,
  SEAT,
  TABLE,
} from '#apps/chart/scene/scene.ts';

export const FREE = 0;
export const MINE = 1;
export const TAKEN = 2;
export const CLOSED = 3;
export const HIDDEN = 4;

/** The key that stands for all places without a channel. */
const NO_CHANNEL = 'NO_CHANNEL';

/** The states that the rules of a choice distinguish; all others are 'other'. */
const ruleStates = { [FREE]: 'free', [MINE]: 'mine' } as const;

const open = new Set(['free', 'resale']);
const forSale: PlaceState = { status: 'free' };

/** Combines statuses, settings and the selection; painter, list and rules only read `state`. */
export class Places {
  readonly state: Uint8Array;
  readonly pending: Uint8Array;
  readonly orphans = new Set<number>();
  /** Sections that the page hides because nothing in them is for sale. */
  readonly hiddenSections = new Set<number>();
  readonly #scene: Scene;
  readonly #statuses = new Map<number, PlaceState>();
  readonly #rules: RowIndex;
  #config: ChartConfig = {};
  #prices: PriceList | null = null;
  #categoryOpen: boolean[] = [];
  #categoryDim: boolean[] = [];
  /** The free or chosen objects of each category; the first is for those without a category. */
  readonly #open: Int32Array;
  #evenTaken: Set<string> | null = null;
  #chosen: (i: number) => number = () => 0;
  #objectOf: (i: number) => ChartObject;

  constructor(scene: Scene, objectOf: (i: number) => ChartObject) {
    this.#scene = scene;
    this.#objectOf = objectOf;
    this.state = new Uint8Array(scene.size);
    this.pending = new Uint8Array(scene.size);
    this.#open = new Int32Array(scene.chart.categories.length + 1);
    for (let i = 0; i < scene.size; i++) if (scene.owner[i] === i) this.#countOpen(i, 1);
    this.#rules = indexRows(scene.rows.length, (at) => this.#ruleRow(at));
  }

  /** Applies the settings that decide what may be chosen, and recomputes every place. */
  configure(config: ChartConfig, prices: PriceList, chosen: (i: number) => number): void {
    this.#config = config;
    this.#prices = prices;
    this.#chosen = chosen;
    const { categories } = this.#scene.chart;
    const { availableCategories, unavailableCategories, filteredCategories } = config;
    const isNamed = (list: CategoryName[] | null | undefined, at: number) =>
      list?.some((name) => isCategory(name, categoryAt(this.#scene, at))) ?? false;
    this.#categoryOpen = categories.map(
      (_, at) =>
        (!availableCategories || isNamed(availableCategories, at)) &&
        !isNamed(unavailableCategories, at),
    );
    this.#categoryDim = categories.map(
      (_, at) => (filteredCategories?.length ?? 0) > 0 && !isNamed(filteredCategories, at),
    );
    this.#evenTaken = config.selectableObjects
      ? new Set(config.selectableObjects.map(labelOfChoice))
      : null;
    this.refreshAll();
  }

  /** Replaces all statuses, as after a reload of the whole chart. */
  reset(groups: WireStatusGroup[]): void {
    this.#statuses.clear();
    for (const { labels, ...state } of groups) {
      for (const label of labels) {
        const i = this.#scene.byLabel.get(label);
        if (i !== undefined) this.#statuses.set(i, state);
      }
    }
  }

  /** Stores one status and returns its place, or -1 for an object that is not in this drawing. */
  apply({ label, ...state }: WireStatus): number {
    const i = this.#scene.byLabel.get(label) ?? -1;
    if (i < 0) return -1;
    this.#statuses.set(i, state);
    this.refresh(i);
    return i;
  }

  /** How many of its places the visitor has chosen. */
  chosen(i: number): number {
    return this.#chosen(i);
  }

  statusOf(i: number): PlaceState {
    return this.#statuses.get(i) ?? forSale;
  }

  /** Whether it is drawn paler, because its category is not among the filtered ones. */
  isDim(i: number): boolean {
    return this.#categoryDim[placeCategory(this.#scene, i)] ?? false;
  }

  isFiltered(category: number): boolean {
    return this.#categoryDim.includes(true) && this.#categoryDim[category] === false;
  }

  /**
   * Whether it is in a channel that the page named, or in no channel if such places may be chosen.
   */
  isInReach(i: number): boolean {
    const { locked, channel } = this.statusOf(i);
    const { channels } = this.#config;
    return locked !== true && (channel !== undefined || !channels || channels.includes(NO_CHANNEL));
  }

  /** The free places of an area; for anything else 1 or 0. */
  freePlaces(i: number): number {
    const status = this.statusOf(i);
    if (!this.#scene.counted[i]) return open.has(status.status) ? 1 : 0;
    const { capacity } = areaOf(this.#scene, i);
    return Math.max(0, capacity - (status.numBooked ?? 0) - (status.numHeld ?? 0));
  }

  /** Whether anything in a category is chosen or can be. */
  hasSelectable(category: number): boolean {
    return (this.#open[category + 1] ?? 0) > 0;
  }

  #countOpen(i: number, by: number): void {
    const at = placeCategory(this.#scene, i) + 1;
    this.#open[at] = (this.#open[at] ?? 0) + by;
  }

  refreshAll(): void {
    this.#hideSections();
    for (let i = 0; i < this.#scene.size; i++) this.refresh(i);
  }

  #hideSections(): void {
    this.hiddenSections.clear();
    if (!this.#config.hideSectionsNotForSale) return;
    this.#scene.chart.sections.forEach((_, section) => this.hiddenSections.add(section));
    for (let i = 0; i < this.#scene.size; i++)
      if (this.statusOf(i).forSale !== false)
        this.hiddenSections.delete(placeSection(this.#scene, i));
  }

  refresh(i: number): void {
    // The chairs of a table that is sold whole look like their table.
    if (this.#scene.owner[i] !== i) return;
    const next = this.#work(i);
    const opened =
      Number(next === FREE || next === MINE) -
      Number(this.state[i] === FREE || this.state[i] === MINE);
    if (opened !== 0) this.#countOpen(i, opened);
    this.state[i] = next;
    if (this.#scene.kind[i] === SEAT) this.#rules.markStale(this.#scene.parent[i] ?? -1);
    if (this.#scene.kind[i] !== TABLE) return;
    const { first, count } = rowOf(this.#scene, i);
    this.state.fill(next, first, first + count);
  }

  #work(i: number): number {
    const config = this.#config;
    if (this.hiddenSections.has(placeSection(this.#scene, i))) return HIDDEN;
    if (config.isObjectVisible && !config.isObjectVisible(this.#objectOf(i), config.extraConfig))
      return HIDDEN;
    if (this.#chosen(i) > 0) return MINE;
    if (config.unavailableObjectsSelectable && this.#scene.counted[i] === 0) return FREE;
    if (this.freePlaces(i) === 0 && !this.#mayTakeTaken(i)) return TAKEN;
    if (this.statusOf(i).forSale === false || !this.isInReach(i) || !this.#isOffered(i))
      return CLOSED;
    if (
      config.isObjectSelectable &&
      !config.isObjectSelectable(this.#objectOf(i), config.extraConfig)
    )
      return CLOSED;
    return FREE;
  }

  /** Whether a request about it is running. */
  isPending(i: number): boolean {
    return (this.pending[i] ?? 0) > 0;
  }

  wait(i: number, by: 1 | -1): void {
    this.pending[i] = (this.pending[i] ?? 0) + by;
  }

  /** False for a chosen place that the settings no longer offer. */
  mayStay(i: number): boolean {
    return this.#isOffered(i) && this.isInReach(i);
  }

  /** Whether it is in `selectableObjects`, which does not apply to standing areas. */
  #mayTakeTaken(i: number): boolean {
    return (
      this.#scene.counted[i] === 0 && this.#evenTaken?.has(placeLabel(this.#scene, i)) === true
    );
  }

  #isOffered(i: number): boolean {
    const category = placeCategory(this.#scene, i);
    if (category >= 0 && !this.#categoryOpen[category]) return false;
    if (
      category < 0 &&
      (this.#config.objectWithoutCategorySelectable === false || this.#config.availableCategories)
    )
      return false;
    const offers = this.#prices?.offersAt(i) ?? [];
    return offers.length === 0
      ? this.#config.objectWithoutPricingSelectable !== false
      : offers.some((offer) => !offer.unavailable);
  }

  /** A row in the form of the seat rules; chairs of whole tables are left out. */
  #ruleRow(at: number): RuleRow {
    const scene = this.#scene;
    const row = requireValue(scene.rows[at], 'row of the chart');
    const count = scene.owner[row.first] === row.first ? row.count : 0;
    return {
      table: row.table,
      seats: Array.from({ length: count }, (_, s): RuleSeat => {
        const i = row.first + s;
        const state = this.state[i];
        return {
          label: placeLabel(scene, i),
          state: ruleStates[state as keyof typeof ruleStates] ?? 'other',
          category: String(scene.category[i]),
          gapAfter: row.gaps.has(s),
          accessible: hasFlag(scene, i, ACCESSIBLE),
          companion: hasFlag(scene, i, COMPANION),
        };
      }),
    };
  }

  /** Builds indexes in advance, so that the first choice does not wait for them. */
  prepare(rules: SeatRule[]): void {
    this.#scene.byLabel.has('');
    if (rules.length > 0) this.#rules.check(rules, 0);
  }

  /**
   * The page's rules that the choice breaks; `count` is the number of all chosen places. Marks
   * the orphans.
   */
  check(rules: SeatRule[], count: number): SelectionFault {
    const fault = this.#rules.check(rules, count);
    this.orphans.clear();
    if (!rules.some((rule) => rule.type === 'noOrphanSeats' && rule.highlight === false)) {
      for (const label of fault.orphans) this.orphans.add(this.#scene.byLabel.get(label) ?? -1);
    }
    return fault;
  }
}

export function isCategory(name: CategoryName, category: { key: string; label: string }): boolean {
  return String(name) === category.key || name === category.label;
}

export function labelOfChoice(choice: ObjectChoice): string {
  return typeof choice === 'string' ? choice : choice.label;
}
