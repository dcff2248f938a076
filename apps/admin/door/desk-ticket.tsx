/**
 * One ticket on the desk: the present verdict, its scans, and buttons to let the person in or
 * out.
 */
import { nameOfEvent } from '#apps/admin/kit/date-name.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  admitTicket,
  listRecentAdmissions,
  readAdmission,
  undoAdmission,
} from '#server/contract/door/admissions.ts';
import { listConflicts } from '#server/contract/door/conflicts.ts';
import { listEvents } from '#server/contract/events.ts';
import { readPresence } from '#server/contract/door/presence.ts';
import { mayOverrule } from '#server/domain/door/admission.ts';
import { keyOf, useEndpoint } from '#apps/shared/query.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { AdmissionTable, type AdmissionRow } from './admission-table.tsx';
import {
  isInside,
  tellOutcome,
  tellUsedUp,
  whereAndWho,
  type Outcome,
  type Ticket,
} from './desk-words.ts';
import { Fact, Facts } from '#apps/admin/kit/page/facts.tsx';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { ReasonDialog } from '#apps/admin/kit/form/reason-dialog.tsx';
import { useAct } from '#apps/admin/kit/session/session.ts';
import { formatTimeWithSeconds } from '#apps/shared/format.ts';
import { verdictWords } from '#apps/shared/verdict-words.ts';
import { VerdictMark } from '#apps/admin/kit/verdict-mark.tsx';
import { ticketStateWords } from '#apps/admin/kit/words.ts';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { StateBadge } from '#apps/admin/kit/state-badge.tsx';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './admissions.module.css';

/** These queries change with a new scan. */
const shown = [readAdmission, listRecentAdmissions, listEvents, readPresence, listConflicts];

interface DeskTicketProps {
  ticketId: string;
  /** The scan that a conflict points to. */ scan: string | null;
  onClose: () => void;
}

export function DeskTicket({ ticketId, scan, onClose }: DeskTicketProps) {
  const ticket = useEndpoint(readAdmission, { params: { ticketId } }, { refetchInterval: 5_000 });
  return (
    <Panel as="div" className={styles.deskTicket}>
      <button
        type="button"
        className={`ui-dialog-close ${styles.deskClose}`}
        aria-label="Chiudi il biglietto"
        onClick={onClose}
      >
        <Icon name="cross" />
      </button>
      <Loaded query={ticket}>{(data) => <TicketAtDesk ticket={data} scan={scan} />}</Loaded>
    </Panel>
  );
}

/** Records and undoes scans of one ticket, and refreshes every list that shows them. */
function useRecords(ticketId: string) {
  const client = useQueryClient();
  const act = useAct();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const params = { ticketId };

  function askAgain() {
    for (const endpoint of shown) void client.invalidateQueries({ queryKey: keyOf(endpoint) });
  }

  return {
    outcome,
    async record(direction: 'in' | 'out', override?: string) {
      const body = { direction, ...(override !== undefined && { override }) };
      setOutcome(await act(admitTicket, { params, body }));
      askAgain();
    },
    async undo({ admission_id }: AdmissionRow, reason: string) {
      await act(undoAdmission, { params, body: { admission_id, reason } });
      setOutcome(null);
      askAgain();
    },
  };
}

