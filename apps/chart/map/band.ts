/**
 * A rectangle over the map that chooses every place it touches (`multiSelectEnabled`). It is
 * drawn with the mouse while Shift is held, or with mouse or finger after its button was pressed.
 */
import type { Band as BandGesture, Spot } from './gestures.ts';
import type { Shell } from '#apps/chart/page/shell.ts';
import type { Box } from '#apps/chart/scene/outline.ts';
import { make } from '#apps/chart/page/dom.ts';
import { words } from '#apps/chart/words.ts';

export class Band implements BandGesture {
  readonly #element: HTMLElement;
  readonly #button: HTMLButtonElement;
  readonly #choose: (corners: Box) => void;

  /** `choose` gets the corners on the screen. */
  constructor(shell: Shell, choose: (corners: Box) => void) {
    this.#choose = choose;
    this.#element = make('div', {
      className: 'bsc-band',
      hidden: true,
      attributes: { 'aria-hidden': 'true' },
    });
    shell.stage.append(this.#element);
    this.#button = shell.addTool('band', words.band, () => {
      this.#button.setAttribute('aria-pressed', String(!this.#isOn));
    });
    this.#button.setAttribute('aria-pressed', 'false');
  }

  get #isOn(): boolean {
    return this.#button.getAttribute('aria-pressed') === 'true';
  }

  isWanted(event: PointerEvent): boolean {
    return this.#isOn || (event.shiftKey && event.pointerType === 'mouse');
  }

  draw(from: Spot, to: Spot): void {
    const { left, top, right, bottom } = cornersOf(from, to);
    const { style } = this.#element;
    style.transform = `translate(${left}px,${top}px)`;
    style.width = `${right - left}px`;
    style.height = `${bottom - top}px`;
    this.#element.hidden = false;
  }

  end(from: Spot, to: Spot | null): void {
    this.#element.hidden = true;
    if (to !== null) this.#choose(cornersOf(from, to));
  }
}

function cornersOf(from: Spot, to: Spot): Box {
  return {
    left: Math.min(from.x, to.x),
    top: Math.min(from.y, to.y),
    right: Math.max(from.x, to.x),
    bottom: Math.max(from.y, to.y),
  };
}
