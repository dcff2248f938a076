/** A table of scans: time, verdict, ticket, gate, notes. */
import { nameOfEvent } from '#apps/admin/kit/date-name.ts';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { listRecentAdmissions } from '#server/contract/door/admissions.ts';
import { foreignTextOf, foreignWords } from '#server/domain/door/foreign-text.ts';
import { formatListDate, formatTimeWithSeconds } from '#apps/shared/format.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { formatSpan, useNow } from '#apps/admin/kit/clock.ts';
import { VerdictMark } from '#apps/admin/kit/verdict-mark.tsx';
import { againstReasonWords, doubtWords, settledWords } from '#apps/admin/kit/words.ts';
import { withParams } from '#apps/admin/kit/list/filters.tsx';
import { Table, SecondLine } from '#apps/admin/kit/list/table.tsx';
import { Notes } from '#apps/admin/kit/page/notes.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { joinParts } from '#apps/admin/kit/join-parts.ts';
import tableStyles from '#apps/admin/kit/list/table.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import { gateWords } from './desk-words.ts';
import styles from './admissions.module.css';

export type AdmissionRow = ReplyOf<typeof listRecentAdmissions>['items'][number];

/** A scan that arrived later than this shows its delay. */
const lateMs = 60_000;

interface AdmissionTableProps {
  rows: AdmissionRow[];
  withEvent?: boolean;
  /** True if all rows are of one ticket; the columns for seat and order are then left out. */
  oneTicket?: boolean;
  highlighted?: string | null;
  /** Adds an undo button to each scan that counts. */
  onUndo?: (row: AdmissionRow) => void;
}

