/**
 * The far view's figures of each section, counted when it is first drawn and again after a change
 * in it.
 */
import { priceRange } from './objects.ts';
import { CLOSED, FREE, HIDDEN, MINE, type Places, TAKEN } from './places.ts';
import type { Offer, PriceList } from './pricing.ts';
import {
  placeCategory,
  placeSection,
  type Scene,
  type SceneGroup,
  placesInOne,
  TABLE,
} from '#apps/chart/scene/scene.ts';
import { words } from '#apps/chart/words.ts';

/** The far view's figures of a section. */
export interface GroupSummary {
  free: number;
  /** Why nothing is free; '' where something is. */
  none: string;
  /** The most frequent look among its free places. */
  tint: number;
  price: string;
  /** Whether none of its free places passes the filter. */
  dim: boolean;
  /** Whether the page hides all its places. */
  hidden: boolean;
}

interface SummaryWants {
  scene: Scene;
  places: Places;
  prices: () => PriceList;
  tint: () => Uint16Array;
}

export class Summaries {
  readonly #wants: SummaryWants;
  readonly #known = new Map<SceneGroup, GroupSummary>();
  readonly #sections = new Map<number, SceneGroup>();

  constructor(wants: SummaryWants) {
    this.#wants = wants;
    for (const group of wants.scene.groups)
      if (group.section >= 0) this.#sections.set(group.section, group);
  }

  of(group: SceneGroup): GroupSummary {
    let summary = this.#known.get(group);
    if (!summary) {
      summary = this.#count(group);
      this.#known.set(group, summary);
    }
    return summary;
  }

  /** Marks a place's section to be counted again. */
  change(i: number): void {
    const group = this.#sections.get(placeSection(this.#wants.scene, i));
    if (group) this.#known.delete(group);
  }

  changeAll(): void {
    this.#known.clear();
  }

  #count(group: SceneGroup): GroupSummary {
    const { scene, places, prices } = this.#wants;
    const { state } = places;
    const tints = this.#wants.tint();
    const perTint: number[] = [];
    const perCategory = new Set<number>();
    const offers: Offer[] = [];
    let free = 0;
    let standing = 0;
    let shown = group.rows.length + group.others.length === 0;
    const add = (i: number, count: number) => {
      free += count;
      if (!places.isDim(i)) standing += count;
      const tint = tints[i] ?? 0;
      perTint[tint] = (perTint[tint] ?? 0) + count;
      if (perCategory.has(placeCategory(scene, i))) return;
      perCategory.add(placeCategory(scene, i));
      offers.push(...prices().offersAt(i));
    };
    for (const row of group.rows) {
      for (let i = row.first; i < row.first + row.count; i++) {
        shown ||= state[i] !== HIDDEN;
        if (state[i] === FREE || state[i] === MINE) add(i, 1);
      }
    }
    for (const i of group.others) {
      shown ||= state[i] !== HIDDEN;
      if (scene.kind[i] !== TABLE && (state[i] === FREE || state[i] === MINE))
        add(i, placesInOne(scene, i) * places.freePlaces(i));
    }
    let tint = 0;
    perTint.forEach((many, at) => {
      if (many > (perTint[tint] ?? 0)) tint = at;
    });
    return {
      free,
      none: free > 0 ? '' : whyNone(group, places),
      tint,
      price: priceRange(offers),
      dim: free > 0 && standing === 0,
      hidden: !shown,
    };
  }
}

/**
 * "Sold out" means taken by others; a free place without a price, or one that is blocked, counts
 * as "not on sale".
 */
export function whyNone(group: SceneGroup, { state }: Places): string {
  const has = (wanted: number): boolean =>
    group.others.some((i) => state[i] === wanted) ||
    group.rows.some((row) => state.subarray(row.first, row.first + row.count).includes(wanted));
  return has(CLOSED) && !has(TAKEN) ? words.keyClosed : words.soldOut;
}
