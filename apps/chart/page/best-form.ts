/**
 * "Scegli per me": asks how many people, which category and which tickets; the chart finds the
 * seats or says that there are none.
 */
import type { ChartObject } from '#apps/chart/chart-object.ts';
import type { BestAvailableConfig } from '#apps/chart/config.ts';
import {
  type Dialog,
  makeActions,
  makeId,
  makeMain,
  makePlain,
  openDialog,
  type Question,
} from './dialog.ts';
import { fillLive, make } from './dom.ts';
import { makePrice, offerNotes } from './offers.ts';
import { type ObjectSource, priceRange } from '#apps/chart/places/objects.ts';
import { FREE } from '#apps/chart/places/places.ts';
import type { Offer } from '#apps/chart/places/pricing.ts';
import { ACCESSIBLE, categoryAt, hasFlag, placeCategory } from '#apps/chart/scene/scene.ts';
import { makeStepper, type Stepper } from './stepper.ts';
import { translate, words } from '#apps/chart/words.ts';

interface BestWants {
  source: ObjectSource;
  /** How many places the visitor may still choose. */
  most: number;
  /** Finds and holds the seats; null when there are none; rejects without an answer. */
  find: (ask: BestAvailableConfig) => Promise<ChartObject[] | null>;
}

const usualMost = 10;
const usualNumber = 2;

/** Asks and searches until seats are found, or returns null when the visitor leaves. */
export function askBest(question: Question, wants: BestWants): Promise<ChartObject[] | null> {
  const dialog = openDialog<ChartObject[] | null>({ ...question, title: words.bestTitle }, null);
  const [first, ...others] = openCategories(wants.source);
  if (first === undefined || wants.most < 1) {
    dialog.body.append(
      make(
        'p',
        { className: 'bsc-detail' },
        first === undefined ? words.listEmpty : words.noneLeft,
      ),
      makeActions(makePlain(words.close, () => dialog.close(null))),
    );
    return dialog.show();
  }
  const form = new BestForm(dialog, wants, [first, ...others]);
  dialog.body.append(...form.parts);
  return dialog.show();
}

interface OpenCategory {
  at: number;
  accessible: boolean;
}

/** The categories with a free seat, and whether one of these seats is for a wheelchair. */
function openCategories({ scene, places }: ObjectSource): OpenCategory[] {
  const found = new Map<number, boolean>();
  for (let i = 0; i < scene.size; i++) {
    if (places.state[i] !== FREE || scene.owner[i] !== i) continue;
    found.set(
      placeCategory(scene, i),
      (found.get(placeCategory(scene, i)) ?? false) || hasFlag(scene, i, ACCESSIBLE),
    );
  }
  return [...found]
    .filter(([at]) => at >= 0)
    .sort(([a], [b]) => a - b)
    .map(([at, accessible]) => ({ at, accessible }));
}

class BestForm {
  readonly parts: HTMLElement[];
  readonly #dialog: Dialog<ChartObject[] | null>;
  readonly #wants: BestWants;
  readonly #categories: readonly OpenCategory[];
  readonly #numbers = make('div', {});
  readonly #news = make('p', { className: 'bsc-news', attributes: { role: 'status' } });
  #chosen: OpenCategory;
  #counts = new Map<string, number>();
  #accessible = 0;
  #busy = false;

