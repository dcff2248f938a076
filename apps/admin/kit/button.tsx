/** A button of the office. */
import type { ComponentPropsWithRef } from 'react';
import { joinClasses } from './join-classes.ts';
import styles from './buttons.module.css';

export interface ButtonProps extends ComponentPropsWithRef<'button'> {
  look?: 'primary' | 'danger' | 'quiet' | undefined;
  /** Where several stand close together. */
  small?: boolean;
  /** What it does is under way: it cannot be pressed again. */
  busy?: boolean;
}

export function Button({ look, small, busy, disabled, className, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={joinClasses(
        'ui-button',
        look && `ui-button-${look}`,
        small && styles.small,
        className,
      )}
      disabled={disabled || busy}
      aria-busy={busy}
    />
  );
}
