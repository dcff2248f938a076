/** What the visitor has chosen: the one path by which map, list and page choose and give back places. */
import { checkSelection } from '#server/domain/seating.ts';
import type { HeldObject } from '#server/standins/seatsio/wire.ts';
import type { ChartConfig, Emit, ObjectChoice } from './config.ts';
import type { HoldResult, HoldSession } from './hold.ts';
import type { ChartObject, TicketTypeJson } from './chart-object.ts';
import { nameOf, shortNameOf, ticketTypeJson } from './objects.ts';
import { FREE, MINE, type Places } from './places.ts';
import type { Offer, PriceList } from './pricing.ts';
import type { Scene } from './scene.ts';
import { words } from './words.ts';

export type Counts = ReadonlyMap<string, number>;

interface SelectionWants {
  scene: Scene;
  places: Places;
  prices: () => PriceList;
  session: HoldSession;
  config: () => ChartConfig;
  emit: Emit;
  signal: AbortSignal;
  objectOf: (i: number) => ChartObject;
  /** A place looks different now. */
  changed: (i: number) => void;
  /** Told to everybody; `error` also waits longer. */
  say: (text: string, kind?: 'info' | 'error') => void;
  /** What became of a hold; without an answer it may stand at the server all the same. */
  answered: (i: number, result: HoldResult) => void;
  /** Stays until the selection is right again. */
  warn: (text: string) => void;
  askType: (i: number, offers: Offer[]) => Promise<string | null>;
  askCounts: (i: number, offers: Offer[]) => Promise<Counts | null>;
}

const none: Counts = new Map();

export class Selection {
  /** Labels in the order of choosing. */
  labels: string[] = [];
  readonly #wants: SelectionWants;
  readonly #chosen = new Map<number, Map<string, number>>();
  /** Changes with every act on a place, so that a late refusal undoes only what it belongs to. */
  readonly #acts = new Map<number, number>();

  constructor(wants: SelectionWants) {
    this.#wants = wants;
  }

  /** Keeps the labels in the array that the page already holds. */
  mirror(labels: string[]): void {
    labels.splice(0, labels.length, ...this.labels);
    this.labels = labels;
  }

  counts(i: number): Counts {
    return this.#chosen.get(i) ?? none;
  }

  total(i: number): number {
    return sum(this.counts(i));
  }

  get all(): number[] {
    return [...this.#chosen.keys()];
  }

  get placeCount(): number {
    return this.all.reduce((count, i) => count + this.total(i), 0);
  }

  /** A click, a tap or the list's button: chooses, asks which ticket, or gives back. */
  async press(i: number): Promise<void> {
    const { scene, places, config, emit, objectOf } = this.#wants;
    emit('onObjectClicked', objectOf(i));
    const { mode = 'normal' } = config();
    const state = places.state[i];
    if (mode !== 'normal' || (state !== FREE && state !== MINE)) return;
    if (scene.counted[i] === 1) return this.#pressArea(i);
    if (state === MINE) return this.deselect(i);
    const offers = this.#offers(i);
    if (offers.length < 2) {
      await this.select(i, offers[0]?.ticketType ?? '');
      return;
    }
    if (this.#limitFor(i, '') < 1) return this.#refuseLimit(i, '');
    const type = await this.#askType(i, offers);
    if (type !== null) await this.select(i, type);
  }

  #askType(i: number, offers: Offer[]): Promise<string | null> {
    const { config, askType, objectOf } = this.#wants;
    const { onTicketTypePrompt } = config();
    if (!onTicketTypePrompt) return askType(i, offers);
    return new Promise((resolve) => {
      onTicketTypePrompt({ ticketTypes: offers.map((offer) => ({ ...offer, ticketType: offer.ticketType ?? '' })), objectToSelect: objectOf(i) }, resolve);
    });
  }

  async #pressArea(i: number): Promise<void> {
    const wanted = await this.#wants.askCounts(i, this.#offers(i));
    if (wanted) await this.setCounts(i, wanted);
  }

