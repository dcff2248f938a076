/** The chart as a page holds it: life cycle, methods and callbacks of the seats.io embed contract. */
import { Board } from './board.ts';
import { CallFailed, Client } from './client.ts';
import type { ChangeableConfig, ChartConfig, Emit, ObjectChoice } from './config.ts';
import { HoldSession } from './hold.ts';
import type { CategoryJson, ChartObject } from './chart-object.ts';
import { describeCategory, describeObject } from './objects.ts';
import { FREE, MINE } from './places.ts';
import { tellExpired } from './prompt.ts';
import { Shell } from './shell.ts';
import { adoptStyle } from './style.ts';
import { makeTheme } from './theme.ts';
import { words } from './words.ts';

export class SeatingChart {
  /** React replaces it whenever the page draws itself anew, so it is read at the moment of use. */
  config: ChartConfig;
  state: 'NEW' | 'RENDERING' | 'RENDERED' | 'FAILED' | 'DESTROYED' = 'NEW';
  holdToken = '';
  /** Labels of what is chosen; always the same array. */
  readonly selectedObjects: string[] = [];
  #changes: ChangeableConfig = {};
  #life: AbortController | null = null;
  #shell: Shell | null = null;
  #dropStyle: (() => void) | null = null;
  #session: HoldSession | null = null;
  #board: Promise<Board> = Promise.reject(new Error('not rendered'));

  constructor(config: ChartConfig) {
    this.config = config;
    this.#board.catch(() => {});
  }

