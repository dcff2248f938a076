/** The screen of the evening: camera, verdict, what a reading does, and what still has to be sent. */
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { formatTime } from '#apps/shared/format.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { verdictWords } from '#apps/shared/verdict-words.ts';
import { sayCount } from '#apps/scanner/screens/count.ts';
import { mayUndo } from '#server/domain/admission.ts';
import { CameraChoice } from './camera-choice.tsx';
import { ScanCamera } from './scan-camera.tsx';
import { AskCode } from './ask-code.tsx';
import { LookPanel } from './look-panel.tsx';
import type { Passage } from '#apps/scanner/scan/look-up.ts';
import { directionOf, ModeSwitch, type Mode } from './mode-switch.tsx';
import { AskPin } from './ask-pin.tsx';
import { lastUndoable, lowerSupervisor, now, presence } from '#apps/scanner/scan/phone.ts';
import { PresencePanel } from '#apps/scanner/screens/panels/presence-panel.tsx';
import { QueuePanel } from '#apps/scanner/screens/panels/queue-panel.tsx';
import { AskReason } from './ask-reason.tsx';
import { RehearsalBanner } from '#apps/scanner/screens/rehearsal-banner.tsx';
import { forgetSearch, SearchPanel } from '#apps/scanner/screens/panels/search-panel.tsx';
import { isSoundLost, isSoundOn, unlockSound, watchSound } from '#apps/scanner/device/signals.ts';
import { StatusLine } from '#apps/scanner/screens/status-line.tsx';
import { useMemory, useQueueLength } from '#apps/scanner/screens/status.ts';
import type { Device, StoredEvent } from '#apps/scanner/list/store.ts';
import { ThemeSwitch } from '#apps/scanner/screens/theme-switch.tsx';
import { useCamera } from '#apps/scanner/camera/use-camera.ts';
import { useScans, type Talk } from './use-scans.ts';
import { useSupervisor } from './use-supervisor.ts';
import { useTorch } from '#apps/scanner/camera/use-torch.ts';
import { GroupView, NotSavedView, NotUndoneView, UndoneView, VerdictView } from './verdict.tsx';
import { listenToReader } from '#apps/scanner/camera/wedge.ts';
import button from '#apps/scanner/screens/button.module.css';
import layout from '#apps/scanner/screens/layout.module.css';
import scanCamera from './scan-camera.module.css';
import styles from './scan.module.css';

export interface ScanProps {
  device: Device;
  event: StoredEvent;
  onLeave: () => void;
}

const overruleReasons = [
  'Documento e acquisto controllati',
  'Era uscito senza passare dal lettore',
  'Deciso dal responsabile',
];
const byHandReasons = ['Telefono scarico', 'Biglietto dimenticato', 'QR illeggibile'];
const undoReasons = ['Letto per sbaglio', 'Non è entrato'];

