/** Finds a ticket by code or id. The address keeps only the id, because a code admits. */
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { readAdmission } from '#server/contract/door/admissions.ts';
import { foreignTextOf, foreignWords } from '#server/domain/door/foreign-text.ts';
import { readTicketCode } from '#server/domain/door/ticket-code.ts';
import { CallError } from '#apps/shared/api.ts';
import { keyOf } from '#apps/shared/query.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { DeskTicket } from './desk-ticket.tsx';
import { tellEnded, type Ticket } from './desk-words.ts';
import { useSlashKey } from '#apps/admin/kit/list/keys.ts';
import { useSubmit } from '#apps/admin/kit/form/use-submit.ts';
import { withParams } from '#apps/admin/kit/list/filters.tsx';
import { useAct, useMay } from '#apps/admin/kit/session/session.ts';
import { FailureNotice, Notice } from '#apps/admin/kit/page/notice.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import filterStyles from '#apps/admin/kit/list/filters.module.css';
import styles from './admissions.module.css';

/** A shorter text is not a code or an id, and could form the path of another endpoint. */
const shortestId = 12;

/** A code that is not its ticket's any more; the page asks on by the ticket's id. */
type DeadCode = Pick<Ticket, 'ticket_id' | 'ended'>;

/** Looks up a typed or scanned code; `show` opens the ticket, and '' closes it. */
function useLookup(show: (ticketId: string) => void) {
  const client = useQueryClient();
  const act = useAct();
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [isLost, setIsLost] = useState(false);
  const [dead, setDead] = useState<DeadCode | null>(null);

  const { setFailure, ...submission } = useSubmit(async () => {
    const text = readTicketCode(typed)?.code ?? typed.trim();
    if (text === '') return;
    if (text.length < shortestId) {
      setFailure('Il codice è incompleto: sono 31 caratteri, a gruppi di quattro.');
      return;
    }
    // An id is no text of these kinds; the server would look for it in vain.
    const kind = foreignTextOf(text);
    if (kind !== 'other' && readTicketCode(text) === null) {
      setFailure(`${foreignWords[kind]}.`);
      return;
    }
    setIsLost(false);
    setDead(null);
    try {
      const ticket = await act(readAdmission, { params: { ticketId: text } });
      client.setQueryData(keyOf(readAdmission, { params: { ticketId: ticket.ticket_id } }), ticket);
      if (ticket.verdict === 'replaced') setDead(ticket);
      show(ticket.ticket_id);
      setTyped('');
    } catch (error) {
      show('');
      setIsLost(error instanceof CallError && error.code === 'ticket_lost');
      throw error;
    } finally {
      field.current?.select();
    }
  });

  return { field, typed, setTyped, isLost, dead, ...submission };
}

export function Desk() {
  const [params, setParams] = useSearchParams();
  const ticketId = params.get('ticket') ?? '';
  const show = (ticket: string) => setParams((old) => withParams(old, { ticket, scan: '' }));
  const { field, typed, setTyped, isLost, dead, busy, failure, submit } = useLookup(show);
  const mayRebuild = useMay('change_orders');
  useSlashKey(field);

  return (
    <section className={styles.desk} aria-labelledby="desk-title">
      <h2 id="desk-title">Ammetti o controlla un biglietto</h2>
      <form className={filterStyles.toolbar} onSubmit={submit}>
        <div className={filterStyles.search}>
          <Icon name="ticket" />
          <input
            ref={field}
            className="ui-input"
            aria-label="Codice del biglietto"
            placeholder="Leggi o scrivi il codice del biglietto"
            value={typed}
            maxLength={200}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            aria-keyshortcuts="/"
            aria-invalid={failure === null ? undefined : true}
            aria-describedby={failure === null ? undefined : 'desk-failure'}
            onChange={(event) => setTyped(event.target.value)}
          />
          <kbd aria-hidden="true">/</kbd>
        </div>
        <Button type="submit" busy={busy} label={busy ? 'Cerco…' : 'Controlla'} />
      </form>
      <FailureNotice text={failure} id="desk-failure" />
      {isLost && mayRebuild && <Link to="/sell/rebuild">Ricostruisci una vendita</Link>}
      {dead?.ticket_id === ticketId && (
        <Notice tone="warn">
          Il codice che hai letto dà SOSTITUITO. {tellEnded(dead.ended)}. Qui sotto c’è il biglietto
          com’è adesso.
        </Notice>
      )}
      {ticketId !== '' && (
        <DeskTicket
          key={ticketId}
          ticketId={ticketId}
          scan={params.get('scan')}
          onClose={() => show('')}
        />
      )}
    </section>
  );
}
