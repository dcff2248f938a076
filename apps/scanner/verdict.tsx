/** The verdict over the whole screen: colour, shape, one huge word, and what the doorman needs to say. */
import { Fragment, useEffect, type CSSProperties } from 'react';
import { verdictWords } from '#apps/shared/verdict-words.ts';
import type { Shown } from './admit.ts';
import { reasonOf, staysMs, typeNotice } from './reason.ts';

export interface VerdictProps { shown: Shown; onClose: () => void; /** Present where a supervisor may overrule. */ onOverrule: (() => void) | null }

export function VerdictView({ shown, onClose, onOverrule }: VerdictProps) {
  const { big, tone, icon } = verdictWords[shown.verdict];
  const stays = staysMs(shown);
  const reason = reasonOf(shown);
  // What is known of another revision says nothing about this ticket.
  const ticket = shown.place?.ticket?.revision === shown.place?.revision ? shown.place?.ticket ?? null : null;
  // A void or foreign ticket has no seat to go to.
  const hasSeat = shown.place !== null && (shown.counts || !['cancelled', 'refunded', 'replaced'].includes(shown.verdict));
  const notice = ticket && shown.verdict === 'admit' ? typeNotice(ticket.type_label) : null;
  // "Platea, fila A, posto 3 · Platea" would say it twice.
  const category = shown.place && !shown.place.seat.startsWith(shown.place.category) ? shown.place.category : null;
  const detail = [category, notice ? null : ticket?.type_label, shown.name === null ? ticket?.initials : null].filter(Boolean).join(' · ');

  useEffect(() => {
    if (stays === null) return undefined;
    const timer = setTimeout(onClose, stays);
    return () => clearTimeout(timer);
  }, [stays, onClose]);

  return (
    <div className={`verdict verdict-${tone}`} data-verdict={shown.verdict} data-counts={shown.counts}>
      <button type="button" className="verdict-close" aria-label="Chiudi ed esamina il prossimo" onClick={onClose} />
      <div className="verdict-body" role="alert">
        <VerdictIcon path={icon} />
        <p className="verdict-word"><FittedWords text={big} /></p>
        {!shown.counts && reason !== '' && <p className="verdict-reason">{reason}</p>}
        {hasSeat && <SeatLine seat={shown.place!.seat} />}
        {hasSeat && shown.name !== null && <p className="verdict-name">{shown.name}</p>}
        {hasSeat && detail !== '' && <p className="verdict-detail">{detail}</p>}
        {notice && <p className="verdict-notice">{notice}</p>}
        {shown.counts && reason !== '' && <p className="verdict-reason">{reason}</p>}
      </div>
      <div className="verdict-foot">
        {shown.offline && <span className="verdict-badge">Offline</span>}
        {onOverrule && <button type="button" className="verdict-overrule" onClick={onOverrule}>Fai entrare lo stesso</button>}
        {stays === null
          ? <span className="verdict-hint" aria-hidden="true">Tocca per continuare</span>
          : <span key={shown.admission_id} className="verdict-timer" style={{ animationDuration: `${stays}ms` }} aria-hidden="true" />}
      </div>
    </div>
  );
}

/** The phone could not write the scan down: never green, whatever the ticket says. */
export function NotSavedView({ onClose }: { onClose: () => void }) {
  return (
    <div className="verdict verdict-bad" data-verdict="not_saved">
      <button type="button" className="verdict-close" aria-label="Chiudi e riprova" onClick={onClose} />
      <div className="verdict-body" role="alert">
        <VerdictIcon path="M12 4.2l8.6 15a.6.6 0 0 1-.5.8H3.9a.6.6 0 0 1-.5-.8zM12 10v4.3M12 17.2v.01" />
        <p className="verdict-word"><FittedWords text="NON SALVATO" /></p>
        <p className="verdict-reason">Il telefono non riesce a salvare la lettura. Riprova; se succede ancora libera spazio o usa un altro telefono.</p>
      </div>
      <div className="verdict-foot"><span className="verdict-hint" aria-hidden="true">Tocca per continuare</span></div>
    </div>
  );
}

function VerdictIcon({ path }: { path: string }) {
  return (
    <svg className="verdict-icon" viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="2.4" strokeLinecap="round" strokeLinejoin="round" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}

/** Breaks between section, row and seat, never inside one. */
function SeatLine({ seat }: { seat: string }) {
  const parts = seat.split(', ');
  return <p className="verdict-seat">{parts.map((part, index) => <Fragment key={part}><span>{part}{index < parts.length - 1 && ','}</span>{' '}</Fragment>)}</p>;
}

/** As large as the longest word lets it be: it must be read at arm's length, in the rain. */
function FittedWords({ text }: { text: string }) {
  const words = text.split(' ');
  const style = { '--letters': Math.max(...words.map(({ length }) => length), 5) } as CSSProperties;
  return <span className="verdict-fit" style={style}>{text}</span>;
}
