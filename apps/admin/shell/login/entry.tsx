/** The frame of the screens before the login. */
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import styles from './entry.module.css';

export function Entry({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className={styles.entry}>
      <title>{`${title} · Botteghino`}</title>
      <p className={styles.brand}>Botteghino</p>
      {children}
    </main>
  );
}

/** A notice with a link to the login. */
export function LoginNotice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={styles.box}>
      <h1>{title}</h1>
      {children}
      <Link className="ui-button ui-button-primary" to="/login">
        Vai all’accesso
      </Link>
    </div>
  );
}
