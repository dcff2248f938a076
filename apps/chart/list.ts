/** The same seats as real buttons, section > row > seat, built as they are opened: for keys, screen readers and whoever prefers a list. */
import { make, makeButton, makeIcon } from './dom.ts';
import { categoryBeside, flagsOf, nameOf, type ObjectSource, priceRange, rowName, statusWord } from './objects.ts';
import { FREE, HIDDEN, MINE } from './places.ts';
import { type SceneGroup, type SceneRow, SEAT } from './scene.ts';
import { words } from './words.ts';

interface ListWants {
  source: ObjectSource;
  press: (i: number) => void;
}

const arrow = 'M9 6l6 6-6 6';

export class SeatList {
  readonly element: HTMLElement;
  readonly #wants: ListWants;
  readonly #buttons = new Map<number, HTMLButtonElement>();
  /** The notes beside the headings, counted anew only while somebody looks. */
  readonly #notes: { node: HTMLElement; text: () => string }[] = [];
  #built = false;
  #stale = false;

  constructor(wants: ListWants) {
    this.#wants = wants;
    this.element = make('div', { className: 'bsc-list', hidden: true, attributes: { role: 'region', 'aria-label': words.listTitle } });
    this.element.append(make('h2', {}, words.listTitle));
  }

  /** Opens or closes the list; it is built when it is first wanted. */
  show(visible: boolean): void {
    this.element.hidden = !visible;
    if (!visible) return;
    if (!this.#built) for (const group of this.#wants.source.scene.groups) this.element.append(this.#group(group));
    this.#built = true;
    this.#recount();
    this.element.querySelector('button')?.focus();
  }

  /** A place looks different; closed parts cost nothing. */
  change(i: number): void {
    const button = this.#buttons.get(i);
    if (button) this.#dress(button, i);
    if (this.#stale || this.element.hidden) return;
    this.#stale = true;
    requestAnimationFrame(() => {
      this.#stale = false;
      this.#recount();
    });
  }

  #recount(): void {
    for (const { node, text } of this.#notes) node.textContent = text();
  }

  changeAll(): void {
    for (const i of this.#buttons.keys()) this.change(i);
    this.change(-1);
  }

  /** The screen rectangle of a place's button, if it is built and seen. */
  anchorOf(i: number): DOMRect | null {
    const button = this.#buttons.get(i);
    return button && button.offsetParent ? button.getBoundingClientRect() : null;
  }

  #group(group: SceneGroup): HTMLElement {
    const { scene } = this.#wants.source;
    const places = group.rows.flatMap((row) => indexes(row)).filter((i) => scene.owner[i] === i).concat(group.others);
    const section = make('section', { className: 'bsc-part' });
    const [alone] = group.others;
    if (group.section < 0 && group.rows.length === 0 && group.others.length === 1) {
      section.append(make('div', { className: 'bsc-alone' }, this.#button(alone!, nameOf(scene, alone!))));
      return section;
    }
    const name = group.name || words.wholeRoom;
    const [button, body] = this.#fold(name, places, (target) => {
      for (const i of group.others) target.append(make('div', { className: 'bsc-seats' }, this.#button(i, nameOf(scene, i))));
      for (const row of group.rows) {
        if (row.count > 0 && scene.owner[row.first] === row.first) target.append(this.#row(row));
      }
    });
    section.append(make('h3', {}, button), body);
    return section;
  }

  #row(row: SceneRow): HTMLElement {
    const { source } = this.#wants;
    const name = rowName(source.scene, row);
    const [button, body] = this.#fold(name, indexes(row), (target) => {
      const seats = make('div', { className: 'bsc-seats', attributes: { role: 'group', 'aria-label': name } });
      for (const i of indexes(row)) {
        if (source.places.state[i] === HIDDEN) continue;
        const seat = this.#button(i, source.scene.names[i]!);
        seat.tabIndex = seats.childElementCount === 0 ? 0 : -1;
        seats.append(seat);
        if (row.gaps.has(i - row.first)) seats.append(make('span', { className: 'bsc-gap', attributes: { 'aria-hidden': 'true' } }));
      }
      seats.addEventListener('keydown', rove);
      target.append(seats);
    });
    return make('div', { className: 'bsc-row' }, make('h4', {}, button), body);
  }

  /** A heading's button that builds its content when it is first opened. */
  #fold(name: string, places: number[], build: (target: HTMLElement) => void): [HTMLButtonElement, HTMLElement] {
    const body = make('div', { className: 'bsc-fold', hidden: true });
    const note = make('small', {});
    const text = () => this.#noteOf(places);
    note.textContent = text();
    this.#notes.push({ node: note, text });
    let built = false;
    const button = makeButton('bsc-opener', makeIcon(arrow), () => {
      if (!built) build(body);
      built = true;
      body.hidden = !body.hidden;
      button.setAttribute('aria-expanded', String(!body.hidden));
      body.scrollIntoView({ block: 'nearest' });
    });
    button.append(make('span', {}, name), note);
    button.setAttribute('aria-expanded', 'false');
    return [button, body];
  }

  #noteOf(places: number[]): string {
    const { source } = this.#wants;
    let free = 0;
    let chosen = 0;
    const offers = [];
    for (const i of places) {
      chosen += source.places.chosen(i);
      if (source.places.state[i] !== FREE && !(source.scene.counted[i] === 1 && source.places.state[i] === MINE)) continue;
      free += source.places.freePlaces(i);
      if (offers.length < 400) offers.push(...source.prices().offersOf(source.scene.labels[i]!, source.scene.category[i]!));
    }
    return [words.free(free), priceRange(offers), chosen > 0 ? words.chosen(chosen) : ''].filter(Boolean).join(', ');
  }

