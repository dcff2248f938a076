/** A message in a box; its tone makes it good news, a warning, an error or information. */
import type { ComponentPropsWithRef } from 'react';
import { Icon, type IconName } from '#apps/shared/ui/icon.tsx';
import { joinClasses } from '#apps/admin/kit/join-classes.ts';
import styles from './notice.module.css';

type Tone = 'good' | 'warn' | 'bad';

const icons: Record<Tone, IconName> = { good: 'check', warn: 'warning', bad: 'warning' };

export interface NoticeProps extends ComponentPropsWithRef<'div'> {
  tone?: Tone;
  /** By default the tone's own; null for none. */
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
  // The tags differ in meaning only: all take the same attributes.
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

/** Why something failed, read out at once; nothing while nothing has. */
export function FailureNotice({ text, id }: { text: string | null; id?: string }) {
  if (text === null) return null;
  return (
    <Notice tone="bad" role="alert" id={id}>
      {text}
    </Notice>
  );
}
