/** The dialogs and panels over the scanning screen, one at a time. */
import { useState } from 'react';
import { mayUndo, type Direction, type Verdict } from '#server/domain/door/admission.ts';
import type { CameraView } from '#apps/scanner/camera/use-camera.ts';
import type { Device, StoredEvent } from '#apps/scanner/kit/store.ts';
import type { Passage } from '#apps/scanner/scan/look-up.ts';
import { phone } from '#apps/scanner/scan/phone.ts';
import { PresencePanel } from '#apps/scanner/screens/panels/presence-panel.tsx';
import { QueuePanel } from '#apps/scanner/screens/panels/queue-panel.tsx';
import { forgetSearch, SearchPanel } from '#apps/scanner/screens/panels/search-panel.tsx';
import parts from '#apps/scanner/screens/parts.module.css';
import { AskCode } from './ask-code.tsx';
import { AskReason } from './ask-reason.tsx';
import { CameraChoice } from './camera-choice.tsx';
import { HowMany } from './how-many.tsx';
import { supervisorDecided, type Deed } from './supervisor/deeds.ts';
import { GiveConsent } from './supervisor/give-consent.tsx';
import { LookPanel } from './look-panel.tsx';
import type { Mode } from './mode-switch.tsx';
import type { ScanDialog, Scans } from './scans.ts';
import type { Supervisor } from './supervisor/use-supervisor.ts';

const overruleReasons = [
  'Documento e acquisto controllati',
  'Era uscito senza passare dal lettore',
  supervisorDecided,
];
const byHandReasons = ['Telefono scarico', 'Biglietto dimenticato', 'QR illeggibile'];
const waitsForOffice = 'Senza il PIN dei responsabili conta quando l’ufficio lo conferma.';
const undoReasons = ['Letto per sbaglio', 'Non è entrato'];

interface ScanDialogsProps {
  device: Device;
  event: StoredEvent;
  camera: CameraView;
  dialog: ScanDialog | null;
  scans: Scans;
  supervisor: Supervisor;
  mode: Mode;
}

/** The dialog state of one kind. */
type Of<About extends ScanDialog['about']> = Extract<ScanDialog, { about: About }>;

export function ScanDialogs(props: ScanDialogsProps) {
  const { event, camera, dialog, scans, supervisor, mode } = props;
  const leave = () => scans.showDialog(null);
  switch (dialog?.about) {
    case undefined:
      return null;
    case 'code':
      return (
        <AskCode
          onClose={leave}
          onText={(text) => {
            leave();
            void scans.onCode(text, { mode, byHand: true });
          }}
        />
      );
    // Shown by the scanning screen itself, above the camera.
    case 'ask':
      return null;
    case 'consent':
      return <GiveConsent question={dialog.question} text={dialog.text} onClose={leave} />;
    case 'overrule':
    case 'by_hand':
    case 'undo':
      return <Reason dialog={dialog} scans={scans} supervisor={supervisor} />;
    case 'how_many':
      return (
        <HowMany
          shown={dialog.outcome.shown}
          onClose={leave}
          onCount={(count) => {
            leave();
            scans.letGroupPass(dialog.outcome, count);
          }}
        />
      );
    case 'cameras':
      return <CameraChoice camera={camera} onClose={leave} />;
    case 'presence':
      return <PresencePanel event={event} onClose={leave} />;
    case 'queue':
      return <QueuePanel onClose={leave} />;
    case 'search':
      return (
        <SearchPanel
          event_id={event.event_id}
          onClose={leave}
          onChosen={(recognised, means) =>
            scans.showDialog({ about: 'look', ticket: { recognised, means, note: null } })
          }
        />
      );
    case 'look':
      return <Look {...props} dialog={dialog} />;
    default:
      return dialog satisfies never;
  }
}

interface ReasonProps {
  dialog: Of<'overrule' | 'by_hand' | 'undo'>;
  scans: Scans;
  supervisor: Supervisor;
}

/** Asks for the reason and then acts, or asks a supervisor first. */
function Reason({ dialog, scans, supervisor }: ReasonProps) {
  const { asks, isSupervisor } = supervisor;
  const others = dialog.about === 'undo' ? dialog.together : [];
  const [isTogether, setTogether] = useState(false);
  function act(reason: string) {
    scans.showDialog(null);
    if (dialog.about !== 'overrule') forgetSearch();
    const deed = deedOf(dialog, reason, isTogether ? others : []);
    if (dialog.about === 'undo' ? dialog.asks : asks) scans.ask(deed);
    else scans.act(deed);
  }
  return (
    <AskReason
      {...questionOf(dialog, !asks && !isSupervisor)}
      onClose={() => scans.showDialog(null)}
      onReason={act}
    >
      {others.length > 0 && (
        <button
          type="button"
          className={parts.chip}
          aria-pressed={isTogether}
          onClick={() => setTogether(!isTogether)}
        >
          {others.length === 1
            ? 'Anche l’altro passato insieme'
            : `Anche gli altri ${others.length} passati insieme`}
        </button>
      )}
    </AskReason>
  );
}