  #button(i: number, text: string): HTMLButtonElement {
    const button = makeButton('bsc-seat', text, () => {
      if (button.getAttribute('aria-disabled') !== 'true') this.#wants.press(i);
    });
    if (this.#wants.source.scene.counted[i] === 1) button.setAttribute('aria-haspopup', 'dialog');
    this.#buttons.set(i, button);
    this.#dress(button, i);
    return button;
  }

  #dress(button: HTMLButtonElement, i: number): void {
    const { source } = this.#wants;
    const { places, scene } = source;
    const state = places.state[i]!;
    const price = priceRange(source.prices().offersOf(scene.labels[i]!, scene.category[i]!));
    const status = scene.counted[i] === 1 && state === FREE ? words.free(places.freePlaces(i)) : scene.counted[i] === 1 && state === MINE ? words.chosen(places.chosen(i)) : statusWord(places, i);
    // A seat shows its number; an area is alone on its line and has room for more.
    if (scene.counted[i]) button.replaceChildren(nameOf(scene, i), make('small', {}, [status, price].filter(Boolean).join(', ')));
    button.setAttribute('aria-label', [seatName(source, i), price, ...flagsOf(scene, i), status].filter(Boolean).join(', '));
    button.setAttribute('aria-pressed', String(state === MINE));
    button.setAttribute('aria-disabled', String(state !== FREE && state !== MINE));
    button.classList.toggle('bsc-orphan', places.orphans.has(i));
    button.setAttribute('aria-busy', String(places.pending[i]! > 0));
    const color = scene.chart.categories[scene.category[i]!]?.color;
    if (color) button.style.setProperty('--bsc-tint', color);
  }
}

function indexes(row: SceneRow): number[] {
  return Array.from({ length: row.count }, (_, s) => row.first + s);
}

/** `Fila A, posto 14, Platea`: heard from the near to the far. */
function seatName(source: ObjectSource, i: number): string {
  const { scene } = source;
  if (scene.kind[i] !== SEAT) return nameOf(scene, i);
  const section = scene.chart.sections[scene.section[i]!];
  const where = section ? section.displayLabel || section.label : scene.chart.categories[scene.category[i]!]?.label;
  return [rowName(scene, scene.rows[scene.parent[i]!]!), words.seat(scene.names[i]!), where, categoryBeside(scene, i)].filter(Boolean).join(', ');
}

/** Arrows walk along the row, so that a row is one stop for Tab. */
function rove(event: KeyboardEvent): void {
  const group = event.currentTarget as HTMLElement;
  const buttons = [...group.querySelectorAll('button')];
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
  const steps: Record<string, number> = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 };
  const next = buttons[steps[event.key] ?? -1];
  if (at < 0 || !next) return;
  event.preventDefault();
  buttons[at]!.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}
