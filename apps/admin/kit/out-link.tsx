/** A link that opens in a new tab and says so. */
import type { ReactNode } from 'react';
import { Icon } from '#apps/shared/ui/icon.tsx';
import styles from '#apps/admin/kit/page/text.module.css';

export function OutLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a className={styles.out} href={href} target="_blank" rel="noreferrer">
      {children} <Icon name="external" size={15} label="(si apre in una nuova scheda)" />
    </a>
  );
}
