/**
 * A question in a native dialog: beside its place, or at the lower edge of a phone; the browser
 * keeps the focus inside.
 */
import { make, makeButton } from './dom.ts';

/**
 * Where a question is placed: beside the rectangle of its seat on the screen, or of the button
 * that was pressed.
 */
type Anchor = DOMRect;

export interface Question {
  host: HTMLElement;
  anchor: Anchor | null;
  title: string;
  /** Below the title: a line, or elements of the caller. */
  detail?: string | HTMLElement[];
}

/**
 * `body` holds everything below the title; `close` ends the question with an answer, which `show`
 * resolves to.
 */
export interface Dialog<T> {
  element: HTMLDialogElement;
  body: HTMLElement;
  close: (answer: T) => void;
  show: () => Promise<T>;
}

/**
 * For this long a press beside the question is ignored, because it may be the second half of a
 * double click.
 */
const doubleClickTime = 400;
const sheetBelow = 560;
let lastId = 0;

/** An id for an element that others refer to. */
export function makeId(what: string): string {
  lastId += 1;
  return `bsc-${what}-${lastId}`;
}

/** Asks a question; `otherwise` is the answer after Escape or a press beside it. */
export function openDialog<T>(question: Question, otherwise: T): Dialog<T> {
  const id = makeId('title');
  const body = make('div', { className: 'bsc-dialog-body' }, make('h2', { id }, question.title));
  const { detail = '' } = question;
  if (typeof detail !== 'string') body.append(...detail);
  else if (detail) body.append(make('p', { className: 'bsc-detail' }, detail));
  const element = make(
    'dialog',
    { className: 'bsc-dialog', attributes: { 'aria-labelledby': id } },
    body,
  );
  let answer = otherwise;
  let openedAt = 0;
  // The tap that opened the question also sends a click, so only a press that began outside the
  // box closes it.
  let outside = false;
  element.addEventListener('pointerdown', (event) => {
    outside = event.target === element && performance.now() - openedAt > doubleClickTime;
  });
  element.addEventListener('click', (event) => {
    if (outside && event.target === element) element.close();
  });
  // Escape closes the question only, not the list or the page behind it.
  element.addEventListener('keydown', (event) => event.stopPropagation());
  return {
    element,
    body,
    close: (chosen) => {
      answer = chosen;
      element.close();
    },
    show: async () => {
      const back = document.activeElement;
      const closed = new Promise<void>((resolve) => {
        element.addEventListener('close', () => resolve(), { once: true });
      });
      question.host.append(element);
      element.showModal();
      openedAt = performance.now();
      putBeside(element, question.anchor);
      await closed;
      element.remove();
      if (back instanceof HTMLElement && back.isConnected) back.focus({ preventScroll: true });
      return answer;
    },
  };
}

function putBeside(element: HTMLDialogElement, anchor: Anchor | null): void {
  if (innerWidth < sheetBelow) {
    element.classList.add('bsc-sheet');
    return;
  }
  if (!anchor) return;
  const { width, height } = element.getBoundingClientRect();
  const { left, top } = spotBeside(anchor, { width, height });
  element.classList.add('bsc-anchored');
  element.style.left = `${left}px`;
  element.style.top = `${top}px`;
}

/** Places the box below the place, above it, or in a low window beside it, but never on it. */
function spotBeside(
  anchor: Anchor,
  { width, height }: { width: number; height: number },
): { left: number; top: number } {
  const within = (from: number, size: number, room: number) =>
    Math.max(8, Math.min(from, room - size - 8));
  const left = within(anchor.x + anchor.width / 2 - width / 2, width, innerWidth);
  const [below, above] = [anchor.bottom + 10, anchor.top - height - 10];
  if (below + height < innerHeight - 8) return { left, top: below };
  if (above >= 8) return { left, top: above };
  const right = anchor.right + 10;
  return {
    left:
      right + width < innerWidth - 8 ? right : within(anchor.left - width - 10, width, innerWidth),
    top: within(anchor.y + anchor.height / 2 - height / 2, height, innerHeight),
  };
}

/** The buttons at a question's end: cancel first, the action last. */
export function makeActions(...buttons: HTMLButtonElement[]): HTMLElement {
  return make('div', { className: 'bsc-actions' }, ...buttons);
}

export function makePlain(text: string, press: () => void): HTMLButtonElement {
  return makeButton('bsc-plain', text, press);
}

export function makeMain(text: string, press: () => void): HTMLButtonElement {
  return makeButton('bsc-main', text, press);
}