  /** Draws into `container` (or the element `divId`); the chart goes on by itself, onChartRendered tells when it stands. */
  render(): this {
    if (this.state === 'DESTROYED') throw new Error('SeatingChart.render(): the chart has been destroyed');
    if (this.#life) return this;
    const { config } = this;
    const container = config.container ?? document.querySelector<HTMLElement>(`#${CSS.escape(config.divId ?? 'chart')}`);
    if (!container) throw new Error('SeatingChart.render(): neither container nor divId names an element');
    this.state = 'RENDERING';
    this.#life = new AbortController();
    this.#dropStyle = adoptStyle(container);
    this.#shell = new Shell(container, config.loading);
    this.#shell.wear(makeTheme(config), undefined);
    this.#board = this.#load(this.#life.signal, this.#shell);
    this.#board.catch((error: unknown) => this.#fail(error));
    return this;
  }

  /** What has to be there before anything can be loaded; a sentence for the visitor when it is not. */
  protected missing(): string | null {
    return this.config.workspaceKey && (this.config.event ?? this.config.events?.[0]) ? null : words.noEvent;
  }

  async #load(signal: AbortSignal, shell: Shell): Promise<Board> {
    const missing = this.missing();
    if (missing) throw new Error(missing);
    const event = this.config.event ?? this.config.events?.[0] ?? '';
    const client = new Client(this.config.workspaceKey ?? '', event, signal);
    const resumed = this.holdToken;
    const session = new HoldSession({ client, config: () => this.#settings(), emit: this.#emit, signal, expired: () => void this.#expire(), changed: (token) => { this.holdToken = token; } });
    this.#session = session;
    const [info, held] = await Promise.all([client.readChart(), session.start(resumed)]);
    signal.throwIfAborted();
    const board = new Board({ info, shell, client, session, config: () => this.#settings(), emit: this.#emit, signal, redraw: () => this.rerender() });
    board.selection.mirror(this.selectedObjects);
    board.selection.adopt(held);
    this.state = 'RENDERED';
    client.listen(info.sequence, (message) => void board.receive(message).catch(() => {}));
    const { selectedObjects = [] } = this.config;
    if (selectedObjects.length > 0) void board.selection.choose(selectedObjects);
    this.#emit('onChartRendered', this);
    return board;
  }

  #fail(error: unknown): void {
    if (this.state === 'DESTROYED' || !this.#shell) return;
    this.state = 'FAILED';
    const missing = this.missing();
    this.#shell.showFailure(missing ?? words.renderingFailed, missing ? undefined : () => this.rerender());
    if (!(error instanceof CallFailed) && !missing) reportError(error);
    this.#emit('onChartRenderingFailed', this);
  }

  /** Draws everything anew; the session and what it holds stay. */
  rerender(): void {
    if (this.state === 'DESTROYED') throw new Error('SeatingChart.rerender(): the chart has been destroyed');
    this.#emit('onChartRerenderingStarted', this);
    this.#takeDown();
    this.render();
  }

  /** Takes everything off the page and ends all calls; what is held stays held, since a page may be on its way to pay. */
  destroy(): void {
    if (this.state === 'DESTROYED') throw new Error('SeatingChart.destroy(): the chart has already been destroyed');
    this.state = 'DESTROYED';
    this.#takeDown();
  }

  #takeDown(): void {
    this.#life?.abort();
    this.#life = null;
    this.#shell?.remove();
    this.#shell = null;
    this.#dropStyle?.();
    this.#dropStyle = null;
    this.#board = Promise.reject(new Error('The chart has been destroyed'));
    this.#board.catch(() => {});
  }

  #settings(): ChartConfig {
    return { ...this.config, ...this.#changes };
  }

  readonly #emit: Emit = (name, ...values) => {
    const callback = this.config[name] as ((...all: unknown[]) => unknown) | undefined;
    if (typeof callback !== 'function' || (this.state === 'DESTROYED')) return;
    // A mistake of the page must not stop the chart in the middle of a hold.
    try {
      callback(...values);
    } catch (error) {
      reportError(error);
    }
  };

  async #expire(): Promise<void> {
    const board = await this.#board;
    const session = this.#session;
    const lost = board.selection.placeCount > 0;
    board.selection.dropAll();
    this.#emit('onHoldTokenExpired');
    const shell = this.#shell;
    if (!shell || !session) return;
    // Who had chosen nothing has lost nothing. A page that is asking something itself is not talked over.
    const busy = [...document.querySelectorAll('dialog[open]')].some((dialog) => !shell.root.contains(dialog));
    if (lost) shell.say(words.expired);
    const again = lost && !busy ? await tellExpired(shell.root) : session.wanted;
    // A chart that has no token sells what it does not hold: however the question is closed, it begins again.
    if (!(again || session.wanted) || this.#shell !== shell) return;
    if (await session.reopen()) board.configure();
    else if (lost) shell.say(words.sessionFailed, 'error');
  }

  /** Gives everything back and begins with a new token. */
  async startNewSession(): Promise<void> {
    const board = await this.#board;
    await this.clearSelection();
    await this.#session?.startNew();
    board.configure();
  }

  async listSelectedObjects(): Promise<ChartObject[]> {
    const board = await this.#board;
    return board.selection.all.map((i) => describeObject(board.source, i));
  }

  async clearSelection(): Promise<void> {
    const board = await this.#board;
    await Promise.all(board.selection.all.map((i) => board.selection.deselect(i)));
  }

  /** Chooses what can be had among these objects and leaves out the rest. */
  async trySelectObjects(objects: ObjectChoice[]): Promise<void> {
    await (await this.#board).selection.choose(objects);
  }

  selectObjects(objects: ObjectChoice[]): Promise<void> {
    return this.trySelectObjects(objects);
  }

  /** Like trySelectObjects(), but refuses an object that the chart does not have. */
  async doSelectObjects(objects: ObjectChoice[]): Promise<void> {
    const board = await this.#board;
    for (const object of objects) {
      const label = typeof object === 'string' ? object : object.label;
      if (!board.scene.byLabel.has(label)) throw new Error(words.unknownObject(label));
    }
    await board.selection.choose(objects);
  }

  async deselectObjects(objects: ObjectChoice[]): Promise<void> {
    await (await this.#board).selection.giveBack(objects);
  }

  async selectCategories(categories: (string | number)[]): Promise<void> {
    const board = await this.#board;
    await board.selection.choose(this.#inCategories(board, categories).filter((i) => board.places.state[i] === FREE).map((i) => board.scene.labels[i]!));
  }

  async deselectCategories(categories: (string | number)[]): Promise<void> {
    const board = await this.#board;
    await board.selection.giveBack(this.#inCategories(board, categories).filter((i) => board.places.state[i] === MINE).map((i) => board.scene.labels[i]!));
  }

  #inCategories({ scene }: Board, names: (string | number)[]): number[] {
    const wanted = new Set(names.map(String));
    return Array.from({ length: scene.size }, (_, i) => i).filter((i) => {
      const category = scene.chart.categories[scene.category[i]!];
      return scene.owner[i] === i && category && (wanted.has(category.key) || wanted.has(category.label));
    });
  }

  async findObject(label: string): Promise<ChartObject> {
    const board = await this.#board;
    const i = board.scene.byLabel.get(label);
    if (i === undefined) throw new Error(words.unknownObject(label));
    return describeObject(board.source, i);
  }

  async listCategories(): Promise<CategoryJson[]> {
    const board = await this.#board;
    return board.scene.chart.categories.map((_, at) => describeCategory(board.source, at)!);
  }

  /** Replaces settings while the chart stands; they outlive a new `config`. */
  async changeConfig(change: ChangeableConfig): Promise<void> {
    this.#changes = { ...this.#changes, ...change };
    (await this.#board).configure();
  }

  async resetView(): Promise<void> {
    (await this.#board).resetView();
  }

  async zoomToSelectedObjects(): Promise<void> {
    const board = await this.#board;
    board.zoomTo(board.selection.all);
  }

  async zoomToObjects(labels: string[]): Promise<void> {
    const board = await this.#board;
    board.zoomTo(labels.map((label) => board.scene.byLabel.get(label)).filter((i) => i !== undefined));
  }

  async zoomToSection(label: string): Promise<void> {
    if (!(await this.#board).zoomToSection(label)) throw new Error(words.unknownObject(label));
  }

  async zoomToFilteredCategories(): Promise<void> {
    const board = await this.#board;
    board.zoomTo(this.#inCategories(board, this.#settings().filteredCategories ?? []));
  }
}
