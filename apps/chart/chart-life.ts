/**
 * A chart's life on a page (render, redraw, expiry, destruction), and the settings and callbacks
 * that all its parts use.
 */
import { buildScene } from './scene/build-scene.ts';
import { chooseBest, NothingFound, readBest, type BestResult } from './choice/best-available.ts';
import { Board } from './board.ts';
import { CallFailed, Client } from './choice/client.ts';
import { addChart, removeChart } from './charts.ts';
import type { BestAvailableConfig, ChangeableConfig, ChartConfig, Emit } from './config.ts';
import { offerFullScreen } from './page/full-screen.ts';
import { HoldSession } from './choice/hold.ts';
import { describeCategories, describeObject } from './places/objects.ts';
import { tellExpired } from './page/prompt.ts';
import { warmUp } from './map/canvas.ts';
import { labelOfChoice } from './places/places.ts';
import { checkChange, Settings } from './settings.ts';
import { Shell } from './page/shell.ts';
import { adoptStyle } from './page/style.ts';
import { makeTheme } from './paint/theme.ts';
import { speak, words } from './words.ts';

/** A substitute, because Safari has no requestIdleCallback. */
function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in globalThis)
    requestAnimationFrame(() => requestIdleCallback(work, { timeout: 1000 }));
  else setTimeout(work, 200);
}

/** Splits the work into separate tasks, so that the page stays responsive meanwhile. */
async function breathe(signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => resolve(), { once: true });
    port1.start();
    port2.postMessage(null);
  });
  signal.throwIfAborted();
}

/** Everything that exists while the chart is rendered. */
interface Standing {
  board: Board;
  session: HoldSession;
  client: Client;
}

export abstract class ChartLife {
  /** The React component replaces it at every render, so it must be read at each use. */
  config: ChartConfig;
  state: 'NEW' | 'RENDERING' | 'RENDERED' | 'FAILED' | 'DESTROYED' = 'NEW';
  holdToken = '';
  /** The labels of the chosen objects; always the same array. */
  readonly selectedObjects: string[] = [];
  #changes: ChangeableConfig = {};
  /** Ends when the last change has been made or refused. */
  #lastChange: Promise<unknown> = Promise.resolve();
  readonly #settings = new Settings();
  #life: AbortController | null = null;
  #shell: Shell | null = null;
  #dropStyle: (() => void) | null = null;
  #isSpotlit = false;
  #standing: Promise<Standing> = Promise.reject(new Error('not rendered'));

  constructor(config: ChartConfig) {
    this.config = config;
    this.#standing.catch(() => {});
  }

  /**
   * Renders into `container` (or the element `divId`) in the background; onChartRendered is
   * called when the chart is ready.
   */
  render(): this {
    if (this.state === 'DESTROYED') throw new Error('render(): the chart has been destroyed');
    if (!this.#life) this.#begin('');
    return this;
  }

  #begin(resumed: string): void {
    const { config } = this;
    const container =
      config.container ??
      document.querySelector<HTMLElement>(`#${CSS.escape(config.divId ?? 'chart')}`);
    if (!container) throw new Error('render(): neither container nor divId names an element');
    this.state = 'RENDERING';
    this.#life = new AbortController();
    addChart(this);
    speak(config.messages);
    this.#dropStyle = adoptStyle(container);
    this.#shell = new Shell(container, config.loading);
    this.#shell.applyTheme(makeTheme(this.settings()), undefined);
    this.#standing = this.#load(this.#shell, { signal: this.#life.signal, resumed });
    this.#standing.catch((error: unknown) => this.#fail(error));
  }

  /** A sentence for the visitor when something needed for loading is missing. */
  protected missing(): string | null {
    return this.config.workspaceKey && this.#events()[0] ? null : words.noEvent;
  }

