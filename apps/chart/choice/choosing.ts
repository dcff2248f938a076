/**
 * Turns a press, or the page's list of wishes, into a choice: asks for the ticket type and the
 * number of places where needed.
 */
import type { ChartObject } from '#apps/chart/chart-object.ts';
import type { Counts, Want } from '#apps/chart/places/chosen.ts';
import {
  type ChartConfig,
  type Emit,
  type ObjectChoice,
  type PlacesWithTicketTypesPrompt,
  type TicketTypePrompt,
} from '#apps/chart/config.ts';
import { chooseBeside } from './group-choice.ts';
import { nameOf, ticketTypeJson } from '#apps/chart/places/objects.ts';
import { FREE, MINE, type Places } from '#apps/chart/places/places.ts';
import type { Offer } from '#apps/chart/places/pricing.ts';
import { placeCategory, placeLabel, rowOf, type Scene, SEAT } from '#apps/chart/scene/scene.ts';
import type { Selection } from './selection.ts';
import { words } from '#apps/chart/words.ts';

interface CountsAsk {
  offers: Offer[];
  now: Counts;
  most: number;
}

interface ChoosingWants {
  scene: Scene;
  places: Places;
  selection: Selection;
  config: () => ChartConfig;
  emit: Emit;
  objectOf: (i: number) => ChartObject;
  say: (text: string, kind?: 'info' | 'error') => void;
  askType: (i: number, offers: Offer[]) => Promise<string | null>;
  askCounts: (i: number, ask: CountsAsk) => Promise<Counts | null>;
}

const nothing: Counts = new Map();

export class Choosing {
  readonly #wants: ChoosingWants;

  constructor(wants: ChoosingWants) {
    this.#wants = wants;
  }

  /** False where the chart is read-only. */
  get isOpen(): boolean {
    return (this.#wants.config().mode ?? 'normal') === 'normal';
  }

  /**
   * Handles a click, a tap or the list's button: chooses, asks for the ticket, or gives back.
   * `confirm` asks for a confirmation where nothing else is asked.
   */
  async press(i: number, confirm?: () => Promise<boolean>): Promise<void> {
    const { scene, places, selection, emit, objectOf, config } = this.#wants;
    emit('onObjectClicked', objectOf(i));
    const state = places.state[i];
    if (!this.isOpen || (state !== FREE && state !== MINE)) return;
    const several = config().numberOfPlacesToSelect;
    if (several && (scene.kind[i] === SEAT || scene.counted[i] === 1))
      return this.#pressGroup(i, several);
    if (scene.counted[i] === 1) return this.#pressArea(i);
    if (state === MINE) {
      await selection.deselect(i);
      return;
    }
    const offers = selection.offers(i);
    if (offers.length < 2) {
      if (!confirm || (await confirm())) await this.#select(i, offers[0]?.ticketType ?? '');
      return;
    }
    const left = selection.leftFor({ place: i, type: '' });
    if (left < 1) return selection.refuseLimit(left);
    const type = await this.#askType(i, offers);
    if (type !== null) await this.#select(i, type);
  }

  /** Chooses all available places among these, and gives none back. */
  async pressAll(places: readonly number[]): Promise<void> {
    const { emit, objectOf, scene } = this.#wants;
    for (const i of places) emit('onObjectClicked', objectOf(i));
    if (!this.isOpen) return;
    const labels = places.map((i) => placeLabel(scene, i));
    const chosen = new Set(this.#wants.selection.all.map((i) => placeLabel(scene, i)));
    await this.choose(
      labels.filter((label) => !chosen.has(label)),
      { ask: false },
    );
  }

  /** The place may have been taken while the dialog was open. */
  async #select(i: number, type: string): Promise<void> {
    const { places, selection, say } = this.#wants;
    if (places.state[i] === FREE) await selection.select(i, type);
    else if (places.state[i] !== MINE) say(words.taken, 'error');
  }

  #askType(i: number, offers: Offer[]): Promise<string | null> {
    const { config, askType, objectOf } = this.#wants;
    const { onTicketTypePrompt } = config();
    if (!onTicketTypePrompt) return askType(i, offers);
    const ask: TicketTypePrompt = {
      ticketTypes: offers.map(ticketTypeJson),
      objectToSelect: objectOf(i),
    };
    return new Promise((resolve) => {
      onTicketTypePrompt(ask, (type) =>
        resolve(offers.some(({ ticketType }) => ticketType === type) ? type : null),
      );
    });
  }

