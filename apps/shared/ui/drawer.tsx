/** A titled sheet that comes up from the bottom edge, for longer reading. */
import { useId, type ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import { Icon } from './icon.tsx';

export function Drawer({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const titleId = useId();
  return (
    <Dialog className="ui-drawer" labelledBy={titleId} onClose={onClose}>
      <div className="ui-drawer-sheet">
        <div className="ui-dialog-head">
          <h2 id={titleId} className="ui-dialog-title">{title}</h2>
          <button type="button" className="ui-dialog-close" aria-label="Chiudi il pannello" onClick={onClose}><Icon name="cross" /></button>
        </div>
        {/* Long text must be scrollable with the keyboard too. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region without controls is reachable only so */}
        <section className="ui-drawer-body" tabIndex={0} aria-labelledby={titleId}>{children}</section>
      </div>
    </Dialog>
  );
}
