/** A screen that is one of several tabs, with the row of tabs above it. */
import { Suspense } from 'react';
import { Link, Navigate, Outlet, useLocation } from 'react-router-dom';
import { may } from '#server/domain/user/rights.ts';
import { Spinner } from '#apps/shared/ui/spinner.tsx';
import { requireValue } from '#server/domain/require-value.ts';
import { NotAllowed } from '#apps/admin/kit/page/loaded.tsx';
import { useUser } from '#apps/admin/kit/session/session.ts';
import { WaitCount } from './wait-count.tsx';
import { isUnder, type NavItem } from './navigation.ts';
import styles from './tabs.module.css';

interface TabsProps {
  label: string;
  tabs: readonly NavItem[];
}

/** The tab with the longest matching address is current. A single tab is not drawn. */
export function Tabs({ label, tabs }: TabsProps) {
  const { role } = useUser();
  const { pathname, search } = useLocation();
  const shown = tabs.filter((tab) => may(role, tab.right));
  if (shown.length < 2) return null;
  const path = pathname.replace(/(.)\/$/, '$1');
  const current = tabs
    .filter(({ to }) => isUnder(path, to))
    .sort((one, other) => other.to.length - one.to.length)[0];
  const groups = [...new Set(shown.map(({ group }) => group))];
  return (
    <nav className={styles.tabs} aria-label={label}>
      {groups.map((group) => (
        <div key={group ?? ''} className={styles.group} role={group && 'group'} aria-label={group}>
          {groups.length > 1 && (
            <span className={styles.name} aria-hidden>
              {group}
            </span>
          )}
          {shown
            .filter((tab) => tab.group === group)
            .map((tab) => (
              <Link
                key={tab.to}
                className={styles.tab}
                to={tab.keepsAddress && current?.keepsAddress ? tab.to + search : tab.to}
                aria-current={tab === current ? 'page' : undefined}
              >
                {tab.label}
                {tab.waits !== undefined && <WaitCount of={tab.waits} />}
              </Link>
            ))}
        </div>
      ))}
    </nav>
  );
}

/** The tabs stay visible while the next screen is fetched. */
export function Tabbed(props: TabsProps) {
  return (
    <>
      <Tabs {...props} />
      <Suspense fallback={<Spinner />}>
        <Outlet />
      </Suspense>
    </>
  );
}

/** Opens the first tab that the user may see. */
export function FirstTab({ tabs }: { tabs: readonly NavItem[] }) {
  const { role } = useUser();
  const first = tabs.find((tab) => may(role, tab.right));
  return first === undefined ? (
    <NotAllowed right={requireValue(tabs[0], 'tab').right} />
  ) : (
    <Navigate to={first.to} replace />
  );
}
