/** The chart's frame on the page: stage, tools, messages, and the button to the list. */
import { make, makeButton, makeIcon } from './dom.ts';
import type { Theme } from './theme.ts';
import { words } from './words.ts';

const icons = {
  plus: 'M12 5v14M5 12h14', minus: 'M5 12h14', home: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5', list: 'M9 6h11M9 12h11M9 18h11M4 6h.01M4 12h.01M4 18h.01',
};
const noteTime = 5000;

export class Shell {
  readonly root: HTMLElement;
  readonly stage: HTMLElement;
  readonly map: HTMLCanvasElement;
  readonly tools: HTMLElement;
  readonly toggle: HTMLButtonElement;
  readonly tip: HTMLElement;
  readonly hint: HTMLElement;
  /** Hidden fields for a page that posts a form. */
  readonly fields: HTMLElement;
  readonly #note: HTMLElement;
  readonly #polite: HTMLElement;
  readonly #loud: HTMLElement;
  readonly #fill: HTMLElement;
  #warning = '';
  #noteTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(container: HTMLElement, loading: string | undefined) {
    this.toggle = makeButton('bsc-toggle', makeIcon(icons.list), () => {});
    this.toggle.append(make('span', {}, words.openList));
    this.map = make('canvas', { className: 'bsc-map', tabIndex: 0, attributes: { role: 'img', 'aria-label': words.mapLabel } });
    this.tools = make('div', { className: 'bsc-tools' });
    this.tip = make('div', { className: 'bsc-tip', hidden: true, attributes: { 'aria-hidden': 'true' } });
    this.hint = make('div', { className: 'bsc-hint', hidden: true, attributes: { 'aria-hidden': 'true' } }, words.tapToZoom);
    this.#note = make('div', { className: 'bsc-note', hidden: true, attributes: { 'aria-hidden': 'true' } });
    this.#polite = make('div', { className: 'bsc-silent', attributes: { role: 'status', 'aria-live': 'polite' } });
    this.#loud = make('div', { className: 'bsc-silent', attributes: { role: 'alert' } });
    this.fields = make('div', { hidden: true });
    this.stage = make('div', { className: 'bsc-stage', hidden: true }, this.map, this.tools, this.hint, this.tip, this.#note);
    this.#fill = make('div', { className: 'bsc-fill' });
    this.toggle.hidden = true;
    // The list's button stands below the map but is the first stop of Tab.
    this.root = make('div', { className: 'bsc', lang: 'it' }, this.toggle, this.#fill, this.stage, this.#polite, this.#loud, this.fields);
    // The page's own markup, as the contract has it.
    if (loading) this.#fill.innerHTML = loading;
    else this.#fill.append(make('div', { className: 'bsc-spinner', attributes: { 'aria-hidden': 'true' } }), make('div', { attributes: { role: 'status' } }, words.loading));
    container.append(this.root);
  }

  wear(theme: Theme, tipColor: string | undefined): void {
    const variables = {
      bg: theme.background, raised: theme.raised, text: theme.text, muted: theme.muted, line: theme.line, selected: theme.selected, 'on-selected': theme.onSelected, error: theme.error,
    };
    for (const [name, value] of Object.entries(variables)) this.root.style.setProperty(`--bsc-${name}`, value);
    if (tipColor) this.root.style.setProperty('--bsc-tip', tipColor);
  }

  addTool(icon: keyof typeof icons, label: string, press: () => void): HTMLButtonElement {
    const button = makeButton('', makeIcon(icons[icon]), press);
    button.setAttribute('aria-label', label);
    button.title = label;
    this.tools.append(button);
    return button;
  }

  showStage(): void {
    this.#fill.remove();
    this.stage.hidden = false;
    this.toggle.hidden = false;
  }

  /** Instead of a chart: what is wrong, and a way to try again where that may help. */
  showFailure(text: string, retry?: () => void): void {
    this.stage.hidden = true;
    this.toggle.hidden = true;
    this.#fill.replaceChildren(make('p', { attributes: { role: 'alert' } }, text));
    if (retry) this.#fill.append(makeButton('bsc-main', words.retry, retry));
    this.root.append(this.#fill);
  }

  /** Read aloud; an error is also shown for a while. */
  say(text: string, kind: 'info' | 'error' = 'info'): void {
    (kind === 'error' ? this.#loud : this.#polite).textContent = text;
    if (kind === 'info') return;
    this.#show(text);
    this.#noteTimer = setTimeout(() => this.#show(this.#warning), noteTime);
  }

  /** Shown until it is taken back with an empty text. */
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
