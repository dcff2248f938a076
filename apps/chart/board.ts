/** One drawn chart: puts map, list, legend and selection together and carries changes between them. */
import type { RenderingInfo, StatusMessage, WireStatus } from '#server/standins/seatsio/wire.ts';
import { Canvas } from './canvas.ts';
import type { Client } from './client.ts';
import type { ChartConfig, Emit } from './config.ts';
import { make } from './dom.ts';
import { watchGestures } from './gestures.ts';
import { hitGroup, hitPlace } from './hit.ts';
import type { HoldResult, HoldSession } from './hold.ts';
import { makeLegend } from './legend.ts';
import { SeatList } from './list.ts';
import { Minimap } from './minimap.ts';
import { categoryBeside, describeObject, flagsOf, nameOf, type ObjectSource, priceRange, statusWord } from './objects.ts';
import type { Look, Picture } from './paint.ts';
import { FREE, MINE, Places } from './places.ts';
import { cheapest, PriceList } from './pricing.ts';
import { askCounts, askTicketType } from './prompt.ts';
import { type Box, boxOfOther, buildScene, type Scene, SEAT, type SceneGroup } from './scene.ts';
import { Selection } from './selection.ts';
import type { Shell } from './shell.ts';
import { makeTheme } from './theme.ts';
import { View } from './view.ts';
import { words } from './words.ts';

interface BoardWants {
  info: RenderingInfo;
  shell: Shell;
  client: Client;
  session: HoldSession;
  config: () => ChartConfig;
  emit: Emit;
  signal: AbortSignal;
  /** The drawing itself is another one now. */
  redraw: () => void;
}

/** Seats smaller than this on the screen cannot be met with a finger, or with a mouse. */
const pickable = { touch: 11, mouse: 3.4 };
const comfortable = { touch: 17, mouse: 13 };
const fingerReach = 20;
const tipTime = 2000;
const reconcileAfter = 250;
const firstRetry = 500;
const lastRetry = 20_000;