function deedOf(dialog: ReasonProps['dialog'], reason: string, together: readonly string[]): Deed {
  switch (dialog.about) {
    case 'undo':
      return { kind: 'undo', scan: dialog.scan, reason, together };
    case 'overrule':
      return { kind: 'overrule', ticket: dialog.ticket, verdict: dialog.verdict, reason };
    case 'by_hand':
      return {
        kind: 'by_hand',
        recognised: dialog.recognised,
        direction: 'in',
        overrules: dialog.overrules,
        reason,
      };
    default:
      return dialog satisfies never;
  }
}

/** `isAlone`: no supervisor can consent, because the office has set no PIN. */
function questionOf(dialog: Of<'overrule' | 'by_hand' | 'undo'>, isAlone: boolean) {
  if (dialog.about === 'overrule')
    return { title: 'Perché lo fai entrare?', reasons: overruleReasons };
  if (dialog.about === 'by_hand')
    return {
      title: 'Perché entra senza codice?',
      about: isAlone ? `${dialog.seat}. ${waitsForOffice}` : dialog.seat,
      reasons: dialog.overrules !== null ? [...byHandReasons, ...overruleReasons] : byHandReasons,
    };
  const { seat, place, direction } = dialog.scan;
  const what = direction === 'in' ? 'Annulla l’ingresso' : 'Annulla l’uscita';
  return {
    title: `${dialog.isLast ? undoWords(direction) : what}?`,
    about: seat ?? place,
    reasons: undoReasons,
    confirm: what,
  };
}

/** Names the button and the question that take the last scan back. */
export function undoWords(direction: Direction): string {
  return direction === 'in' ? 'Annulla ultimo ingresso' : 'Annulla ultima uscita';
}

type LookProps = Omit<ScanDialogsProps, 'dialog'> & { dialog: Of<'look'> };

function Look({ dialog: { ticket }, device, event, scans, supervisor }: LookProps) {
  const { recognised, means } = ticket;
  const { asks, isSupervisor } = supervisor;
  const isOwnAndYoung = (passage: Passage) =>
    mayUndo(
      { counts: true, ...passage },
      { phone_id: device.phone_id, supervisor: false, now: phone.now() },
    );
  function letIn(verdict: Verdict | null, seat: string) {
    if (means === 'search')
      return scans.showDialog({ about: 'by_hand', recognised, seat, overrules: verdict });
    if (verdict !== null && asks)
      return scans.ask({ kind: 'overrule', ticket, verdict, reason: supervisorDecided });
    if (verdict !== null) return scans.showDialog({ about: 'overrule', ticket, verdict });
    scans.showDialog(null);
    scans.decide(ticket, { direction: 'in' });
  }
  function takeBack(passage: Passage, seat: string) {
    const { reading } = recognised;
    if (reading.kind !== 'place') return;
    const scan = { ...passage, made_on: passage.place, place: reading.place, seat };
    const isAsked = asks && !isOwnAndYoung(passage);
    scans.showDialog({ about: 'undo', scan, isLast: false, asks: isAsked, together: [] });
  }
  return (
    <LookPanel
      key={JSON.stringify(recognised.reading)}
      event_id={event.event_id}
      recognised={recognised}
      onClose={() => scans.showDialog(means === 'search' ? { about: 'search' } : null)}
      onLook={(other) =>
        scans.showDialog({
          about: 'look',
          ticket: { recognised: other, means: 'search', note: null },
        })
      }
      onLetIn={letIn}
      mayTakeBack={(passage) => !passage.undone && (isSupervisor || asks || isOwnAndYoung(passage))}
      onTakeBack={takeBack}
      onLetOut={() => {
        scans.showDialog(null);
        forgetSearch();
        const reason = supervisorDecided;
        if (means === 'search' && asks)
          scans.ask({ kind: 'by_hand', recognised, direction: 'out', overrules: null, reason });
        else scans.decide(ticket, { direction: 'out' });
      }}
    />
  );
}
