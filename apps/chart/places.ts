/** What each place is right now for this visitor: free, chosen, taken, not for sale, hidden. */
import type { WireStatus } from '#server/standins/seatsio/wire.ts';
import type { RuleRow, RuleSeat, SeatRule } from '#server/domain/seating.ts';
import type { ChartConfig, ObjectChoice } from './config.ts';
import type { ChartObject } from './chart-object.ts';
import type { PriceList } from './pricing.ts';
import { ACCESSIBLE, AREA, COMPANION, type Scene, SEAT } from './scene.ts';

export const FREE = 0;
export const MINE = 1;
export const TAKEN = 2;
export const CLOSED = 3;
export const HIDDEN = 4;

const open = new Set(['free', 'resale']);
const forSale: WireStatus = { label: '', status: 'free' };

/** Knows statuses, settings and the selection; `state` is what painter, list and rules read. */
export class Places {
  readonly state: Uint8Array;
  readonly pending: Uint8Array;
  readonly orphans = new Set<number>();
  readonly #scene: Scene;
  readonly #statuses = new Map<number, WireStatus>();
  #config: ChartConfig = {};
  #prices: PriceList | null = null;
  #categoryOpen: boolean[] = [];
  #categoryDim: boolean[] = [];
  #selectable: Set<string> | null = null;
  #chosen: (i: number) => number = () => 0;
  #objectOf: (i: number) => ChartObject;

  constructor(scene: Scene, objectOf: (i: number) => ChartObject) {
    this.#scene = scene;
    this.#objectOf = objectOf;
    this.state = new Uint8Array(scene.size);
    this.pending = new Uint8Array(scene.size);
  }

  /** Takes the settings that decide what may be chosen and works every place out anew. */
  configure(config: ChartConfig, prices: PriceList, chosen: (i: number) => number): void {
    this.#config = config;
    this.#prices = prices;
    this.#chosen = chosen;
    const named = (list: (string | number)[] | undefined, at: number) => {
      const category = this.#scene.chart.categories[at]!;
      return list?.some((name) => String(name) === category.key || name === category.label) ?? false;
    };
    const { availableCategories, unavailableCategories, filteredCategories } = config;
    this.#categoryOpen = this.#scene.chart.categories.map((_, at) => (!availableCategories || named(availableCategories, at)) && !named(unavailableCategories, at));
    this.#categoryDim = this.#scene.chart.categories.map((_, at) => (filteredCategories?.length ?? 0) > 0 && !named(filteredCategories, at));
    this.#selectable = config.selectableObjects ? new Set(config.selectableObjects.map(labelOfChoice)) : null;
    this.refreshAll();
  }

  /** Replaces all statuses, as after a reload of the whole chart. */
  reset(statuses: WireStatus[]): void {
    this.#statuses.clear();
    for (const status of statuses) this.#put(status);
  }

  /** Stores one status and returns its place, or -1 for an object that this drawing does not have. */
  apply(status: WireStatus): number {
    const i = this.#put(status);
    if (i >= 0) this.refresh(i);
    return i;
  }

  #put(status: WireStatus): number {
    const i = this.#scene.byLabel.get(status.label) ?? -1;
    if (i >= 0) this.#statuses.set(i, status);
    return i;
  }

  /** How many of its places the visitor has chosen. */
  chosen(i: number): number {
    return this.#chosen(i);
  }

  statusOf(i: number): WireStatus {
    return this.#statuses.get(i) ?? forSale;
  }

  isDim(i: number): boolean {
    return this.#categoryDim[this.#scene.category[i]!] ?? false;
  }

  /** Places of an area that nobody has; for anything else 1 or 0. */
  freePlaces(i: number): number {
    const status = this.statusOf(i);
    if (!this.#scene.counted[i]) return open.has(status.status) ? 1 : 0;
    const { capacity } = this.#scene.chart.areas[this.#scene.parent[i]!]!;
    return Math.max(0, capacity - (status.numBooked ?? 0) - (status.numHeld ?? 0));
  }

  refreshAll(): void {
    for (let i = 0; i < this.#scene.size; i++) this.refresh(i);
  }

  refresh(i: number): void {
    const owner = this.#scene.owner[i]!;
    // The chairs of a table that is sold whole look like their table.
    if (owner !== i) return;
    this.state[i] = this.#work(i);
    if (this.#scene.kind[i] === SEAT || this.#scene.kind[i] === AREA) return;
    const row = this.#scene.rows[this.#scene.parent[i]!];
    for (let seat = row?.first ?? 0; seat < (row ? row.first + row.count : 0); seat++) {
      if (this.#scene.owner[seat] === i) this.state[seat] = this.state[i]!;
    }
  }

  #work(i: number): number {
    const config = this.#config;
    if (config.isObjectVisible && !config.isObjectVisible(this.#objectOf(i), config.extraConfig)) return HIDDEN;
    if (this.#chosen(i) > 0) return MINE;
    if (this.freePlaces(i) === 0) return TAKEN;
    if (this.statusOf(i).forSale === false || !this.#isOffered(i)) return CLOSED;
    if (config.isObjectSelectable && !config.isObjectSelectable(this.#objectOf(i), config.extraConfig)) return CLOSED;
    return FREE;
  }

  #isOffered(i: number): boolean {
    const category = this.#scene.category[i]!;
    if (category >= 0 && !this.#categoryOpen[category]) return false;
    if (category < 0 && this.#config.objectWithoutCategorySelectable === false) return false;
    const label = this.#scene.labels[i]!;
    if (this.#selectable && !this.#selectable.has(label)) return false;
    return this.#config.objectWithoutPricingSelectable !== false || (this.#prices?.offersOf(label, category).some((offer) => !offer.unavailable) ?? false);
  }

  /** The rows as the seat rules want them; chairs of whole tables take no part. */
  ruleRows(): RuleRow[] {
    const scene = this.#scene;
    return scene.rows.filter((row) => row.count > 0 && scene.owner[row.first] === row.first).map((row) => ({
      table: row.table,
      seats: Array.from({ length: row.count }, (_, s): RuleSeat => {
        const i = row.first + s;
        const state = this.state[i];
        return {
          label: scene.labels[i]!, state: state === MINE ? 'mine' : state === FREE ? 'free' : 'other', category: String(scene.category[i]),
          gapAfter: row.gaps.has(s), accessible: (scene.flags[i]! & ACCESSIBLE) > 0, companion: (scene.flags[i]! & COMPANION) > 0,
        };
      }),
    }));
  }

  /** Marks the seats that the selection leaves alone; `labels` comes from the rules. */
  markOrphans(labels: string[], rules: SeatRule[]): void {
    this.orphans.clear();
    if (rules.some((rule) => rule.type === 'noOrphanSeats' && rule.highlight === false)) return;
    for (const label of labels) this.orphans.add(this.#scene.byLabel.get(label)!);
  }
}

function labelOfChoice(choice: ObjectChoice): string {
  return typeof choice === 'string' ? choice : choice.label;
}
