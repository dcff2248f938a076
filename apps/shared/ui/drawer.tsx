/** A titled sheet that rises from the bottom edge, for longer texts. */
import { useId, useRef, type ReactNode } from 'react';
import { Dialog, DialogHead } from './dialog.tsx';
import { useOverflow } from './use-overflow.ts';

interface DrawerProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

export function Drawer({ title, onClose, children }: DrawerProps) {
  const titleId = useId();
  const body = useRef<HTMLElement>(null);
  const scrolls = useOverflow(body);
  return (
    <Dialog className="ui-drawer" labelledBy={titleId} onClose={onClose}>
      <div className="ui-drawer-sheet">
        <DialogHead id={titleId} title={title} closeLabel="Chiudi il pannello" onClose={onClose} />
        <section
          ref={body}
          className="ui-drawer-body"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- for the scroll keys
          tabIndex={scrolls ? 0 : undefined}
          aria-labelledby={titleId}
        >
          {children}
        </section>
      </div>
    </Dialog>
  );
}
