/**
 * Information about a ticket without letting its holder in: the verdict of a scan now, its
 * history, the rest of its order.
 */
import { useEffect, useState } from 'react';
import { mayOverrule, type Verdict } from '#server/domain/door/admission.ts';
import { sayEnded } from '#server/domain/door/ended-code.ts';
import { foreignTextOf, foreignWords } from '#server/domain/door/foreign-text.ts';
import {
  formatDayAndSeconds,
  formatShortDate,
  formatTimeWithSeconds,
} from '#apps/shared/format.ts';
import { Badge } from '#apps/shared/ui/badge.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { Spinner } from '#apps/shared/ui/spinner.tsx';
import { leftWords, verdictWords } from '#apps/shared/verdict-words.ts';
import type { Passage, TicketView } from '#apps/scanner/scan/look-up.ts';
import { Panel } from '#apps/scanner/screens/panels/panel.tsx';
import { phone } from '#apps/scanner/scan/phone.ts';
import { agoOf, atGate, whenOf } from './verdict/reason.ts';
import type { Recognised } from '#apps/scanner/list/recognise.ts';
import { useMemory } from '#apps/scanner/screens/status.ts';
import { isRecent, useServerNow } from '#apps/scanner/screens/use-now.ts';
import { SeatWords, VerdictIcon } from './verdict/verdict-parts.tsx';
import { DoorNote, Note } from '#apps/scanner/screens/parts.tsx';
import { categoryBeside, joinFacts } from '#apps/scanner/screens/words.ts';
import parts from '#apps/scanner/screens/parts.module.css';
import rows from '#apps/scanner/screens/panels/rows.module.css';
import styles from './look-panel.module.css';

