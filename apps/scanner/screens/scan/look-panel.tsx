/** What is known about a ticket, without letting anybody in: the verdict if it were read now, its history, the rest of its order. */
import { useEffect, useState } from 'react';
import { mayOverrule } from '#server/domain/admission.ts';
import { formatShortDate, formatTime } from '#apps/shared/format.ts';
import { Badge } from '#apps/shared/ui/badge.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { Spinner } from '#apps/shared/ui/spinner.tsx';
import { leftWords, verdictWords } from '#apps/shared/verdict-words.ts';
import type { Passage, TicketView } from '#apps/scanner/scan/look-up.ts';
import { Panel } from '#apps/scanner/screens/panel.tsx';
import { lookUp, recognisePlace, version } from '#apps/scanner/scan/phone.ts';
import { agoOf, atGate, whenOf } from './reason.ts';
import type { Recognised } from '#apps/scanner/list/recognise.ts';
import { useMemory } from '#apps/scanner/screens/status.ts';
import { useServerNow } from '#apps/scanner/screens/use-now.ts';
import { SeatWords, VerdictIcon } from './verdict-parts.tsx';

export interface LookProps {
  event_id: string;
  recognised: Recognised;
  onClose: () => void;
  /** Another ticket of the same order. */
  onLook: (recognised: Recognised) => void;
  onLetIn: (overrules: boolean, seat: string) => void;
  onLetOut: () => void;
  /** Whether this phone, or whoever has its PIN, may take a passage back. */
  mayTakeBack: (passage: Passage) => boolean;
  onTakeBack: (passage: Passage, seat: string) => void;
}

export function LookPanel({
  event_id,
  recognised,
  onClose,
  onLook,
  onLetIn,
  onLetOut,
  mayTakeBack,
  onTakeBack,
}: LookProps) {
  const [view, setView] = useState<TicketView | null>(null);
  const [failed, setFailed] = useState(false);
  const now = useServerNow();
  // What other doors do meanwhile is shown too.
  const seen = useMemory(version);
  useEffect(() => {
    let isWanted = true;
    lookUp(event_id, recognised).then(
      (found) => {
        if (!isWanted) return;
        setView(found);
        setFailed(false);
      },
      () => {
        if (isWanted) setFailed(true);
      },
    );
    return () => {
      isWanted = false;
    };
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the phone's memory has changed
  }, [event_id, recognised, seen]);

  const left = view && leftOf(view);
  const foot = view && (
    <>
      {view.verdict === 'admit' && (
        <button
          type="button"
          className="big-button"
          onClick={() => onLetIn(false, view.place?.seat ?? '')}
        >
          <Icon name="door" size={28} />
          Fai entrare
        </button>
      )}
      {mayOverrule(view.verdict, 'in', false) && (
        <button
          type="button"
          className="ui-button ui-button-wide"
          onClick={() => onLetIn(true, view.place?.seat ?? '')}
        >
          Fai entrare lo stesso
        </button>
      )}
      {view.verdict === 'already_in' && left === null && (
        <button type="button" className="ui-button ui-button-wide" onClick={onLetOut}>
          Segna che esce
        </button>
      )}
    </>
  );
  return (
    <Panel title="Solo informazioni" onClose={onClose} foot={foot || undefined} className="look">
      <p className="note note-info">
        <Icon name="info" />
        <span>Stai guardando: nessuno è entrato.</span>
      </p>
      {failed && (
        <p className="note note-bad" role="alert">
          <Icon name="warning" />
          <span>Il telefono non riesce a leggere i suoi dati: torna indietro e riprova.</span>
        </p>
      )}
      {view === null && !failed && <Spinner />}
      {view !== null && (
        <Found
          view={view}
          now={now}
          onLook={(place) => onLook(recognisePlace(event_id, place))}
          mayTakeBack={mayTakeBack}
          onTakeBack={onTakeBack}
        />
      )}
    </Panel>
  );
}

