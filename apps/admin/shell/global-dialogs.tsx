/** Dialogs over every screen: the search of the office and the list of keys. */
import { Suspense, useEffect, useState } from 'react';
import { may } from '#server/domain/user/rights.ts';
import { latePart } from '#apps/shared/late-part.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { KeyHelp } from './key-help.tsx';
import { useUser } from '#apps/admin/kit/session/session.ts';
import styles from './layout.module.css';

const loadSearch = () => import('./search.tsx');
const SearchDialog = latePart(async () => (await loadSearch()).SearchDialog);

type Open = 'search' | 'keys' | null;

/** The dialog for a key; on a screen with a search field "/" focuses that field instead. */
function wantedBy(event: KeyboardEvent): Open {
  if (document.querySelector('dialog[open]') !== null) return null;
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') return 'search';
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return null;
  if ((event.target as Element).closest('input, textarea, select, [contenteditable]')) return null;
  if (event.key === '?') return 'keys';
  const hasOwn = document.querySelector('main [aria-keyshortcuts="/"]') !== null;
  return event.key === '/' && !hasOwn ? 'search' : null;
}

export function GlobalDialogs() {
  const maySearch = may(useUser().role, 'see_orders');
  const [open, setOpen] = useState<Open>(null);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const wanted = wantedBy(event);
      if (wanted === null || (wanted === 'search' && !maySearch)) return;
      event.preventDefault();
      setOpen(wanted);
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [maySearch]);
  useEffect(() => {
    // It is there before the first Ctrl K, and the login does not wait for it.
    if (maySearch) loadSearch().catch(() => {});
  }, [maySearch]);
  const close = () => setOpen(null);
  return (
    <>
      {maySearch && (
        <button type="button" className={styles.tool} onClick={() => setOpen('search')}>
          <Icon name="search" /> <span className={styles.word}>Cerca</span>
        </button>
      )}
      <Suspense>{open === 'search' && <SearchDialog onClose={close} />}</Suspense>
      {open === 'keys' && <KeyHelp onClose={close} />}
    </>
  );
}
