/**
 * A heading of the list whose content exists only while it is open. Long content is added in
 * portions, so that there are never thousands of elements.
 */
import { fillLive, make, makeButton, makeIcon } from '#apps/chart/page/dom.ts';
import { words } from '#apps/chart/words.ts';

const arrow = 'M9 6l6 6-6 6';
const portion = 60;

interface FoldWants {
  /** Identifies the same fold after the list was rebuilt. */
  key: string;
  name: string;
  level: 'h3' | 'h4';
  /** Another text by which typing finds the fold: a row's letter. */
  find?: string;
  /** The note at the right: the number of places and the lowest price. */
  note: () => string;
  /** Fills the body with at least the `shown` items that it had before. */
  open: (body: HTMLElement, shown: number) => void;
  close: () => void;
  /** Called when the visitor opens or closes it. */
  toggled: (open: boolean) => void;
}

export class Fold {
  readonly elements: [HTMLElement, HTMLElement];
  readonly #wants: FoldWants;
  readonly #button: HTMLButtonElement;
  readonly #body: HTMLElement;
  readonly #note: HTMLElement;

  constructor(wants: FoldWants) {
    this.#wants = wants;
    this.#body = make('div', { className: 'bsc-fold bsc-ring', hidden: true });
    this.#note = fillLive(make('small'), (note) => {
      note.textContent = wants.note();
    });
    this.#button = makeButton('bsc-opener', makeIcon(arrow), () =>
      this.toggle(this.#body.hidden === true),
    );
    this.#button.append(make('span', {}, wants.name), this.#note);
    this.#button.setAttribute('aria-expanded', 'false');
    this.#button.tabIndex = -1;
    this.#button.dataset['find'] = wants.find ?? wants.name;
    this.elements = [make(wants.level, {}, this.#button), this.#body];
  }

  get key(): string {
    return this.#wants.key;
  }

  get isOpen(): boolean {
    return !this.#body.hidden;
  }

  /** Whether the button is this fold's own heading. */
  holds(focused: HTMLElement | null): boolean {
    return focused === this.#button;
  }

  focus(): void {
    this.#button.focus({ preventScroll: true });
  }

  /** Fills the body again, with as many items as before, after a change of what can be chosen. */
  refresh(): void {
    if (!this.isOpen) return;
    const shown = this.#body.childElementCount;
    this.#body.replaceChildren();
    this.#wants.close();
    this.#fill(shown);
  }

  #fill(shown: number): void {
    this.#wants.open(this.#body, shown);
    const first = this.#body.querySelector('button');
    if (first) first.tabIndex = 0;
  }

  recount(): void {
    this.#note.textContent = this.#wants.note();
  }

  toggle(open: boolean): void {
    if (open === !this.#body.hidden) return;
    if (open) {
      this.#fill(0);
    } else {
      this.#body.replaceChildren();
      this.#wants.close();
    }
    this.#body.hidden = !open;
    this.#button.setAttribute('aria-expanded', String(open));
    this.#wants.toggled(open);
    if (open) this.#body.scrollIntoView({ block: 'nearest' });
  }
}

/**
 * Appends one element per item in portions of sixty, at first as many portions as were `shown`
 * before; a button adds the next portion and moves the focus there.
 */
export function fillInPortions<T>(
  target: HTMLElement,
  things: T[],
  makeOne: (thing: T) => HTMLElement,
  shown = 0,
): void {
  let done = 0;
  const more = makeButton('bsc-plain bsc-more', '', () => {
    more.remove();
    const [first] = append();
    (first?.matches('button') ? first : first?.querySelector('button'))?.focus();
  });
  more.tabIndex = -1;
  const append = (most = portion): HTMLElement[] => {
    const made = things.slice(done, done + most).map(makeOne);
    done += made.length;
    target.append(...made);
    const left = things.length - done;
    more.textContent = words.showMore(Math.min(left, portion));
    if (left > 0) target.append(more);
    return made;
  };
  append(Math.max(1, Math.ceil((shown - 1) / portion)) * portion);
}
