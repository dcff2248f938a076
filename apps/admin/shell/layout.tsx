/** The frame of every screen behind the login: navigation, user, logout; or `bare`. */
import { useEffect, useRef } from 'react';
import { Link, Navigate, Outlet, useLocation } from 'react-router-dom';
import { me } from '#server/contract/users.ts';
import { may } from '#server/domain/user/rights.ts';
import { accentStyle } from '#server/domain/site/colour.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { Spinner } from '#apps/shared/ui/spinner.tsx';
import { usePageStyle } from '#apps/admin/kit/page-style.ts';
import { Empty, Failure } from '#apps/admin/kit/page/loaded.tsx';
import { isLoggedOut, UserContext, type User } from '#apps/admin/kit/session/session.ts';
import { joinClasses } from '#apps/admin/kit/join-classes.ts';
import { trialOfPage, useHouse } from './house.ts';
import { GlobalDialogs } from './global-dialogs.tsx';
import { LineNotice } from './line.tsx';
import { ConfirmAgain } from './confirm-dialog.tsx';
import { FactorDue } from '#apps/admin/shell/login/factor-due.tsx';
import { MaintenanceNotice } from './maintenance.tsx';
import { NewVersionNotice } from './new-version.tsx';
import { StartedLink } from './started-link.tsx';
import { TrialBand } from './trial-band.tsx';
import { WaitCount } from './wait-count.tsx';
import { entries, isCurrentEntry } from './navigation.ts';
import { UserTools } from './user-tools.tsx';
import styles from './layout.module.css';

export function Layout({ bare = false }: { bare?: boolean }) {
  const user = useEndpoint(me, {}, { staleTime: 60_000 });
  const location = useLocation();
  if (isLoggedOut(user.error))
    return <Navigate to="/login" replace state={{ from: location.pathname + location.search }} />;
  if (user.data === undefined)
    return user.isError ? (
      <main>
        <LineNotice />
        <Failure error={user.error} onRetry={() => user.refetch()} />
      </main>
    ) : (
      <Spinner fullScreen />
    );
  return (
    <UserContext value={user.data}>{bare ? <Bare /> : <Frame user={user.data} />}</UserContext>
  );
}

function Frame({ user }: { user: User }) {
  const { pathname } = useLocation();
  const main = useFocusOnArrival(pathname);
  const { data: house } = useHouse();
  const trial = house === undefined ? trialOfPage() : house.trial;
  usePageStyle(house?.accent ? accentStyle(house.accent) : null);
  return (
    <div className={joinClasses(styles.frame, trial !== null && styles.trial)}>
      {trial !== null && <TrialBand trial={trial} />}
      <header className={styles.side}>
        <a className={styles.skip} href="#content">
          Vai al contenuto
        </a>
        <Link className={styles.brand} to="/">
          {house?.logo && <img src={`${house.logo.url}/320.webp`} alt="" />}
          {house?.name ?? 'Botteghino'}
        </Link>
        <nav className={styles.entries} aria-label="Sezioni">
          {entries
            .filter((entry) => may(user.role, entry.right))
            .map((entry) => (
              <Link
                key={entry.to}
                className={styles.entry}
                to={entry.to}
                aria-current={isCurrentEntry(entry, pathname) ? 'page' : undefined}
              >
                <Icon name={entry.icon} /> <span className={styles.word}>{entry.label}</span>
                {entry.waits !== undefined && <WaitCount of={entry.waits} />}
              </Link>
            ))}
        </nav>
        <div className={styles.tools}>
          <GlobalDialogs />
          <StartedLink />
        </div>
        <UserTools user={user} />
      </header>
      <main id="content" ref={main} tabIndex={-1}>
        <LineNotice />
        <NewVersionNotice />
        <MaintenanceNotice />
        <FactorDue />
        <Outlet />
      </main>
      <ConfirmAgain />
    </div>
  );
}

function Bare() {
  return (
    <main>
      <Outlet />
      <ConfirmAgain />
    </main>
  );
}

/** Moves the focus to the content of each screen except the first. */
function useFocusOnArrival(pathname: string) {
  const main = useRef<HTMLElement>(null);
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    main.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [pathname]);
  return main;
}

export function PageNotFound() {
  return (
    <Empty icon="search" title="Ti sei perso?" heading="h1">
      <p>Questa pagina dell’ufficio non esiste.</p>
      <Link to="/">Torna all’inizio</Link>
    </Empty>
  );
}
