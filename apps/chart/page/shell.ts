/**
 * The chart's frame on the page: stage, tools, messages, and the buttons for the list and the
 * seat search.
 */
import { make, makeButton, makeIcon } from './dom.ts';
import { readableOn, type Theme } from '#apps/chart/paint/theme.ts';
import { words } from '#apps/chart/words.ts';

const icons = {
  full: 'M8 3H3v5M16 3h5v5M8 21H3v-5M16 21h5v-5M3 3l6 6M21 3l-6 6M3 21l6-6M21 21l-6-6',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  home: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5',
  band: 'M4 8V4h4M10 4h4M16 4h4v4M20 10v4M20 16v4h-4M14 20h-4M8 20H4v-4M4 14v-4',
  list: 'M9 6h11M9 12h11M9 18h11M4 6h.01M4 12h.01M4 18h.01',
  map: 'M9 4L3.5 6.5v13L9 17l6 3 5.5-2.5v-13L15 7 9 4zM9 4v13M15 7v13',
  best: 'M12 3.5l2.5 5.6 6 .6-4.5 4.1 1.3 6L12 16.7 6.7 19.8l1.3-6L3.5 9.7l6-.6z',
};
const noteTime = 5000;

/** A visible text, hidden at first, that is not read aloud because it is announced elsewhere. */
function makeSeen(className: string, text = ''): HTMLElement {
  return make('div', { className, hidden: true, attributes: { 'aria-hidden': 'true' } }, text);
}

