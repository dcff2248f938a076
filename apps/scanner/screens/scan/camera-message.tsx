/** What stands in place of the camera's picture: why there is none, and what to do. */
import type { ReactNode } from 'react';
import { Icon, type IconName } from '#apps/shared/ui/icon.tsx';
import styles from './scan-camera.module.css';

export interface CameraMessageProps {
  icon?: IconName;
  title: string;
  help: string;
  /** The button that does it. */
  children?: ReactNode;
}

export function CameraMessage({ icon, title, help, children }: CameraMessageProps) {
  return (
    <div className={styles.message} role="alert">
      {icon && <Icon name={icon} size={48} />}
      <h2>{title}</h2>
      <p>{help}</p>
      {children}
    </div>
  );
}

/** Switched off because nobody came. */
export function RestingCamera({ onWake }: { onWake: () => void }) {
  return (
    <button type="button" className={styles.resting} onClick={onWake}>
      <Icon name="camera" size={64} />
      <strong>Tocca per riaccendere</strong>
      <span>La fotocamera si è spenta per risparmiare batteria.</span>
    </button>
  );
}
