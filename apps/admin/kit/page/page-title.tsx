/** The title of a screen and of the browser's tab, with the link back. */
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Icon } from '#apps/shared/ui/icon.tsx';
import styles from './page-title.module.css';

export function PageTitle({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={styles.head}>
      <title>{`${title} · Botteghino`}</title>
      <h1>{title}</h1>
      {children}
    </div>
  );
}

/** Actions of a screen whose title is above its tabs. */
export function Toolbar({ children }: { children: ReactNode }) {
  return <div className={styles.tools}>{children}</div>;
}

/** Says what a screen is for. */
export function Intro({ children }: { children: ReactNode }) {
  return <p className={styles.intro}>{children}</p>;
}

export function BackLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link className={styles.back} to={to}>
      <Icon name="back" size={16} /> {children}
    </Link>
  );
}
