/** The full-screen verdicts: colour, icon, one huge word, and what the steward needs to say. */
import { mayOverrule, type Direction } from '#server/domain/door/admission.ts';
import { verdictWords, type VerdictTone } from '#apps/shared/verdict-words.ts';
import type { Shown } from '#apps/scanner/scan/admit.ts';
import { DoorNote } from '#apps/scanner/screens/parts.tsx';
import { categoryBeside, joinFacts } from '#apps/scanner/screens/words.ts';
import { reasonOf, staysMs, toneOf, typeNotice } from './reason.ts';
import { BigWord, SeatWords, VerdictFrame, VerdictIcon } from './verdict-parts.tsx';
import styles from './verdict.module.css';

const closeLabel = 'Chiudi ed esamina il prossimo';

interface VerdictProps {
  shown: Shown;
  onClose: () => void;
  /** Null: this reading cannot be overruled. */
  onOverrule: (() => void) | null;
  /** The rest of the order, or a part of it. */
  onGroup: () => void;
  onHowMany: () => void;
}

export function VerdictView({ shown, onClose, ...acts }: VerdictProps) {
  const { big, icon } = verdictWords[shown.verdict];
  const reason = reasonOf(shown);
  return (
    <VerdictFrame
      name={shown.verdict}
      counts={shown.counts}
      tone={toneOf(shown)}
      stays={staysMs(shown)}
      closeLabel={closeLabel}
      onClose={onClose}
      actions={<Actions shown={shown} {...acts} />}
    >
      <VerdictIcon path={icon} />
      <BigWord text={big} />
      {!shown.counts && reason !== '' && <p className={styles.reason}>{reason}</p>}
      <Ticket shown={shown} />
      {shown.counts && reason !== '' && <p className={styles.reason}>{reason}</p>}
    </VerdictFrame>
  );
}

function Actions({ shown, onOverrule, onGroup, onHowMany }: Omit<VerdictProps, 'onClose'>) {
  const others = shown.party.companions.length;
  return (
    <>
      {shown.offline && <span className={styles.badge}>Offline</span>}
      {others > 0 && (
        <button
          type="button"
          // After a refusal this button lets in the refused guest, so it is not the most prominent
          // one.
          className={verdictWords[shown.verdict].tone === 'bad' ? styles.quiet : styles.action}
          onClick={onGroup}
        >
          {groupWords[shown.direction](others)}
        </button>
      )}
      {others > 1 && (
        <button
          type="button"
          className={verdictWords[shown.verdict].tone === 'bad' ? styles.quiet : styles.overrule}
          onClick={onHowMany}
        >
          Non ci sono tutti: dimmi quanti
        </button>
      )}
      {onOverrule !== null && mayOverrule(shown.verdict, shown.direction, shown.counts) && (
        <button type="button" className={styles.overrule} onClick={onOverrule}>
          Fai entrare lo stesso
        </button>
      )}
    </>
  );
}

const groupWords = {
  in: (others: number) =>
    others === 1
      ? 'Un altro biglietto: entra anche quello'
      : `Altri ${others} biglietti: entra tutto l’ordine`,
  out: (others: number) =>
    others === 1
      ? 'Un altro è dentro: esce anche quello'
      : `Altri ${others} sono dentro: esce tutto l’ordine`,
} satisfies Record<Direction, (others: number) => string>;

/** The guest's seat and name; a void or foreign ticket has no seat to go to. */
function Ticket({ shown }: Pick<VerdictProps, 'shown'>) {
  const { verdict, counts, place, left, ended, name } = shown;
  if (place === null) return null;
  const ticket = ticketOf(place);
  const hasSeat = counts || !['cancelled', 'refunded', 'replaced'].includes(verdict);
  const notice = verdict === 'admit' || (verdict === 'moved' && counts) ? noticeOf(place) : null;
  // A ticket that was moved and then refunded is in the list under its present seat.
  const order = ended?.order_number ?? (verdict === 'replaced' ? ticket?.order_number : null);
  const detail = joinFacts(
    categoryBeside(place),
    notice ? null : ticket?.type_label,
    name === null ? ticket?.initials : null,
  );
  return (
    <>
      {hasSeat && (
        <p className={styles.seat}>
          {left !== null && 'ora '}
          <SeatWords seat={place.seat} />
        </p>
      )}
      {left !== null && <p className={styles.detail}>sul biglietto: {left}</p>}
      {!hasSeat && order && <p className={styles.detail}>Ordine {order}</p>}
      {hasSeat && place.entrance !== null && <p className={styles.detail}>{place.entrance}</p>}
      {hasSeat && name !== null && <p className={styles.name}>{name}</p>}
      {hasSeat && detail !== '' && <p className={styles.detail}>{detail}</p>}
      {hasSeat && <Marks place={place} />}
      {notice && <p className={styles.notice}>{notice}</p>}
    </>
  );
}

