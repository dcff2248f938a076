/** Questions in a native dialog beside the place they are about: which ticket, how many places, time is over. */
import { make, makeButton, makeIcon } from './dom.ts';
import type { Offer, PriceList } from './pricing.ts';
import type { Counts } from './selection.ts';
import { words } from './words.ts';

const minus = 'M6 12h12';
const plus = 'M12 6v12M6 12h12';

/** Where a question stands: the rectangle of its seat on the screen, or of the button that was pressed. */
export type Anchor = DOMRect;

interface Question {
  host: HTMLElement;
  anchor: Anchor | null;
  title: string;
  detail: string;
}

/** Asks for one of several ticket types; null when the visitor thinks again. */
export function askTicketType(question: Question, offers: Offer[]): Promise<string | null> {
  const { dialog, body, close } = openDialog<string | null>(question, null);
  const list = make('div', { className: 'bsc-offers', attributes: { role: 'group', 'aria-label': words.chooseType } });
  for (const offer of offers) {
    const label = make('span', { className: 'bsc-offer-name' }, offer.label);
    if (offer.description) label.append(make('small', {}, offer.description));
    const button = makeButton('bsc-offer', label, () => close(offer.ticketType ?? ''));
    button.append(make('b', {}, offer.formatted));
    list.append(button);
  }
  body.append(make('p', { className: 'bsc-ask' }, words.chooseType), list);
  body.append(make('div', { className: 'bsc-actions' }, makeButton('bsc-plain', words.cancel, () => close(null))));
  return show(dialog, question.anchor);
}

interface CountsAsk {
  offers: Offer[];
  now: Counts;
  /** All types together. */
  most: number;
  prices: PriceList;
}

/** Asks how many standing places of each type; null when nothing shall change. */
export function askCounts(question: Question, ask: CountsAsk): Promise<Counts | null> {
  const { dialog, body, close } = openDialog<Counts | null>(question, null);
  const offers = ask.offers.length > 0 ? ask.offers : [{ ticketType: null, label: '', price: 0, formatted: '', unavailable: false }];
  const counts = new Map(offers.map((offer) => [offer.ticketType ?? '', ask.now.get(offer.ticketType ?? '') ?? 0]));
  const total = make('p', { className: 'bsc-total', attributes: { 'aria-live': 'polite' } });
  const refreshers: (() => void)[] = [];
  const refresh = () => {
    for (const one of refreshers) one();
    const sum = offers.reduce((all, offer) => all + Number(offer.price) * counts.get(offer.ticketType ?? '')!, 0);
    total.textContent = ask.offers.length > 0 && Number.isFinite(sum) ? words.total(ask.prices.write(sum)) : '';
  };
  body.append(make('p', { className: 'bsc-ask' }, words.choosePlaces));
  for (const offer of offers) {
    const type = offer.ticketType ?? '';
    const label = offer.label || words.places;
    const step = (by: number) => {
      const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
      const next = counts.get(type)! + by;
      if (next < 0 || all + by > ask.most) return;
      counts.set(type, next);
      refresh();
    };
    const number = make('output', {});
    const fewer = makeButton('bsc-step', makeIcon(minus), () => step(-1));
    const more = makeButton('bsc-step', makeIcon(plus), () => step(1));
    fewer.setAttribute('aria-label', words.fewer(label));
    more.setAttribute('aria-label', words.more(label));
    refreshers.push(() => {
      const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
      number.textContent = String(counts.get(type));
      // Not `disabled`: the focus would fall out of the dialog while a finger or key is still on the button.
      fewer.setAttribute('aria-disabled', String(counts.get(type) === 0));
      more.setAttribute('aria-disabled', String(all >= ask.most));
    });
    body.append(make('div', { className: 'bsc-count' }, make('span', { className: 'bsc-offer-name' }, label, make('small', {}, offer.formatted)), fewer, number, more));
  }
  body.append(total, make('div', { className: 'bsc-actions' }, makeButton('bsc-plain', words.cancel, () => close(null)), makeButton('bsc-main', words.confirm, () => close(counts))));
  refresh();
  return show(dialog, question.anchor);
}

/** The session is over; the only way on is a new one. False when the visitor closed it without the button. */
export function tellExpired(host: HTMLElement): Promise<boolean> {
  const { dialog, body, close } = openDialog<boolean>({ host, anchor: null, title: words.expired, detail: '' }, false);
  body.append(make('div', { className: 'bsc-actions' }, makeButton('bsc-main', words.startAgain, () => close(true))));
  return show(dialog, null);
}

let lastId = 0;
const answers = new WeakMap<HTMLDialogElement, Promise<unknown>>();
const opened = new WeakMap<HTMLDialogElement, number>();
/** The second half of a double click on a seat is no press beside the question. */
const doubleClickTime = 400;

function openDialog<T>(question: Question, otherwise: T): { dialog: HTMLDialogElement; body: HTMLElement; close: (answer: T) => void } {
  const id = `bsc-title-${++lastId}`;
  const body = make('div', { className: 'bsc-dialog-body' }, make('h2', { id }, question.title));
  if (question.detail) body.append(make('p', { className: 'bsc-detail' }, question.detail));
  const dialog = make('dialog', { className: 'bsc-dialog', attributes: { 'aria-labelledby': id } }, body);
  let answer = otherwise;
  const done = new Promise<T>((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(answer);
    });
  });
  // A tap that opened the question still sends its click; only a press that began outside the box closes it.
  let outside = false;
  dialog.addEventListener('pointerdown', (event) => { outside = event.target === dialog && performance.now() - (opened.get(dialog) ?? 0) > doubleClickTime; });
  dialog.addEventListener('click', (event) => { if (outside && event.target === dialog) dialog.close(); });
  answers.set(dialog, done);
  question.host.append(dialog);
  return { dialog, body, close: (chosen) => { answer = chosen; dialog.close(); } };
}

/** Opens it beside its anchor where there is room, else (a phone) as a sheet at the lower edge; focus returns by itself at the end. */
function show<T>(dialog: HTMLDialogElement, anchor: Anchor | null): Promise<T> {
  const back = document.activeElement;
  dialog.showModal();
  opened.set(dialog, performance.now());
  const done = answers.get(dialog) as Promise<T>;
  if (anchor && innerWidth >= 560) {
    const { width, height } = dialog.getBoundingClientRect();
    const left = Math.min(Math.max(8, anchor.x + anchor.width / 2 - width / 2), innerWidth - width - 8);
    const below = anchor.bottom + 10;
    const top = below + height < innerHeight - 8 ? below : Math.max(8, anchor.top - height - 10);
    dialog.classList.add('bsc-anchored');
    dialog.style.left = `${left}px`;
    dialog.style.top = `${top}px`;
  } else if (anchor) {
    dialog.classList.add('bsc-sheet');
  }
  return done.then((answer) => {
    if (back instanceof HTMLElement && back.isConnected) back.focus({ preventScroll: true });
    return answer;
  });
}
