/** The frame of a full screen over the camera, which keeps running below: the way back costs no time and no question about permission. */
import { useId, type ReactNode } from 'react';
import { Dialog } from '#apps/shared/ui/dialog.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { RehearsalBanner } from '#apps/scanner/screens/rehearsal-banner.tsx';
import button from '#apps/scanner/screens/button.module.css';
import layout from '#apps/scanner/screens/layout.module.css';
import styles from './panel.module.css';

export interface PanelProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** Stays at the thumb while the rest scrolls. */
  foot?: ReactNode;
}

export function Panel({ title, onClose, children, foot }: PanelProps) {
  const titleId = useId();
  return (
    <Dialog className={styles.panel!} labelledBy={titleId} onClose={onClose}>
      <div className={styles.sheet}>
        <RehearsalBanner />
        <div className={layout.pageHead}>
          <button type="button" className={button.round} aria-label="Indietro" onClick={onClose}>
            <Icon name="back" size={26} />
          </button>
          <h1 id={titleId}>{title}</h1>
        </div>
        {children}
        {foot !== undefined && <div className={styles.foot}>{foot}</div>}
      </div>
    </Dialog>
  );
}
