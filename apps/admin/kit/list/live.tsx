/** Says whether a list is up to date, and if not, since when. */
import { formatTimeWithSeconds } from '#apps/shared/format.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { useNow } from '#apps/admin/kit/clock.ts';
import styles from './live.module.css';

export function Live({ updatedAt, pollMs }: { updatedAt: number; pollMs: number }) {
  const now = useNow(1_000);
  const late = now - updatedAt > 3 * pollMs;
  return (
    <p className={late ? `${styles.live} ${styles.late}` : styles.live}>
      <Icon name={late ? 'offline' : 'online'} size={16} /> {late ? 'Fermo alle' : 'In diretta ·'}{' '}
      {formatTimeWithSeconds(updatedAt)}
    </p>
  );
}