  #events(): string[] {
    const { event, events } = this.config;
    return event ? [event] : (events ?? []);
  }

  async #load(
    shell: Shell,
    { signal, resumed }: { signal: AbortSignal; resumed: string },
  ): Promise<Standing> {
    const missing = this.missing();
    if (missing) throw new Error(missing);
    const client = this.#makeClient(this.settings(), signal);
    const session = this.#makeSession(client, signal);
    const [info, held] = await Promise.all([
      client.readChart(),
      this.#sells ? session.start(resumed) : [],
      breathe(signal).then(() => warmUp(shell.map)),
    ]);
    await breathe(signal);
    const scene = buildScene(info);
    await breathe(signal);
    const standing: Standing = {
      client,
      session,
      board: new Board({
        scene,
        statuses: info.statuses,
        shell,
        client,
        session,
        config: () => this.settings(),
        emit: this.emit,
        signal,
        redraw: () => void this.#redraw().catch(() => {}),
        filter: (keys) => this.change({ filteredCategories: keys }),
        findBest: (ask) => this.#findForVisitor(ask),
      }),
    };
    const { board } = standing;
    await breathe(signal);
    shell.layOut();
    await breathe(signal);
    board.start();
    await breathe(signal);
    if (this.config.showFullScreenButton) offerFullScreen(shell, { emit: this.emit, signal });
    board.selection.mirror(this.selectedObjects);
    board.selection.adopt(held);
    this.state = 'RENDERED';
    client.listen((message) => void board.receive(message).catch(() => {}));
    void this.#preselect(standing).catch((error: unknown) => reportError(error));
    this.emit('onChartRendered', this);
    whenIdle(() => {
      if (!signal.aborted) board.places.prepare(this.config.selectionValidators ?? []);
    });
    this.#tellFloor(board);
    return standing;
  }

  #makeClient({ channels }: Pick<ChartConfig, 'channels'>, signal: AbortSignal): Client {
    return new Client({
      workspaceKey: this.config.workspaceKey ?? '',
      events: this.#events(),
      channels: channels?.length ? channels : undefined,
      signal,
    });
  }

  #makeSession(client: Client, signal: AbortSignal): HoldSession {
    return new HoldSession({
      client,
      config: () => this.settings(),
      emit: this.emit,
      signal,
      expired: () => void this.#expire(),
      changed: (token) => {
        this.holdToken = token;
      },
    });
  }

  /** Whether anything can be chosen; otherwise no session is opened. */
  get #sells(): boolean {
    return this.config.mode !== 'spotlight' && this.config.mode !== 'print';
  }

  /**
   * Chooses what the page wants chosen at the start, if it is available and not chosen already.
   */
  async #preselect(standing: Standing): Promise<void> {
    const { board } = standing;
    const { selectedObjects = [], selectBestAvailable, mode } = this.settings();
    const missing = selectedObjects.filter(
      (choice) => !this.selectedObjects.includes(labelOfChoice(choice)),
    );
    if (mode === 'spotlight') {
      board.choosing.mark(missing);
      board.map.spotlight(board.selection.all);
      return;
    }
    if (missing.length > 0)
      await (this.choosesFreely
        ? board.choosing.mark(missing)
        : board.choosing.choose(missing, { ask: false }));
    if (!selectBestAvailable) return;
    if (selectBestAvailable.clearSelection !== false) await board.selection.giveBack();
    await this.#best(standing, readBest(selectBestAvailable)).then(
      ({ places, nextToEachOther }) =>
        this.emit(
          'onBestAvailableSelected',
          places.map((i) => describeObject(board.source, i)),
          nextToEachOther,
        ),
      () => this.emit('onBestAvailableSelectionFailed'),
    );
  }

  /** Whether taken places may be chosen too, for the back office. */
  protected get choosesFreely(): boolean {
    return false;
  }

  #best({ board, session, client }: Standing, ask: BestAvailableConfig): Promise<BestResult> {
    const { scene, places, selection } = board;
    return chooseBest(ask, {
      scene,
      places,
      selection,
      session,
      client,
      config: () => this.settings(),
    });
  }

  async #findForVisitor(ask: BestAvailableConfig) {
    const standing = await this.#standing;
    const found = await this.#best(standing, { ...ask, people: true }).catch((error: unknown) => {
      if (error instanceof NothingFound) return null;
      throw error;
    });
    return found && found.places.map((i) => describeObject(standing.board.source, i));
  }

  /** Finds the best places for a page's call; rejects when there are none. */
  protected async findBest(ask: BestAvailableConfig): Promise<BestResult> {
    return this.#best(await this.#standing, ask);
  }

  #tellFloor(board: Board): void {
    const { activeFloor } = this.settings();
    if (activeFloor === undefined) return;
    if (board.map.activeFloor.name === activeFloor) board.tellFloor();
    else console.warn(`The chart has no floor "${activeFloor}"`);
  }

  #fail(error: unknown): void {
    if (this.state === 'DESTROYED' || !this.#shell) return;
    this.state = 'FAILED';
    // A removed chart opens no session and ends none.
    this.#life?.abort();
    const missing = this.missing();
    this.#shell.showFailure(
      missing ?? words.renderingFailed,
      missing ? undefined : () => this.#drawAnew(this.holdToken),
    );
    if (!(error instanceof CallFailed) && !missing) reportError(error);
    this.emit('onChartRenderingFailed', this);
  }

  /**
   * Starts again with nothing chosen, except what a continued token or the page's token holds.
   */
  rerender(): void {
    if (this.state === 'DESTROYED') throw new Error('rerender(): the chart has been destroyed');
    const leaving = this.config.session === 'start' && this.holdToken !== '';
    if (!leaving) {
      this.#drawAnew('');
      return;
    }
    // An abandoned token would hold its seats for a quarter of an hour.
    const life = this.#life;
    void this.#standing
      .then(({ board }) => board.selection.giveBack())
      .catch(() => {})
      .finally(() => {
        if (this.#life === life && life) this.#drawAnew('');
      });
  }

  /**
   * Replaces the drawing within the session; running calls are awaited, because their seats would
   * be held but not shown as chosen.
   */
  async #redraw(): Promise<void> {
    const life = this.#life;
    const { session } = await this.#standing;
    await session.idle();
    if (life && this.#life === life) this.#drawAnew(this.holdToken);
    await this.#standing;
  }

  #drawAnew(resumed: string): void {
    this.emit('onChartRerenderingStarted', this);
    this.#takeDown();
    this.#begin(resumed);
  }

  /**
   * Removes everything from the page and ends all calls; held seats stay held, because the
   * visitor may be about to pay.
   */
  destroy(): void {
    if (this.state === 'DESTROYED')
      throw new Error('destroy(): the chart has already been destroyed');
    this.state = 'DESTROYED';
    removeChart(this);
    this.#takeDown();
  }

  #takeDown(): void {
    this.#life?.abort();
    this.#life = null;
    this.#shell?.remove();
    this.#shell = null;
    this.#dropStyle?.();
    this.#dropStyle = null;
    this.#isSpotlit = false;
    this.#standing = Promise.reject(new Error('The chart has been destroyed'));
    this.#standing.catch(() => {});
  }

  /** The page's settings, overridden by those of changeConfig(); null means not set. */
  protected settings(): ChartConfig {
    return this.#settings.read(this.config, this.#changes);
  }

  protected get board(): Promise<Board> {
    return this.#standing.then(({ board }) => board);
  }

  /**
   * Replaces settings of a rendered chart; they stay when `config` is replaced. One change is made
   * after the other, and a refused one leaves nothing behind.
   */
  protected async change(change: ChangeableConfig): Promise<void> {
    const made = this.#lastChange.then(() => this.#change(change));
    this.#lastChange = made.catch(() => {});
    await made;
    // A chart that was drawn anew has only what may stay.
    if ('channels' in change) return;
    const { board } = await this.#standing;
    await board.selection.giveBackWithdrawn();
    board.selection.validate({ onlyNews: true });
    if ('filteredCategories' in change) {
      const all = describeCategories(board.source);
      this.emit(
        'onFilteredCategoriesChanged',
        all.filter(({ isFiltered }) => isFiltered),
      );
    }
  }

  async #change(change: ChangeableConfig): Promise<void> {
    const { board } = await this.#standing;
    checkChange(change);
    // Other channels need a new call to the server, which is tried while the chart still stands.
    if ('channels' in change && this.#life)
      await this.#makeClient(change, this.#life.signal).readChart();
    const before = this.#changes;
    this.#changes = { ...before, ...change };
    try {
      board.configure();
      if ('channels' in change) await this.#redraw();
    } catch (error) {
      this.#changes = before;
      if (this.state === 'RENDERED') board.configure();
      else if (this.state === 'FAILED') {
        this.#drawAnew(this.holdToken);
        await this.#standing.catch(() => {});
      }
      throw error;
    }
  }

  /** Highlights only these places until the visitor changes the choice; null ends it. */
  protected async setSpotlight(labels: readonly string[] | null): Promise<void> {
    const board = await this.board;
    const places =
      labels?.map((label) => board.scene.byLabel.get(label)).filter((i) => i !== undefined) ?? [];
    this.#isSpotlit = places.length > 0;
    board.map.spotlight(this.#isSpotlit ? places : null);
  }

  protected readonly emit: Emit = (name, ...values) => {
    if ((name === 'onObjectSelected' || name === 'onObjectDeselected') && this.#isSpotlit)
      void this.setSpotlight(null);
    const callback = this.#settings.functionOf(name, this.config[name]);
    if (!callback || this.state === 'DESTROYED') return;
    // An error of the page must not stop the chart in the middle of a hold.
    try {
      callback(...(values as never[]));
    } catch (error) {
      reportError(error);
    }
  };

  async #expire(): Promise<void> {
    const { board, session } = await this.#standing;
    const lost = board.selection.placeCount > 0;
    board.selection.dropAll();
    this.emit('onHoldTokenExpired');
    const shell = this.#shell;
    if (!shell) return;
    // No dialog when the visitor had chosen nothing, or while a dialog of the page is open.
    const busy = [...document.querySelectorAll('dialog[open]')].some(
      (dialog) => !shell.root.contains(dialog),
    );
    if (lost) shell.say(words.expired);
    const again = lost && !busy ? await tellExpired(shell.root) : session.wanted;
    // Without a token a chart would sell places that it does not hold, so a new session starts
    // however the dialog is closed.
    if (!(again || session.wanted) || this.#shell !== shell) return;
    if (await session.reopen()) board.configure();
    else if (lost) shell.say(words.sessionFailed, 'error');
  }

  /** Gives everything back and takes a new token; without a session it only clears the choice. */
  async startNewSession(): Promise<void> {
    const { board, session } = await this.#standing;
    await board.selection.giveBack();
    if (session.wanted || session.active) {
      await session.startNew();
      // When the old token ends, the server frees what could not be given back.
      board.selection.dropAll();
    }
    board.configure();
  }
}
