/** Keyboard shortcuts: "/" focuses the search field, the arrow keys move through the rows. */
import { useEffect, type RefObject } from 'react';

type Field = RefObject<HTMLInputElement | null>;

const typing = 'input, textarea, select, [contenteditable]';

/** "/" puts the cursor into the field, unless a field has the focus or a dialog is open. */
export function useSlashKey(field: Field): void {
  useKeys(field, jump);
}

/** Arrows go from the field through the `[data-row]` links, and up again into the field. */
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
  // Above the first row is the field.
  const next = [field, ...rows][event.key === 'ArrowDown' ? at + 2 : Math.max(0, at)];
  if (!next) return;
  event.preventDefault();
  next.focus();
  next.scrollIntoView({ block: 'nearest' });
}
