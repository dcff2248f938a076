/** A button of the office. */
import type { ComponentPropsWithRef, ReactNode } from 'react';
import { Icon, type IconName } from '#apps/shared/ui/icon.tsx';
import { joinClasses } from './join-classes.ts';
import styles from './buttons.module.css';

interface ButtonProps extends ComponentPropsWithRef<'button'> {
  look?: 'primary' | 'danger' | 'quiet';
  /** For rows of several buttons. */
  small?: boolean;
  /** The act is running, so the button cannot be pressed again. */
  busy?: boolean;
  icon?: IconName;
  label?: ReactNode;
}

/** `children` is content besides icon and label. */
export function Button({
  look,
  small = false,
  busy,
  icon,
  label,
  disabled,
  className,
  children,
  ...rest
}: ButtonProps) {
  const lookClass = look && `ui-button-${look}`;
  return (
    <button
      type="button"
      {...rest}
      className={joinClasses('ui-button', lookClass, small && styles.small, className)}
      disabled={disabled || busy}
      aria-busy={busy}
    >
      {icon && <Icon name={icon} size={small ? 16 : 20} />} {label}
      {children}
    </button>
  );
}
