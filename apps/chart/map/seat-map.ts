/**
 * The map itself: the visible part of the drawing, its movement, and the object under a finger or
 * the mouse.
 */
import { Band } from './band.ts';
import { Canvas } from './canvas.ts';
import type { ChartConfig, Emit } from '#apps/chart/config.ts';
import { watchGestures } from './gestures.ts';
import { hitGroup, hitPlace, seatsWithin } from './hit.ts';
import { Minimap } from './minimap.ts';
import { describeObject, type ObjectSource } from '#apps/chart/places/objects.ts';
import { emptyBox, widen, widenBy } from '#apps/chart/scene/outline.ts';
import { isBlock } from '#apps/chart/paint/paint-block.ts';
import { askedReach } from '#apps/chart/paint/paint-seats.ts';
import type { Look, Picture } from '#apps/chart/paint/picture.ts';
import { FREE, MINE, type Places } from '#apps/chart/places/places.ts';
import { Pulse } from '#apps/chart/paint/pulse.ts';
import {
  boxOfOther,
  floorAt,
  placePoint,
  placeSection,
  type Scene,
  type SceneFloor,
  type SceneGroup,
  SEAT,
} from '#apps/chart/scene/scene.ts';
import type { Shell } from '#apps/chart/page/shell.ts';
import type { Summaries } from '#apps/chart/places/summaries.ts';
import { Tip } from './tip.ts';
import { type Covered, View } from './view.ts';
import { words } from '#apps/chart/words.ts';

interface MapWants {
  source: ObjectSource;
  summaries: Summaries;
  look: () => Look;
  shell: Shell;
  config: () => ChartConfig;
  emit: Emit;
  signal: AbortSignal;
  press: (i: number, touch: boolean) => void;
  /** Chooses the places in a drawn rectangle. */
  pressAll: (places: readonly number[]) => void;
  floorChanged: (name: string) => void;
}

/** Seats with a smaller radius on the screen cannot be hit with a finger, or with a mouse. */
const pickable = { touch: 11, mouse: 3.4 };
const comfortable = { touch: 17, mouse: 13 };
const fingerReach = 20;
/** Heights of the elements over the map, with their margins. */
const floorsRoom = 62;
const hintRoom = 44;
/** The height of the section's name at the top of the view. */
const headRoom = 30;

