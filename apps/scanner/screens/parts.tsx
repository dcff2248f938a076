/**
 * Shared parts of the scanner's screens: the round icon button, the framed message, the office's
 * words about a guest.
 */
import type { ComponentProps, ReactNode } from 'react';
import { Icon, type IconName } from '#apps/shared/ui/icon.tsx';
import parts from './parts.module.css';

interface RoundButtonProps {
  icon: IconName;
  label: string;
  onClick: () => void;
  children?: ReactNode;
}

export function RoundButton({ icon, label, onClick, children }: RoundButtonProps) {
  return (
    <button type="button" className={parts.round} aria-label={label} onClick={onClick}>
      <Icon name={icon} size={26} />
      {children}
    </button>
  );
}

/** How urgent a message is. */
type Tone = 'good' | 'warn' | 'bad' | 'info';

export interface NoteProps extends Omit<ComponentProps<'div'>, 'className'> {
  tone: Tone;
  icon?: IconName;
  /** The button that solves the problem. */
  action?: ReactNode;
}

/** `role`: screen readers announce "alert" at once, and "status" after their present sentence. */
export function Note({ tone, icon = 'warning', action, children, ...rest }: NoteProps) {
  return (
    <div className={`${parts.note} ${parts[tone]}`} {...rest}>
      <Icon name={icon} />
      <span>{children}</span>
      {action}
    </div>
  );
}

export function DoorNote({ text }: { text: string }) {
  return (
    <span className={parts.doorNote} data-door-note>
      <Icon name="info" />
      <bdi>{text}</bdi>
    </span>
  );
}