interface LookProps {
  event_id: string;
  recognised: Recognised;
  onClose: () => void;
  /** Another ticket of the same order. */
  onLook: (recognised: Recognised) => void;
  /** `overrules`: the verdict against which the guest goes in; null: none. */
  onLetIn: (overrules: Verdict | null, seat: string) => void;
  onLetOut: () => void;
  /** Whether this phone, or a supervisor it asks, may take back an entry or exit. */
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
  // Read again at every change, so that scans at other doors show.
  const seen = useMemory(phone.version);
  useEffect(() => {
    let isWanted = true;
    phone.lookUp(event_id, recognised).then(
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

  return (
    <Panel
      title="Solo informazioni"
      onClose={onClose}
      foot={view ? <Actions view={view} onLetIn={onLetIn} onLetOut={onLetOut} /> : undefined}
    >
      <Note tone="info" icon="info">
        Stai guardando: nessuno è entrato.
      </Note>
      {failed && (
        <Note tone="bad" role="alert">
          Il telefono non riesce a leggere i suoi dati: torna indietro e riprova.
        </Note>
      )}
      {view === null && !failed && <Spinner />}
      {view !== null && (
        <Found
          view={view}
          read={recognised.read}
          onLook={(place) => onLook(phone.recognisePlace(event_id, place))}
          mayTakeBack={mayTakeBack}
          onTakeBack={onTakeBack}
        />
      )}
    </Panel>
  );
}

type ActionsProps = Pick<LookProps, 'onLetIn' | 'onLetOut'> & { view: TicketView };

function Actions({ view, onLetIn, onLetOut }: ActionsProps) {
  const seat = view.place?.seat ?? '';
  if (view.verdict === 'admit' || (view.verdict === 'moved' && view.counts))
    return (
      <button type="button" className={parts.big} onClick={() => onLetIn(null, seat)}>
        <Icon name="door" size={28} />
        Fai entrare
      </button>
    );
  return (
    <>
      {mayOverrule(view.verdict, 'in', false) && (
        <button
          type="button"
          className="ui-button ui-button-wide"
          onClick={() => onLetIn(view.verdict, seat)}
        >
          Fai entrare lo stesso
        </button>
      )}
      {/* A guest whose ticket has ended goes out, too (RULES A7). */}
      {view.last?.direction === 'in' && (
        <button type="button" className="ui-button ui-button-wide" onClick={onLetOut}>
          Segna che esce
        </button>
      )}
    </>
  );
}

/** The exit that used up the ticket, because without re-entry a guest who left stays out. */
function exitOf({ verdict, last }: TicketView): TicketView['last'] {
  return (verdict === 'already_in' || verdict === 'just_read') && last?.direction === 'out'
    ? last
    : null;
}

interface FoundProps extends Pick<LookProps, 'mayTakeBack' | 'onTakeBack'> {
  view: TicketView;
  read: string | null;
  onLook: (place: string) => void;
}

function Found({ view, read, onLook, mayTakeBack, onTakeBack }: FoundProps) {
  const { place, party, other_event } = view;
  const now = useServerNow();
  const exit = exitOf(view);
  const isDead = view.ended !== null && ['replaced', 'cancelled'].includes(view.verdict);
  return (
    <>
      <VerdictNow verdict={view.verdict} />
      {view.verdict === 'invalid' && (
        <p className={styles.name}>{foreignWords[foreignTextOf(read)]}</p>
      )}
      {exit !== null && <p className={styles.name}>{leftWords(whenOf(exit.at, now))}</p>}
      {isDead && <p className={styles.name}>{sayEnded(view.ended, now)}</p>}
      {other_event && (
        <p className={styles.name}>
          È per {other_event.title}, {formatShortDate(other_event.starts_at)}
        </p>
      )}
      {place && <Ticket view={view} place={place} />}
      {place && (
        <section className={parts.stack} aria-label="Passaggi">
          <h2>Passaggi</h2>
          {view.history.length === 0 && <p className={parts.soft}>Nessuno ancora.</p>}
          <ul className={rows.list}>
            {view.history.map((passage) => (
              <PassageRow
                key={passage.admission_id}
                passage={passage}
                now={now}
                onTakeBack={mayTakeBack(passage) ? () => onTakeBack(passage, place.seat) : null}
              />
            ))}
          </ul>
        </section>
      )}
      {party.companions.length > 0 && <Companions party={party} onLook={onLook} />}
    </>
  );
}

function VerdictNow({ verdict }: Pick<TicketView, 'verdict'>) {
  const { tone, icon, big } = verdictWords[verdict];
  return (
    <div aria-live="polite" className={`${styles.verdict} ${parts[tone]}`} data-look={verdict}>
      <VerdictIcon path={icon} className={styles.icon} />
      <span>
        <span>Se lo leggi adesso:</span>
        <strong>{big}</strong>
      </span>
    </div>
  );
}

type TicketProps = { view: TicketView; place: NonNullable<TicketView['place']> };

function Ticket({ view: { ticket, left, ended, name, order_number }, place }: TicketProps) {
  const order = order_number ?? ended?.order_number;
  const who = name ?? ticket?.initials ?? null;
  const facts = joinFacts(
    categoryBeside(place),
    ticket?.type_label,
    order && `Ordine ${order}`,
    ticket?.gates.join(' o '),
    place.entrance,
  );
  return (
    <div className={styles.ticket}>
      <p className={styles.seat}>
        <SeatWords seat={place.seat} />
      </p>
      {left !== null && <p className={parts.soft}>sul biglietto: {left}</p>}
      {who !== null && <p className={styles.name}>{who}</p>}
      {ticket?.buyer && ticket.buyer !== who && (
        <p>
          Comprato da <bdi>{ticket.buyer}</bdi>
        </p>
      )}
      {facts !== '' && <p className={parts.soft}>{facts}</p>}
      {place.marks && <p>{joinFacts(...place.marks)}</p>}
      {ticket?.door_note && <DoorNote text={ticket.door_note} />}
    </div>
  );
}

interface PassageRowProps {
  passage: Passage;
  now: number;
  /** Null when this phone may not. */
  onTakeBack: (() => void) | null;
}

function PassageRow({ passage, now, onTakeBack }: PassageRowProps) {
  const { direction, at, gate, by, undone, conflict } = passage;
  const isIn = direction === 'in';
  const time = isRecent(at, now) ? `alle ${formatTimeWithSeconds(at)}` : formatDayAndSeconds(at);
  return (
    <li className={rows.row}>
      <span className={rows.mark}>
        <Icon name={isIn ? 'door' : 'logout'} size={24} />
      </span>
      <span className={rows.text}>
        <strong>
          {isIn ? 'Entrato' : 'Uscito'} {time}
          {atGate(gate)}
        </strong>
        <span className={parts.soft}>{joinFacts(by, agoOf(now - at))}</span>
      </span>
      {undone && <Badge icon="undo">Annullato</Badge>}
      {conflict && !undone && (
        <Badge tone="bad" icon="warning">
          Doppio
        </Badge>
      )}
      {onTakeBack && (
        <button
          type="button"
          className={parts.undo}
          aria-label={`Annulla ${isIn ? 'l’ingresso' : 'l’uscita'} delle ${formatTimeWithSeconds(at)}`}
          onClick={onTakeBack}
        >
          <Icon name="undo" size={22} />
          Annulla
        </button>
      )}
    </li>
  );
}

function Companions({
  party: { companions, inside, size },
  onLook,
}: Pick<TicketView, 'party'> & Pick<FoundProps, 'onLook'>) {
  return (
    <section className={parts.stack} aria-label="Stesso ordine, ancora fuori">
      <h2>Stesso ordine, ancora fuori</h2>
      <p className={parts.soft}>
        Dentro {inside} di {size}
      </p>
      <ul className={rows.list}>
        {companions.map((companion) => (
          <li key={companion.place}>
            <button type="button" className={rows.button} onClick={() => onLook(companion.place)}>
              <span className={rows.text}>
                <strong>{companion.seat}</strong>
                <span className={parts.soft}>
                  {joinFacts(companion.type_label, companion.initials)}
                </span>
              </span>
              <Icon name="forward" />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