export function AdmissionTable({
  rows,
  withEvent = false,
  oneTicket = false,
  highlighted = null,
  onUndo,
}: AdmissionTableProps) {
  const today = dayOf(useNow(60_000));
  return (
    <Table
      cards
      className={styles.admissions}
      columns={[
        { name: 'Ora', rem: 6.75 },
        { name: 'Esito', rem: 12 },
        !oneTicket && 'Biglietto',
        { name: 'Varco', rem: 10 },
        'Note',
      ]}
    >
      <tbody>
        {rows.map((row) => (
          <tr
            key={row.admission_id}
            className={classOf(row, highlighted)}
            aria-current={row.admission_id === highlighted ? true : undefined}
          >
            <th scope="row" className={styles.time}>
              <ScanTime iso={row.corrected_at} today={today} />
            </th>
            <td className={styles.verdict}>
              <VerdictMark verdict={row.verdict} />
            </td>
            {!oneTicket && (
              <td className={styles.ticket}>
                <WhatWasRead row={row} withEvent={withEvent} />
              </td>
            )}
            <td className={styles.gate}>
              {gateWords(row)}
              <SecondLine>{row.by}</SecondLine>
            </td>
            <td className={styles.notes}>
              <ScanNotes row={row} />
              {onUndo !== undefined && row.counts && row.annulled_by === null && (
                <Button small className={styles.undo} onClick={() => onUndo(row)}>
                  <Icon name="undo" size={15} /> Annulla
                  <span className="visually-hidden">
                    {' '}
                    la lettura delle {formatTimeWithSeconds(row.corrected_at)}
                  </span>
                </Button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function classOf(row: AdmissionRow, highlighted: string | null): string | undefined {
  if (row.admission_id === highlighted) return tableStyles.highlighted;
  if (row.annulled_by !== null) return styles.undone;
  const isTold = row.conflict_with !== null || row.against !== null;
  return isTold && row.settled_as === null ? tableStyles.attention : undefined;
}

/** As in "12/11/2026". */
function dayOf(time: string | number): string {
  return formatListDate(time).replace(/ .*/, '');
}

/** Shows the day only if it is not today. */
function ScanTime({ iso, today }: { iso: string; today: string }) {
  const day = dayOf(iso);
  return (
    <time dateTime={iso}>
      {formatTimeWithSeconds(iso)}
      {day !== today && <span className={textStyles.soft}>{day}</span>}
    </time>
  );
}

function WhatWasRead({ row, withEvent }: { row: AdmissionRow; withEvent: boolean }) {
  return (
    <>
      <SeatRead row={row} />
      <SecondLine>
        {joinParts(row.type_label, withEvent && nameOfEvent(row))}
        {row.order_number !== null && (
          <>
            {row.type_label !== null && ' · '}
            <OrderNumber id={row.order_id} number={row.order_number} />
          </>
        )}
      </SecondLine>
    </>
  );
}

function SeatRead({ row: { seat, ticket_id, read } }: { row: AdmissionRow }) {
  if (seat !== null)
    return ticket_id === null ? seat : <TicketLink ticketId={ticket_id}>{seat}</TicketLink>;
  const words = foreignWords[foreignTextOf(read)];
  if (read === null) return <SecondLine>{words}</SecondLine>;
  return (
    <SecondLine>
      {words}. Letto:{' '}
      <code className={styles.read} title={read}>
        {read}
      </code>
    </SecondLine>
  );
}

interface TicketLinkProps {
  ticketId: string;
  scan?: string;
  children: ReactNode;
}

/** Opens the ticket on the desk of the same screen and keeps the chosen event. */
function TicketLink({ ticketId, scan, children }: TicketLinkProps) {
  const [params] = useSearchParams();
  const next = withParams(params, { ticket: ticketId, scan: scan ?? '' });
  return <Link to={`/door/scans?${next.toString()}`}>{children}</Link>;
}

/** Users of the door see only the number; the office gets a link. */
function OrderNumber({ id, number }: { id: string | null; number: string }) {
  if (id === null) return <span className={textStyles.code}>{number}</span>;
  return (
    <Link className={textStyles.code} to={`/orders/${id}`}>
      {number}
    </Link>
  );
}

function ScanNotes({ row }: { row: AdmissionRow }) {
  const delay = Date.parse(row.received_at) - Date.parse(row.corrected_at);
  return (
    <Notes
      notes={[
        row.annulled_by !== null && { tone: 'warn', icon: 'undo', text: 'Annullata dopo' },
        row.doubt !== null && {
          tone: 'warn',
          icon: 'warning',
          text: `Non conta: ${doubtWords[row.doubt]}`,
        },
        row.against !== null && {
          tone: row.settled_as === null ? 'bad' : undefined,
          icon: 'warning',
          text: againstNote(row.against, row),
        },
        row.conflict_with !== null && {
          tone: row.settled_as === null ? 'bad' : undefined,
          icon: 'warning',
          text: <SecondWayIn row={row} first={row.conflict_with} />,
        },
        row.verdict !== 'undone' &&
          row.means === 'group' && { icon: 'list', text: 'Con tutto l’ordine' },
        row.verdict !== 'undone' &&
          row.means === 'search' && { icon: 'search', text: 'Trovato a mano' },
        row.note !== null && { icon: 'edit', text: row.note },
        row.override !== null && { tone: 'warn', icon: 'edit', text: `Forzato: ${row.override}` },
        row.approved_by !== null && {
          icon: 'lock',
          text: `Con il consenso di ${row.approved_by}`,
        },
        row.approval_failed && {
          tone: 'bad',
          icon: 'warning',
          text: 'Il consenso del responsabile non è valido',
        },
        row.verdict === 'verify' &&
          row.counts && { tone: 'warn', icon: 'check', text: 'Fatto entrare' },
        row.code_check === 'unchecked' && {
          icon: 'warning',
          text: 'Codice di un segreto che non c’è più: non verificabile',
        },
        row.from_file && { icon: 'upload', text: 'Da un file' },
        row.offline && { icon: 'offline', text: 'Senza rete' },
        delay > lateMs && { icon: 'clock', text: `Ricevuto dopo ${formatSpan(delay)}` },
      ]}
    />
  );
}

function againstNote(against: NonNullable<AdmissionRow['against']>, row: AdmissionRow): string {
  const words = againstReasonWords[against];
  return row.settled_as === null ? words : `${words} · ${settledWords[row.settled_as].word}`;
}

function SecondWayIn({ row, first }: { row: AdmissionRow; first: string }) {
  return (
    <>
      {row.ticket_id === null ? (
        'Doppio ingresso'
      ) : (
        <TicketLink ticketId={row.ticket_id} scan={first}>
          Doppio ingresso: vedi il primo
        </TicketLink>
      )}
      {row.settled_as !== null && ` · ${settledWords[row.settled_as].word}`}
    </>
  );
}