export class SeatMap {
  readonly #wants: MapWants;
  readonly #scene: Scene;
  readonly #places: Places;
  readonly #view: View;
  readonly #canvas: Canvas;
  readonly #minimap: Minimap;
  readonly #pulse: Pulse;
  readonly #tip: Tip;
  readonly #band: Band | null;
  readonly #buttons: {
    zoomIn: HTMLButtonElement;
    zoomOut: HTMLButtonElement;
    home: HTMLButtonElement;
  };
  #hover = -1;
  #asked = -1;
  #floor = 0;
  #spotlight: ReadonlySet<number> | null = null;
  #overviewTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(wants: MapWants) {
    this.#wants = wants;
    const { source, shell, signal, config } = wants;
    this.#scene = source.scene;
    this.#places = source.places;
    this.#view = new View((settled) => this.#moved(settled));
    this.#tip = new Tip({ ...wants, view: this.#view });
    const { activeFloor } = config();
    this.#floor = Math.max(
      0,
      this.#scene.floors.findIndex(({ name }) => name === activeFloor),
    );
    this.#frame();
    this.#canvas = new Canvas(shell.map, () => this.#picture());
    this.#pulse = new Pulse(() => this.#canvas.change());
    this.#minimap = new Minimap(this.#view, () => this.#picture(), signal);
    this.#buttons = {
      zoomIn: shell.addTool('plus', words.zoomIn, () => this.#view.glideBy(1.7)),
      zoomOut: shell.addTool('minus', words.zoomOut, () => this.#view.glideBy(1 / 1.7)),
      home: shell.addTool('home', words.home, () => this.#view.glideHome()),
    };
    this.#band = config().multiSelectEnabled
      ? new Band(shell, ({ left, top, right, bottom }) => {
          const from = this.#view.toWorld(left, top);
          const to = this.#view.toWorld(right, bottom);
          const box = { left: from.x, top: from.y, right: to.x, bottom: to.y };
          wants.pressAll(seatsWithin(this.#scene, this.#places, { box, floor: this.#floor }));
        })
      : null;
  }

  get minimap(): HTMLElement {
    return this.#minimap.element;
  }

  /** Follows the page's size and listens for input; call it once everything is on the page. */
  start(): void {
    const { shell, signal, config } = this.#wants;
    const watcher = new ResizeObserver(() => this.#resize());
    watcher.observe(shell.stage);
    signal.addEventListener('abort', () => {
      watcher.disconnect();
      this.#canvas.stop();
      this.#pulse.stop();
      this.#view.stop();
      this.#tip.hide();
      clearTimeout(this.#overviewTimer);
    });
    watchGestures({
      surface: shell.map,
      view: this.#view,
      signal,
      fixed: () => config().mode === 'print',
      tap: (x, y, touch) => this.#tap({ x, y, touch }),
      doubleTap: (x, y) => this.#doubleTap(x, y),
      hover: (at) => this.#hovered(at),
      band: this.#band,
    });
    this.#watchPixels();
    this.#resize();
  }

  /** Repaints after a change of the looks. */
  change(): void {
    this.#canvas.change();
    this.#staleOverview();
  }

  /** Shows texts from the page that have arrived. */
  refresh(): void {
    this.#tip.refresh();
    this.change();
  }

  /**
   * Follows the pixel density, which changes when a window moves to another screen or the page is
   * zoomed. A media query is for one density, so a new one is made each time.
   */
  #watchPixels(): void {
    const { signal } = this.#wants;
    matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener(
      'change',
      () => {
        if (signal.aborted) return;
        this.#resize();
        this.#watchPixels();
      },
      { signal, once: true },
    );
  }

  #frame(): void {
    const radii = this.#scene.groups
      .filter(({ floor, rows }) => floor === this.#floor && rows.length > 0)
      .map((group) => group.radius);
    this.#view.frame(
      floorAt(this.#scene, this.#floor).bounds,
      radii.length > 0 ? Math.min(...radii) : 0,
    );
  }

  get activeFloor(): SceneFloor {
    return floorAt(this.#scene, this.#floor);
  }

  /** Shows a whole floor; false when no floor has that name. */
  showFloor(name: string): boolean {
    const floor = this.#scene.floors.findIndex((one) => one.name === name);
    if (floor < 0) return false;
    if (floor === this.#floor) return true;
    this.#floor = floor;
    this.#wants.floorChanged(name);
    this.#hover = -1;
    this.#frame();
    this.#resize();
    this.#canvas.change();
    return true;
  }

  #floorOf(i: number): number {
    return (
      this.#scene.groups.find(
        (group) =>
          (group.section === this.#scene.section[i] &&
            (group.section >= 0 || this.#scene.floors.length === 1)) ||
          this.#holds(group, i),
      )?.floor ?? 0
    );
  }

  #holds(group: SceneGroup, i: number): boolean {
    return (
      group.others.includes(i) ||
      group.rows.some((row) => i >= row.first && i < row.first + row.count)
    );
  }

  /** Shows pulsing rings around these places until unpulse(). */
  pulse(places: readonly number[]): void {
    this.#pulse.add(places);
    this.#canvas.change();
  }

  unpulse(places: readonly number[]): void {
    this.#pulse.remove(places);
    this.#canvas.change();
  }

  /** Fades all other places; null ends it. */
  spotlight(places: readonly number[] | null): void {
    this.#spotlight = places && new Set(places);
    this.change();
  }

  resetView(): void {
    this.#view.glideHome();
  }

  /** Zooms to these places so that they can be hit. */
  zoomTo(places: number[]): void {
    const [first] = places;
    if (first !== undefined && this.#scene.floors.length > 1) {
      const floor = this.#floorOf(first);
      this.showFloor(floorAt(this.#scene, floor).name);
      places = places.filter((i) => this.#floorOf(i) === floor);
    }
    const { kind, groups } = this.#scene;
    const box = emptyBox();
    const sections = new Set<number>();
    for (const i of places) {
      const { x, y } = placePoint(this.#scene, i);
      if (kind[i] === SEAT) widen(box, x, y);
      else widenBy(box, boxOfOther(this.#scene, i));
      sections.add(placeSection(this.#scene, i));
    }
    const radius = Math.max(
      0,
      ...[...sections].map((at) => groups.find((group) => group.section === at)?.radius ?? 0),
    );
    if (places.length > 0)
      this.#view.glideToBox(box, radius > 0 ? comfortable.touch / radius : Infinity);
  }

  zoomToSection(label: string): boolean {
    const group = this.#scene.groups.find(
      ({ section }) => this.#scene.chart.sections[section]?.label === label,
    );
    if (!group) return false;
    this.showFloor(floorAt(this.#scene, group.floor).name);
    this.#view.glideToBox(group.box);
    return true;
  }

  /** Marks the place of an open question and moves it beside the dialog; -1 removes the mark. */
  mark(i: number, box?: DOMRect): void {
    this.#asked = i;
    this.#canvas.change();
    if (i < 0 || !box) return;
    const place = this.anchorOf(i);
    const stage = this.#wants.shell.map.getBoundingClientRect();
    const covered = place.bottom + 8 - box.top;
    const hides = covered > 0 && box.bottom > place.top && box.left < place.right;
    if (hides && box.right > place.left)
      this.#view.pan(0, -Math.min(covered, Math.max(0, place.top - stage.top - headRoom)));
  }

  /** The rectangle of a place on the page, with its ring. */
  anchorOf(i: number): DOMRect {
    const box = this.#wants.shell.map.getBoundingClientRect();
    const point = placePoint(this.#scene, i);
    const at = this.#view.toScreen(point.x, point.y);
    const group = this.#scene.groups.find(({ section }) => section === this.#scene.section[i]);
    const ring = (group?.radius ?? 0) * this.#view.camera.k * askedReach;
    const radius = this.#scene.kind[i] === SEAT ? Math.max(14, ring) : 24;
    return new DOMRect(box.left + at.x - radius, box.top + at.y - radius, radius * 2, radius * 2);
  }

  #picture(): Picture {
    const { camera, width, height } = this.#view;
    return {
      scene: this.#scene,
      places: this.#places,
      look: this.#wants.look(),
      camera,
      width,
      height,
      ratio: this.#canvas.ratio,
      floor: this.#floor,
      whole: this.#view.isWhole,
      hover: this.#hover,
      asked: this.#asked,
      pulsing: this.#pulse.places,
      beat: this.#pulse.beat,
      spotlight: this.#spotlight,
    };
  }

  /** Updates the minimap once when many seats change together. */
  #staleOverview(): void {
    clearTimeout(this.#overviewTimer);
    this.#overviewTimer = setTimeout(() => this.#minimap.change(), 150);
  }

  #resize(): void {
    const { clientWidth, clientHeight } = this.#wants.shell.stage;
    if (clientWidth === 0 || clientHeight === 0) return;
    this.#tip.hide();
    this.#view.resize(clientWidth, clientHeight, this.#covered);
    if (this.#canvas.resize(clientWidth, clientHeight)) this.#minimap.change();
  }

  /** Heights that the whole view leaves to the floor buttons and the hint for fingers. */
  get #covered(): Covered {
    if (this.#wants.config().mode === 'print') return { top: 0, bottom: 0 };
    return {
      top: this.#scene.floors.length > 1 ? floorsRoom : 0,
      bottom: matchMedia('(pointer: coarse)').matches ? hintRoom : 0,
    };
  }

  #moved(settled: boolean): void {
    const { shell, config } = this.#wants;
    const whole = this.#view.isWhole;
    this.#tip.hide();
    this.#canvas.move(settled);
    this.#minimap.show(
      !whole &&
        config().showMinimap !== false &&
        config().mode !== 'print' &&
        this.#scene.chart.sections.length > 0,
    );
    // In the whole view a finger scrolls the page; zoomed in it moves the map.
    shell.map.style.touchAction = whole ? 'pan-y' : 'none';
    shell.hint.hidden =
      !whole ||
      !matchMedia('(pointer: coarse)').matches ||
      !this.#scene.groups.some(
        (group) => group.rows.length > 0 && this.#pixels(group) < pickable.touch,
      );
    this.#buttons.zoomIn.setAttribute('aria-disabled', String(this.#view.isClosest));
    this.#buttons.zoomOut.setAttribute('aria-disabled', String(whole));
    this.#buttons.home.setAttribute('aria-disabled', String(whole));
  }

  #pixels(group: SceneGroup): number {
    return group.radius * this.#view.camera.k;
  }

  /** Whether a group's seats are too small to hit or not shown, so that a press zooms in. */
  #isFar(group: SceneGroup, kind: keyof typeof pickable): boolean {
    return this.#pixels(group) < pickable[kind] || isBlock(group, this.#picture());
  }

  #groupAt(at: { x: number; y: number }): SceneGroup | null {
    const group = hitGroup(this.#scene, { ...at, floor: this.#floor });
    return group && !this.#wants.summaries.of(group).hidden ? group : null;
  }

  #tap({ x, y, touch }: { x: number; y: number; touch: boolean }): void {
    const at = this.#view.toWorld(x, y);
    const hit = hitPlace(this.#scene, this.#places, {
      ...at,
      floor: this.#floor,
      reach: (touch ? fingerReach : 3) / this.#view.camera.k,
    });
    const group = hit?.group ?? this.#groupAt(at);
    const kind = touch ? 'touch' : 'mouse';
    const isSeat = !hit || this.#scene.kind[hit.place] === SEAT;
    if (group && isSeat && group.rows.length > 0 && this.#isFar(group, kind)) {
      const k = comfortable[kind] / group.radius;
      const middle = hit ? placePoint(this.#scene, hit.place) : at;
      if (this.#view.scaleOf(group.box) >= k) this.#view.glideToBox(group.box, k);
      else this.#view.glideToPoint(middle.x, middle.y, k);
      return;
    }
    this.#tip.hide();
    if (!hit) return;
    const open = this.#places.state[hit.place] === FREE || this.#places.state[hit.place] === MINE;
    if (touch && !open) this.#tip.show(hit.place, true);
    void this.#wants.press(hit.place, touch);
    // After a choice without a question (only one price) a finger gets the card; a question has a
    // title of its own.
    if (touch && open && isSeat && this.#places.state[hit.place] === MINE)
      this.#tip.show(hit.place, true);
  }

  #doubleTap(x: number, y: number): void {
    const at = this.#view.toWorld(x, y);
    const hit = hitPlace(this.#scene, this.#places, {
      ...at,
      floor: this.#floor,
      reach: 3 / this.#view.camera.k,
    });
    // A double click on a place counts as two clicks and does not zoom, unless the place is a
    // seat too small to hit.
    if (hit && (this.#scene.kind[hit.place] !== SEAT || !this.#isFar(hit.group, 'mouse')))
      this.#tap({ x, y, touch: false });
    else if (this.#view.isClosest) this.#view.glideHome();
    else this.#view.glideBy(2.2, x, y);
  }

  #hovered(at: { x: number; y: number } | null): void {
    const { emit, shell } = this.#wants;
    const world = at && this.#view.toWorld(at.x, at.y);
    const hit =
      world && hitPlace(this.#scene, this.#places, { ...world, floor: this.#floor, reach: 0 });
    const near =
      hit && (this.#scene.kind[hit.place] !== SEAT || !this.#isFar(hit.group, 'mouse'))
        ? hit.place
        : -1;
    const group = world && near < 0 ? this.#groupAt(world) : null;
    const far = group && this.#isFar(group, 'mouse') ? group : null;
    shell.map.classList.toggle(
      'bsc-over',
      far !== null ||
        (near >= 0 && (this.#places.state[near] === FREE || this.#places.state[near] === MINE)),
    );
    if (at && near < 0 && far) this.#tip.showGroup(far, at);
    if (near === this.#hover) {
      if (near < 0 && !far) this.#tip.hide();
      return;
    }
    if (this.#hover >= 0) emit('onObjectMouseOut', describeObject(this.#wants.source, this.#hover));
    this.#hover = near;
    if (near >= 0) {
      emit('onObjectMouseOver', describeObject(this.#wants.source, near));
      this.#tip.show(near, false);
    } else if (!far) this.#tip.hide();
    this.#canvas.change();
  }
}
