/** Makes the rulers draggable: guides are dragged out of them. */
import type { Desk, Spot } from '#apps/chart/designer/canvas/desk.ts';
import { make } from '#apps/chart/page/dom.ts';
import { layGuide } from '#apps/chart/designer/tools/guide.ts';
import type { Gesture } from '#apps/chart/designer/tools/gesture.ts';

export class Edges {
  readonly elements: readonly HTMLElement[];
  #gesture: Gesture | null = null;

  constructor(desk: Desk, spotOf: (event: PointerEvent) => Spot) {
    // The upper ruler gives horizontal guides, the left one vertical ones.
    this.elements = (['y', 'x'] as const).map((axis) => {
      const edge = make('div', {
        className: 'bsd-canvas-edge',
        attributes: { 'aria-hidden': 'true', 'data-axis': axis },
      });
      edge.addEventListener('pointerdown', (event) => {
        event.stopPropagation();
        if (event.button > 0 || desk.studio.state.readOnly) return;
        edge.setPointerCapture(event.pointerId);
        this.#gesture = layGuide(desk, axis, null);
      });
      edge.addEventListener('pointermove', (event) => {
        event.stopPropagation();
        this.#gesture?.drag(spotOf(event));
      });
      edge.addEventListener('pointerup', (event) => {
        event.stopPropagation();
        this.#gesture?.end(spotOf(event));
        this.#gesture = null;
      });
      edge.addEventListener('pointercancel', () => {
        this.#gesture = null;
        desk.redraw();
      });
      return edge;
    });
  }

  show(wanted: boolean): void {
    for (const edge of this.elements) edge.hidden = !wanted;
  }

  paint(context: CanvasRenderingContext2D): void {
    this.#gesture?.paint?.(context);
  }
}
