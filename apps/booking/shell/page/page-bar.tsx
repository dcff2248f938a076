/** The head of every page: links home and to the visitor's tickets, and the theme switch. */
import { Link } from 'react-router-dom';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { Brand } from '#apps/booking/shell/brand.tsx';
import { ThemeSwitch } from '#apps/booking/shell/theme-switch.tsx';
import styles from './page-bar.module.css';

/** `onPicture` adds a dark background to each part, so that it is readable over any picture. */
export function PageBar({ isHome = false, onPicture = false }) {
  return (
    <div className={onPicture ? `${styles.bar} ${styles.onPicture}` : styles.bar}>
      <Brand isHome={isHome} onPicture={onPicture} />
      <Link
        to="/i-miei-biglietti"
        className={`${styles.tickets} no-print`}
        aria-label="I miei biglietti"
      >
        <Icon name="ticket" /> <span>I miei biglietti</span>
      </Link>
      <ThemeSwitch />
    </div>
  );
}
