/** The message in place of the camera's picture: why there is none, and what to do. */
import { useRef, type ReactNode } from 'react';
import { Icon, type IconName } from '#apps/shared/ui/icon.tsx';
import { useOverflow } from '#apps/shared/ui/use-overflow.ts';
import styles from './scan-camera.module.css';

interface CameraMessageProps {
  icon?: IconName;
  title: string;
  help: string;
  /** The button that solves the problem. */
  children?: ReactNode;
}

export function CameraMessage({ icon, title, help, children }: CameraMessageProps) {
  const frame = useRef<HTMLDivElement>(null);
  const scrolls = useOverflow(frame);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable with the keyboard
    <div ref={frame} className={styles.message} role="alert" tabIndex={scrolls ? 0 : undefined}>
      {icon && <Icon name={icon} size={48} />}
      <h2>{title}</h2>
      <p>{help}</p>
      {children}
    </div>
  );
}

/** The camera was switched off because the page was unused. */
export function RestingCamera({ onWake }: { onWake: () => void }) {
  return (
    <button type="button" className={styles.resting} onClick={onWake}>
      <Icon name="camera" size={64} />
      <strong>Tocca per riaccendere</strong>
      <span>La fotocamera si è spenta per risparmiare batteria.</span>
    </button>
  );
}