export class Board {
  readonly scene: Scene;
  readonly places: Places;
  readonly selection: Selection;
  readonly source: ObjectSource;
  readonly #wants: BoardWants;
  readonly #view: View;
  readonly #canvas: Canvas;
  readonly #minimap: Minimap;
  readonly #list: SeatList;
  readonly #summaries = new Map<SceneGroup, ReturnType<Look['summaryOf']>>();
  readonly #buttons: { zoomIn: HTMLButtonElement; zoomOut: HTMLButtonElement; home: HTMLButtonElement };
  #prices: PriceList;
  #look: Look;
  #legend: HTMLElement | null = null;
  #hover = -1;
  #tipTimer: ReturnType<typeof setTimeout> | undefined;
  #reconcileTimer: ReturnType<typeof setTimeout> | undefined;
  /** Places whose hold got no answer: the server may have them for us. */
  readonly #doubtful = new Set<number>();
  #overviewTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(wants: BoardWants) {
    this.#wants = wants;
    const { info, shell, config, signal, session, emit } = wants;
    this.scene = buildScene(info);
    this.places = new Places(this.scene, (i) => describeObject(this.source, i));
    this.#prices = new PriceList(config(), this.scene);
    this.selection = new Selection({
      scene: this.scene, places: this.places, session, config, emit, signal,
      prices: () => this.#prices,
      objectOf: (i) => describeObject(this.source, i),
      changed: (i) => this.#changed(i),
      say: (text, kind) => shell.say(text, kind),
      answered: (i, result) => this.#answered(i, result),
      warn: (text) => shell.warn(text),
      askType: (i, offers) => askTicketType(this.#question(i), offers),
      askCounts: (i, offers) => askCounts(this.#question(i), { offers, now: this.selection.counts(i), most: this.selection.roomFor(i), prices: this.#prices }),
    });
    this.source = {
      scene: this.scene, places: this.places, prices: () => this.#prices,
      counts: (i) => this.selection.counts(i),
      holdToken: () => session.token,
      select: async (i, ticketType) => { await this.selection.select(i, ticketType); },
      deselect: (i, ticketType) => this.selection.deselect(i, ticketType),
    };
    this.places.reset(info.statuses);
    this.#view = new View((settled) => this.#moved(settled));
    const radii = this.scene.groups.filter((group) => group.rows.length > 0).map((group) => group.radius);
    this.#view.frame(this.scene.bounds, radii.length > 0 ? Math.min(...radii) : 100);
    this.#look = this.#makeLook();
    this.places.configure(config(), this.#prices, (i) => this.selection.total(i));
    this.#canvas = new Canvas(shell.map, () => this.#picture());
    this.#minimap = new Minimap(this.#view, () => this.#picture(), signal);
    this.#list = new SeatList({ source: this.source, press: (i) => void this.selection.press(i) });
    this.#buttons = {
      zoomIn: shell.addTool('plus', words.zoomIn, () => this.#view.glideBy(1.7)),
      zoomOut: shell.addTool('minus', words.zoomOut, () => this.#view.glideBy(1 / 1.7)),
      home: shell.addTool('home', words.home, () => this.#view.glideHome()),
    };
    this.#assemble();
  }

  #assemble(): void {
    const { shell, signal, config } = this.#wants;
    shell.stage.append(this.#minimap.element, this.#list.element);
    this.#makeLegend();
    shell.showStage();
    shell.toggle.addEventListener('click', () => this.#toggleList(), { signal });
    const watcher = new ResizeObserver(() => this.#resize());
    watcher.observe(shell.stage);
    signal.addEventListener('abort', () => {
      watcher.disconnect();
      this.#canvas.stop();
      this.#view.stop();
      for (const timer of [this.#tipTimer, this.#reconcileTimer, this.#overviewTimer]) clearTimeout(timer);
    });
    watchGestures({
      surface: shell.map, view: this.#view, signal,
      fixed: () => config().mode === 'print',
      tap: (x, y, touch) => this.#tap({ x, y, touch }),
      doubleTap: (x, y) => this.#doubleTap(x, y),
      hover: (at) => this.#hovered(at),
    });
    addEventListener('online', () => { if (this.#doubtful.size > 0) this.#reconcileSoon(); }, { signal });
    for (const query of ['(forced-colors: active)', '(resolution: 1dppx)']) matchMedia(query).addEventListener('change', () => {
      this.configure();
      this.#resize();
    }, { signal });
    this.#resize();
  }

  /** Settings changed: prices, colours, what may be chosen. */
  configure(): void {
    const { config } = this.#wants;
    this.#prices = new PriceList(config(), this.scene);
    this.#look = this.#makeLook();
    this.places.configure(config(), this.#prices, (i) => this.selection.total(i));
    this.#makeLegend();
    this.#summaries.clear();
    this.#list.changeAll();
    this.#canvas.change();
    this.#staleOverview();
  }

  /** Statuses from the stream, in their order. */
  hear(changes: WireStatus[]): void {
    const touched = changes.map((change) => this.places.apply(change)).filter((i) => i >= 0);
    for (const i of touched) {
      this.#follow(i);
      this.#changed(i);
      this.#wants.emit('onObjectStatusChanged', describeObject(this.source, i));
    }
    if (touched.length > 0 && this.selection.all.length > 0) this.selection.validate();
  }

  async receive(message: StatusMessage): Promise<void> {
    if ('changes' in message) {
      this.hear(message.changes);
      return;
    }
    const info = await this.#readChart();
    if (info === null) return;
    // Another drawing, or other categories for the same one.
    if (JSON.stringify(info.chart) !== JSON.stringify(this.scene.chart)) {
      this.#wants.redraw();
      return;
    }
    this.places.reset(info.statuses);
    this.configure();
    this.#reconcileSoon();
  }

  /** Without the new statuses the drawing would be wrong for good, so it asks until the line is back; null when the chart is gone. */
  async #readChart(): Promise<RenderingInfo | null> {
    const { client, signal } = this.#wants;
    for (let pause = firstRetry; !signal.aborted; pause = Math.min(pause * 2, lastRetry)) {
      const info = await client.readChart().catch(() => null);
      if (info !== null) return signal.aborted ? null : info;
      await new Promise((resolve) => { setTimeout(resolve, pause); });
    }
    return null;
  }

  /** What a new status means for a place that the visitor has chosen. */
  #follow(i: number): void {
    if (this.#doubtful.has(i)) this.#reconcileSoon();
    if (this.selection.total(i) === 0) return;
    const { session, emit, shell } = this.#wants;
    const { status, numHeld = 0 } = this.places.statusOf(i);
    const isArea = this.scene.counted[i] === 1;
    if (session.active && (isArea ? numHeld >= this.selection.total(i) : status === 'reservedByToken')) return;
    if (isArea && !session.active) return;
    if (status === 'booked') {
      // Most often the page's own order has just booked it: no alarm, and its own list stays.
      this.selection.drop(i, true);
      emit('onSelectedObjectBooked', describeObject(this.source, i));
    } else if (session.active) {
      this.#reconcileSoon();
    } else if (status !== 'free') {
      this.selection.drop(i);
      shell.say(words.lost, 'error');
      emit('onSelectedObjectUnavailable', describeObject(this.source, i));
    }
  }

  #answered(i: number, result: HoldResult): void {
    if (result.ok) this.#doubtful.delete(i);
    else if (result.reason === 'offline') this.#doubtful.add(i);
    if (this.#doubtful.has(i)) this.#reconcileSoon();
  }

  /** A message may be older than our own hold, and an answer may be lost: the token itself knows what it has. Asks until it is told. */
  #reconcileSoon(after = reconcileAfter): void {
    clearTimeout(this.#reconcileTimer);
    const { session, shell, emit, signal } = this.#wants;
    if (!session.active || signal.aborted) return;
    this.#reconcileTimer = setTimeout(async () => {
      const { token } = session;
      const held = await session.readHeld().catch(() => undefined);
      if (signal.aborted || held === null || token !== session.token) return;
      if (held === undefined) return this.#reconcileSoon(Math.min(after * 2, lastRetry));
      const lost = this.selection.reconcile(held);
      if (lost.length > 0) shell.say(words.lost, 'error');
      for (const i of lost) emit('onSelectedObjectUnavailable', describeObject(this.source, i));
      for (const i of this.selection.regain(held, this.#doubtful)) {
        this.#doubtful.delete(i);
        shell.say(words.held(nameOf(this.scene, i)));
      }
    }, after);
  }

  resetView(): void {
    this.#view.glideHome();
  }

  /** Shows these places large enough to be picked. */
  zoomTo(places: number[]): void {
    const box: Box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
    let radius = 0;
    for (const i of places) {
      const around = this.scene.kind[i] === SEAT ? { left: this.scene.x[i]!, right: this.scene.x[i]!, top: this.scene.y[i]!, bottom: this.scene.y[i]! } : boxOfOther(this.scene, i);
      box.left = Math.min(box.left, around.left);
      box.top = Math.min(box.top, around.top);
      box.right = Math.max(box.right, around.right);
      box.bottom = Math.max(box.bottom, around.bottom);
      radius = Math.max(radius, this.scene.groups.find((group) => group.section === this.scene.section[i])?.radius ?? 0);
    }
    if (places.length > 0) this.#view.glideToBox(box, radius > 0 ? comfortable.touch / radius : Infinity);
  }

  zoomToSection(label: string): boolean {
    const group = this.scene.groups.find(({ section }) => this.scene.chart.sections[section]?.label === label);
    if (group) this.#view.glideToBox(group.box);
    return group !== undefined;
  }

  #question(i: number) {
    const { shell } = this.#wants;
    const detail = [categoryBeside(this.scene, i), ...flagsOf(this.scene, i)].filter(Boolean).join(' · ');
    return { host: shell.root, anchor: this.#list.anchorOf(i) ?? this.#anchorOnMap(i), title: nameOf(this.scene, i), detail };
  }

  #anchorOnMap(i: number): DOMRect {
    const box = this.#wants.shell.map.getBoundingClientRect();
    const at = this.#view.toScreen(this.scene.x[i]!, this.scene.y[i]!);
    const radius = this.scene.kind[i] === SEAT ? 14 : 24;
    return new DOMRect(box.left + at.x - radius, box.top + at.y - radius, radius * 2, radius * 2);
  }

  #picture(): Picture {
    const { camera, width, height } = this.#view;
    return { scene: this.scene, places: this.places, look: this.#look, camera, width, height, ratio: this.#canvas.ratio, hover: this.#hover };
  }

  #makeLook(): Look {
    const config = this.#wants.config();
    const theme = makeTheme(config);
    this.#wants.shell.wear(theme, config.colors?.cursorTooltipBackgroundColor);
    const palette = [theme.available, ...this.scene.chart.categories.map(({ color }) => (theme.forced ? theme.available : config.colors?.availableObjectColor ?? color))];
    const tint = Uint16Array.from(this.scene.category, (category) => category + 1);
    let { names } = this.scene;
    const { objectColor, objectLabel, extraConfig } = config;
    if (objectColor || objectLabel) {
      names = [...names];
      for (let i = 0; i < this.scene.size; i++) {
        const object = describeObject(this.source, i);
        if (objectLabel) names[i] = String(objectLabel(object, names[i]!, extraConfig) ?? names[i]);
        if (!objectColor || theme.forced) continue;
        const color = objectColor(object, palette[tint[i]!]!, extraConfig) || palette[tint[i]!]!;
        const known = palette.indexOf(color);
        tint[i] = known >= 0 ? known : palette.push(color) - 1;
      }
    }
    return { theme, palette, tint, names, summaryOf: (group) => this.#summaryOf(group) };
  }

  #summaryOf(group: SceneGroup): ReturnType<Look['summaryOf']> {
    const known = this.#summaries.get(group);
    if (known) return known;
    let free = 0;
    const perTint = new Map<number, number>();
    const offers = [];
    for (const row of group.rows) {
      for (let i = row.first; i < row.first + row.count; i++) {
        if (this.places.state[i] !== FREE && this.places.state[i] !== MINE) continue;
        free += 1;
        const tint = this.#look.tint[i]!;
        if (!perTint.has(tint)) offers.push(...this.#prices.offersOf(this.scene.labels[i]!, this.scene.category[i]!));
        perTint.set(tint, (perTint.get(tint) ?? 0) + 1);
      }
    }
    const [tint = 0] = [...perTint].sort((a, b) => b[1] - a[1])[0] ?? [];
    const summary = { free, tint, price: priceRange(offers) };
    this.#summaries.set(group, summary);
    return summary;
  }

  #makeLegend(): void {
    const { config, shell } = this.#wants;
    this.#legend?.remove();
    this.#legend = config().showLegend ? makeLegend(this.source, config(), this.#look.theme) : null;
    if (this.#legend) shell.stage.before(this.#legend);
  }

  #changed(i: number): void {
    this.#summaries.clear();
    this.#list.change(i);
    this.#canvas.change();
    this.#staleOverview();
    this.#writeFields();
  }

  /** Many seats change together; the small picture follows once. */
  #staleOverview(): void {
    clearTimeout(this.#overviewTimer);
    this.#overviewTimer = setTimeout(() => this.#minimap.change(), 150);
  }

  #writeFields(): void {
    const { selectedObjectsInputName, holdTokenInputName } = this.#wants.config();
    if (!selectedObjectsInputName && !holdTokenInputName) return;
    const { fields } = this.#wants.shell;
    fields.replaceChildren();
    for (const value of selectedObjectsInputName ? this.selection.labels : []) fields.append(make('input', { type: 'hidden', name: selectedObjectsInputName!, value }));
    if (holdTokenInputName) fields.append(make('input', { type: 'hidden', name: holdTokenInputName, value: this.#wants.session.token }));
  }

  #resize(): void {
    const { clientWidth, clientHeight } = this.#wants.shell.stage;
    if (clientWidth === 0 || clientHeight === 0) return;
    this.#hideTip();
    this.#view.resize(clientWidth, clientHeight);
    this.#canvas.resize(clientWidth, clientHeight);
  }

  #moved(settled: boolean): void {
    const { shell, config } = this.#wants;
    const whole = this.#view.isWhole;
    this.#hideTip();
    this.#canvas.move(settled);
    this.#minimap.show(!whole && config().showMinimap !== false);
    // At the whole view a finger scrolls the page; zoomed in it moves the map.
    shell.map.style.touchAction = whole ? 'pan-y' : 'none';
    shell.hint.hidden = !whole || !matchMedia('(pointer: coarse)').matches || !this.scene.groups.some((group) => group.rows.length > 0 && this.#pixels(group) < pickable.touch);
    this.#buttons.zoomIn.setAttribute('aria-disabled', String(this.#view.isClosest));
    this.#buttons.zoomOut.setAttribute('aria-disabled', String(whole));
    this.#buttons.home.setAttribute('aria-disabled', String(whole));
  }

  #pixels(group: SceneGroup): number {
    return group.radius * this.#view.camera.k;
  }

  #tap({ x, y, touch }: { x: number; y: number; touch: boolean }): void {
    const at = this.#view.toWorld(x, y);
    const hit = hitPlace(this.scene, this.places, { ...at, reach: (touch ? fingerReach : 3) / this.#view.camera.k });
    const group = hit?.group ?? hitGroup(this.scene, at.x, at.y);
    const kind = touch ? 'touch' : 'mouse';
    const isSeat = !hit || this.scene.kind[hit.place] === SEAT;
    if (group && isSeat && group.rows.length > 0 && this.#pixels(group) < pickable[kind]) {
      const k = comfortable[kind] / group.radius;
      if (this.#view.scaleOf(group.box) >= k) this.#view.glideToBox(group.box, k);
      else if (hit) this.#view.glideToPoint(this.scene.x[hit.place]!, this.scene.y[hit.place]!, k);
      else this.#view.glideToPoint(at.x, at.y, k);
      return;
    }
    this.#hideTip();
    if (!hit) return;
    const open = this.places.state[hit.place] === FREE || this.places.state[hit.place] === MINE;
    if (touch && !open) this.#showTip(hit.place, true);
    void this.selection.press(hit.place);
    // With one price the choice is made by now; a question has its own title.
    if (touch && open && isSeat && this.places.state[hit.place] === MINE) this.#showTip(hit.place, true);
  }

  #doubleTap(x: number, y: number): void {
    const at = this.#view.toWorld(x, y);
    const hit = hitPlace(this.scene, this.places, { ...at, reach: 3 / this.#view.camera.k });
    // Two quick clicks on a seat are two clicks on a seat.
    if (hit && this.#pixels(hit.group) >= pickable.mouse) this.#tap({ x, y, touch: false });
    else if (this.#view.isClosest) this.#view.glideHome();
    else this.#view.glideBy(2.2, x, y);
  }

  #hovered(at: { x: number; y: number } | null): void {
    const { emit, shell } = this.#wants;
    const world = at && this.#view.toWorld(at.x, at.y);
    const hit = world && hitPlace(this.scene, this.places, { ...world, reach: 0 });
    const near = hit && (this.scene.kind[hit.place] !== SEAT || this.#pixels(hit.group) >= pickable.mouse) ? hit.place : -1;
    const group = world && near < 0 ? hitGroup(this.scene, world.x, world.y) : null;
    const far = group && this.#pixels(group) < pickable.mouse ? group : null;
    shell.map.classList.toggle('bsc-over', far !== null || (near >= 0 && (this.places.state[near] === FREE || this.places.state[near] === MINE)));
    if (near < 0 && far) this.#showGroupTip(far, at!);
    if (near === this.#hover) {
      if (near < 0 && !far) this.#hideTip();
      return;
    }
    if (this.#hover >= 0) emit('onObjectMouseOut', describeObject(this.source, this.#hover));
    this.#hover = near;
    if (near >= 0) {
      emit('onObjectMouseOver', describeObject(this.source, near));
      this.#showTip(near, false);
    } else if (!far) this.#hideTip();
    this.#canvas.change();
  }

  #showTip(i: number, passing: boolean): void {
    const offers = this.#prices.offersOf(this.scene.labels[i]!, this.scene.category[i]!);
    const state = this.places.state[i];
    const [chosenType] = this.selection.counts(i).keys();
    const shown = state === MINE && chosenType ? offers.filter((offer) => offer.ticketType === chosenType) : offers;
    const price = cheapest(shown) ? shown.filter((offer) => !offer.unavailable).map((offer) => [offer.label, offer.formatted].filter(Boolean).join(' ')).join(' · ') : '';
    const status = state === FREE ? (this.scene.counted[i] ? words.free(this.places.freePlaces(i)) : '') : statusWord(this.places, i);
    const facts = [categoryBeside(this.scene, i), ...flagsOf(this.scene, i), status].filter(Boolean).join(' · ');
    const lines = [make('b', {}, nameOf(this.scene, i))];
    if (price && (state === FREE || state === MINE)) lines.push(make('span', { className: 'bsc-price' }, price));
    if (facts) lines.push(make('span', {}, facts.charAt(0).toUpperCase() + facts.slice(1)));
    const at = this.#view.toScreen(this.scene.x[i]!, this.scene.y[i]!);
    const group = this.scene.groups.find(({ section }) => section === this.scene.section[i]);
    this.#placeTip(lines, { ...at, away: this.scene.kind[i] === SEAT && group ? this.#pixels(group) * 1.3 + 8 : 18 });
    if (passing) this.#tipTimer = setTimeout(() => this.#hideTip(), tipTime);
  }

  #showGroupTip(group: SceneGroup, at: { x: number; y: number }): void {
    const { free, price } = this.#summaryOf(group);
    const facts = free === 0 ? words.soldOut : [words.free(free), price].filter(Boolean).join(' · ');
    this.#placeTip([make('b', {}, group.name), make('span', {}, facts.charAt(0).toUpperCase() + facts.slice(1))], { ...at, away: 16 });
  }

  #placeTip(lines: HTMLElement[], { x, y, away }: { x: number; y: number; away: number }): void {
    const { tip, stage } = this.#wants.shell;
    clearTimeout(this.#tipTimer);
    tip.replaceChildren(...lines);
    tip.hidden = false;
    const { offsetWidth, offsetHeight } = tip;
    const left = Math.min(Math.max(8, x - offsetWidth / 2), stage.clientWidth - offsetWidth - 8);
    const above = y - away - offsetHeight;
    const top = above >= 6 ? above : Math.min(y + away, stage.clientHeight - offsetHeight - 6);
    tip.style.transform = `translate(${Math.round(left)}px,${Math.round(top)}px)`;
  }

  #hideTip(): void {
    clearTimeout(this.#tipTimer);
    this.#wants.shell.tip.hidden = true;
  }

  #toggleList(): void {
    const { shell } = this.#wants;
    const open = this.#list.element.hidden !== false;
    shell.stage.classList.toggle('bsc-listing', open);
    this.#list.show(open);
    for (const part of [shell.map, shell.tools, shell.hint, this.#minimap.element]) part.inert = open;
    shell.toggle.setAttribute('aria-expanded', String(open));
    shell.toggle.querySelector('span')!.textContent = open ? words.closeList : words.openList;
  }
}
