/**
 * The designer's canvas: follows the studio's state, decides what is repainted at each frame, and
 * serves the tools.
 */
import type { Point } from '#server/drawing/model/data.ts';
import { applyEdit, type Edit } from '#server/drawing/model/edit.ts';
import { NOTHING_SELECTED, type Selection } from '#server/drawing/model/selection.ts';
import type { Studio, StudioState } from '#apps/chart/designer/state/studio.ts';
import { paintBackdrop, withTraced } from './paint/backdrop.ts';
import { Camera } from './scene/camera.ts';
import { readLook, type Look } from './paint/look.ts';
import { paintEntries } from './paint/paint.ts';
import type { Heat, Picture, Stroke } from './paint/picture.ts';
import { Pictures } from './paint/pictures.ts';
import { Scene } from './scene/scene.ts';
import type { CanvasSettings } from './settings.ts';
import { spare, type Surface } from './surface.ts';

/**
 * If a frame takes more milliseconds, a gesture would stutter, so the painted picture is moved
 * instead.
 */
const slowPaint = 9;
const sharpenAfter = 120;
const mostStretch = 2;
/** The share of the screen that a moved picture must still cover. */
const leastCover = 0.7;

/** The parts of the studio's state, besides the drawing, that the picture shows. */
const painted = ['floor', 'section', 'selection', 'marked', 'overlay'] as const;

interface BoardWants {
  studio: Studio;
  surface: Surface;
  settings: () => CanvasSettings;
  heat: (state: StudioState) => Heat | null;
  /** Paints the top layer, in pixels of the page. */
  paintTop: (context: CanvasRenderingContext2D) => void;
  moved: () => void;
}

export class Board {
  readonly scene = new Scene();
  readonly camera = new Camera();
  readonly #wants: BoardWants;
  readonly #pictures: Pictures;
  #look: Look | null = null;
  #seen: StudioState | null = null;
  #heat: Heat | null = null;
  #stroke: Stroke | null = null;
  /** The edit that an unfinished act would make. */
  #preview: { edit: Edit; selection: Selection } | null = null;
  #dragged: Point | null = null;
  /** How far the dragged part had been moved when it was last painted. */
  #paintedAt: Point = { x: 0, y: 0 };
  #stale = { drawing: true, lifted: false, top: true };
  #moving = false;
  #cost = 0;
  #painted: { k: number; x: number; y: number } | null = null;
  #frame = 0;
  #sharpen: ReturnType<typeof setTimeout> | undefined;

  constructor(wants: BoardWants) {
    this.#wants = wants;
    this.#pictures = new Pictures(() => this.change());
  }

  get look(): Look {
    this.#look ??= readLook(this.#wants.surface.root, this.#wants.studio.state.doc.categories);
    return this.#look;
  }

  get dragged(): Point | null {
    return this.#dragged;
  }