export function Scan({ device, event, onLeave }: ScanProps) {
  const { event_id } = event;
  const [mode, setMode] = useState<Mode>('in');
  const supervisor = useSupervisor(device);
  const undoable = useMemory(() => lastUndoable(event_id));
  const scans = useScans(event_id, directionOf(mode));
  const { outcome, talk, close, speak, onCode } = scans;

  const isPeek = mode === 'check';
  const hear = useCallback((text: string) => onCode(text, { peek: isPeek }), [onCode, isPeek]);
  const see = useCallback(
    (text: string) => onCode(text, { peek: isPeek, inView: true }),
    [onCode, isPeek],
  );
  const camera = useCamera(see, mode);
  const torch = useTorch(camera.torch);
  useEffect(() => listenToReader((text) => void hear(text)), [hear]);
  const { forgetCode } = camera;
  const unsaved = outcome?.kind === 'not_saved' ? outcome.read : null;
  // Still held there when the screen that said so is gone, it is tried again: its guest is waiting.
  useEffect(
    () => (unsaved === null ? undefined : () => forgetCode(unsaved)),
    [unsaved, forgetCode],
  );
  const isVerdictInFront = outcome !== null && talk === null;
  useEffect(() => {
    if (!isVerdictInFront) return undefined;
    const closeByKey = ({ key, repeat }: KeyboardEvent) => {
      if (key === 'Escape' && !repeat) close();
    };
    document.addEventListener('keydown', closeByKey);
    return () => document.removeEventListener('keydown', closeByKey);
  }, [isVerdictInFront, close]);
  useEffect(() => {
    const unlock = () => {
      if (!isSoundOn()) void unlockSound();
    };
    // Which of them counts as a tap that allows sound differs from browser to browser.
    const taps = ['pointerdown', 'pointerup', 'click'];
    for (const tap of taps) document.addEventListener(tap, unlock);
    return () => {
      for (const tap of taps) document.removeEventListener(tap, unlock);
    };
  }, []);

  const isMute = useSyncExternalStore(watchSound, isSoundLost);

  /** What only a supervisor may do begins with the PIN, where there is one. */
  const guarded = (next: Talk): Talk => (supervisor.needsPin ? { about: 'pin', next } : next);

  const isOwnAndYoung = (passage: Passage) =>
    mayUndo(
      { counts: true, ...passage },
      { phone_id: device.phone_id, supervisor: false, now: now() },
    );
  const mayTakeBack = (passage: Passage) =>
    !passage.undone && (supervisor.isRaised || supervisor.needsPin || isOwnAndYoung(passage));

  return (
    <>
      {/* The verdict hides all of this from the eye, so also from the keyboard. */}
      <main className={styles.scan} inert={outcome !== null}>
        <RehearsalBanner />
        <header className={styles.head}>
          <button
            type="button"
            className={button.round}
            aria-label="Torna alla preparazione"
            onClick={onLeave}
          >
            <Icon name="back" size={26} />
          </button>
          <div className={styles.title}>
            <h1>{event.facts?.title}</h1>
            <p>{[device.gate, device.name].filter(Boolean).join(' · ')}</p>
          </div>
          <ThemeSwitch />
          <QueueButton onClick={() => speak({ about: 'queue' })} />
        </header>
        <StatusLine event={event} device={device} isShort />
        {supervisor.until !== null && (
          <button type="button" className={styles.chip} onClick={lowerSupervisor}>
            <span>Responsabile fino alle {formatTime(supervisor.until)}</span>
            <strong>Termina</strong>
          </button>
        )}
        {isMute && (
          <button type="button" className={styles.chip}>
            <span>Audio spento</span>
            <strong>Riaccendi</strong>
          </button>
        )}
        <div className={styles.view}>
          <ScanCamera camera={camera} mode={mode} onCameras={() => speak({ about: 'cameras' })} />
          <Counters event_id={event_id} onClick={() => speak({ about: 'presence' })} />
        </div>
        <div className={styles.history}>
          <LastLine last={scans.last} />
          {undoable !== null && (
            <button
              type="button"
              className={button.undo}
              aria-label={undoWords(undoable.direction)}
              onClick={() => scans.beginTalk({ about: 'undo', scan: undoable, isLast: true })}
            >
              <Icon name="undo" size={22} />
              Annulla
            </button>
          )}
        </div>
        <footer className={styles.foot}>
          <ModeSwitch mode={mode} onMode={setMode} />
          <div className={styles.tools}>
            <button
              type="button"
              className={button.tool}
              onClick={() => scans.beginTalk({ about: 'search' })}
            >
              <Icon name="search" size={26} />
              Cerca
            </button>
            <button
              type="button"
              className={button.tool}
              aria-label="Inserisci il codice"
              onClick={() => scans.beginTalk({ about: 'code' })}
            >
              <Icon name="edit" size={26} />
              Codice
            </button>
            {torch && (
              <button
                type="button"
                className={button.tool}
                aria-pressed={torch.isOn}
                onClick={torch.toggle}
              >
                <Icon name="torch" size={26} />
                Torcia
              </button>
            )}
          </div>
        </footer>
      </main>

      {outcome?.kind === 'not_saved' && <NotSavedView onClose={close} />}
      {outcome?.kind === 'not_undone' && <NotUndoneView onClose={close} />}
      {outcome?.kind === 'undone' && (
        <UndoneView key={outcome.admission_id} seat={outcome.seat} onClose={close} />
      )}
      {outcome?.kind === 'group' && (
        <GroupView key={outcome.shown[0]!.admission_id} group={outcome.shown} onClose={close} />
      )}
      {outcome?.kind === 'verdict' && (
        <VerdictView
          key={outcome.shown.admission_id}
          shown={outcome.shown}
          onClose={close}
          onOverrule={() => scans.beginTalk(guarded({ about: 'overrule', ask: outcome.ask }))}
          onGroup={() => scans.letGroupIn(outcome.shown)}
        />
      )}

      {talk?.about === 'code' && (
        <AskCode
          onClose={() => speak(null)}
          onText={(text) => {
            speak(null);
            void onCode(text, { peek: isPeek, byHand: true });
          }}
        />
      )}
      {talk?.about === 'pin' && (
        <AskPin onClose={() => speak(null)} onRaised={() => speak(talk.next)} />
      )}
      {talk?.about === 'overrule' && (
        <AskReason
          title="Perché lo fai entrare?"
          reasons={overruleReasons}
          onClose={() => speak(null)}
          onReason={(override) => {
            speak(null);
            scans.decide(talk.ask, { override, direction: 'in' });
          }}
        />
      )}
      {talk?.about === 'by_hand' && (
        <AskReason
          title="Perché entra senza codice?"
          about={talk.seat}
          reasons={talk.overrules ? [...byHandReasons, ...overruleReasons] : byHandReasons}
          onClose={() => speak(null)}
          onReason={(note) => {
            speak(null);
            forgetSearch();
            scans.decide(
              { recognised: talk.recognised, means: 'search', note },
              { override: talk.overrules ? note : null, direction: 'in' },
            );
          }}
        />
      )}
      {talk?.about === 'undo' && (
        <AskReason
          title={
            talk.isLast
              ? `${undoWords(talk.scan.direction)}?`
              : talk.scan.direction === 'in'
                ? 'Annulla l’ingresso?'
                : 'Annulla l’uscita?'
          }
          about={talk.scan.seat ?? undefined}
          reasons={undoReasons}
          confirm={talk.scan.direction === 'in' ? 'Annulla l’ingresso' : 'Annulla l’uscita'}
          onClose={() => speak(null)}
          onReason={(reason) => {
            speak(null);
            forgetSearch();
            scans.takeBack(talk.scan, reason);
          }}
        />
      )}
      {talk?.about === 'cameras' && <CameraChoice camera={camera} onClose={() => speak(null)} />}
      {talk?.about === 'presence' && <PresencePanel event={event} onClose={() => speak(null)} />}
      {talk?.about === 'queue' && <QueuePanel onClose={() => speak(null)} />}
      {talk?.about === 'search' && (
        <SearchPanel
          event_id={event_id}
          knowsNames={device.role === 'supervisor'}
          onClose={() => speak(null)}
          onChosen={(recognised, means) =>
            speak({ about: 'look', ask: { recognised, means, note: null } })
          }
        />
      )}
      {talk?.about === 'look' && (
        <LookPanel
          key={JSON.stringify(talk.ask.recognised.reading)}
          event_id={event_id}
          recognised={talk.ask.recognised}
          onClose={() => speak(talk.ask.means === 'search' ? { about: 'search' } : null)}
          onLook={(recognised) =>
            speak({ about: 'look', ask: { recognised, means: 'search', note: null } })
          }
          onLetIn={(overrules, seat) => {
            if (talk.ask.means === 'search')
              return speak(
                guarded({ about: 'by_hand', recognised: talk.ask.recognised, seat, overrules }),
              );
            if (overrules) return speak(guarded({ about: 'overrule', ask: talk.ask }));
            speak(null);
            scans.decide(talk.ask, { direction: 'in' });
          }}
          mayTakeBack={mayTakeBack}
          onTakeBack={(passage, seat) => {
            const { reading } = talk.ask.recognised;
            if (reading.kind !== 'place') return;
            const undo: Talk = {
              about: 'undo',
              scan: { ...passage, place: reading.place, seat },
              isLast: false,
            };
            speak(isOwnAndYoung(passage) ? undo : guarded(undo));
          }}
          onLetOut={() => {
            speak(null);
            forgetSearch();
            scans.decide(talk.ask, { direction: 'out' });
          }}
        />
      )}
    </>
  );
}