/** Without re-entry an exit uses the ticket up: whoever left is as little let in as who is inside, and cannot leave again. */
function leftOf({ verdict, place, history }: TicketView): Passage | null {
  const last = history.find(
    ({ revision, undone, conflict }) => revision === place?.revision && !undone && !conflict,
  );
  return (verdict === 'already_in' || verdict === 'just_read') && last?.direction === 'out'
    ? last
    : null;
}

interface FoundProps extends Pick<LookProps, 'mayTakeBack' | 'onTakeBack'> {
  view: TicketView;
  now: number;
  onLook: (place: string) => void;
}

function Found({ view, now, onLook, mayTakeBack, onTakeBack }: FoundProps) {
  const { verdict, place, ticket, name, order_number, history, mates, other_event } = view;
  const words = verdictWords[verdict];
  const left = leftOf(view);
  const facts = [
    place && !place.seat.startsWith(place.category) ? place.category : null,
    ticket?.type_label,
    order_number === null ? null : `Ordine ${order_number}`,
    ticket && ticket.gates.length > 0 ? ticket.gates.join(' o ') : null,
  ]
    .filter(Boolean)
    .join(' · ');
  return (
    <>
      <div
        aria-live="polite"
        className={`look-verdict tone-edge-${words.tone}`}
        data-look={verdict}
      >
        <VerdictIcon path={words.icon} className={`look-icon tone-${words.tone}`} />
        <span>
          <span>Se lo leggi adesso:</span>
          <strong>{words.big}</strong>
        </span>
      </div>
      {left !== null && <p className="look-name">{leftWords(whenOf(left.at, now))}</p>}
      {other_event && (
        <p className="look-name">
          È per {other_event.title}, {formatShortDate(other_event.starts_at)}
        </p>
      )}
      {place && (
        <div className="look-ticket">
          <p className="look-seat">
            <SeatWords seat={place.seat} />
          </p>
          {(name ?? ticket?.initials ?? null) !== null && (
            <p className="look-name">{name ?? ticket?.initials}</p>
          )}
          {facts !== '' && <p className="soft">{facts}</p>}
        </div>
      )}
      {place && (
        <section className="stack" aria-label="Passaggi">
          <h2>Passaggi</h2>
          {history.length === 0 && <p className="soft">Nessuno ancora.</p>}
          <ul className="scans">
            {history.map((scan) => (
              <li key={scan.admission_id} className="scan-row">
                <span className="scan-row-mark">
                  <Icon name={scan.direction === 'in' ? 'door' : 'logout'} size={24} />
                </span>
                <span className="scan-row-text">
                  <strong>
                    {scan.direction === 'in' ? 'Entrato' : 'Uscito'}{' '}
                    {now - scan.at < 20 * 3_600_000
                      ? `alle ${formatTime(scan.at)}`
                      : formatShortDate(scan.at)}
                    {atGate(scan.gate)}
                  </strong>
                  <span className="soft">
                    {[scan.by, agoOf(now - scan.at)].filter(Boolean).join(' · ')}
                  </span>
                </span>
                {scan.undone && <Badge icon="undo">Annullato</Badge>}
                {scan.conflict && !scan.undone && (
                  <Badge tone="bad" icon="warning">
                    Doppio
                  </Badge>
                )}
                {mayTakeBack(scan) && (
                  <button
                    type="button"
                    className="scan-undo"
                    aria-label={`Annulla ${scan.direction === 'in' ? 'l’ingresso' : 'l’uscita'} delle ${formatTime(scan.at)}`}
                    onClick={() => onTakeBack(scan, place.seat)}
                  >
                    <Icon name="undo" size={22} />
                    Annulla
                  </button>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      {mates.length > 0 && (
        <section className="stack" aria-label="Stesso ordine, ancora fuori">
          <h2>Stesso ordine, ancora fuori</h2>
          <ul className="scans">
            {mates.map((mate) => (
              <li key={mate.place}>
                <button
                  type="button"
                  className="scan-row row-button"
                  onClick={() => onLook(mate.place)}
                >
                  <span className="scan-row-text">
                    <strong>{mate.seat}</strong>
                    <span className="soft">
                      {[mate.type_label, mate.initials].filter(Boolean).join(' · ')}
                    </span>
                  </span>
                  <Icon name="forward" />
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