  /** Takes over from the studio's new state what the picture shows. */
  follow(): void {
    const { state } = this.#wants.studio;
    const before = this.#seen;
    this.#seen = state;
    if (before?.doc !== state.doc) {
      this.#preview = null;
      this.#dragged = null;
      if (before?.doc.categories !== state.doc.categories) this.#look = null;
    }
    const isOther = !this.#preview && this.scene.show(state.doc, state.floor);
    // Without a size the view cannot be fitted; the first resize does it.
    if (before?.floor !== state.floor && this.camera.width > 0) this.fit();
    if (!this.#preview && (isOther || before?.selection !== state.selection))
      this.scene.select(state.selection);
    if (isOther || before?.marked !== state.marked) this.scene.mark(state.marked);
    if (isOther || before?.overlay !== state.overlay) this.#heat = this.#wants.heat(state);
    const isSame =
      before?.doc === state.doc && painted.every((part) => before[part] === state[part]);
    if (isSame) this.redraw();
    else this.change();
  }

  /** Repaints after the colours of the theme or of the panel have changed. */
  refresh(): void {
    this.#look = null;
    this.#heat = this.#wants.heat(this.#wants.studio.state);
    this.change();
  }

  /** Shows the whole floor, with the traced picture. */
  fit(): void {
    const { doc, floor } = this.#wants.studio.state;
    this.camera.fit(withTraced(this.scene.box, doc, floor));
    this.#wants.moved();
  }

  resize(width: number, height: number): void {
    const isFirst = this.camera.width === 0;
    this.#wants.surface.resize(width, height);
    this.camera.resize(width, height);
    if (isFirst) this.fit();
    this.#moving = false;
    this.#stale = { drawing: true, lifted: true, top: true };
    this.#paint();
  }

  /** Repaints everything at the next frame. */
  change(): void {
    this.#moving = false;
    this.#stale.drawing = true;
    this.#stale.lifted = true;
    this.redraw();
  }

  redraw(): void {
    this.#stale.top = true;
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#paint();
    });
  }

  /** Called when the view has moved; `settled` when it has come to rest. */
  move(settled: boolean): void {
    this.#stale.drawing = true;
    this.#stale.lifted = true;
    this.#moving = !settled;
    this.redraw();
    this.#wants.moved();
  }

  drag(by: Point | null): void {
    const isFirst = this.#dragged === null;
    if (isFirst && by === null) return;
    this.#dragged = by;
    if (isFirst || by === null) this.change();
    else this.redraw();
  }

  preview(edit: Edit | null, selection: Selection = NOTHING_SELECTED): void {
    const isFirst = this.#preview === null;
    if (isFirst && edit === null) return;
    const { state } = this.#wants.studio;
    this.#preview = edit && { edit, selection };
    this.scene.show(edit ? applyEdit(state.doc, edit) : state.doc, state.floor);
    this.scene.select(edit ? selection : state.selection);
    if (!edit) this.scene.mark(state.marked);
    if (isFirst || edit === null) return this.change();
    this.#stale.lifted = true;
    this.redraw();
  }

  stroke(stroke: Stroke | null): void {
    this.#stroke = stroke;
    this.change();
  }

  /** Removes the preview of an unfinished act. */
  drop(): void {
    this.drag(null);
    this.preview(null);
    if (this.#stroke) this.stroke(null);
  }

  /** Everything needed to paint the visible part. */
  picture(): Picture {
    return this.#picture('all', this.camera);
  }

  stop(): void {
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#sharpen);
    this.#frame = -1;
  }

  get #lifts(): boolean {
    return this.#dragged !== null || this.#preview !== null;
  }

  #picture(part: Picture['part'], camera: Camera): Picture {
    const { studio, surface, settings } = this.#wants;
    const { labels } = settings();
    return {
      camera,
      look: this.look,
      ratio: surface.ratio,
      part,
      section: studio.state.section,
      labels,
      pictures: this.#pictures,
      heat: this.#heat,
      stroke: this.#stroke,
    };
  }

  #paint(): void {
    if (this.camera.width === 0 || !this.#seen) return;
    if (this.#stale.drawing && !this.#canShift()) this.#paintDrawing();
    else if (this.#stale.drawing) this.#shift();
    if (this.#lifts) this.#paintLifted();
    const { top, ratio } = this.#topSheet;
    top.clear();
    top.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.#wants.paintTop(top.context);
    this.#stale.top = false;
  }

  get #topSheet() {
    const { top, ratio } = this.#wants.surface;
    return { top, ratio };
  }

  #paintDrawing(): void {
    clearTimeout(this.#sharpen);
    const began = performance.now();
    const { surface, settings, studio } = this.#wants;
    const { drawing, lifted } = surface;
    const picture = this.#picture(this.#lifts ? 'rest' : 'all', this.camera);
    const { doc, floor } = studio.state;
    const { grid, gridStep: step } = settings();
    const gridStep = grid ? step : null;
    paintBackdrop(drawing.context, picture, { doc, floor, gridStep });
    paintEntries(drawing.context, picture, this.scene.entries);
    drawing.place(0, 0);
    if (!this.#lifts) lifted.element.hidden = true;
    const { k, x, y } = this.camera;
    this.#painted = { k, x, y };
    this.#stale.drawing = false;
    this.#cost = performance.now() - began;
  }

  /** Dragged objects are painted once and then moved; a preview is painted each time. */
  #paintLifted(): void {
    const { lifted } = this.#wants.surface;
    const { k } = this.camera;
    const by = this.#dragged ?? { x: 0, y: 0 };
    const [dx, dy] = [(by.x - this.#paintedAt.x) * k, (by.y - this.#paintedAt.y) * k];
    const isNear = Math.abs(dx) < spare && Math.abs(dy) < spare;
    if (this.#stale.lifted || lifted.element.hidden || !isNear) {
      const camera = Object.assign(new Camera(), this.camera);
      camera.x += by.x * k + spare;
      camera.y += by.y * k + spare;
      camera.width += 2 * spare;
      camera.height += 2 * spare;
      lifted.clear();
      paintEntries(
        lifted.context,
        this.#picture('lifted', camera),
        this.scene.selected.toSorted((a, b) => a.rank - b.rank),
      );
      lifted.element.hidden = false;
      lifted.place(0, 0);
      this.#paintedAt = by;
      this.#stale.lifted = false;
    } else lifted.place(dx, dy);
  }

  /** The painted picture's new place on the screen. */
  #shifted(): { x: number; y: number; scale: number } | null {
    if (!this.#painted) return null;
    const { k, x, y } = this.camera;
    const scale = k / this.#painted.k;
    return { x: x - this.#painted.x * scale, y: y - this.#painted.y * scale, scale };
  }

  #canShift(): boolean {
    if (!this.#moving || this.#cost < slowPaint || this.#lifts) return false;
    const to = this.#shifted();
    if (!to || to.scale > mostStretch) return false;
    const { width, height } = this.camera;
    const wide = Math.min(width, to.x + width * to.scale) - Math.max(0, to.x);
    const high = Math.min(height, to.y + height * to.scale) - Math.max(0, to.y);
    return wide > 0 && high > 0 && wide * high >= leastCover * width * height;
  }

  #shift(): void {
    const to = this.#shifted();
    if (!to) return;
    this.#wants.surface.drawing.place(to.x, to.y, to.scale);
    clearTimeout(this.#sharpen);
    this.#sharpen = setTimeout(() => this.change(), sharpenAfter);
  }
}
