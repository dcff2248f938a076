/** All parts of one canvas, from its first paint to its end. */
import type { Feature } from '#apps/chart/designer/config.ts';
import type { Doc, Point } from '#server/drawing/model/data.ts';
import { selectItems, type Selection } from '#server/drawing/model/selection.ts';
import type { Overlay, Studio, StudioState, Tool } from '#apps/chart/designer/state/studio.ts';
import { makeHand } from '#apps/chart/designer/tools/tools.ts';
import { hitOn } from '#apps/chart/designer/tools/select.ts';
import { isSelected, selectionOf } from '#apps/chart/designer/tools/pick.ts';
import { listPlaces, type Place } from '#server/drawing/model/places.ts';
import { make } from '#apps/chart/page/dom.ts';
import { Board } from '#apps/chart/designer/canvas/board.ts';
import type { Desk, Hand, Spot } from '#apps/chart/designer/canvas/desk.ts';
import { openField } from '#apps/chart/designer/canvas/field.ts';
import { Edges } from './edges.ts';
import { spotOf, watchHands } from '#apps/chart/designer/canvas/gestures.ts';
import { paintCross, paintFocus, paintGone, paintSold } from '#apps/chart/designer/canvas/marks.ts';
import { ViewBar } from '#apps/chart/designer/canvas/view-bar.ts';
import { hints } from '#apps/chart/designer/tools/hints.ts';
import { guidesOf, paintGuides } from '#apps/chart/designer/canvas/scene/guides.ts';
import { Keys } from '#apps/chart/designer/canvas/keys.ts';
import { Minimap } from '#apps/chart/designer/canvas/minimap.ts';
import type { Heat } from '#apps/chart/designer/canvas/paint/picture.ts';
import { paintRulers } from '#apps/chart/designer/canvas/paint/rulers.ts';
import { usualSettings, type CanvasSettings } from '#apps/chart/designer/canvas/settings.ts';
import { Snapper } from '#apps/chart/designer/canvas/scene/snap.ts';
import { registerStyle } from '#apps/chart/designer/kit/style.ts';
import css from './canvas.css?inline';
import { Surface } from '#apps/chart/designer/canvas/surface.ts';

registerStyle(css);

export interface CanvasOptions {
  newId: () => string;
  /** False when the page has switched it off. */
  may?: (feature: Feature) => boolean;
  /**
   * Called for a right click, a long press or Shift+F10; the object there is selected already. In
   * pixels of the window.
   */
  menu?: (at: { x: number; y: number; id: string | null }) => void;
  /** The overlay's colours, which replace the categories. */
  heat?: (overlay: Overlay, doc: Doc) => Heat | null;
  /** Called when scale or settings have changed. */
  changed?: () => void;
  settings?: Partial<CanvasSettings>;
  /** False hides the switches below the canvas. */
  bar?: boolean;
}

const closest = 2.5;

export class CanvasLife {
  readonly root: HTMLElement;
  readonly board: Board;
  settings: CanvasSettings;
  readonly #studio: Studio;
  readonly #wants: CanvasOptions;
  readonly #end = new AbortController();
  readonly #minimap: Minimap;
  readonly #edges: Edges;
  readonly #bar: ViewBar;
  readonly #hint = make('div', { className: 'bsd-canvas-hint', id: 'bsd-canvas-hint' });
  readonly #keys: Keys;
  readonly #desk: Desk;
  #hand: Hand;
  #tool: Tool;
  #snapper: Snapper | null = null;
  #gone: NonNullable<Heat['gone']> = [];
  #sold: { of: readonly unknown[]; places: readonly Place[] } = { of: [], places: [] };
  #closeField: (() => void) | null = null;

