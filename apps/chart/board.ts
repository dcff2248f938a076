/** One drawn chart: connects map, list, legend and selection, and passes changes between them. */
import type { RenderingInfo, StatusMessage, WireStatus } from '#server/standins/seatsio/wire.ts';
import type { Client } from './choice/client.ts';
import type { ChartObject } from './chart-object.ts';
import type { BestAvailableConfig, ChartConfig, Emit } from './config.ts';
import { make, refill } from './page/dom.ts';
import { FloorBar } from './map/floor-bar.ts';
import { Follower } from './choice/follower.ts';
import type { HoldSession } from './choice/hold.ts';
import { Choosing } from './choice/choosing.ts';
import { makeLegend } from './page/legend.ts';
import { SeatList } from './list/list.ts';
import { makeLook } from './paint/look.ts';
import { describeCategory, describeObject, nameOf, type ObjectSource } from './places/objects.ts';
import type { Look } from './paint/picture.ts';
import { Places } from './places/places.ts';
import { type Offer, PriceList } from './places/pricing.ts';
import { Promised } from './places/promised.ts';
import { askBest } from './page/best-form.ts';
import { describeDetail, describeInfo, describeQuestion } from './page/card.ts';
import type { Question } from './page/dialog.ts';
import { askCounts, askPlace, askTicketType } from './page/prompt.ts';
import { styleOf } from './paint/theme.ts';
import { placeCategory, floorAt, placeLabel, type Scene, SEAT } from './scene/scene.ts';
import { SeatMap } from './map/seat-map.ts';
import { Selection } from './choice/selection.ts';
import type { Shell } from './page/shell.ts';
import { Summaries } from './places/summaries.ts';
import { translate, words } from './words.ts';

interface BoardWants {
  scene: Scene;
  statuses: RenderingInfo['statuses'];
  shell: Shell;
  client: Client;
  session: HoldSession;
  config: () => ChartConfig;
  emit: Emit;
  signal: AbortSignal;
  /** Called when the drawing itself has changed. */
  redraw: () => void;
  /** Shows only the places of these categories; an empty list shows all places. */
  filter: (keys: string[]) => Promise<void>;
  /** Finds and holds the best seats; null when there are none. */
  findBest: (ask: BestAvailableConfig) => Promise<ChartObject[] | null>;
}

export class Board {
  readonly scene: Scene;
  readonly places: Places;
  readonly selection: Selection;
  readonly choosing: Choosing;
  readonly source: ObjectSource;
  /** The view: floors, zoom, pulse, spotlight. */
  readonly map: SeatMap;
  readonly #follower: Follower;
  readonly #wants: BoardWants;
  readonly #list: SeatList;
  readonly #summaries: Summaries;
  readonly #floorBar: FloorBar;
  readonly #promised = new Promised(() => this.#textCame());
  #prices: PriceList;
  #look: Look;
  #legend: HTMLElement | null = null;
  #textsCome = false;