/** What the drawing says of the seat, and what the office says of the guest. */
function Marks({ place }: { place: NonNullable<Shown['place']> }) {
  const words = joinFacts(...(place.marks ?? []));
  const note = ticketOf(place)?.door_note;
  return (
    <>
      {words !== '' && <p className={styles.marks}>{words}</p>}
      {note && (
        <p className={styles.doorNote}>
          <DoorNote text={note} />
        </p>
      )}
    </>
  );
}

function GroupMarks({ place: { marks = [], ticket } }: { place: NonNullable<Shown['place']> }) {
  return (
    <>
      {marks.length > 0 && <span className={styles.groupNotice}>{joinFacts(...marks)}</span>}
      {ticket?.door_note && <DoorNote text={ticket.door_note} />}
    </>
  );
}

/** The listed ticket if it has the revision that was read; others say nothing about it. */
function ticketOf(place: Shown['place']): NonNullable<Shown['place']>['ticket'] {
  return place?.ticket?.revision === place?.revision ? (place?.ticket ?? null) : null;
}

function noticeOf(place: Shown['place']): string | null {
  const ticket = ticketOf(place);
  return ticket && typeNotice(ticket.type_label);
}

/** The holder's name if this phone knows it, otherwise the initials. */
function whoOf({ name, place }: Shown): string | null {
  return name ?? ticketOf(place)?.initials ?? null;
}

const warningIcon = 'M12 4.2l8.6 15a.6.6 0 0 1-.5.8H3.9a.6.6 0 0 1-.5-.8zM12 10v4.3M12 17.2v.01';

interface Sign {
  tone: VerdictTone;
  icon: string;
  big: string;
  stays: number | null;
  closeLabel: string;
  text: string;
}

/** A supervisor's question or answer that this phone cannot use. */
const noUse = {
  tone: 'warn',
  icon: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17M12 11v5.2M12 7.8v.01',
  big: 'NON PER TE',
  stays: null,
  closeLabel: 'Chiudi',
} as const;

/** Why a scan was not saved, in the one case in which space helps. */
export const fullWords =
  'La memoria del telefono è piena: la lettura non è salvata. Libera spazio, o usa un altro telefono.';

const signs = {
  /** The phone could not store the scan: the screen is not green, whatever the ticket says. */
  not_saved: {
    tone: 'bad',
    icon: warningIcon,
    big: 'NON SALVATO',
    stays: null,
    closeLabel: 'Chiudi e riprova',
    text: 'Il telefono non riesce a salvare la lettura. Riprova; se succede ancora chiudi e riapri l’app, o usa un altro telefono.',
  },
  /** The scan was taken back elsewhere, or the time for it was over. */
  not_undone: {
    tone: 'bad',
    icon: warningIcon,
    big: 'NON ANNULLATO',
    stays: null,
    closeLabel: 'Chiudi',
    text: 'È già stato annullato, oppure sono passati più di dieci minuti: chiedi al responsabile o all’ufficio.',
  },
  not_supervisor: {
    ...noUse,
    text: 'Questo codice lo legge il telefono di un responsabile.',
  },
  own: { ...noUse, text: 'Questa richiesta è di questo stesso telefono.' },
  other_event: {
    ...noUse,
    text: 'La richiesta è per un evento che questo telefono non controlla.',
  },
  late: { ...noUse, text: 'La richiesta è scaduta: fanne aprire una nuova.' },
  /** A supervisor's answer without a question. */
  stray: {
    ...noUse,
    text: 'È la risposta di un responsabile, ma qui non c’è una richiesta aperta.',
  },
  /** A scan was taken back. */
  undone: {
    ...verdictWords.undone,
    stays: 2_000,
    closeLabel,
    text: 'La lettura di prima non conta più',
  },
} satisfies Record<string, Sign>;

