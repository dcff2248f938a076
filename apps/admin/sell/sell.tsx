/** The start of the counter: the user's shift, and the evenings on sale with a key each. */
import { Link } from 'react-router-dom';
import { readCounter } from '#server/contract/counter.ts';
import { listLost } from '#server/contract/lost-sales.ts';
import { formatEuro } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Empty, Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { useMay } from '#apps/admin/kit/session/session.ts';
import { hasShift, type Counter, type OpenCounter } from '#apps/admin/print/printed.tsx';
import { OpenShift } from '#apps/admin/sell/shift/shift-open.tsx';
import { EveningLinks } from './evenings.tsx';
import styles from './sell.module.css';

export function SellScreen() {
  const counter = useEndpoint(readCounter, {}, { refetchInterval: 30_000 });
  return (
    <Loaded query={counter}>
      {(data) =>
        hasShift(data) ? (
          <Choice counter={data} />
        ) : (
          <>
            <OpenShift counter={data} />
            <h2 className={styles.apart}>Senza turno: omaggi e prenotazioni</h2>
            <nav className={styles.links} aria-label="Cassa">
              <Link to="/sell/sales">Omaggi di oggi</Link>
              <Link to="/sell/reservations">Prenotazioni</Link>
              <Link to="/sell/shifts">Turni</Link>
            </nav>
            <Evenings events={data.events} />
          </>
        )
      }
    </Loaded>
  );
}

/** A cashier counts the drawer blind (RULES K3). */
function drawerWords(expected_cents: number | null): string {
  return expected_cents === null ? 'turno aperto' : `${formatEuro(expected_cents)} nel cassetto`;
}

function Choice({ counter: { events, shift } }: { counter: OpenCounter }) {
  const maySet = useMay('change_site');
  const wasRestored = useWasRestored();
  return (
    <>
      <PageTitle title="Vendi" />
      <nav className={styles.links} aria-label="Cassa">
        <Link to="/sell/shift">
          {shift.till_name}: {drawerWords(shift.report.expected_cents)}
        </Link>
        <Link to="/sell/sales">Vendite del turno</Link>
        <Link to="/sell/reservations">Prenotazioni</Link>
        <Link to="/sell/shifts">Turni</Link>
        {wasRestored && <Link to="/sell/rebuild">Ricostruisci una vendita</Link>}
        {maySet && <Link to="/settings/tills">Stampanti e casse</Link>}
      </nav>
      <Evenings events={events} />
    </>
  );
}

/** The evenings on sale, the first nine with a key each. */
function Evenings({ events }: Pick<Counter, 'events'>) {
  return (
    <>
      {events.length === 0 ? (
        <Empty icon="calendar" title="Nessun evento da vendere adesso.">
          <p>Qui compaiono gli eventi pubblicati che non sono ancora finiti.</p>
        </Empty>
      ) : (
        <EveningLinks events={events} pathOf={(id) => `/sell/event/${encodeURIComponent(id)}`} />
      )}
    </>
  );
}

/** Whether sales may be missing here, for a user who may write them again. */
function useWasRestored(): boolean {
  const enabled = useMay('change_orders');
  const lost = useEndpoint(listLost, {}, { enabled });
  return lost.data !== undefined && lost.data.restored !== null;
}
