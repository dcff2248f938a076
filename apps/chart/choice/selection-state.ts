/**
 * What is chosen and what may still be chosen: the part of the selection without server calls.
 */
import { Chosen, type Counts, type Want } from '#apps/chart/places/chosen.ts';
import type { HeldObject, WireStatus } from '#server/standins/seatsio/wire.ts';
import type { ChartConfig, Emit } from '#apps/chart/config.ts';
import type { HoldResult, HoldSession } from './hold.ts';
import type { ChartObject, TicketTypeJson } from '#apps/chart/chart-object.ts';
import { leftFor } from './limits.ts';
import { nameOf, ticketTypeJson } from '#apps/chart/places/objects.ts';
import { FREE, MINE, type Places } from '#apps/chart/places/places.ts';
import type { Offer, PriceList } from '#apps/chart/places/pricing.ts';
import { placeLabel, type Scene } from '#apps/chart/scene/scene.ts';
import { words } from '#apps/chart/words.ts';

interface SelectionWants {
  scene: Scene;
  places: Places;
  prices: () => PriceList;
  session: HoldSession;
  config: () => ChartConfig;
  emit: Emit;
  signal: AbortSignal;
  objectOf: (i: number) => ChartObject;
  /** Called when a place must be redrawn. */
  changed: (i: number) => void;
  /** Has the text read aloud; an `error` is also shown for a while. */
  say: (text: string, kind?: 'info' | 'error') => void;
  /** Called with the result of a hold; without an answer the place may still be held. */
  answered: (i: number, result: HoldResult) => void;
  /** Shows the text until the selection is valid again. */
  warn: (text: string) => void;
}

/** Longer lists of names are tiring to listen to. */
const mostNamed = 8;

export abstract class SelectionState {
  protected readonly wants: SelectionWants;
  protected readonly chosen: Chosen;
  /** Changes with every act on a place, so that a late refusal undoes only its own act. */
  protected readonly acts = new Map<number, number>();
  /** The rules broken at the last validation; null before the first. */
  #verdict: string | null = null;

  constructor(wants: SelectionWants) {
    this.wants = wants;
    this.chosen = new Chosen(wants.scene, (i) => {
      wants.places.refresh(i);
      wants.changed(i);
    });
  }

  get labels(): string[] {
    return this.chosen.labels;
  }

  /** Fills the array that the page already holds. */
  mirror(labels: string[]): void {
    this.chosen.mirror(labels);
  }

  counts(i: number): Counts {
    return this.chosen.counts(i);
  }

  total(i: number): number {
    return this.chosen.total(i);
  }

  get all(): number[] {
    return this.chosen.all;
  }

  get placeCount(): number {
    return this.chosen.placeCount;
  }

  /** The available offers of a place. */
  offers(i: number): Offer[] {
    return this.wants
      .prices()
      .offersAt(i)
      .filter((offer) => !offer.unavailable);
  }

  /** Whether choosing it also holds it at the server. */
  isHeld(i: number): boolean {
    const { session, config, scene } = this.wants;
    return session.active && (scene.counted[i] === 0 || config().holdOnSelectForGAs !== false);
  }

  protected knownType(i: number, type = ''): string {
    const offers = type ? [] : this.offers(i);
    return type || (offers.length === 1 ? (offers[0]?.ticketType ?? '') : '');
  }