function undoWords(direction: 'in' | 'out'): string {
  return direction === 'in' ? 'Annulla ultimo ingresso' : 'Annulla ultima uscita';
}

function LastLine({ last }: { last: ReturnType<typeof useScans>['last'] }) {
  return (
    <p
      className={styles.last}
      data-last-verdict={last?.verdict}
      data-last-admission={last?.admission_id}
    >
      {last === null
        ? 'Nessuna lettura ancora'
        : `${formatTime(last.at)} · ${verdictWords[last.verdict].big}${last.place ? ` · ${last.place.seat}` : ''}`}
    </p>
  );
}

/** Leads to the figures of gates and sectors. */
function Counters({ event_id, onClick }: { event_id: string; onClick: () => void }) {
  const { inside, sold } = useMemory(() => presence(event_id));
  return (
    <button type="button" className={scanCamera.counters} data-inside={inside} onClick={onClick}>
      <span className={layout.unbroken}>{sayCount(inside, 'dentro', 'dentro')} ·</span>
      <span className={layout.unbroken}>{sayCount(sold, 'biglietto', 'biglietti')}</span>
      <Icon name="forward" size={18} />
    </button>
  );
}

function QueueButton({ onClick }: { onClick: () => void }) {
  const waiting = useQueueLength() ?? 0;
  return (
    <button
      type="button"
      className={button.round}
      aria-label={`Letture di questo telefono, ${waiting} da inviare`}
      onClick={onClick}
    >
      <Icon name="list" size={26} />
      {waiting > 0 && (
        <span className={button.count} aria-hidden="true">
          {waiting}
        </span>
      )}
    </button>
  );
}
