/**
 * The chart's places as real buttons (section > row > seat), for keyboards, screen readers, and
 * visitors who prefer a list; built when opened, and only where something can be chosen.
 */
import { fillLive, make, makeButton } from '#apps/chart/page/dom.ts';
import { keepStop, walkByKeys } from './list-keys.ts';
import { labelButton, nameInSection, tallyOf } from './list-place.ts';
import { fillInPortions, Fold } from './list-fold.ts';
import { nameOf, type ObjectSource, rowName } from '#apps/chart/places/objects.ts';
import { FREE, MINE } from '#apps/chart/places/places.ts';
import { whyNone } from '#apps/chart/places/summaries.ts';
import {
  ACCESSIBLE,
  COMPANION,
  hasFlag,
  placeSection,
  type SceneGroup,
  type SceneRow,
  shownName,
} from '#apps/chart/scene/scene.ts';
import { translate, words } from '#apps/chart/words.ts';

interface ListWants {
  source: ObjectSource;
  info: (i: number) => HTMLElement[];
  press: (i: number) => void;
  /** Called by Escape; shows the map again. */
  leave: () => void;
  say: (text: string, kind: 'error') => void;
}

export class SeatList {
  readonly element: HTMLElement;
  readonly #wants: ListWants;
  readonly #parts: HTMLElement;
  readonly #accessibleOnly: HTMLInputElement;
  readonly #buttons = new Map<number, HTMLButtonElement>();
  /** The fold of each row and section, because a change of a place concerns both. */
  readonly #bySection = new Map<number, Fold>();
  readonly #byRow = new Map<number, Fold>();
  /** Sections that are a single line, because nothing in them can be chosen. */
  readonly #empty = new Set<number>();
  readonly #stale = new Set<Fold>();
  /** Open folds that lack the button of a place that can be chosen now. */
  readonly #lacking = new Set<Fold>();
  #lacksSection = false;
  /**
   * Places whose buttons stay during a rebuild, so that none vanishes under the finger when its
   * place is taken.
   */
  #kept: ReadonlySet<number> = new Set();
  /** The folds that the visitor has opened, remembered while the map is shown. */
  readonly #opened = new Set<string>();
  #waiting = false;