function TicketAtDesk({ ticket, scan }: { ticket: Ticket; scan: string | null }) {
  const { outcome, record, undo } = useRecords(ticket.ticket_id);
  const [asking, setAsking] = useState(false);
  const [undoing, setUndoing] = useState<AdmissionRow | null>(null);

  return (
    <>
      <Now ticket={ticket} outcome={outcome} onRecord={record} onOverrule={() => setAsking(true)} />
      <div className={styles.deskHistory}>
        <h3>Letture di questo biglietto</h3>
        {ticket.history.length === 0 ? (
          <p className={textStyles.soft}>Mai letto finora.</p>
        ) : (
          <AdmissionTable rows={ticket.history} oneTicket highlighted={scan} onUndo={setUndoing} />
        )}
      </div>
      {asking && (
        <ReasonDialog
          title="Fare entrare lo stesso?"
          hint="Per esempio: «uscito per il bagno», «documento controllato»."
          confirmLabel="Fai entrare"
          text={
            <>
              {ticket.seat}: la porta direbbe <b>{verdictWords[ticket.verdict].big}</b>. L’ingresso
              resta registrato con il tuo nome e con questo motivo.
            </>
          }
          onCancel={() => setAsking(false)}
          onConfirm={async (reason) => {
            await record('in', reason);
            setAsking(false);
          }}
        />
      )}
      {undoing !== null && (
        <ReasonDialog
          title={
            undoing.direction === 'in' ? 'Annullare questo ingresso?' : 'Annullare questa uscita?'
          }
          hint="Per esempio: «letto per sbaglio», «non è entrato»."
          confirmLabel="Annulla la lettura"
          text={<UndoText row={undoing} seat={ticket.seat} />}
          onCancel={() => setUndoing(null)}
          onConfirm={async (reason) => {
            await undo(undoing, reason);
            setUndoing(null);
          }}
        />
      )}
    </>
  );
}

interface NowProps {
  ticket: Ticket;
  outcome: Outcome | null;
  onRecord: (direction: 'in' | 'out') => Promise<void>;
  onOverrule: () => void;
}

/** The verdict of the last act, or what the door would say now, with the possible actions. */
function Now({ ticket, outcome, onRecord, onOverrule }: NowProps) {
  const why = outcome === null ? tellUsedUp(ticket) : tellOutcome(outcome);
  // The desk records the ticket itself, whichever paper was read.
  const goesIn = ticket.verdict === 'admit' || ticket.verdict === 'moved';
  return (
    <div className={styles.deskNow}>
      <output className={styles.deskVerdict} aria-label="Esito">
        <span className={textStyles.soft}>
          {outcome === null ? 'Se letto adesso' : 'Registrato'}
        </span>
        <VerdictMark verdict={outcome?.verdict ?? ticket.verdict} big />
        {why !== null && <span>{why}</span>}
      </output>
      <TicketFacts ticket={ticket} />
      <div className={styles.deskActions}>
        {goesIn && (
          <AsyncButton variant="primary" onClick={() => onRecord('in')}>
            <Icon name="check" /> Fai entrare
          </AsyncButton>
        )}
        {/* A second tap must not admit a person who has just come in. */}
        {!goesIn && mayOverrule(ticket.verdict, 'in', outcome?.counts ?? false) && (
          <AsyncButton onClick={onOverrule}>Fai entrare lo stesso…</AsyncButton>
        )}
        {isInside(ticket) && (
          <AsyncButton onClick={() => onRecord('out')}>
            <Icon name="logout" /> Registra uscita
          </AsyncButton>
        )}
        {!goesIn && !mayOverrule(ticket.verdict, 'in', false) && (
          <p className={textStyles.soft}>Questo biglietto non può entrare: manda alla cassa.</p>
        )}
      </div>
    </div>
  );
}

function UndoText({ row, seat }: { row: AdmissionRow; seat: string }) {
  return (
    <>
      {seat}: {row.direction === 'in' ? 'l’ingresso' : 'l’uscita'} delle{' '}
      {formatTimeWithSeconds(row.corrected_at)} ({whereAndWho(row)}) non conterà più, e i telefoni
      lo sapranno alla prossima connessione. La lettura resta nell’elenco, con il tuo nome e con
      questo motivo.
    </>
  );
}

function TicketFacts({ ticket }: { ticket: Ticket }) {
  return (
    <Facts>
      <Fact name="Posto">
        <b>{ticket.seat}</b>
      </Fact>
      <Fact name="Tipo">{ticket.type_label}</Fact>
      <Fact name="Settore">{ticket.category}</Fact>
      <Fact name="Evento">{nameOfEvent(ticket)}</Fact>
      {ticket.holder !== null && <Fact name="Intestatario">{ticket.holder}</Fact>}
      <Fact name="Biglietto">
        <StateBadge {...ticketStateWords[ticket.state]} />
      </Fact>
    </Facts>
  );
}
