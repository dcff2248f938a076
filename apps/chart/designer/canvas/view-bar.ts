/** A few switches below the canvas: grid, snapping, rulers, numbers, single seats. */
import { make, makeButton, makeIcon } from '#apps/chart/page/dom.ts';
import type { CanvasSettings } from './settings.ts';

interface Switch {
  label: string;
  icon: string;
  isOn: (settings: CanvasSettings) => boolean;
  turn: (settings: CanvasSettings) => Partial<CanvasSettings>;
}

const switches: Switch[] = [
  {
    label: 'Griglia',
    icon: 'M4 4h16v16H4zM4 9.3h16M4 14.7h16M9.3 4v16M14.7 4v16',
    isOn: ({ grid }) => grid,
    turn: ({ grid }) => ({ grid: !grid }),
  },
  {
    label: 'Aggancio',
    icon: 'M6 4v8a6 6 0 0 0 12 0V4h-4v8a2 2 0 0 1-4 0V4zM6 8h4M14 8h4',
    isOn: ({ snap }) => snap,
    turn: ({ snap }) => ({ snap: !snap }),
  },
  {
    label: 'Righelli',
    icon: 'M3 8h18v8H3zM7 8v3M11 8v4M15 8v3M19 8v4',
    isOn: ({ rulers }) => rulers,
    turn: ({ rulers }) => ({ rulers: !rulers }),
  },
  {
    label: 'Nomi e numeri',
    icon: 'M5 18l4-12h1l4 12M6.5 14h6M17 9l2-1.5V18',
    isOn: ({ labels }) => labels,
    turn: ({ labels }) => ({ labels: !labels }),
  },
  {
    label: 'Seleziona i singoli posti',
    icon: 'M5 12a3 3 0 1 0 6 0 3 3 0 1 0-6 0M14 12a3 3 0 1 0 6 0 3 3 0 1 0-6 0M8 5v2M8 17v2',
    isOn: ({ pick }) => pick === 'seats',
    turn: ({ pick }) => ({ pick: pick === 'seats' ? 'objects' : 'seats' }),
  },
];

interface ViewBarWants {
  settings: () => CanvasSettings;
  set: (part: Partial<CanvasSettings>) => void;
}

export class ViewBar {
  readonly element: HTMLElement;
  readonly #wants: ViewBarWants;
  readonly #buttons: HTMLButtonElement[];

  constructor(wants: ViewBarWants) {
    this.#wants = wants;
    this.#buttons = switches.map(({ label, icon, turn }) => {
      const press = () => wants.set(turn(wants.settings()));
      const button = makeButton('', makeIcon(icon), press);
      button.setAttribute('aria-label', label);
      button.title = label;
      return button;
    });
    this.element = make(
      'div',
      { className: 'bsd-canvas-bar', attributes: { role: 'group', 'aria-label': 'Vista' } },
      ...this.#buttons,
    );
    for (const name of ['pointerdown', 'pointermove', 'wheel', 'contextmenu', 'keydown'])
      this.element.addEventListener(name, (event) => event.stopPropagation());
    this.show();
  }

  show(): void {
    const settings = this.#wants.settings();
    switches.forEach(({ isOn }, at) =>
      this.#buttons[at]?.setAttribute('aria-pressed', String(isOn(settings))),
    );
  }
}