  /**
   * Checks the page's rules, marks orphans and says what is wrong. With `onlyNews` the page is
   * called only when the result has changed.
   */
  validate({ onlyNews = false } = {}): void {
    const { config, places, emit, warn, changed } = this.wants;
    const rules = config().selectionValidators ?? [];
    if (rules.length === 0 && places.orphans.size === 0) return;
    const marked = [...places.orphans];
    const found = places.check([...rules, { type: 'companionSeats' }], this.placeCount).broken;
    const isLoneCompanion = found.at(-1) === 'companionSeats';
    const broken = found.slice(0, isLoneCompanion ? -1 : undefined);
    for (const i of new Set([...marked, ...places.orphans])) changed(i);
    warn(sayFault(broken, isLoneCompanion));
    const known = this.#verdict;
    this.#verdict = broken.join();
    if (rules.length === 0 || (onlyNews && this.#verdict === known)) return;
    if (broken.length > 0) emit('onSelectionInvalid', broken);
    else emit('onSelectionValid');
  }

  protected canTake({ place, count }: Want): boolean {
    const { places, scene } = this.wants;
    if (scene.counted[place] === 0) return count === 1 && places.state[place] === FREE;
    return (
      (places.state[place] === FREE || places.state[place] === MINE) && this.freeOf(place) >= count
    );
  }

  /** The free places of an area, including those chosen here without a hold. */
  protected freeOf(i: number): number {
    return this.wants.places.freePlaces(i) - (this.isHeld(i) ? 0 : this.total(i));
  }

  /** How many more places of this ticket type the page allows. */
  leftFor({ place, type }: { place: number; type: string }): number {
    const { config, scene } = this.wants;
    return leftFor(
      config().maxSelectedObjects,
      { place, type },
      { scene, all: () => this.all, counts: (i) => this.counts(i), total: this.placeCount },
    );
  }

  /** How many more places may be chosen in all. */
  get room(): number {
    return Math.max(0, this.leftFor({ place: -1, type: '' }));
  }

  /** The most places of an area that the visitor may have, those already chosen included. */
  roomFor(i: number): number {
    return (
      this.total(i) + Math.max(0, Math.min(this.freeOf(i), this.leftFor({ place: i, type: '' })))
    );
  }

  refuseLimit(left: number): void {
    this.wants.say(words.tooMany(Math.max(0, this.placeCount + left)), 'error');
  }

  protected begin(i: number): number {
    const act = (this.acts.get(i) ?? 0) + 1;
    this.acts.set(i, act);
    return act;
  }

  /**
   * Applies statuses without waiting for the stream, so that a place given back can be chosen
   * again immediately.
   */
  protected put(statuses: WireStatus[]): void {
    for (const status of statuses) {
      const i = this.wants.places.apply(status);
      if (i >= 0) this.wants.changed(i);
    }
  }

  protected wait(i: number, by: 1 | -1): void {
    this.wants.places.wait(i, by);
    this.wants.changed(i);
  }

  protected asHeld({ place, type, count }: Want): HeldObject {
    return {
      objectId: placeLabel(this.wants.scene, place),
      quantity: count,
      ...(type ? { ticketType: type } : {}),
    };
  }

  protected json({ place, type }: { place: number; type: string }): TicketTypeJson | undefined {
    const offers = this.wants.prices().offersAt(place);
    const offer = offers.find((one) => (one.ticketType ?? '') === type);
    return offer && ticketTypeJson(offer);
  }

  protected tell(
    name: 'onObjectSelected' | 'onObjectDeselected',
    what: { place: number; type: string },
  ): void {
    this.wants.emit(name, this.wants.objectOf(what.place), this.json(what));
  }

  protected tellCall(
    name: 'onHoldSucceeded' | 'onHoldFailed' | 'onReleaseHoldSucceeded' | 'onReleaseHoldFailed',
    wants: readonly Want[],
  ): void {
    this.wants.emit(
      name,
      wants.map(({ place }) => this.wants.objectOf(place)),
      wants.map((want) => this.json(want)),
    );
  }

  protected sentence(wants: readonly Want[], say: (name: string) => string): string {
    const places = [...new Set(wants.map(({ place }) => place))];
    const named = places.slice(0, mostNamed).map((place) => say(nameOf(this.wants.scene, place)));
    return [
      ...named,
      ...(places.length > mostNamed ? [words.andOthers(places.length - mostNamed)] : []),
    ].join(' ');
  }
}

/**
 * The sentence for the gravest broken rule. A companion seat that leaves only its wheelchair place
 * alone gets the companion's sentence, because moving by one seat does not help.
 */
function sayFault(broken: readonly string[], isLoneCompanion: boolean): string {
  if (broken.includes('noOrphanSeats')) return isLoneCompanion ? words.companion : words.orphan;
  if (broken.includes('consecutiveSeats')) return words.notConsecutive;
  return broken.includes('companionSeats') ? words.companion : '';
}