  constructor(wants: BoardWants) {
    this.#wants = wants;
    const { scene, statuses, config } = wants;
    this.scene = scene;
    this.places = new Places(this.scene, (i) => describeObject(this.source, i));
    this.#prices = this.#readPrices();
    this.selection = this.#makeSelection();
    this.choosing = this.#makeChoosing();
    this.source = this.#makeSource();
    this.places.reset(statuses);
    this.#follower = new Follower({ ...wants, source: this.source, selection: this.selection });
    this.#summaries = new Summaries({
      scene: this.scene,
      places: this.places,
      prices: () => this.#prices,
      tint: () => this.#look.tint,
    });
    this.#look = this.#makeLook();
    this.places.configure(config(), this.#prices, (i) => this.selection.total(i));
    this.map = new SeatMap({
      ...wants,
      source: this.source,
      summaries: this.#summaries,
      look: () => this.#look,
      press: (i, touch) => void this.#press(i, touch),
      pressAll: (places) => void this.choosing.pressAll(places),
      floorChanged: (name) => {
        this.#floorBar.show(name);
        this.tellFloor();
      },
    });
    this.#list = new SeatList({
      source: this.source,
      info: (i) => describeInfo(i, { source: this.source, config: config() }),
      press: (i) => void this.#press(i, false),
      leave: () => this.#toggleList(),
      say: (text, kind) => wants.shell.say(text, kind),
    });
    this.#floorBar = new FloorBar({
      floors: this.scene.floors,
      choose: (name) => this.map.showFloor(name),
    });
    this.#floorBar.show(this.map.activeFloor.name);
    this.#assemble();
  }

  #makeSelection(): Selection {
    const { config, session, emit, shell, signal } = this.#wants;
    return new Selection({
      scene: this.scene,
      places: this.places,
      session,
      config,
      emit,
      signal,
      prices: () => this.#prices,
      objectOf: (i) => describeObject(this.source, i),
      changed: (i) => this.#changed(i),
      say: (text, kind) => shell.say(text, kind),
      answered: (i, result) => this.#follower.answered(i, result),
      warn: (text) => shell.warn(text),
    });
  }

  #makeChoosing(): Choosing {
    const { config, emit, shell } = this.#wants;
    return new Choosing({
      scene: this.scene,
      places: this.places,
      selection: this.selection,
      config,
      emit,
      objectOf: (i) => describeObject(this.source, i),
      say: (text, kind) => shell.say(text, kind),
      askType: (i) =>
        this.#ask(i, (question) =>
          askTicketType(question, {
            offers: this.#offersOf(i),
            prices: this.#prices,
            confirm: config().objectPopover?.confirmTicketTypeSelection === true,
          }),
        ),
      askCounts: (i, ask) =>
        this.#ask(i, (question) => askCounts(question, { ...ask, prices: this.#prices })),
    });
  }

  #makeSource(): ObjectSource {
    const { config, session } = this.#wants;
    return {
      scene: this.scene,
      places: this.places,
      prices: () => this.#prices,
      promised: this.#promised,
      counts: (i) => this.selection.counts(i),
      holdToken: () => session.token,
      events: config().events ?? [config().event ?? ''],
      interactive: () => this.choosing.isOpen,
      select: async (i, ticketType) => {
        if (this.scene.counted[i] === 1 || this.selection.total(i) === 0)
          await this.choosing.chooseAll([{ label: placeLabel(this.scene, i), ticketType }]);
      },
      deselect: async (i, ticketType) => {
        await this.selection.deselect(i, ticketType);
      },
      pulse: (i, on) => {
        if (this.scene.kind[i] === SEAT) this.map[on ? 'pulse' : 'unpulse']([i]);
      },
    };
  }

  #assemble(): void {
    const { shell, signal, config, session } = this.#wants;
    shell.stage.append(this.#floorBar.element, this.map.minimap, this.#list.element);
    this.#makeLegend();
    const { mode = 'normal' } = config();
    shell.showStage(mode === 'print');
    shell.toggle.hidden = mode !== 'normal';
    shell.best.hidden = mode !== 'normal' || !session.active;
    shell.best.addEventListener('click', () => void this.#chooseBest(), { signal });
    shell.toggle.addEventListener('click', () => this.#toggleList(), { signal });
    for (const wish of ['(forced-colors: active)', '(prefers-contrast: more)'])
      matchMedia(wish).addEventListener('change', () => this.configure(), { signal });
    shell.root.classList.toggle('bsc-print', config().mode === 'print');
    this.#writeFields();
    if (!this.#canDraw && mode === 'normal') this.#toggleList(false);
  }

  /** Paints the first picture. */
  start(): void {
    this.map.start();
  }

  /** A browser that gives no canvas context shows only the list. */
  get #canDraw(): boolean {
    return this.#wants.shell.map.getContext('2d') !== null;
  }

  /** Reports the visible floor to the page. */
  tellFloor(): void {
    const { name } = this.map.activeFloor;
    const inside = new Set(
      this.scene.groups
        .filter(({ floor }) => floorAt(this.scene, floor).name === name)
        .flatMap(({ rows, others }) => [...rows.map(({ first }) => first), ...others])
        .map((i) => placeCategory(this.scene, i)),
    );
    this.#wants.emit('onFloorChanged', {
      name,
      categories: [...inside].flatMap((category) => describeCategory(this.source, category) ?? []),
    });
  }

  #readPrices(): PriceList {
    return new PriceList(this.#wants.config(), this.scene, {
      channelOf: (label) => this.places.statusOf(this.scene.byLabel.get(label) ?? -1).channel,
      promised: this.#promised,
    });
  }

  /** Shows promised texts that have arrived, once for all that arrive together. */
  #textCame(): void {
    if (this.#textsCome) return;
    this.#textsCome = true;
    setTimeout(() => {
      this.#textsCome = false;
      if (this.#wants.signal.aborted) return;
      this.#summaries.changeAll();
      refill(this.#wants.shell.root);
      this.map.refresh();
    });
  }

  /** Applies changed settings: prices, colours, what may be chosen. */
  configure(): void {
    const { config } = this.#wants;
    this.#prices = this.#readPrices();
    this.#look = this.#makeLook();
    this.places.configure(config(), this.#prices, (i) => this.selection.total(i));
    this.#makeLegend();
    this.#wants.shell.root.classList.toggle('bsc-print', config().mode === 'print');
    this.#summaries.changeAll();
    this.#list.changeAll();
    this.map.change();
    this.#writeFields();
  }

  /** Applies statuses from the stream, in order. */
  hear(changes: WireStatus[]): void {
    const touched = changes.map((change) => this.places.apply(change)).filter((i) => i >= 0);
    const told = typeof this.#wants.config().onObjectStatusChanged === 'function';
    for (const i of touched) {
      this.#follower.follow(i);
      this.#summaries.change(i);
      this.#list.change(i);
      // Objects are described only if the page listens, because thousands may change together.
      if (told) this.#wants.emit('onObjectStatusChanged', describeObject(this.source, i));
    }
    if (touched.length > 0) this.map.change();
    if (touched.length > 0 && this.selection.all.length > 0)
      this.selection.validate({ onlyNews: true });
  }

  async receive(message: StatusMessage): Promise<void> {
    if ('changes' in message) {
      this.hear(message.changes);
      return;
    }
    const info = await this.#follower.readChart();
    if (info === null) return;
    // Shows the drawing again after it, or its categories, have changed.
    if (JSON.stringify(info.chart) !== JSON.stringify(this.scene.chart)) {
      this.#wants.redraw();
      return;
    }
    this.places.reset(info.statuses);
    this.configure();
    this.#follower.reconcileSoon();
  }

  #question(i: number): Question {
    const { shell } = this.#wants;
    const detail = describeDetail(i, { source: this.source, config: this.#wants.config() });
    return {
      host: shell.root,
      anchor: this.#list.anchorOf(i) ?? this.map.anchorOf(i),
      title: nameOf(this.scene, i),
      detail,
    };
  }

  /** Asks about a place; it is marked on map and list until there is an answer. */
  async #ask<T>(i: number, open: (question: Question) => Promise<T>): Promise<T> {
    const answer = open(this.#question(i));
    this.map.mark(i, this.#wants.shell.root.querySelector('dialog')?.getBoundingClientRect());
    this.#list.mark(i);
    try {
      return await answer;
    } finally {
      this.map.mark(-1);
      this.#list.mark(-1);
    }
  }

  #makeLook(): Look {
    const config = this.#wants.config();
    const look = makeLook(this.source, config, (group) => this.#summaries.of(group));
    this.#wants.shell.applyTheme(
      look.theme,
      config.colors?.cursorTooltipBackgroundColor,
      styleOf(config),
    );
    return look;
  }

  #makeLegend(): void {
    const { config, shell } = this.#wants;
    this.#legend?.remove();
    this.#legend = makeLegend({
      source: this.source,
      config: config(),
      theme: this.#look.theme,
      filtered: this.scene.chart.categories
        .filter((_, at) => this.places.isFiltered(at))
        .map(({ key }) => key),
      filter: (keys) => void this.#filter(keys),
    });
    if (this.#legend) shell.stage.before(this.#legend);
  }

  #changed(i: number): void {
    this.#summaries.change(i);
    this.#list.change(i);
    this.map.change();
    this.#writeFields();
  }

  #writeFields(): void {
    const { selectedObjectsInputName, holdTokenInputName } = this.#wants.config();
    if (!selectedObjectsInputName && !holdTokenInputName) return;
    const { fields } = this.#wants.shell;
    fields.replaceChildren();
    const add = (name: string, value: string) =>
      fields.append(make('input', { type: 'hidden', name, value }));
    if (selectedObjectsInputName)
      for (const label of this.selection.labels) add(selectedObjectsInputName, label);
    if (holdTokenInputName) add(holdTokenInputName, this.#wants.session.token);
  }

  #offersOf(i: number): Offer[] {
    return this.#prices.offersAt(i);
  }

  /**
   * Handles a press on map or list; a finger, which cannot hover, first gets the place's card.
   */
  async #press(i: number, touch: boolean): Promise<void> {
    const { confirmSelection = 'auto' } = this.#wants.config().objectPopover ?? {};
    const own = typeof this.#wants.config().onObjectClicked === 'function';
    const asks =
      confirmSelection === 'always' ||
      (touch && (confirmSelection === 'touch' || (confirmSelection === 'auto' && !own)));
    const detail = () => describeQuestion(i, { source: this.source, config: this.#wants.config() });
    await this.choosing.press(
      i,
      asks
        ? () => this.#ask(i, (question) => askPlace({ ...question, detail: detail() }))
        : undefined,
    );
  }

  async #filter(keys: string[]): Promise<void> {
    const { filter, shell, config } = this.#wants;
    const at = [...(this.#legend?.querySelectorAll('button') ?? [])].indexOf(
      document.activeElement as HTMLButtonElement,
    );
    await filter(keys);
    // The focus returns to the button, because the legend was made anew.
    this.#legend?.querySelectorAll('button')[at]?.focus();
    shell.say(
      words.filtered(
        this.scene.chart.categories
          .filter(({ key }) => keys.includes(key))
          .map(({ label }) => translate(label)),
      ),
    );
    if (!config().categoryFilter?.zoomOnSelect) return;
    if (keys.length === 0) this.map.resetView();
    else
      this.map.zoomTo(
        this.scene.chart.categories.flatMap((_, category) =>
          this.places.isFiltered(category) ? placesOf(this.scene, category) : [],
        ),
      );
  }

  async #chooseBest(): Promise<void> {
    const { shell, findBest } = this.#wants;
    const found = await askBest(
      { host: shell.root, anchor: null, title: words.best },
      { source: this.source, most: this.selection.room, find: findBest },
    );
    if (!found) return;
    const places = found
      .map(({ label }) => this.scene.byLabel.get(label))
      .filter((i) => i !== undefined);
    this.map.zoomTo(places);
    shell.say(words.bestFound(places.map((i) => nameOf(this.scene, i))));
  }

  #toggleList(byHand = true): void {
    const { shell } = this.#wants;
    const open = this.#list.element.hidden !== false;
    if (!open && !this.#canDraw) return;
    shell.showList(open);
    shell.toggle.hidden = !this.#canDraw;
    for (const part of [this.map.minimap, this.#floorBar.element]) part.inert = open;
    this.#list.show(open, byHand);
    if (!open) shell.toggle.focus();
  }
}

function placesOf(scene: Scene, category: number): number[] {
  return Array.from({ length: scene.size }, (_, i) => i).filter(
    (i) => scene.category[i] === category && scene.owner[i] === i,
  );
}
