/**
 * The frame of a full screen over the camera. The camera keeps running below, so going back takes
 * no time and asks for no permission.
 */
import { useId, type ReactNode } from 'react';
import { Dialog } from '#apps/shared/ui/dialog.tsx';
import { RehearsalBanner } from '#apps/scanner/screens/rehearsal-banner.tsx';
import { RoundButton } from '#apps/scanner/screens/parts.tsx';
import parts from '#apps/scanner/screens/parts.module.css';
import styles from './panel.module.css';

interface PanelProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** Stays at the bottom within reach of the thumb while the rest scrolls. */
  foot?: ReactNode;
}

export function Panel({ title, onClose, children, foot }: PanelProps) {
  const titleId = useId();
  return (
    <Dialog className={styles.panel ?? ''} labelledBy={titleId} onClose={onClose}>
      <div className={`${parts.page} ${styles.sheet}`}>
        <RehearsalBanner />
        <div className={parts.pageHead}>
          <RoundButton icon="back" label="Indietro" onClick={onClose} />
          <h1 id={titleId}>{title}</h1>
        </div>
        {children}
        {foot !== undefined && <div className={styles.foot}>{foot}</div>}
      </div>
    </Dialog>
  );
}