interface SignViewProps {
  sign: keyof typeof signs;
  /** The seat in question. */
  seat?: string | null;
  /** How many scans were taken back. */
  count?: number;
  /** In place of the sign's own sentence. */
  text?: string;
  onClose: () => void;
}

/** The result of an act other than a scan. */
export function SignView({ sign, seat = null, count = 1, text, onClose }: SignViewProps) {
  const { icon, big, text: own, ...frame } = signs[sign];
  return (
    <VerdictFrame {...frame} name={sign} counts={false} onClose={onClose}>
      <VerdictIcon path={icon} />
      <BigWord text={big} />
      {seat !== null && (
        <p className={styles.seat}>
          <SeatWords seat={count === 1 ? seat : `${seat}, e altri ${count - 1}`} />
        </p>
      )}
      <p className={styles.reason}>
        {count === 1 ? (text ?? own) : `${count} letture di prima non contano più`}
      </p>
    </VerdictFrame>
  );
}

const groupIcon =
  'M8 5.5a2.7 2.7 0 1 0 0 5.4a2.7 2.7 0 1 0 0-5.4M16.5 6.5a2.2 2.2 0 1 0 0 4.4a2.2 2.2 0 1 0 0-4.4M2.5 19c.4-3.2 2.6-5 5.5-5s5.1 1.8 5.5 5M15 14c3.2-.4 5.8 1.3 6.3 4.3';

/**
 * The rest of an order let in or out together: each ticket has its own verdict, and the summary
 * says how many of the order are inside.
 */
export function GroupView({ group, onClose }: { group: readonly Shown[]; onClose: () => void }) {
  const passed = group.filter(({ counts }) => counts).length;
  const isAll = passed === group.length;
  // For some tickets a document must be looked at or a text be read, which takes time.
  const hasNotice = group.some(
    ({ counts, place }) =>
      counts && (noticeOf(place) !== null || ticketOf(place)?.door_note !== undefined),
  );
  return (
    <VerdictFrame
      name="group"
      counts={isAll}
      tone={isAll ? 'good' : 'warn'}
      stays={isAll && !hasNotice ? 3_000 : null}
      closeLabel={closeLabel}
      onClose={onClose}
      actions={
        group.some(({ offline }) => offline) && <span className={styles.badge}>Offline</span>
      }
    >
      <VerdictIcon path={groupIcon} />
      <BigWord text={partyWord(group)} />
      {!isAll && (
        <p className={styles.reason}>
          {passed} su {group.length} adesso
        </p>
      )}
      <ul className={styles.group}>
        {group.map((shown) => (
          <li key={shown.admission_id} data-companion={shown.verdict}>
            <VerdictIcon path={verdictWords[shown.verdict].icon} className={styles.groupIcon} />
            <span>
              <SeatWords seat={shown.place?.seat ?? ''} />
              {whoOf(shown) !== null && <span className={styles.groupWho}>{whoOf(shown)}</span>}
              {shown.counts && noticeOf(shown.place) !== null && (
                <span className={styles.groupNotice}>{noticeOf(shown.place)}</span>
              )}
              {shown.counts && shown.place !== null && <GroupMarks place={shown.place} />}
            </span>
            <strong>{verdictWords[shown.verdict].big}</strong>
          </li>
        ))}
      </ul>
    </VerdictFrame>
  );
}

/** "ENTRATI 6 DI 10": all that are inside, and all of the order. */
function partyWord(group: readonly Shown[]): string {
  const [{ direction, party } = { direction: 'in', party: { inside: 0, size: 0 } }] = group.filter(
    (shown) => shown.party.size > 0,
  );
  if (direction === 'out') return `DENTRO ${party.inside} DI ${party.size}`;
  return `${party.inside === 1 ? 'ENTRATO' : 'ENTRATI'} ${party.inside} DI ${party.size}`;
}
