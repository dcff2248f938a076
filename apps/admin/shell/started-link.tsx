/**
 * The way to «Attività avviate», with how many run now. It asks often only while something runs,
 * and otherwise shares the question of «Da sistemare».
 */
import { Link, useLocation } from 'react-router-dom';
import { countAttention } from '#server/contract/office.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { joinClasses } from '#apps/admin/kit/join-classes.ts';
import { useMay } from '#apps/admin/kit/session/session.ts';
import styles from './layout.module.css';
import countStyles from './wait-count.module.css';

const path = '/started';

export function StartedLink() {
  return useMay('see_started') ? <Shown /> : null;
}

/** How many run now; while some do, the number is renewed every few seconds. */
export function useRunning(): number {
  const { data } = useEndpoint(
    countAttention,
    {},
    { refetchInterval: ({ state }) => ((state.data?.started ?? 0) > 0 ? 4_000 : 30_000) },
  );
  return data?.started ?? 0;
}

function Shown() {
  const { pathname } = useLocation();
  const running = useRunning();
  return (
    <Link
      className={joinClasses(styles.tool, styles.started, running === 0 && styles.idle)}
      to={path}
      aria-current={pathname === path ? 'page' : undefined}
    >
      <Icon name="refresh" /> <span className={styles.word}>Attività avviate</span>
      {running > 0 && (
        <span className={joinClasses(countStyles.count, countStyles.calm)}>
          {running}
          <span className="visually-hidden"> in corso</span>
        </span>
      )}
    </Link>
  );
}
