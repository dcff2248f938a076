/** The frame of every screen behind the login: navigation, current user, logout, and the legal notice. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Link, Navigate, Outlet, useLocation, useNavigate } from 'react-router-dom';
import { listConflicts } from '#server/contract/conflicts.ts';
import { listDoubts } from '#server/contract/doubts.ts';
import { countAttention } from '#server/contract/office.ts';
import { logout, me } from '#server/contract/users.ts';
import { may, type Right } from '#server/domain/rights.ts';
import { roleNames } from '#server/domain/user.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Icon, type IconName } from '#apps/shared/ui/icon.tsx';
import { Spinner } from '#apps/shared/ui/spinner.tsx';
import { Empty, Failure } from '#apps/admin/kit/loaded.tsx';
import { isLoggedOut, useAct, UserContext, type User } from './session.ts';
import styles from './layout.module.css';

interface Room {
  to: string;
  label: string;
  icon: IconName;
  right: Right;
}

const rooms: Room[] = [
  { to: '/', label: 'Eventi', icon: 'calendar', right: 'see_events' },
  { to: '/orders', label: 'Ordini', icon: 'cart', right: 'see_orders' },
  { to: '/attention', label: 'Da sistemare', icon: 'warning', right: 'see_attention' },
  { to: '/mailbox', label: 'Posta', icon: 'mail', right: 'see_mail' },
  { to: '/admissions', label: 'Ingressi', icon: 'door', right: 'admit' },
  { to: '/presence', label: 'Presenze', icon: 'user', right: 'see_presence' },
  { to: '/conflicts', label: 'Conflitti', icon: 'copy', right: 'admit' },
  { to: '/phones', label: 'Telefoni', icon: 'phone', right: 'see_devices' },
  { to: '/rehearsals', label: 'Prova generale', icon: 'list', right: 'see_devices' },
  { to: '/charts', label: 'Piante', icon: 'map', right: 'import_charts' },
  { to: '/site', label: 'Il sito', icon: 'info', right: 'change_site' },
  { to: '/health', label: 'Salute', icon: 'heart', right: 'see_health' },
];

/** The list of events is the start page; the pages of one event belong to it too. */
function isCurrent({ to }: Room, path: string): boolean {
  return to === '/' ? path === '/' || path.startsWith('/events') : path.startsWith(to);
}

export function Layout() {
  const user = useEndpoint(me, {}, { staleTime: 60_000 });
  const location = useLocation();
  if (isLoggedOut(user.error))
    return <Navigate to="/login" replace state={{ from: location.pathname + location.search }} />;
  if (user.data === undefined)
    return user.isError ? (
      <main>
        <Failure error={user.error} onRetry={() => user.refetch()} />
      </main>
    ) : (
      <Spinner fullScreen />
    );
  return (
    <UserContext value={user.data}>
      <Frame user={user.data} />
    </UserContext>
  );
}

function Frame({ user }: { user: User }) {
  const { pathname } = useLocation();
  const main = useFocusOnArrival(pathname);
  const bar = useCurrentInView(pathname);
  return (
    <div className={styles.frame}>
      <header className={styles.side}>
        <a className={styles.skip} href="#content">
          Vai al contenuto
        </a>
        <Link className={styles.brand} to="/">
          Botteghino
        </Link>
        <nav ref={bar} className={styles.rooms} aria-label="Sezioni">
          {rooms
            .filter((room) => may(user.role, room.right))
            .map((room) => (
              <Link
                key={room.to}
                className={styles.room}
                to={room.to}
                aria-current={isCurrent(room, pathname) ? 'page' : undefined}
              >
                <Icon name={room.icon} /> {room.label}
                {room.to === '/attention' && <Waiting />}
                {room.to === '/conflicts' && <OpenConflicts />}
              </Link>
            ))}
        </nav>
        <Who user={user} />
      </header>
      <main id="content" ref={main} tabIndex={-1}>
        <Outlet />
      </main>
      <footer className={styles.foot}>
        Questo software non è una biglietteria automatizzata riconosciuta dall’Agenzia delle Entrate
        e non emette il sigillo fiscale SIAE. Per gli spettacoli e gli intrattenimenti soggetti a
        certificazione va usato insieme a un sistema riconosciuto; il controllo ingressi integrato
        non sostituisce quello fiscale.
      </footer>
    </div>
  );
}

/** How many things wait for a person. */
function Waiting() {
  const { data } = useEndpoint(countAttention, {}, { refetchInterval: 30_000 });
  return <Count count={data?.count} />;
}

/** Second ways in that nobody has explained yet. */
function OpenConflicts() {
  const ask = { query: { open: '1', limit: '1' } } as const;
  const conflicts = useEndpoint(listConflicts, ask, { refetchInterval: 15_000 }).data;
  const doubts = useEndpoint(listDoubts, ask, { refetchInterval: 15_000 }).data;
  return <Count count={(conflicts?.open ?? 0) + (doubts?.open ?? 0)} />;
}

function Count({ count = 0 }: { count: number | undefined }) {
  if (count === 0) return null;
  return (
    <span className={styles.roomCount}>
      {count}
      <span className="visually-hidden"> in attesa</span>
    </span>
  );
}

function Who({ user }: { user: User }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const act = useAct();

  async function leave() {
    await act(logout, {});
    // Before the login is shown: it lets in whom the cache still knows.
    client.clear();
    await navigate('/login');
  }

  return (
    <div className={styles.who}>
      <Icon name="user" />
      <p className={styles.whoName} title={user.email}>
        {user.name}
        <small>{roleNames[user.role]}</small>
      </p>
      <AsyncButton variant="bare" className={styles.leave} onClick={leave}>
        <Icon name="logout" size={18} /> Esci
      </AsyncButton>
    </div>
  );
}

/** On a phone the rooms stand in a bar that is wider than the screen. */
function useCurrentInView(pathname: string) {
  const bar = useRef<HTMLElement>(null);
  const shown = useRef('');
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    const current = bar.current?.querySelector<HTMLElement>('[aria-current]');
    if (current)
      bar.current!.scrollLeft =
        current.offsetLeft - (bar.current!.clientWidth - current.offsetWidth) / 2;
  }, [pathname]);
  return bar;
}

/** After a change of screen the keyboard and the screen reader start at its content; the first screen keeps the browser's own start. */
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

export function Lost() {
  return (
    <Empty icon="search" title="Ti sei perso?">
      <p>Questa pagina dell’ufficio non esiste.</p>
      <Link to="/">Torna all’inizio</Link>
    </Empty>
  );
}
