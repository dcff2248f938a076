/** A number of places or people between two buttons, which can also be typed. */
import { make, makeButton, makeIcon } from './dom.ts';
import { words } from '#apps/chart/words.ts';

const minus = 'M6 12h12';
const plus = 'M12 6v12M6 12h12';

interface StepperWants {
  /** What is counted: the visible name, which the buttons' names contain too. */
  name: string;
  /** The element beside the name: a price, a remark. */
  notes?: (Node | string)[];
  least: number;
  /** Called again after every change, because other counters may use up the room. */
  most: () => number;
  value: number;
  changed: (value: number) => void;
}

export interface Stepper {
  element: HTMLElement;
  input: HTMLInputElement;
  readonly value: number;
  /** Adapts buttons and number to the current limits. */
  refresh: () => void;
}

/** A labelled number field that can be typed in, and two buttons named after the label. */
export function makeStepper(wants: StepperWants): Stepper {
  let { value } = wants;
  const input = make('input', {
    type: 'number',
    inputMode: 'numeric',
    className: 'bsc-number',
    value: String(value),
    attributes: { 'aria-label': wants.name, min: String(wants.least), step: '1' },
  });
  const set = (next: number) => {
    const fit = Math.max(
      wants.least,
      Math.min(Math.trunc(next) || 0, Math.max(wants.least, wants.most())),
    );
    if (fit === value) return;
    value = fit;
    wants.changed(value);
  };
  const step = (icon: string, by: number, name: (what: string) => string) => {
    const button = makeButton('bsc-step', makeIcon(icon), () => {
      set(value + by);
      refresh();
    });
    button.setAttribute('aria-label', name(wants.name));
    return button;
  };
  const [fewer, more] = [step(minus, -1, words.fewer), step(plus, 1, words.more)];
  const refresh = () => {
    const most = Math.max(wants.least, wants.most());
    if (value > most) set(most);
    // While a person types, the field keeps the typed text.
    if (document.activeElement !== input || input.value !== '') input.value = String(value);
    input.max = String(most);
    // Not `disabled`, because the focus would leave the dialog while the button is pressed.
    fewer.setAttribute('aria-disabled', String(value <= wants.least));
    more.setAttribute('aria-disabled', String(value >= most));
  };
  input.addEventListener('input', () => {
    if (input.value === '') return;
    set(Number(input.value));
    refresh();
  });
  input.addEventListener('change', () => {
    set(Number(input.value));
    input.value = String(value);
  });
  input.addEventListener('focus', () => input.select());
  refresh();
  return {
    element: make('div', { className: 'bsc-count' }, nameOf(wants), fewer, input, more),
    input,
    refresh,
    get value() {
      return value;
    },
  };
}

function nameOf({ name, notes = [] }: StepperWants): HTMLElement {
  const hidden = { className: 'bsc-offer-name', attributes: { 'aria-hidden': 'true' } };
  return make('div', { className: 'bsc-count-name' }, make('span', hidden, name), ...notes);
}
