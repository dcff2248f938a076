/** The floors of a hall as a row of buttons on the map. */
import { make, makeButton } from '#apps/chart/page/dom.ts';
import { translate, words } from '#apps/chart/words.ts';

interface FloorChoice {
  name: string;
  displayName: string;
}

interface FloorBarWants {
  floors: readonly FloorChoice[];
  choose: (name: string) => void;
}

export class FloorBar {
  /** Hidden for a hall of one floor. */
  readonly element: HTMLElement;
  readonly #buttons = new Map<string, HTMLButtonElement>();

  constructor({ floors, choose }: FloorBarWants) {
    this.element = make('div', {
      className: 'bsc-floors',
      hidden: floors.length < 2,
      attributes: { role: 'group', 'aria-label': words.floors },
    });
    for (const { name, displayName } of floors) {
      const button = makeButton('', translate(displayName || name), () => choose(name));
      this.#buttons.set(name, button);
      this.element.append(button);
    }
  }

  /** Marks the visible floor. */
  show(name: string): void {
    for (const [floor, button] of this.#buttons)
      button.setAttribute('aria-pressed', String(floor === name));
  }
}
