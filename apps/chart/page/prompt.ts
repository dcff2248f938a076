/**
 * The dialogs of a choice: which ticket, how many places, whether to confirm; and the one after
 * the session has expired.
 */
import {
  type Dialog,
  makeActions,
  makeMain,
  makePlain,
  openDialog,
  type Question,
} from './dialog.ts';
import { fillLive, make, makeButton } from './dom.ts';
import { makeOfferName, makePrice, offerNotes } from './offers.ts';
import type { Offer, PriceList } from '#apps/chart/places/pricing.ts';
import type { Counts } from '#apps/chart/places/chosen.ts';
import { makeStepper } from './stepper.ts';
import { translate, words } from '#apps/chart/words.ts';

interface TypeAsk {
  /** Includes unavailable ones, which are shown with the reason. */
  offers: Offer[];
  prices: PriceList;
  /** A first press only marks a type, and a second one takes it (confirmTicketTypeSelection). */
  confirm?: boolean;
}

/** Asks for one of several ticket types; null when the visitor cancels. */
export function askTicketType(question: Question, ask: TypeAsk): Promise<string | null> {
  const dialog = openDialog<string | null>(question, null);
  const list = make('div', {
    className: 'bsc-offers',
    attributes: { role: 'group', 'aria-label': words.chooseType },
  });
  let marked: HTMLButtonElement | null = null;
  let type: string | null = null;
  const confirm = makeMain(words.confirm, () => {
    if (type !== null) dialog.close(type);
  });
  confirm.setAttribute('aria-disabled', 'true');
  for (const offer of ask.offers) {
    const button = makeButton('bsc-offer', makeOfferName(offer), () => {
      if (offer.unavailable) return;
      if (!ask.confirm) return dialog.close(offer.ticketType ?? '');
      type = offer.ticketType ?? '';
      marked?.setAttribute('aria-pressed', 'false');
      marked = button;
      button.setAttribute('aria-pressed', 'true');
      confirm.setAttribute('aria-disabled', 'false');
    });
    button.append(makePrice(offer, ask.prices));
    if (offer.unavailable) button.setAttribute('aria-disabled', 'true');
    if (ask.confirm && !offer.unavailable) button.setAttribute('aria-pressed', 'false');
    if (offer.primary) button.classList.add('bsc-primary');
    list.append(button);
  }
  dialog.body.append(make('p', { className: 'bsc-ask' }, words.chooseType), list);
  dialog.body.append(
    makeActions(
      makePlain(words.cancel, () => dialog.close(null)),
      ...(ask.confirm ? [confirm] : []),
    ),
  );
  const first =
    list.querySelector<HTMLElement>('.bsc-primary:not([aria-disabled=true])') ??
    list.querySelector<HTMLElement>('button:not([aria-disabled=true])');
  if (first) first.autofocus = true;
  return dialog.show();
}

/** Confirms a tap: one place with all that is known about it, and one button. */
export function askPlace(question: Question): Promise<boolean> {
  const dialog = openDialog<boolean>(question, false);
  const yes = makeMain(words.choose, () => dialog.close(true));
  yes.autofocus = true;
  dialog.body.append(
    makeActions(
      makePlain(words.cancel, () => dialog.close(false)),
      yes,
    ),
  );
  return dialog.show();
}

interface CountsAsk {
  offers: Offer[];
  now: Counts;
  /** The least total of all types. */
  least?: number;
  /** The greatest total of all types. */
  most: number;
  prices: PriceList;
}

/** Asks how many places of each type; null when the visitor cancels. */
export function askCounts(question: Question, ask: CountsAsk): Promise<Counts | null> {
  const dialog = openDialog<Counts | null>(question, null);
  const counts = new Map<string, number>(ask.now);
  dialog.body.append(make('p', { className: 'bsc-ask' }, words.choosePlaces));
  const confirm = makeMain(words.confirm, () => {
    if (confirm.getAttribute('aria-disabled') !== 'true') dialog.close(counts);
  });
  addCounters(dialog, {
    ...ask,
    counts,
    changed: (all) => confirm.setAttribute('aria-disabled', String(all < (ask.least ?? 0))),
  });
  dialog.body.append(
    makeActions(
      makePlain(words.cancel, () => dialog.close(null)),
      confirm,
    ),
  );
  return dialog.show();
}

interface CountersWant extends Omit<CountsAsk, 'now'> {
  counts: Map<string, number>;
  changed: (all: number) => void;
}

/** A counter for each ticket type with the total price below; `counts` is updated. */
function addCounters(
  { body }: Dialog<Counts | null>,
  { offers, counts, most, prices, changed }: CountersWant,
): void {
  const shown: Offer[] =
    offers.length > 0
      ? offers
      : [{ ticketType: null, label: '', price: 0, formatted: '', unavailable: false }];
  const total = make('p', { className: 'bsc-total', attributes: { 'aria-live': 'polite' } });
  const chosen = () => [...counts.values()].reduce((sum, count) => sum + count, 0);
  const steppers = shown.map((offer) => {
    const type = offer.ticketType ?? '';
    const now = counts.get(type) ?? 0;
    counts.set(type, now);
    return makeStepper({
      name: translate(offer.label) || words.places,
      notes: [...offerNotes(offer), ...(offer.formatted ? [makePrice(offer, prices)] : [])],
      least: 0,
      most: () => (offer.unavailable ? now : most - chosen() + (counts.get(type) ?? 0)),
      value: now,
      changed: (value) => {
        counts.set(type, value);
        refresh();
      },
    });
  });
  const refresh = () => {
    for (const stepper of steppers) stepper.refresh();
    const left = most - chosen();
    changed(chosen());
    const fewLeft = left < 10 && chosen() > 0 ? words.upTo(left) : '';
    const room = left <= 0 ? words.noneLeft : fewLeft;
    total.replaceChildren(
      ...(room ? [make('small', {}, room)] : []),
      ...(offers.length > 0 ? [makeTotal(shown, { counts, prices })] : []),
    );
  };
  for (const { element } of steppers) body.append(element);
  body.append(total);
  const first = steppers.find((_, at) => shown[at]?.unavailable === false);
  if (first && !matchMedia('(pointer: coarse)').matches) first.input.autofocus = true;
  refresh();
}

/** The price of all chosen places; empty where a price is a text. */
function makeTotal(
  offers: readonly Offer[],
  { counts, prices }: Pick<CountersWant, 'counts' | 'prices'>,
): HTMLElement {
  const sum = offers.reduce(
    (all, offer) => all + Number(offer.price) * (counts.get(offer.ticketType ?? '') ?? 0),
    0,
  );
  return fillLive(make('span', {}), (total) => {
    total.textContent = Number.isFinite(sum) ? words.total(prices.write(sum)) : '';
  });
}

/**
 * Says that the session has expired and offers a new one. False when the visitor closed the
 * dialog without the button.
 */
export function tellExpired(host: HTMLElement): Promise<boolean> {
  const dialog = openDialog<boolean>({ host, anchor: null, title: words.expired }, false);
  const again = makeMain(words.startAgain, () => dialog.close(true));
  again.autofocus = true;
  dialog.body.append(makeActions(again));
  return dialog.show();
}