  constructor(host: HTMLElement, studio: Studio, wants: CanvasOptions) {
    this.#studio = studio;
    this.#wants = wants;
    this.settings = { ...usualSettings, ...wants.settings };
    this.root = make('div', {
      className: 'bsd-canvas',
      tabIndex: 0,
      attributes: {
        role: 'application',
        'aria-label': 'Area di disegno della pianta',
        'aria-describedby': 'bsd-canvas-hint',
      },
    });
    if (getComputedStyle(host).position === 'static') host.style.position = 'relative';
    host.append(this.root);
    const { signal } = this.#end;
    this.board = new Board({
      studio,
      surface: new Surface(this.root),
      settings: () => this.settings,
      heat: (state) => this.#heatOf(state),
      paintTop: (context) => this.#paintTop(context),
      moved: () => this.#moved(),
    });
    this.#minimap = new Minimap({
      scene: this.board.scene,
      camera: this.board.camera,
      picture: () => this.board.picture(),
      go: () => this.board.move(true),
    });
    this.root.append(this.#minimap.element);
    this.#desk = this.#makeDesk();
    this.#tool = studio.state.tool;
    this.#hand = makeHand(this.#desk, this.#tool);
    this.#edges = new Edges(this.#desk, (event) => spotOf(this.root, this.board.camera, event));
    this.#bar = new ViewBar({ settings: () => this.settings, set: (part) => this.set(part) });
    this.root.append(...this.#edges.elements, this.#hint);
    if (wants.bar !== false) this.root.append(this.#bar.element);
    this.#keys = this.#watch(signal);
    this.#showTool();
    this.board.follow();
    const unsubscribe = studio.subscribe(() => this.#follow());
    signal.addEventListener('abort', unsubscribe);
  }

  #watch(signal: AbortSignal): Keys {
    const { root, board } = this;
    const cancel = () => this.cancel();
    const hand = () => this.#hand;
    const menu = (spot: Spot) => this.#openMenu(spot);
    const keys = new Keys({
      root,
      studio: this.#studio,
      camera: board.camera,
      settings: () => this.settings,
      hand,
      zoomBy: (factor) => this.zoomBy(factor),
      fit: () => this.fit(),
      menu,
      cancel,
      moved: () => board.redraw(),
      signal,
    });
    watchHands({
      surface: root,
      camera: board.camera,
      signal,
      hand,
      pans: () => keys.isPanning || this.#tool === 'hand',
      moved: (settled) => board.move(settled),
      menu,
      cursor: (name) => {
        root.style.cursor = name;
      },
    });
    const observer = new ResizeObserver(() => board.resize(root.clientWidth, root.clientHeight));
    observer.observe(root);
    signal.addEventListener('abort', () => observer.disconnect());
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => board.refresh(), {
      signal,
    });
    return keys;
  }

  #makeDesk(): Desk {
    const { board } = this;
    return {
      studio: this.#studio,
      scene: board.scene,
      camera: board.camera,
      newId: this.#wants.newId,
      settings: () => this.settings,
      may: (feature) => this.#wants.may?.(feature) ?? true,
      look: () => board.look,
      redraw: () => board.redraw(),
      drag: (by) => {
        if (by === null) this.#snapper = null;
        board.drag(by);
      },
      preview: (edit, selection) => board.preview(edit, selection),
      stroke: (stroke) => board.stroke(stroke),
      act: (edit, selection) => {
        this.#snapper = null;
        board.drop();
        if (edit) this.#studio.act(edit, selection);
      },
      snap: (spot) => this.#snap.point(spot),
      snapBox: (by, spot) => this.#snap.box(by, spot),
      ask: (field) => {
        this.#closeField?.();
        this.#closeField = openField(this.root, field);
      },
      menu: (spot) => this.#openMenu(spot),
      panBy: (dx, dy) => {
        board.camera.pan(dx, dy);
        board.move(true);
      },
    };
  }

  /** Made once per gesture. */
  get #snap(): Snapper {
    this.#snapper ??= new Snapper({
      scene: this.board.scene,
      camera: this.board.camera,
      settings: this.settings,
      guides: guidesOf(this.#floor),
    });
    return this.#snapper;
  }

  get #floor() {
    const { doc, floor } = this.#studio.state;
    return doc.floors.find(({ id }) => id === floor);
  }

  #follow(): void {
    const { tool } = this.#studio.state;
    this.#snapper = null;
    if (tool !== this.#tool) {
      this.cancel();
      this.#tool = tool;
      this.#hand = makeHand(this.#desk, tool);
      this.root.style.cursor = '';
      this.#showTool();
    }
    this.board.follow();
    this.#minimap.change();
  }

  /** Shows hint, ruler handles and bar for the current tool and settings. */
  #showTool(): void {
    this.#hint.textContent = hints[this.#tool] ?? '';
    this.#edges.show(this.settings.rulers);
    this.#bar.show();
  }

  #heatOf({ overlay, doc }: StudioState): Heat | null {
    const heat = overlay === 'none' ? null : (this.#wants.heat?.(overlay, doc) ?? null);
    this.#gone = heat?.gone ?? [];
    return heat;
  }

  /** The sold places of the visible floor; they are listed again only after a change. */
  #soldPlaces(): readonly Place[] {
    const { doc, sold, floor } = this.#studio.state;
    if (sold.size === 0) return [];
    const { of, places } = this.#sold;
    if (of[0] === doc && of[1] === sold && of[2] === floor) return places;
    const found = listPlaces(doc).filter((place) => place.floor === floor && sold.has(place.label));
    this.#sold = { of: [doc, sold, floor], places: found };
    return found;
  }

  #moved(): void {
    this.#snapper = null;
    this.#wants.changed?.();
  }

  #openMenu(spot: Spot): void {
    const { studio } = this.#desk;
    const hit = hitOn(this.#desk, spot);
    const { doc, selection } = studio.state;
    if (hit && !isSelected(selection, hit))
      studio.set({ selection: selectionOf(doc, hit, this.settings.pick) });
    const { left, top } = this.root.getBoundingClientRect();
    const id = hit?.entry.item.id ?? null;
    this.#wants.menu?.({ x: left + spot.sx, y: top + spot.sy, id });
  }

  #paintTop(context: CanvasRenderingContext2D): void {
    const { camera, look, scene } = this.board;
    paintGuides(context, { camera, look }, guidesOf(this.#floor));
    const focus = this.#floor?.data.focalPoint;
    const sold = this.#soldPlaces();
    if (sold.length > 0) paintSold(context, { camera, look }, sold);
    const gone = this.#gone.filter(({ floor }) => floor === this.#floor?.id);
    if (gone.length > 0) paintGone(context, { camera, look }, gone);
    if (focus) paintFocus(context, look, camera.toScreen(focus));
    this.#hand.paint?.(context);
    this.#edges.paint(context);
    if (this.#keys.cross) paintCross(context, look, camera.toScreen(this.#keys.cross));
    if (this.settings.rulers)
      paintRulers(context, {
        camera,
        look,
        cm: this.#studio.state.doc.root.x_cmPerUnit,
        marked: scene.boxOf(this.#studio.state.selection),
      });
    this.#minimap.show(this.settings.minimap);
  }

  set(part: Partial<CanvasSettings>): void {
    this.settings = { ...this.settings, ...part };
    this.#snapper = null;
    this.#showTool();
    this.board.change();
    this.#wants.changed?.();
  }

  zoomBy(factor: number): void {
    this.board.camera.zoom(factor);
    this.board.move(true);
  }

  fit(): void {
    this.board.fit();
    this.board.move(true);
  }

  screenOf(at: Point): Point {
    const { left, top } = this.root.getBoundingClientRect();
    const { x, y } = this.board.camera.toScreen(at);
    return { x: left + x, y: top + y };
  }

  zoomTo(selection: Selection): void {
    const { doc, floor } = this.#studio.state;
    const ids = [...selection.items, ...selection.seats.keys()];
    const floors = ids.map((id) => doc.items.get(id)?.floor);
    if (floors.length > 0 && floors[0] && !floors.includes(floor))
      this.#studio.set({ floor: floors[0] });
    const box = this.board.scene.boxOf(
      selection.items.size + selection.seats.size > 0 ? selection : selectItems(doc.items.keys()),
    );
    if (box.left > box.right) return;
    this.board.camera.fit(box, closest);
    this.board.move(true);
  }

  cancel(): boolean {
    const field = this.#closeField;
    this.#closeField = null;
    field?.();
    const wasBusy = this.#hand.cancel();
    this.#snapper = null;
    this.board.drop();
    return wasBusy;
  }

  destroy(): void {
    this.#end.abort();
    this.#closeField?.();
    this.#minimap.stop();
    this.board.stop();
    this.root.remove();
  }
}