  /** Asks how many of each type, `least` to `most` in total, perhaps in the page's own dialog. */
  async #askCounts(
    places: readonly number[],
    ask: CountsAsk & { least: number },
  ): Promise<Counts | null> {
    const { config, askCounts, objectOf, say } = this.#wants;
    const { onPlacesPrompt, onPlacesWithTicketTypesPrompt } = config();
    const [place = -1] = places;
    const limits = { minPlaces: ask.least, maxPlaces: ask.most };
    const isRight = (counts: Counts) => {
      const all = totalOf(counts);
      return (
        all >= ask.least &&
        all <= Math.max(ask.most, totalOf(ask.now)) &&
        [...counts.values()].every((count) => Number.isInteger(count) && count >= 0)
      );
    };
    if (ask.offers.length < 2 && onPlacesPrompt) {
      const type = ask.offers[0]?.ticketType ?? '';
      const wanted = await new Promise<number>((resolve) => {
        onPlacesPrompt(
          { selectedPlaces: totalOf(ask.now), ...limits, objectToSelect: objectOf(place) },
          resolve,
        );
      });
      const counts = new Map([[type, wanted]]);
      return isRight(counts) ? counts : null;
    }
    if (ask.offers.length > 1 && onPlacesWithTicketTypesPrompt) {
      const question: PlacesWithTicketTypesPrompt = {
        ticketTypes: ask.offers.map(ticketTypeJson),
        selectedPlacesByTicketType: Object.fromEntries(ask.now),
        ...limits,
        objectsToSelect: places.map(objectOf),
      };
      const answer = await new Promise<Record<string, number> | string[]>((resolve) => {
        onPlacesWithTicketTypesPrompt(question, resolve);
      });
      const counts = Array.isArray(answer) ? countTypes(answer) : new Map(Object.entries(answer));
      return isRight(counts) &&
        [...counts.keys()].every((type) => ask.offers.some(({ ticketType }) => ticketType === type))
        ? counts
        : null;
    }
    for (let now = startOf(ask); ;) {
      const counts = await askCounts(place, { ...ask, now });
      if (!counts || isRight(counts)) return counts;
      say(words.exactly(ask.least), 'error');
      now = counts;
    }
  }

  async #pressArea(i: number): Promise<void> {
    const { selection } = this.#wants;
    const ask = {
      offers: selection.offers(i),
      now: selection.counts(i),
      least: 0,
      most: selection.roomFor(i),
    };
    const wanted = await this.#askCounts([i], ask);
    if (wanted) await this.setCounts(i, wanted);
  }

  /** Sets an area to these numbers; places are given back before others are chosen. */
  async setCounts(i: number, wanted: Counts): Promise<void> {
    const { selection } = this.#wants;
    const before = new Map(selection.counts(i));
    const less = [...before]
      .map(([type, count]): Want => ({ place: i, type, count: count - (wanted.get(type) ?? 0) }))
      .filter(({ count }) => count > 0);
    const more = [...wanted]
      .map(([type, count]): Want => ({ place: i, type, count: count - (before.get(type) ?? 0) }))
      .filter(({ count }) => count > 0);
    if (less.length > 0) await selection.giveBack(less);
    if (totalOf(wanted) > selection.roomFor(i)) return this.#wants.say(words.takenArea, 'error');
    if (more.length > 0) await selection.take(more, { together: true });
  }

  /**
   * Chooses several places with one click (`numberOfPlacesToSelect`); the earlier choice is given
   * back.
   */
  async #pressGroup(i: number, count: number): Promise<void> {
    const { scene, places, selection, say } = this.#wants;
    if (places.state[i] === MINE && selection.placeCount === count && scene.counted[i] === 0) {
      await selection.giveBack();
      return;
    }
    const group = scene.counted[i] === 1 ? [i] : this.#besides(i, count);
    const room =
      scene.counted[i] === 1
        ? places.freePlaces(i) + (selection.isHeld(i) ? selection.total(i) : 0)
        : count;
    if (!group || room < count) return say(words.notTogether(count), 'error');
    const offers = selection.offers(i);
    const counts =
      offers.length < 2
        ? new Map([[offers[0]?.ticketType ?? '', count]])
        : await this.#askCounts(group, { offers, now: nothing, least: count, most: count });
    if (!counts) return;
    await selection.giveBack();
    const types = [...counts].flatMap(([type, number]) =>
      Array.from({ length: number }, () => type),
    );
    const wants =
      scene.counted[i] === 1
        ? [...counts]
            .filter(([, number]) => number > 0)
            .map(([type, number]): Want => ({ place: i, type, count: number }))
        : group.map((place, at): Want => ({ place, type: types[at] ?? '', count: 1 }));
    await selection.take(wants, { together: true });
  }

  #besides(i: number, count: number): number[] | null {
    const { scene, places } = this.#wants;
    const row = rowOf(scene, i);
    const seats = Array.from({ length: row.count }, (_, s) => {
      const state = places.state[row.first + s];
      return {
        open: state === FREE || state === MINE,
        category: placeCategory(scene, row.first + s),
        gapAfter: row.gaps.has(s),
      };
    });
    return (
      chooseBeside(seats, i - row.first, { count, round: row.table })?.map((s) => row.first + s) ??
      null
    );
  }

  /**
   * Chooses the available places among the page's wishes and leaves out the rest; `ask`: a
   * missing ticket type is asked for, otherwise the first is taken.
   */
  async choose(choices: readonly ObjectChoice[], { ask }: { ask: boolean }): Promise<void> {
    const { selection } = this.#wants;
    const ready: Want[] = [];
    for (const want of this.#read(choices)) {
      const offers = selection.offers(want.place);
      const known =
        offers.length === 0 || offers.some(({ ticketType }) => (ticketType ?? '') === want.type);
      const asks = !known && ask && offers.length > 1;
      const given = known ? want.type : (offers[0]?.ticketType ?? '');
      const type = asks ? await this.#missingType(want, offers) : given;
      if (type !== null) ready.push({ ...want, type });
    }
    await selection.take(ready);
  }

  async #missingType({ place }: Want, offers: Offer[]): Promise<string | null> {
    const { places, scene } = this.#wants;
    return places.state[place] === FREE || scene.counted[place] === 1
      ? this.#askType(place, offers)
      : null;
  }

  /**
   * Chooses all of them with the given ticket types, or none.
   * @throws Error naming the unavailable ones
   */
  async chooseAll(choices: readonly ObjectChoice[]): Promise<void> {
    const { selection, scene } = this.#wants;
    const wants = this.#read(choices, true);
    if (this.#wants.config().mode === 'spotlight') return selection.mark(wants);
    const complete = wants.map((want): Want => {
      const offers = selection.offers(want.place);
      const [only] = offers;
      if (!want.type && only && offers.length === 1)
        return { ...want, type: only.ticketType ?? '' };
      if (offers.length > 0 && !offers.some(({ ticketType }) => (ticketType ?? '') === want.type))
        throw new Error(`${nameOf(scene, want.place)}: ${words.chooseType}`);
      return want;
    });
    if (!this.isOpen || !(await selection.take(complete, { together: true })))
      throw new Error(words.cannotSelect(complete.map(({ place }) => placeLabel(scene, place))));
  }

  /** Shows places as chosen whatever their status, without a call to the server. */
  mark(choices: readonly ObjectChoice[]): void {
    this.#wants.selection.mark(this.#read(choices));
  }

  /** Gives back the objects that the page names: all places of each, or the given number. */
  async giveBack(choices: readonly ObjectChoice[]): Promise<boolean> {
    const { scene, selection } = this.#wants;
    return selection.giveBack(
      choices.flatMap((choice): Want[] => {
        const { label, ticketType, amount } =
          typeof choice === 'string' ? { label: choice } : choice;
        const place = scene.byLabel.get(label);
        if (place === undefined) return [];
        let left = amount ?? Infinity;
        return [...selection.counts(place)]
          .filter(([type]) => ticketType === undefined || type === ticketType)
          .map(([type, have]) => {
            const count = Math.min(have, left);
            left -= count;
            return { place, type, count };
          });
      }),
    );
  }

  /** A label that occurs twice stands for two places. */
  #read(choices: readonly ObjectChoice[], strict = false): Want[] {
    const { scene } = this.#wants;
    const wants = new Map<string, Want>();
    for (const choice of choices) {
      const {
        label,
        ticketType = '',
        amount = 1,
      } = typeof choice === 'string' ? { label: choice } : choice;
      const place = scene.byLabel.get(label);
      if (place === undefined || scene.owner[place] !== place) {
        if (strict) throw new Error(words.unknownObject(label));
        continue;
      }
      const key = JSON.stringify([label, ticketType]);
      const same = wants.get(key);
      if (same) same.count += scene.counted[place] === 1 ? amount : 0;
      else
        wants.set(key, { place, type: ticketType, count: scene.counted[place] === 1 ? amount : 1 });
    }
    return [...wants.values()].filter(({ count }) => Number.isInteger(count) && count > 0);
  }
}

function totalOf(counts: Counts): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

function countTypes(types: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const type of types) counts.set(type, (counts.get(type) ?? 0) + 1);
  return counts;
}

/**
 * The numbers with which a dialog begins. A visitor who opens an area wants a place, so the first
 * available ticket type starts at one, unless something is chosen already.
 */
function startOf({ offers, now, least, most }: CountsAsk & { least: number }): Counts {
  const isFirst = least === 0 && most > 0 && totalOf(now) === 0;
  const offer = offers.find(({ unavailable }) => !unavailable);
  return isFirst && (offer || offers.length === 0) ? new Map([[offer?.ticketType ?? '', 1]]) : now;
}
