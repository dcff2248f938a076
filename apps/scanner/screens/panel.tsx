/** A full screen over the camera: it keeps running below, so that the way back costs no time and no question about permission. */
import { useId, type ReactNode } from 'react';
import { Dialog } from '#apps/shared/ui/dialog.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { Ribbon } from './ribbon.tsx';

export interface PanelProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** Stays at the thumb while the rest scrolls. */
  foot?: ReactNode;
  className?: string;
}

export function Panel({ title, onClose, children, foot, className = '' }: PanelProps) {
  const titleId = useId();
  return (
    <Dialog className={`panel ${className}`.trim()} labelledBy={titleId} onClose={onClose}>
      <div className="panel-sheet">
        <Ribbon />
        <div className="page-head">
          <button type="button" className="round-button" aria-label="Indietro" onClick={onClose}>
            <Icon name="back" size={26} />
          </button>
          <h1 id={titleId}>{title}</h1>
        </div>
        {children}
        {foot !== undefined && <div className="panel-foot">{foot}</div>}
      </div>
    </Dialog>
  );
}
