/** A short word for a state, so that colour is never the only sign. */
import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';

export type BadgeTone = 'neutral' | 'primary' | 'good' | 'warn' | 'bad';

interface BadgeProps {
  tone?: BadgeTone;
  icon?: IconName;
  children: ReactNode;
}

export function Badge({ tone = 'neutral', icon, children }: BadgeProps) {
  return (
    <span className={`ui-badge ui-badge-${tone}`}>
      {icon !== undefined && <Icon name={icon} size={16} />}
      {children}
    </span>
  );
}