  constructor(wants: ListWants) {
    this.#wants = wants;
    this.#parts = make('div', { className: 'bsc-ring' });
    this.#accessibleOnly = make('input', { type: 'checkbox' });
    this.#accessibleOnly.addEventListener('change', () => this.#build());
    this.element = make('div', {
      className: 'bsc-list',
      hidden: true,
      attributes: { role: 'region', 'aria-label': words.listTitle },
    });
    const filter = make(
      'label',
      {
        className: 'bsc-check',
        hidden: !wants.source.scene.flags.some((flags) => (flags & ACCESSIBLE) > 0),
      },
      this.#accessibleOnly,
      words.onlyAccessible,
    );
    this.element.append(
      make('h2', {}, words.listTitle),
      make('p', { className: 'bsc-help' }, words.listHelp),
      filter,
      this.#parts,
    );
    this.element.addEventListener('keydown', (event) =>
      walkByKeys(event, { root: this.#parts, leave: wants.leave }),
    );
    this.#parts.addEventListener('focusin', keepStop);
  }

  /** Opens or closes the list; it is rebuilt each time, with what can be chosen now. */
  show(visible: boolean, takeFocus = true): void {
    this.element.hidden = !visible;
    if (!visible) return;
    this.#build();
    if (takeFocus)
      (
        this.#parts.querySelector<HTMLElement>('[tabindex="0"]') ??
        this.element.querySelector('input')
      )?.focus();
  }

  /** Updates a changed place; closed folds are not updated. */
  change(i: number): void {
    const button = this.#buttons.get(i);
    if (button) this.#relabel(button, i);
    if (this.element.hidden) return;
    const { scene } = this.#wants.source;
    const section = this.#bySection.get(placeSection(scene, i));
    const row = this.#byRow.get(scene.parent[i] ?? -1);
    for (const fold of [section, row]) if (fold) this.#stale.add(fold);
    if (!button && this.#isOffered(i)) {
      const holder = row ?? section;
      if (holder?.isOpen) this.#lacking.add(holder);
      else if (!holder && this.#empty.has(placeSection(scene, i))) this.#lacksSection = true;
    }
    this.#recountSoon();
  }

  /**
   * Announces a place that is taken while it has the focus, because screen readers do not read its
   * new name.
   */
  #relabel(button: HTMLButtonElement, i: number): void {
    const isOff = () => button.getAttribute('aria-disabled') === 'true';
    const was = isOff() || button.getAttribute('aria-pressed') !== 'false';
    labelButton(button, i, this.#wants);
    if (!was && isOff() && button === document.activeElement) this.#wants.say(words.taken, 'error');
  }

  /** Applies changed settings: what may be chosen, prices, names. */
  changeAll(): void {
    if (this.element.hidden) return;
    const { activeElement } = document;
    const focused = this.element.contains(activeElement);
    this.#build();
    if (focused && !activeElement?.isConnected)
      this.#parts.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }

  /** Marks the place of an open question; -1 removes the mark. */
  mark(i: number): void {
    for (const [place, button] of this.#buttons) button.classList.toggle('bsc-asked', place === i);
  }

  /** The screen rectangle of a place's button, if it is built and visible. */
  anchorOf(i: number): DOMRect | null {
    const button = this.#buttons.get(i);
    return button && button.offsetParent ? button.getBoundingClientRect() : null;
  }

  #recountSoon(): void {
    if (this.#waiting) return;
    this.#waiting = true;
    requestAnimationFrame(() => {
      this.#waiting = false;
      if (this.#lacksSection || this.#lacking.size > 0) this.#takeIn();
      for (const fold of this.#stale) fold.recount();
      this.#stale.clear();
    });
  }

  /**
   * Adds buttons for seats that became free in open folds; removes nothing and keeps the focus.
   */
  #takeIn(): void {
    const { activeElement } = document;
    const focused =
      activeElement instanceof HTMLElement && this.#parts.contains(activeElement)
        ? activeElement
        : null;
    const [place] = [...this.#buttons].find(([, button]) => button === focused) ?? [];
    const fold = [...this.#bySection.values(), ...this.#byRow.values()].find((one) =>
      one.holds(focused),
    )?.key;
    this.#kept = new Set(this.#buttons.keys());
    if (this.#lacksSection) this.#build(this.#parts.childElementCount);
    else for (const one of this.#lacking) one.refresh();
    this.#kept = new Set();
    this.#lacksSection = false;
    this.#lacking.clear();
    if (!focused || focused.isConnected) return;
    if (place !== undefined) this.#buttons.get(place)?.focus({ preventScroll: true });
    else
      [...this.#bySection.values(), ...this.#byRow.values()]
        .find((one) => one.key === fold)
        ?.focus();
  }

  #build(shown = 0): void {
    const { scene } = this.#wants.source;
    this.#buttons.clear();
    this.#bySection.clear();
    this.#byRow.clear();
    this.#empty.clear();
    this.#parts.replaceChildren();
    const groups = scene.groups.filter((group) => group.rows.length + group.others.length > 0);
    fillInPortions(this.#parts, groups, (group) => this.#group(group, groups.length === 1), shown);
    if (this.#parts.childElementCount === 0)
      this.#parts.append(make('p', { className: 'bsc-none' }, words.listEmpty));
    const first = this.#parts.querySelector('button');
    if (first) first.tabIndex = 0;
  }

  /** Whether a place is chosen or can be chosen now, and the filters show it. */
  #isOffered(i: number): boolean {
    const { scene, places } = this.#wants.source;
    if (this.#kept.has(i)) return true;
    if (scene.owner[i] !== i || (places.state[i] !== FREE && places.state[i] !== MINE))
      return false;
    if (places.state[i] === MINE) return true;
    return (
      !places.isDim(i) &&
      (!this.#accessibleOnly.checked || hasFlag(scene, i, ACCESSIBLE | COMPANION))
    );
  }

  #offeredIn(row: SceneRow): number[] {
    const offered: number[] = [];
    for (let i = row.first; i < row.first + row.count; i++) if (this.#isOffered(i)) offered.push(i);
    return offered;
  }

  #group(group: SceneGroup, isOnly: boolean): HTMLElement {
    const { source } = this.#wants;
    const name = translate(group.name) || words.wholeRoom;
    const all = () =>
      group.rows
        .flatMap((row) => this.#offeredIn(row))
        .concat(group.others.filter((i) => this.#isOffered(i)));
    const offered = all();
    if (offered.length === 0) {
      this.#empty.add(group.section);
      return make(
        'p',
        { className: 'bsc-part bsc-none' },
        make('span', {}, name),
        make(
          'small',
          {},
          this.#accessibleOnly.checked ? words.free(0) : whyNone(group, source.places),
        ),
      );
    }
    const [alone] = group.others;
    if (alone !== undefined && group.section < 0 && group.rows.length + group.others.length === 1)
      return make(
        'div',
        { className: 'bsc-part bsc-alone' },
        this.#button(alone, nameOf(source.scene, alone)),
      );
    const fold = new Fold({
      key: String(group.section),
      name,
      level: 'h3',
      note: () => tallyOf(all(), source),
      open: (body, shown) => {
        const others = group.others.filter((i) => this.#isOffered(i));
        const rows = group.rows
          .map((row, at) => ({ row, at }))
          .filter(({ row }) => this.#offeredIn(row).length > 0);
        fillInPortions(
          body,
          [...others, ...rows],
          (one) =>
            typeof one === 'number'
              ? make(
                  'div',
                  { className: 'bsc-alone' },
                  this.#button(one, nameInSection(one, source)),
                )
              : this.#row(one.row, `${group.section}/${one.at}`),
          shown,
        );
      },
      close: () => this.#forget((i) => source.scene.section[i] === group.section),
      toggled: (open) => this.#remember(String(group.section), open),
    });
    this.#bySection.set(group.section, fold);
    const part = make('section', { className: 'bsc-part' }, ...fold.elements);
    if (isOnly || this.#opened.has(String(group.section))) fold.toggle(true);
    return part;
  }

  #row(row: SceneRow, key: string): HTMLElement {
    const { source } = this.#wants;
    const { scene } = source;
    const name = rowName(row);
    const parent = scene.parent[row.first] ?? -1;
    const fold = new Fold({
      key,
      name,
      level: 'h4',
      find: row.name,
      note: () => tallyOf(this.#offeredIn(row), source),
      open: (body, shown) => {
        body.classList.add('bsc-seats');
        body.setAttribute('role', 'group');
        body.setAttribute('aria-label', name);
        let before = -1;
        fillInPortions(
          body,
          withAisles(row, this.#offeredIn(row)),
          (i) => {
            if (i === null) return make('span', { className: 'bsc-aisle' }, words.aisle);
            const seat = this.#button(i, shownName(scene, i));
            seat.classList.toggle('bsc-apart', before >= 0 && i !== before + 1);
            before = i;
            return seat;
          },
          shown,
        );
      },
      close: () =>
        this.#forget(
          (i) => scene.parent[i] === parent && i >= row.first && i < row.first + row.count,
        ),
      toggled: (open) => this.#remember(key, open),
    });
    this.#byRow.set(parent, fold);
    if (this.#opened.has(key)) fold.toggle(true);
    return make('div', { className: 'bsc-row' }, ...fold.elements);
  }

  #remember(key: string, open: boolean): void {
    if (open) this.#opened.add(key);
    else this.#opened.delete(key);
  }

  #forget(isGone: (i: number) => boolean): void {
    for (const i of this.#buttons.keys()) if (isGone(i)) this.#buttons.delete(i);
  }

  #button(i: number, name: string): HTMLButtonElement {
    const button = makeButton('bsc-seat', name, () => {
      if (button.getAttribute('aria-disabled') !== 'true') this.#wants.press(i);
    });
    button.tabIndex = -1;
    button.dataset['find'] = name;
    this.#buttons.set(i, button);
    return fillLive(button, () => labelButton(button, i, this.#wants));
  }
}

/** The offered seats of a row, with null where an aisle is between two of them. */
function withAisles({ first, gaps }: SceneRow, offered: readonly number[]): (number | null)[] {
  return offered.flatMap((i, at) => {
    const before = offered[at - 1] ?? i;
    const crosses = [...gaps].some((gap) => first + gap >= before && first + gap < i);
    return crosses ? [null, i] : [i];
  });
}
