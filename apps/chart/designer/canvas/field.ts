/** A small form on the canvas beside its subject: a text, a length, the size of a block. */
import { make, makeButton } from '#apps/chart/page/dom.ts';

export interface Blank {
  name: string;
  label: string;
  value: string;
  type: 'text' | 'number' | 'lines';
  min?: number;
  max?: number;
  step?: number;
}
export interface Field {
  /** In pixels of the canvas. */
  x: number;
  y: number;
  title: string;
  blanks: Blank[];
  done: string;
  /** Called on every change, for a preview. */
  change?: (values: Record<string, string>) => void;
  /** Not called when the form is cancelled. */
  answer: (values: Record<string, string>) => void;
  giveUp?: () => void;
}

type Control = HTMLInputElement | HTMLTextAreaElement;

function makeControl({ name, label, value, type, min, max, step }: Blank): [HTMLElement, Control] {
  const control =
    type === 'lines'
      ? make('textarea', { name, value, rows: 2 })
      : make('input', { name, value, type, autocomplete: 'off', required: type === 'number' });
  if (control instanceof HTMLInputElement && type === 'number')
    for (const [key, limit] of Object.entries({ min, max, step: step ?? 'any' }))
      if (limit !== undefined) control.setAttribute(key, String(limit));
  return [make('label', {}, make('span', {}, label), control), control];
}

/** Opens the form; the returned function closes it without an answer. */
export function openField(host: HTMLElement, field: Field): () => void {
  const made = field.blanks.map(makeControl);
  const values = () => Object.fromEntries(made.map(([, { name, value }]) => [name, value]));
  const form = make(
    'form',
    { className: 'bsd-canvas-field', attributes: { 'aria-label': field.title } },
    make('strong', {}, field.title),
    ...made.map(([label]) => label),
  );
  let isOpen = true;
  const close = () => {
    if (!isOpen) return false;
    isOpen = false;
    form.remove();
    return true;
  };
  const giveUp = () => {
    if (close()) field.giveUp?.();
  };
  const done = make('button', { type: 'submit', className: 'bsd-canvas-done' }, field.done);
  form.append(make('div', {}, done, makeButton('', 'Annulla', giveUp)));
  form.addEventListener('input', () => field.change?.(values()));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (close()) field.answer(values());
  });
  form.addEventListener('keydown', (event) => {
    event.stopPropagation();
    if (event.key === 'Escape') giveUp();
    const inLines = event.target instanceof HTMLTextAreaElement;
    if (event.key === 'Enter' && inLines && !event.shiftKey) {
      event.preventDefault();
      form.requestSubmit();
    }
  });
  for (const name of ['pointerdown', 'wheel', 'contextmenu'])
    form.addEventListener(name, (event) => event.stopPropagation());
  host.append(form);
  place(host, form, field);
  made[0]?.[1].focus();
  made[0]?.[1].select();
  return giveUp;
}

/** Places the form beside its point, wholly on the canvas. */
function place(host: HTMLElement, form: HTMLElement, { x, y }: Field): void {
  const gap = 12;
  const left = Math.min(x + gap, host.clientWidth - form.offsetWidth - gap);
  const top = Math.min(y + gap, host.clientHeight - form.offsetHeight - gap);
  form.style.left = `${Math.max(gap, left)}px`;
  form.style.top = `${Math.max(gap, top)}px`;
}
