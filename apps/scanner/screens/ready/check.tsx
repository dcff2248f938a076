/** One line of the checks before doors open: its state, what to do, and a button that does it. */
import type { ReactNode } from 'react';
import { Icon } from '#apps/shared/ui/icon.tsx';
import styles from './checks.module.css';

export type Mark = 'good' | 'warn' | 'wait';

const markIcons = { good: 'check', warn: 'warning', wait: 'clock' } as const;
const markWords = { good: 'A posto', warn: 'Da guardare', wait: 'In attesa' } as const;

interface CheckProps {
  name: string;
  mark: Mark;
  title: string;
  text: string;
  action?: ReactNode;
  children?: ReactNode;
}

export function Check({ name, mark, title, text, action = null, children }: CheckProps) {
  return (
    <li className={styles.check} data-check={name} data-mark={mark}>
      <span className={styles.mark}>
        <Icon name={markIcons[mark]} size={24} label={markWords[mark]} />
      </span>
      <span className={styles.text}>
        <strong>{title}</strong>
        <span>{text}</span>
        {children}
      </span>
      {action}
    </li>
  );
}
