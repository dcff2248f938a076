/** Keyboard shortcuts: "/" focuses the search field, the arrow keys move through the rows. */
import { useEffect, type RefObject } from 'react';

type Field = RefObject<HTMLInputElement | null>;

const typing = 'input, textarea, select, [contenteditable]';

/** "/" focuses the field, unless the user is typing or a dialog is open. */
export function useSlashKey(field: Field): void {
  useKeys(field, jump);
}

/** The arrow keys move between the field and the `[data-row]` links. */
export function useRowKeys(field: Field): void {
  useKeys(field, move);
}

/** `act` must be the same function each time. */
function useKeys(
  field: Field,
  act: (event: KeyboardEvent, field: HTMLInputElement | null) => void,
) {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!event.ctrlKey && !event.metaKey && !event.altKey) act(event, field.current);
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [field, act]);
}

function jump(event: KeyboardEvent, field: HTMLInputElement | null): void {
  if (event.key !== '/' || (event.target as Element).closest(typing)) return;
  if (document.querySelector('dialog[open]')) return;
  event.preventDefault();
  field?.focus();
  field?.select();
}

function move(event: KeyboardEvent, field: HTMLInputElement | null): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  const at = rows.indexOf(event.target as HTMLElement);
  if (at === -1 && event.target !== field) return;
  // The field counts as the row above the first.
  const next = [field, ...rows][event.key === 'ArrowDown' ? at + 2 : Math.max(0, at)];
  if (!next) return;
  event.preventDefault();
  next.focus();
  next.scrollIntoView({ block: 'nearest' });
}
