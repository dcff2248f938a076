/** A framed section of a screen; a `wide` one takes the full width. */
import type { ComponentPropsWithRef } from 'react';
import { joinClasses } from '#apps/admin/kit/join-classes.ts';
import styles from './panel.module.css';

interface PanelProps extends ComponentPropsWithRef<'section'> {
  wide?: boolean;
  as?: 'section' | 'article' | 'div' | 'li';
}

export function Panel({ wide = false, as = 'section', className, ...rest }: PanelProps) {
  // All these tags take the same attributes.
  const Tag = as as 'section';
  return <Tag {...rest} className={joinClasses(styles.panel, wide && styles.wide, className)} />;
}
