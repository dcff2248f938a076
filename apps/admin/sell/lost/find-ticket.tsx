/** Finds a lost ticket by its code, or takes one that a phone has read at the door. */
import { useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { listLost, lookAtLost } from '#server/contract/lost-sales.ts';
import { CallError } from '#apps/shared/api.ts';
import { formatListSeconds, formatShortDate } from '#apps/shared/format.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { Table, SecondLine } from '#apps/admin/kit/list/table.tsx';
import { tellFailure } from '#apps/admin/kit/page/loaded.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import filterStyles from '#apps/admin/kit/list/filters.module.css';
import styles from './lost.module.css';

type Found = ReplyOf<typeof lookAtLost>;

interface FindTicketProps {
  scans: ReplyOf<typeof listLost>['scans'];
  /** Codes and scans that are in the sale already. */
  taken: readonly string[];
  /** The event of the sale; null: none is chosen yet. */
  event_id: string | null;
  /** @throws CallError */
  onFind: (ticket: string) => Promise<Found>;
}

export function FindTicket({ scans, taken, event_id, onFind }: FindTicketProps) {
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  const [found, setFound] = useState<Found | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const find = async (ticket: string) => {
    if (busy || ticket.trim() === '') return;
    setBusy(true);
    setFailure(null);
    setFound(null);
    await onFind(ticket.trim()).then(setFound, setFailure);
    setBusy(false);
    setTyped('');
    field.current?.focus();
  };
  const waiting = scans.filter(({ admission_id }) => !taken.includes(admission_id));
  const isOther = found !== null && event_id !== null && found.event_id !== event_id;
  return (
    <section className={styles.find} aria-label="Trova il biglietto">
      <form
        className={filterStyles.toolbar}
        onSubmit={(event) => {
          event.preventDefault();
          void find(typed);
        }}
      >
        <div className={filterStyles.search}>
          <Icon name="ticket" />
          <input
            ref={field}
            className="ui-input"
            aria-label="Codice del biglietto"
            placeholder="Codice del biglietto"
            value={typed}
            maxLength={200}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            onChange={(event) => setTyped(event.target.value)}
          />
        </div>
        <Button type="submit" busy={busy} label={busy ? 'Cerco…' : 'Cerca'} />
      </form>
      {failure !== null && <Failure error={failure} />}
      {found !== null && <NotFree found={found} />}
      {isOther && (
        <Notice tone="warn">
          È di {found.event_title}: ricostruisci prima la vendita che hai iniziato.
        </Notice>
      )}
      {waiting.length > 0 && <ReadAtDoor scans={waiting} busy={busy} onAdd={find} />}
    </section>
  );
}

interface ReadAtDoorProps extends Pick<FindTicketProps, 'scans'> {
  busy: boolean;
  onAdd: (admission_id: string) => Promise<void>;
}

function ReadAtDoor({ scans, busy, onAdd }: ReadAtDoorProps) {
  return (
    <>
      <h2>Letti alla porta</h2>
      <Table cards columns={['Posto', 'Letto', { hidden: 'Azioni' }]}>
        <tbody>
          {scans.map(({ admission_id, seat, event_title, event_starts_at, at, gate }) => (
            <tr key={admission_id}>
              <td data-label="Posto">
                {seat}
                <SecondLine>
                  {event_title}, {formatShortDate(event_starts_at)}
                </SecondLine>
              </td>
              <td data-label="Letto">
                {formatListSeconds(at)}
                {gate !== null && <SecondLine>{gate}</SecondLine>}
              </td>
              <td>
                <Button
                  small
                  busy={busy}
                  label="Aggiungi"
                  aria-label={`Aggiungi ${seat}`}
                  onClick={() => void onAdd(admission_id)}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </>
  );
}

/** The server's sentence, with the order that it names. */
function Failure({ error }: { error: unknown }) {
  const detail = error instanceof CallError ? error.detail : null;
  const { order_id, number } = (detail ?? {}) as { order_id?: string; number?: string };
  return (
    <Notice tone="bad" role="alert">
      {tellFailure(error)}
      {order_id !== undefined && (
        <>
          {' '}
          È dell’<Link to={`/orders/${order_id}`}>ordine {number}</Link>.
        </>
      )}
    </Notice>
  );
}

/** Who has the place, and what to do. */
function NotFree({ found: { obstacle, seat } }: { found: Found }) {
  if (obstacle === null) return null;
  if (obstacle.kind === 'kept')
    return (
      <Notice tone="warn" role="alert">
        {seat}: il posto è bloccato, o qualcuno lo sta scegliendo adesso. Liberalo dalla pianta
        dell’evento, poi leggi di nuovo il biglietto.
      </Notice>
    );
  return (
    <Notice tone="warn" role="alert">
      {seat}: il posto intanto è dell’
      <Link to={`/orders/${obstacle.order_id}`}>ordine {obstacle.number}</Link>. Se è lo stesso
      acquirente, che ha cambiato nome o posto, basta il suo ordine. Altrimenti sono due persone in
      buona fede: sposta quell’ordine su un altro posto e leggi di nuovo questo biglietto, oppure
      dai a chi hai davanti un altro posto, con un omaggio.
    </Notice>
  );
}