  constructor(
    dialog: Dialog<ChartObject[] | null>,
    wants: BestWants,
    categories: readonly [OpenCategory, ...OpenCategory[]],
  ) {
    this.#dialog = dialog;
    this.#wants = wants;
    this.#categories = categories;
    [this.#chosen] = categories;
    const go = makeMain(words.find, () => void this.#search(go));
    this.parts = [
      ...this.#makeCategories(),
      this.#numbers,
      this.#news,
      makeActions(
        makePlain(words.cancel, () => dialog.close(null)),
        go,
      ),
    ];
    this.#count();
  }

  /** Radio buttons for the category; none when there is only one. */
  #makeCategories(): HTMLElement[] {
    const { source } = this.#wants;
    if (this.#categories.length < 2) return [];
    const group = make(
      'fieldset',
      { className: 'bsc-radios' },
      make('legend', {}, words.bestWhere),
    );
    const name = makeId('category');
    for (const one of this.#categories) {
      const category = categoryAt(source.scene, one.at);
      const dot = make('i', { className: 'bsc-dot' });
      dot.style.background = category.color;
      const radio = make('input', { type: 'radio', name, checked: one === this.#chosen });
      radio.addEventListener('change', () => {
        this.#chosen = one;
        this.#news.textContent = '';
        this.#count();
      });
      group.append(
        make(
          'label',
          { className: 'bsc-radio' },
          radio,
          dot,
          make('span', {}, translate(category.label)),
          fillLive(make('b'), (price) => {
            price.textContent = priceRange(source.prices().ofCategory(one.at));
          }),
        ),
      );
    }
    return [group];
  }

  #offers(): Offer[] {
    return this.#wants.source
      .prices()
      .ofCategory(this.#chosen.at)
      .filter((offer) => !offer.unavailable);
  }

  /** The counters of the chosen category: one per ticket type, or one for people. */
  #count(): void {
    const offers = this.#offers();
    const prices = this.#wants.source.prices();
    const most = Math.min(this.#wants.most, usualMost);
    const types = offers.length > 1 ? offers : [null];
    const before = this.#people();
    this.#counts = new Map(
      types.map((offer, at) => [
        offer?.ticketType ?? '',
        at === 0 ? Math.max(1, Math.min(most, before || usualNumber)) : 0,
      ]),
    );
    this.#accessible = 0;
    const steppers: Stepper[] = [];
    const refresh = () => {
      for (const stepper of steppers) stepper.refresh();
    };
    for (const offer of types) {
      const type = offer?.ticketType ?? '';
      steppers.push(
        makeStepper({
          name: offer ? translate(offer.label) : words.people,
          notes: offer ? [...offerNotes(offer), makePrice(offer, prices)] : [],
          least: types.length === 1 ? 1 : 0,
          most: () => most - this.#people() + (this.#counts.get(type) ?? 0),
          value: this.#counts.get(type) ?? 0,
          changed: (value) => {
            this.#counts.set(type, value);
            refresh();
          },
        }),
      );
    }
    if (this.#chosen.accessible)
      steppers.push(
        makeStepper({
          name: words.bestAccessible,
          least: 0,
          most: () => this.#people(),
          value: 0,
          changed: (value) => {
            this.#accessible = value;
          },
        }),
      );
    this.#numbers.replaceChildren(
      make('p', { className: 'bsc-ask' }, words.bestHowMany),
      ...steppers.map(({ element }) => element),
    );
  }

  #people(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  async #search(go: HTMLButtonElement): Promise<void> {
    const number = this.#people();
    if (this.#busy || number === 0) return;
    const category = categoryAt(this.#wants.source.scene, this.#chosen.at);
    this.#busy = true;
    go.setAttribute('aria-disabled', 'true');
    this.#tell(words.bestSearching);
    const types =
      this.#offers().length > 1
        ? Object.fromEntries([...this.#counts].filter(([, count]) => count > 0))
        : undefined;
    const found = await this.#wants
      .find({
        number,
        categories: [category.key],
        ...(types ? { ticketTypes: types } : {}),
        ...(this.#accessible > 0 ? { accessibleSeats: this.#accessible } : {}),
      })
      .catch(() => undefined);
    this.#busy = false;
    go.setAttribute('aria-disabled', 'false');
    if (found) this.#dialog.close(found);
    else
      this.#tell(
        found === null ? words.bestNone(number, translate(category.label)) : words.bestOffline,
        true,
      );
  }

  #tell(text: string, bad = false): void {
    this.#news.textContent = text;
    this.#news.classList.toggle('bsc-bad', bad);
  }
}
