/** A message in a box; `tone` is good, warn or bad, and without one it is information. */
import type { ComponentPropsWithRef } from 'react';
import { Icon, type IconName } from '#apps/shared/ui/icon.tsx';
import { joinClasses } from '#apps/admin/kit/join-classes.ts';
import styles from './notice.module.css';

type Tone = 'good' | 'warn' | 'bad';

const icons: Record<Tone, IconName> = { good: 'check', warn: 'warning', bad: 'warning' };

export interface NoticeProps extends ComponentPropsWithRef<'div'> {
  tone?: Tone;
  /** Default: the tone's icon; null: none. */
  icon?: IconName | null;
  as?: 'p' | 'div' | 'output' | 'section';
}

export function Notice({
  tone,
  icon = tone === undefined ? 'info' : icons[tone],
  as = 'p',
  className,
  children,
  ...rest
}: NoticeProps) {
  // All these tags take the same attributes.
  const Tag = as as 'div';
  const Words = as === 'div' || as === 'section' ? 'div' : 'span';
  return (
    <Tag
      {...rest}
      className={joinClasses(styles.notice, tone !== undefined && styles[tone], className)}
    >
      {icon !== null && <Icon name={icon} />} <Words>{children}</Words>
    </Tag>
  );
}

/** A failure, which screen readers read out; null draws nothing. */
export function FailureNotice({ text, id }: { text: string | null; id?: string }) {
  if (text === null) return null;
  return (
    <Notice tone="bad" role="alert" id={id}>
      {text}
    </Notice>
  );
}
