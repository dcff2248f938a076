/** A titled sheet that comes up from the bottom edge, for longer reading. */
import { useId, useRef, type ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import { Icon } from './icon.tsx';
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
        <div className="ui-dialog-head">
          <h2 id={titleId} className="ui-dialog-title">
            {title}
          </h2>
          <button
            type="button"
            className="ui-dialog-close"
            aria-label="Chiudi il pannello"
            onClick={onClose}
          >
            <Icon name="cross" />
          </button>
        </div>
        <section
          ref={body}
          className="ui-drawer-body"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- long text must be scrollable with the keyboard; what does not scroll is no stop
          tabIndex={scrolls ? 0 : undefined}
          aria-labelledby={titleId}
        >
          {children}
        </section>
      </div>
    </Dialog>
  );
}