export class Shell {
  readonly root: HTMLElement;
  readonly stage: HTMLElement;
  readonly map: HTMLCanvasElement;
  readonly tools: HTMLElement;
  readonly toggle: HTMLButtonElement;
  /** "Scegli per me"; hidden until a search is possible. */
  readonly best: HTMLButtonElement;
  readonly tip: HTMLElement;
  readonly hint: HTMLElement;
  /** Hidden fields for a page that posts a form. */
  readonly fields: HTMLElement;
  readonly #note: HTMLElement;
  readonly #polite: HTMLElement;
  readonly #loud: HTMLElement;
  readonly #fill: HTMLElement;
  readonly #frame: HTMLElement;
  readonly #foot: HTMLElement;
  #warning = '';
  #noteTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(container: HTMLElement, loading: string | undefined) {
    this.toggle = makeButton('bsc-toggle', '', () => {});
    this.toggle.setAttribute('aria-expanded', 'false');
    this.#labelToggle(false);
    this.best = makeButton('bsc-toggle', makeIcon(icons.best), () => {});
    this.best.append(make('span', {}, words.best));
    this.best.setAttribute('aria-haspopup', 'dialog');
    this.best.hidden = true;
    // The role `application` makes a screen reader leave the arrow keys to the map.
    this.map = make('canvas', {
      className: 'bsc-map',
      tabIndex: 0,
      attributes: { role: 'application', 'aria-label': words.mapLabel },
    });
    this.tools = make('div', { className: 'bsc-tools', hidden: true });
    this.tip = makeSeen('bsc-tip');
    this.hint = makeSeen('bsc-hint', words.tapToZoom);
    this.#note = makeSeen('bsc-note');
    this.#polite = make('div', {
      className: 'bsc-silent',
      attributes: { role: 'status', 'aria-live': 'polite' },
    });
    this.#loud = make('div', { className: 'bsc-silent', attributes: { role: 'alert' } });
    this.fields = make('div', { hidden: true });
    this.stage = make(
      'div',
      { className: 'bsc-stage', hidden: true },
      this.map,
      this.hint,
      this.tip,
      this.#note,
    );
    this.#fill = make('div', { className: 'bsc-fill' });
    // The list's button is below the map but is the first Tab stop.
    this.#foot = make('div', { className: 'bsc-foot', hidden: true }, this.toggle, this.best);
    this.#frame = make(
      'div',
      { className: 'bsc-frame' },
      this.#foot,
      this.#fill,
      this.stage,
      this.tools,
    );
    this.root = make(
      'div',
      { className: 'bsc', lang: 'it' },
      this.#frame,
      this.#polite,
      this.#loud,
      this.fields,
    );
    this.#showLoading(loading);
    container.append(this.root);
  }

  /** The page's own loading markup as the embed contract allows, or else ours. */
  #showLoading(markup: string | undefined): void {
    if (markup) this.#fill.innerHTML = markup;
    else
      this.#fill.append(
        make('div', { className: 'bsc-spinner', attributes: { 'aria-hidden': 'true' } }),
        make('div', { attributes: { role: 'status' } }, words.loading),
      );
  }

  /** Applies the colours, and the page's own fonts and corners. */
  applyTheme(theme: Theme, tipColor: string | undefined, style: Record<string, string> = {}): void {
    const variables = {
      bg: theme.background,
      raised: theme.raised,
      text: theme.text,
      muted: theme.muted,
      line: theme.line,
      selected: theme.selected,
      'on-selected': theme.onSelected,
      chosen: theme.chosen,
      'on-chosen': theme.onChosen,
      error: theme.error,
      ...style,
    };
    for (const [name, value] of Object.entries(variables))
      this.root.style.setProperty(`--bsc-${name}`, value);
    // The browser draws radio buttons, check boxes and scroll bars in this scheme.
    if (!theme.forced)
      this.root.style.colorScheme = readableOn(theme.background) === '#ffffff' ? 'dark' : 'light';
    if (!tipColor || theme.forced) return;
    this.root.style.setProperty('--bsc-tip', tipColor);
    this.root.style.setProperty('--bsc-on-tip', readableOn(tipColor));
  }

  addTool(icon: keyof typeof icons, label: string, press: () => void): HTMLButtonElement {
    const button = makeButton('', makeIcon(icons[icon]), press);
    button.setAttribute('aria-label', label);
    button.title = label;
    this.tools.append(button);
    return button;
  }

  /**
   * One measurement for all parts that need a size, because measuring makes the browser lay out
   * the page.
   */
  layOut(): void {
    this.stage.getBoundingClientRect();
  }

  /** `plain`: only the drawing, as for print. */
  showStage(plain = false): void {
    this.#fill.remove();
    this.stage.hidden = false;
    this.tools.hidden = plain;
    this.#foot.hidden = plain;
  }

  /** Shows the list over the map, or the map again; the button names the other view. */
  showList(open: boolean): void {
    this.root.classList.toggle('bsc-listing', open);
    for (const part of [this.map, this.tools, this.hint]) part.inert = open;
    this.toggle.setAttribute('aria-expanded', String(open));
    this.#labelToggle(open);
  }

  #labelToggle(open: boolean): void {
    this.toggle.replaceChildren(
      makeIcon(open ? icons.map : icons.list),
      make('span', {}, open ? words.closeList : words.openList),
    );
  }

  /** Shows a failure in place of the chart, with a button to try again where that may help. */
  showFailure(text: string, retry?: () => void): void {
    for (const part of [this.stage, this.tools, this.#foot]) part.hidden = true;
    this.#fill.replaceChildren(make('p', { attributes: { role: 'alert' } }, text));
    if (retry) this.#fill.append(makeButton('bsc-main', words.retry, retry));
    this.#frame.append(this.#fill);
  }

  /** Has a text read aloud; an error is also shown for a while. */
  say(text: string, kind: 'info' | 'error' = 'info'): void {
    (kind === 'error' ? this.#loud : this.#polite).textContent = text;
    if (kind === 'info') return;
    this.#show(text);
    this.#noteTimer = setTimeout(() => this.#show(this.#warning), noteTime);
  }

  /** Shows a text until an empty one removes it. */
  warn(text: string): void {
    if (text === this.#warning) return;
    this.#warning = text;
    if (text) this.#polite.textContent = text;
    this.#show(text);
  }

  #show(text: string): void {
    clearTimeout(this.#noteTimer);
    this.#note.textContent = text;
    this.#note.hidden = text === '';
    this.#note.classList.toggle('bsc-bad', text !== '');
  }

  remove(): void {
    clearTimeout(this.#noteTimer);
    this.root.remove();
  }
}
