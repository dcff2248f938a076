/** Keyboard shortcuts: "/" focuses the search field, the arrow keys move through the rows. */
import { useEffect, type RefObject } from 'react';

const typing = 'input, textarea, select, [contenteditable]';

/** "/" puts the cursor into the field, unless somebody is already typing or a dialog is open. */
export function useSlashKey(field: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const jump = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      if ((event.target as Element).closest(typing) || document.querySelector('dialog[open]'))
        return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    };
    document.addEventListener('keydown', jump);
    return () => document.removeEventListener('keydown', jump);
  }, [field]);
}

/** Arrow down leaves the field for the first `[data-row]` link; the arrows go on from row to row, and up out of the first back into the field. */
export function useRowKeys(field: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const move = (event: KeyboardEvent) => {
      if (
        (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey
      )
        return;
      const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
      const at = rows.indexOf(event.target as HTMLElement);
      if (at === -1 && event.target !== field.current) return;
      const next = event.key === 'ArrowDown' ? rows[at + 1] : at > 0 ? rows[at - 1] : field.current;
      if (!next) return;
      event.preventDefault();
      next.focus();
      next.scrollIntoView({ block: 'nearest' });
    };
    document.addEventListener('keydown', move);
    return () => document.removeEventListener('keydown', move);
  }, [field]);
}