  #offers(i: number): Offer[] {
    const { prices, scene } = this.#wants;
    return prices().offersOf(scene.labels[i]!, scene.category[i]!).filter((offer) => !offer.unavailable);
  }

  /** Brings an area to these numbers: what becomes less is given back first. */
  async setCounts(i: number, wanted: Counts): Promise<void> {
    const before = new Map(this.counts(i));
    for (const [type, count] of before) {
      const less = count - (wanted.get(type) ?? 0);
      if (less > 0) await this.deselect(i, type, less);
    }
    for (const [type, count] of wanted) {
      const more = count - (before.get(type) ?? 0);
      if (more > 0 && !(await this.select(i, type, more))) return;
    }
  }

  /** Chooses at once and holds it at the server; false when it could not be had. */
  async select(i: number, type = '', count = 1): Promise<boolean> {
    const { places, session, scene, say } = this.#wants;
    if (!this.#canTake(i, count)) return false;
    if (!session.active && session.wanted) {
      const open = await session.reopen();
      if (this.#wants.signal.aborted) return false;
      if (!open) {
        say(words.sessionFailed, 'error');
        return false;
      }
      if (!this.#canTake(i, count)) return false;
    }
    if (this.#limitFor(i, type) < count) {
      this.#refuseLimit(i, type);
      return false;
    }
    const act = this.#begin(i);
    this.#add(i, type, count);
    const json = this.#json(i, type);
    this.#tell('onObjectSelected', i, json);
    this.validate();
    if (!session.active) {
      say(words.selected(nameOf(scene, i)));
      return true;
    }
    places.pending[i]! += 1;
    this.#wants.changed(i);
    const result = await session.hold([asHeld(scene.labels[i]!, type, count)]);
    if (this.#wants.signal.aborted) return false;
    places.pending[i]! -= 1;
    this.#wants.changed(i);
    this.#wants.answered(i, result);
    if (result.ok) {
      say(words.held(nameOf(scene, i)));
      this.#wants.emit('onHoldSucceeded', [this.#wants.objectOf(i)], [json]);
      return true;
    }
    if (scene.counted[i] === 1 || this.#acts.get(i) === act) this.#undoSelect(i, { type, count, result });
    this.#wants.emit('onHoldFailed', [this.#wants.objectOf(i)], [json]);
    return false;
  }

  #undoSelect(i: number, failed: { type: string; count: number; result: HoldResult & { ok: false } }): void {
    const { scene, places, say } = this.#wants;
    const removed = this.#remove(i, failed.type, failed.count);
    const isArea = scene.counted[i] === 1;
    if (failed.result.reason === 'taken' && !isArea) {
      // The stream will say the same; until then the seat must not look free.
      places.apply({ ...places.statusOf(i), label: scene.labels[i]!, status: 'reservedByToken' });
      this.#wants.changed(i);
    }
    if (removed > 0) this.#tell('onObjectDeselected', i, this.#json(i, failed.type));
    this.validate();
    if (failed.result.reason === 'taken') say(isArea ? words.takenArea : words.taken, 'error');
    if (failed.result.reason === 'offline') say(words.offline, 'error');
  }

  /** Gives back all places of an object, or `count` of one ticket type. */
  async deselect(i: number, only?: string, count = Infinity): Promise<void> {
    const { session, scene, say, emit, objectOf, places } = this.#wants;
    const kept = new Map(this.counts(i));
    const act = this.#begin(i);
    const gone: HeldObject[] = [];
    for (const [type, have] of kept) {
      if (only !== undefined && type !== only) continue;
      const removed = this.#remove(i, type, Math.min(have, count));
      if (removed > 0) gone.push(asHeld(scene.labels[i]!, type, removed));
    }
    if (gone.length === 0) return;
    const json = this.#json(i, gone[0]!.ticketType ?? '');
    this.#tell('onObjectDeselected', i, json);
    this.validate();
    say(words.released(nameOf(scene, i)));
    if (!session.active) return;
    places.pending[i]! += 1;
    this.#wants.changed(i);
    const result = await session.release(gone);
    if (this.#wants.signal.aborted) return;
    places.pending[i]! -= 1;
    this.#wants.changed(i);
    if (result.ok) {
      emit('onReleaseHoldSucceeded', [objectOf(i)], [json]);
      return;
    }
    // A refusal means that it was not ours any more; only without an answer is it still held.
    if (result.reason === 'offline' && this.#acts.get(i) === act) {
      for (const { ticketType = '', quantity } of gone) this.#add(i, ticketType, quantity);
      this.#tell('onObjectSelected', i, json);
      this.validate();
      say(words.releaseFailed, 'error');
    }
    emit('onReleaseHoldFailed', [objectOf(i)], [json]);
  }

  /** Takes over what the server already holds for us, without calling it. */
  adopt(held: HeldObject[]): void {
    for (const { objectId, quantity, ticketType } of held) {
      const i = this.#wants.scene.byLabel.get(objectId);
      if (i === undefined) continue;
      this.#add(i, this.#knownType(i, ticketType), quantity);
      this.#tell('onObjectSelected', i, this.#json(i, ticketType ?? ''));
    }
    if (held.length > 0) this.validate();
  }

  /** Takes over what the server holds of these places beyond what is chosen here, and returns the places it was. */
  regain(held: HeldObject[], doubtful: ReadonlySet<number>): number[] {
    const { scene, places } = this.#wants;
    const more = held.flatMap((object): HeldObject[] => {
      const i = scene.byLabel.get(object.objectId) ?? -1;
      if (!doubtful.has(i) || places.pending[i]! > 0) return [];
      const quantity = object.quantity - (this.counts(i).get(this.#knownType(i, object.ticketType)) ?? 0);
      return quantity > 0 ? [{ ...object, quantity }] : [];
    });
    this.adopt(more);
    return more.map(({ objectId }) => scene.byLabel.get(objectId)!);
  }

  #knownType(i: number, type = ''): string {
    return type || (this.#offers(i).length === 1 ? this.#offers(i)[0]!.ticketType ?? '' : '');
  }

  /** Forgets a place without calling the server; `quietly` leaves the page's own list alone. */
  drop(i: number, quietly = false): void {
    const [type] = this.counts(i).keys();
    if (type === undefined) return;
    const json = this.#json(i, type);
    this.#begin(i);
    this.#chosen.delete(i);
    this.#relabel(i);
    if (!quietly) this.#tell('onObjectDeselected', i, json);
    this.validate();
  }

  dropAll(): void {
    for (const i of this.all) this.drop(i);
  }

  /** Compares with what the server holds for us and returns the places that were lost. */
  reconcile(held: HeldObject[]): number[] {
    const { scene, places } = this.#wants;
    const lost: number[] = [];
    for (const i of this.all) {
      if (places.pending[i]! > 0) continue;
      const there = held.filter(({ objectId }) => objectId === scene.labels[i]).reduce((count, { quantity }) => count + quantity, 0);
      if (there >= this.total(i)) continue;
      lost.push(i);
      if (there === 0) this.drop(i);
      else for (const type of this.counts(i).keys()) this.#remove(i, type, this.total(i) - there);
    }
    return lost;
  }

  /** Chooses objects by label for the page; those that cannot be had are left out. */
  async choose(choices: ObjectChoice[]): Promise<void> {
    await Promise.all(choices.map(async (choice) => {
      const { label, ticketType, amount = 1 } = typeof choice === 'string' ? { label: choice } : choice;
      const i = this.#wants.scene.byLabel.get(label);
      if (i !== undefined) await this.select(i, ticketType ?? this.#offers(i)[0]?.ticketType ?? '', amount);
    }));
  }

  async giveBack(choices: ObjectChoice[]): Promise<void> {
    await Promise.all(choices.map(async (choice) => {
      const { label, ticketType, amount } = typeof choice === 'string' ? { label: choice } : choice;
      const i = this.#wants.scene.byLabel.get(label);
      if (i !== undefined) await this.deselect(i, ticketType, amount);
    }));
  }

  /** Runs the page's rules, marks orphans and says what is wrong. */
  validate(): void {
    const { config, places, scene, emit, warn, changed } = this.#wants;
    const rules = config().selectionValidators ?? [];
    const marked = [...places.orphans];
    const { broken, orphans } = checkSelection(places.ruleRows(), rules, this.placeCount);
    places.markOrphans(orphans, rules);
    for (const i of new Set([...marked, ...places.orphans])) changed(i);
    if (rules.length === 0) return;
    const names = orphans.slice(0, 4).map((label) => shortNameOf(scene, scene.byLabel.get(label)!));
    warn(broken.includes('noOrphanSeats') ? words.orphan(names) : broken.includes('consecutiveSeats') ? words.notConsecutive : broken.includes('companionSeats') ? words.companion : '');
    if (broken.length > 0) emit('onSelectionInvalid', broken);
    else emit('onSelectionValid');
  }

  #canTake(i: number, count: number): boolean {
    const { places, scene } = this.#wants;
    if (scene.counted[i] === 1) return (places.state[i] === FREE || places.state[i] === MINE) && places.freePlaces(i) >= count;
    return places.state[i] === FREE;
  }

  /** How many more places of this ticket type the page allows. */
  #limitFor(i: number, type: string): number {
    const { config, scene } = this.#wants;
    const limit = config().maxSelectedObjects;
    if (limit === undefined || limit === null) return Infinity;
    if (typeof limit === 'number') return limit - this.placeCount;
    const category = scene.chart.categories[scene.category[i]!];
    let left = Infinity;
    for (const rule of limit) {
      if (rule.category !== undefined && String(rule.category) !== category?.key && rule.category !== category?.label) continue;
      const inCategory = (other: number) => rule.category === undefined || scene.category[other] === scene.category[i];
      const count = (wanted?: string) => this.all.filter(inCategory).reduce((all, other) => all + (wanted === undefined ? this.total(other) : this.counts(other).get(wanted) ?? 0), 0);
      if (rule.total !== undefined) left = Math.min(left, rule.total - this.placeCount);
      if (rule.quantity !== undefined && rule.ticketType === undefined) left = Math.min(left, rule.quantity - count());
      if (rule.quantity !== undefined && rule.ticketType === type) left = Math.min(left, rule.quantity - count(type));
      for (const sub of rule.ticketTypes ?? []) if (sub.ticketType === type) left = Math.min(left, sub.quantity - count(type));
    }
    return left;
  }

  /** The most places of an area that the visitor may have now, those already chosen included. */
  roomFor(i: number): number {
    const mine = this.total(i);
    return mine + Math.max(0, Math.min(this.#wants.places.freePlaces(i), this.#limitFor(i, '')));
  }

  #refuseLimit(i: number, type: string): void {
    this.#wants.say(words.tooMany(Math.max(0, this.placeCount + this.#limitFor(i, type))), 'error');
  }

  #begin(i: number): number {
    const act = (this.#acts.get(i) ?? 0) + 1;
    this.#acts.set(i, act);
    return act;
  }

  #add(i: number, type: string, count: number): void {
    const counts = this.#chosen.get(i) ?? new Map<string, number>();
    counts.set(type, (counts.get(type) ?? 0) + count);
    this.#chosen.set(i, counts);
    this.#relabel(i);
  }

  #remove(i: number, type: string, count: number): number {
    const counts = this.#chosen.get(i);
    const have = counts?.get(type) ?? 0;
    const removed = Math.min(have, count);
    if (!counts || removed === 0) return 0;
    if (removed === have) counts.delete(type);
    else counts.set(type, have - removed);
    if (counts.size === 0) this.#chosen.delete(i);
    this.#relabel(i);
    return removed;
  }

  #relabel(i: number): void {
    const { scene, places, changed } = this.#wants;
    const label = scene.labels[i]!;
    const at = this.labels.indexOf(label);
    const is = this.#chosen.has(i);
    if (is && at < 0) this.labels.push(label);
    if (!is && at >= 0) this.labels.splice(at, 1);
    places.refresh(i);
    changed(i);
  }

  #json(i: number, type: string): TicketTypeJson | undefined {
    const { prices, scene } = this.#wants;
    return ticketTypeJson(prices().offersOf(scene.labels[i]!, scene.category[i]!).find((offer) => (offer.ticketType ?? '') === type));
  }

  #tell(name: 'onObjectSelected' | 'onObjectDeselected', i: number, json: TicketTypeJson | undefined): void {
    this.#wants.emit(name, this.#wants.objectOf(i), json);
  }
}

function asHeld(objectId: string, type: string, quantity: number): HeldObject {
  return { objectId, quantity, ...(type ? { ticketType: type } : {}) };
}

function sum(counts: Counts): number {
  let all = 0;
  for (const count of counts.values()) all += count;
  return all;
}
