/** The sentence below the verdict at the desk: what was recorded, or how the ticket was used. */
import type { admitTicket, readAdmission } from '#server/contract/door/admissions.ts';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { standingOf } from '#server/domain/door/admission.ts';
import { sayEnded } from '#server/domain/door/ended-code.ts';
import { formatListDate, formatTime } from '#apps/shared/format.ts';

export type Ticket = ReplyOf<typeof readAdmission>;
export type Outcome = ReplyOf<typeof admitTicket>;

/** Where a scan was made: the gate, or the desk; most phones have no gate. */
export function gateWords({ gate, phone_id }: { gate: string | null; phone_id: string | null }) {
  return gate ?? (phone_id === null ? 'Ufficio' : 'Nessun varco');
}

/** "ufficio, Anna", "Varco A, Luca", or "Luca" where the phone has no gate. */
export function whereAndWho(row: { gate: string | null; phone_id: string | null; by: string }) {
  const where = row.gate ?? (row.phone_id === null ? 'ufficio' : null);
  return where === null ? row.by : `${where}, ${row.by}`;
}

export function isInside(ticket: Ticket): boolean {
  return standingIn(ticket).last?.direction === 'in';
}

/** The history belongs to the place and may contain scans of an earlier ticket. */
function standingIn({ ticket_id, history }: Ticket) {
  const own = history.filter(
    (row) => row.counts && (row.ticket_id === null || row.ticket_id === ticket_id),
  );
  return standingOf(
    own.map(({ admission_id, direction, corrected_at, annulled_by, gate, by }) => ({
      admission_id,
      direction,
      corrected_at: Date.parse(corrected_at),
      undone: annulled_by !== null,
      at: corrected_at,
      gate,
      by,
    })),
  );
}

/** `first` is the scan that let this ticket in, perhaps the one just made. */
export function tellOutcome({ verdict, counts, at, first }: Outcome): string {
  if (verdict === 'out') return `Uscita registrata alle ${formatTime(at)}.`;
  if (counts) return `Ingresso registrato alle ${formatTime(at)}.`;
  return first === null
    ? `Non è entrato: lettura registrata alle ${formatTime(at)}.`
    : tellFirst(first);
}

/** Why a code that was read is not its ticket's any more. */
export function tellEnded(ended: Ticket['ended']): string {
  return sayEnded(ended && { ...ended, at: Date.parse(ended.at) }, Date.now());
}

/** Null: the verdict needs no explanation. */
export function tellUsedUp(ticket: Ticket): string | null {
  if (ticket.verdict === 'cancelled' && ticket.ended !== null) return `${tellEnded(ticket.ended)}.`;
  const { first } = standingIn(ticket);
  return ticket.verdict === 'already_in' && first !== null ? tellFirst(first) : null;
}

/** Without re-entry the last scan may be an exit: its time must not be shown as an entry. */
function tellFirst({
  direction,
  at,
  gate,
  by,
}: Pick<NonNullable<Outcome['first']>, 'direction' | 'at' | 'gate' | 'by'>): string {
  const where = `${gate === null ? '' : ` al ${gate}`}, da ${by}`;
  return direction === 'out'
    ? `È uscito alle ${formatTime(at)}${where}: non può rientrare.`
    : `Già entrato il ${formatListDate(at)}${where}.`;
}
