/**
 * Keyboard control of the list: one Tab stop per level, arrows between and within rows, first
 * letters, Escape to leave.
 */

interface Walk {
  root: HTMLElement;
  leave: () => void;
}

/** Letters typed within this time form one word. */
const typingTime = 800;
let typed = '';
let typedAt = 0;

/** Handles one key press inside the list; unknown keys are left to the browser. */
export function walkByKeys(event: KeyboardEvent, { root, leave }: Walk): void {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === 'Escape') {
    event.preventDefault();
    event.stopPropagation();
    leave();
    return;
  }
  const from = document.activeElement;
  if (!(from instanceof HTMLButtonElement) || !root.contains(from)) return;
  if (!isLetter(event.key)) typed = '';
  const next = targetOf(event.key, from, root);
  if (next === undefined) return;
  event.preventDefault();
  next?.focus();
}

/**
 * The button to which a key moves; null when there is none in that direction, undefined for a key
 * without a function.
 */
function targetOf(
  key: string,
  from: HTMLButtonElement,
  root: HTMLElement,
): HTMLButtonElement | null | undefined {
  const ring = ringOf(from);
  const at = ring.indexOf(from);
  const isOpener = from.hasAttribute('aria-expanded');
  const isOpen = from.getAttribute('aria-expanded') === 'true';
  if (key === 'Home') return ring[0] ?? null;
  if (key === 'End') return ring.at(-1) ?? null;
  if (key === 'ArrowDown' || key === 'ArrowUp') {
    const stops = stopsOf(root, from);
    return stops[stops.indexOf(from) + (key === 'ArrowDown' ? 1 : -1)] ?? null;
  }
  if (key === 'ArrowRight') {
    if (!isOpener) return ring[at + 1] ?? null;
    if (!isOpen) from.click();
    return firstInside(from);
  }
  if (key === 'ArrowLeft') {
    if (isOpen) from.click();
    if (isOpen) return null;
    return (isOpener ? null : ring[at - 1]) ?? openerOf(from);
  }
  return isLetter(key) ? findTyped(key, ring, at) : undefined;
}

/** The buttons of one level: all section headings, a section's rows, or a row's seats. */
function ringOf(button: HTMLElement): HTMLButtonElement[] {
  const ring = button.closest('.bsc-ring');
  return [...(ring?.querySelectorAll('button') ?? [])].filter(
    (other) => other.closest('.bsc-ring') === ring,
  );
}

/** All visible headings, and in each row of seats the button that had the focus last. */
function stopsOf(root: HTMLElement, from: HTMLButtonElement): HTMLButtonElement[] {
  return [...root.querySelectorAll('button')].filter(
    (button) =>
      button === from ||
      !button.closest('.bsc-seats') ||
      (button.tabIndex === 0 && button.closest('.bsc-seats') !== from.closest('.bsc-seats')),
  );
}

function firstInside(opener: HTMLElement): HTMLButtonElement | null {
  return (
    opener.parentElement?.nextElementSibling?.querySelector<HTMLButtonElement>('button') ?? null
  );
}

function openerOf(button: HTMLElement): HTMLButtonElement | null {
  const fold = button.closest('.bsc-fold');
  return fold?.previousElementSibling?.querySelector('button') ?? null;
}

function findTyped(key: string, ring: HTMLButtonElement[], at: number): HTMLButtonElement | null {
  const now = performance.now();
  typed = now - typedAt < typingTime ? typed + plain(key) : plain(key);
  typedAt = now;
  // A single letter searches from the next button on; further letters may still match the same
  // button.
  const order = [...ring.slice(at + (typed.length > 1 ? 0 : 1)), ...ring.slice(0, at + 1)];
  return order.find((button) => plain(button.dataset['find'] ?? '').startsWith(typed)) ?? null;
}

function isLetter(key: string): boolean {
  return key.length === 1 && /[\p{L}\p{N}]/u.test(key);
}

function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** A button that gets the focus, by key or by finger, becomes its level's only Tab stop. */
export function keepStop(event: FocusEvent): void {
  if (!(event.target instanceof HTMLButtonElement)) return;
  for (const other of ringOf(event.target)) other.tabIndex = other === event.target ? 0 : -1;
}
