/** Asks before unsaved changes are lost: on links, the back button and closing the tab. */
import { useEffect, useState, type ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { ConfirmDialog } from '#apps/shared/ui/confirm-dialog.tsx';

/** A part of the Navigation API. Browsers without it do not ask at the back button. */
interface Traversal extends Event {
  navigationType: string;
  destination: { key: string };
}
interface Navigation extends EventTarget {
  traverseTo: (key: string) => unknown;
}

const base = '/admin';

/**
 * Asks before unsaved changes are left.
 * @returns the open question
 */
export function useUnsavedGuard(dirty: boolean): ReactNode {
  const navigate = useNavigate();
  const [leave, setLeave] = useState<(() => void) | null>(null);

  useEffect(() => {
    if (!dirty) return;
    const navigation = (window as { navigation?: Navigation }).navigation;

    function close(event: BeforeUnloadEvent) {
      event.preventDefault();
    }

    function click(event: MouseEvent) {
      const link = linkIn(event);
      // Before links that leave the office the browser itself asks.
      if (!link?.pathname.startsWith(`${base}/`) || link.pathname === location.pathname) return;
      event.preventDefault();
      event.stopPropagation();
      setLeave(
        () => () => void navigate(link.pathname.slice(base.length) + link.search + link.hash),
      );
    }

    function traverse(event: Event) {
      const { navigationType, destination } = event as Traversal;
      if (navigationType !== 'traverse' || !event.cancelable) return;
      event.preventDefault();
      setLeave(() => () => {
        navigation?.removeEventListener('navigate', traverse);
        navigation?.traverseTo(destination.key);
      });
    }

    window.addEventListener('beforeunload', close);
    document.addEventListener('click', click, true);
    navigation?.addEventListener('navigate', traverse);
    return () => {
      window.removeEventListener('beforeunload', close);
      document.removeEventListener('click', click, true);
      navigation?.removeEventListener('navigate', traverse);
    };
  }, [dirty, navigate]);

  if (leave === null) return null;
  return (
    <ConfirmDialog
      title="Uscire senza salvare?"
      text={<p>Le modifiche di questa pagina andranno perse.</p>}
      confirmLabel="Esci senza salvare"
      cancelLabel="Resta qui"
      danger
      onCancel={() => setLeave(null)}
      onConfirm={() => {
        setLeave(null);
        leave();
      }}
    />
  );
}

/** The link of a plain click, which would open in this tab. */
function linkIn(event: MouseEvent): HTMLAnchorElement | null {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
    return null;
  const link =
    event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null;
  return link !== null && link.target !== '_blank' && link.origin === location.origin ? link : null;
}
