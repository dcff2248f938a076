/** The scanning screen: camera, verdict, what a scan does, and what still has to be sent. */
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { formatTime } from '#apps/shared/format.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { verdictWords } from '#apps/shared/verdict-words.ts';
import { listenToReader } from '#apps/scanner/camera/keyboard-reader.ts';
import { useCamera } from '#apps/scanner/camera/use-camera.ts';
import { useTorch, type Torch } from '#apps/scanner/camera/use-torch.ts';
import { isSoundLost, isSoundOn, unlockSound, watchSound } from '#apps/scanner/device/signals.ts';
import type { Device, StoredEvent } from '#apps/scanner/list/store.ts';
import { lastUndoable, lowerSupervisor, presence } from '#apps/scanner/scan/phone.ts';
import { sayCount } from '#apps/scanner/screens/count.ts';
import { RehearsalBanner } from '#apps/scanner/screens/rehearsal-banner.tsx';
import { StatusLine } from '#apps/scanner/screens/status-line.tsx';
import { useMemory, useQueueLength } from '#apps/scanner/screens/status.ts';
import { ThemeSwitch } from '#apps/scanner/screens/theme-switch.tsx';
import { directionOf, ModeSwitch, type Mode } from './mode-switch.tsx';
import { OutcomeView } from './outcome-view.tsx';
import { ScanCamera } from './scan-camera.tsx';
import { ScanDialogs, undoWords } from './scan-dialogs.tsx';
import { useScans, type ScanTurn } from './use-scans.ts';
import { useSupervisor, type Supervisor } from './use-supervisor.ts';
import button from '#apps/scanner/screens/button.module.css';
import layout from '#apps/scanner/screens/layout.module.css';
import picture from './scan-camera.module.css';
import styles from './scan.module.css';

export interface ScanProps {
  device: Device;
  event: StoredEvent;
  onLeave: () => void;
}

export function Scan({ device, event, onLeave }: ScanProps) {
  const { event_id } = event;
  const [mode, setMode] = useState<Mode>('in');
  const supervisor = useSupervisor(device);
  const scans = useScans(event_id, directionOf(mode));
  const { outcome, dialog, close, showDialog } = scans;
  const camera = useScanCamera(scans, mode);
  const torch = useTorch(camera.torch);
  useEscape(outcome !== null && dialog === null, close);
  useUnlockedSound();
  return (
    <>
      {/* The verdict hides all of this from the eye, so also from the keyboard. */}
      <main className={styles.scan} inert={outcome !== null}>
        <RehearsalBanner />
        <Head
          device={device}
          event={event}
          onLeave={onLeave}
          onQueue={() => showDialog({ about: 'queue' })}
        />
        <StatusLine event={event} device={device} isShort />
        <Chips supervisor={supervisor} />
        <div className={styles.view}>
          <ScanCamera
            camera={camera}
            mode={mode}
            onCameras={() => showDialog({ about: 'cameras' })}
          />
          <Counters event_id={event_id} onClick={() => showDialog({ about: 'presence' })} />
        </div>
        <LastScan event_id={event_id} scans={scans} />
        <footer className={styles.foot}>
          <ModeSwitch mode={mode} onMode={setMode} />
          <Tools scans={scans} torch={torch} />
        </footer>
      </main>
      {outcome !== null && (
        <OutcomeView outcome={outcome} scans={scans} needsPin={supervisor.needsPin} />
      )}
      <ScanDialogs
        device={device}
        event={event}
        camera={camera}
        scans={scans}
        supervisor={supervisor}
        isPeek={mode === 'check'}
      />
    </>
  );
}

/** The camera and the handheld reader, both leading to `onCode`. */
function useScanCamera({ outcome, onCode }: ScanTurn, mode: Mode) {
  const peek = mode === 'check';
  const hear = useCallback((text: string) => onCode(text, { peek }), [onCode, peek]);
  const see = useCallback((text: string) => onCode(text, { peek, inView: true }), [onCode, peek]);
  const camera = useCamera(see, mode);
  useEffect(() => listenToReader((text) => void hear(text)), [hear]);
  const { forgetCode } = camera;
  const unsaved = outcome?.kind === 'not_saved' ? outcome.read : null;
  // A code that is still in view when the failure's screen is closed is tried again: its guest is waiting.
  useEffect(
    () => (unsaved === null ? undefined : () => forgetCode(unsaved)),
    [unsaved, forgetCode],
  );
  return camera;
}

function useEscape(isWanted: boolean, close: () => void): void {
  useEffect(() => {
    if (!isWanted) return undefined;
    const closeByKey = ({ key, repeat }: KeyboardEvent) => {
      if (key === 'Escape' && !repeat) close();
    };
    document.addEventListener('keydown', closeByKey);
    return () => document.removeEventListener('keydown', closeByKey);
  }, [isWanted, close]);
}

/** Any tap brings back a sound that the system has taken. */
function useUnlockedSound(): void {
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
}

type HeadProps = ScanProps & { onQueue: () => void };

function Head({ device, event, onLeave, onQueue }: HeadProps) {
  return (
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
      <QueueButton onClick={onQueue} />
    </header>
  );
}

/** What is out of the ordinary, and the button that ends it. */
function Chips({ supervisor: { until } }: { supervisor: Supervisor }) {
  const isMute = useSyncExternalStore(watchSound, isSoundLost);
  return (
    <>
      {until !== null && (
        <button type="button" className={styles.chip} onClick={lowerSupervisor}>
          <span>Responsabile fino alle {formatTime(until)}</span>
          <strong>Termina</strong>
        </button>
      )}
      {isMute && (
        <button type="button" className={styles.chip}>
          <span>Audio spento</span>
          <strong>Riaccendi</strong>
        </button>
      )}
    </>
  );
}

/** The last scan in one line, and the button that takes it back. */
function LastScan({ event_id, scans }: { event_id: string; scans: ScanTurn }) {
  const undoable = useMemory(() => lastUndoable(event_id));
  return (
    <div className={styles.history}>
      <LastLine last={scans.last} />
      {undoable !== null && (
        <button
          type="button"
          className={button.undo}
          aria-label={undoWords(undoable.direction)}
          onClick={() => scans.openDialog({ about: 'undo', scan: undoable, isLast: true })}
        >
          <Icon name="undo" size={22} />
          Annulla
        </button>
      )}
    </div>
  );
}

function LastLine({ last }: Pick<ScanTurn, 'last'>) {
  const words = last && [formatTime(last.at), verdictWords[last.verdict].big, last.place?.seat];
  return (
    <p
      className={styles.last}
      data-last-verdict={last?.verdict}
      data-last-admission={last?.admission_id}
    >
      {words === null ? 'Nessuna lettura ancora' : words.filter(Boolean).join(' · ')}
    </p>
  );
}

function Tools({ scans, torch }: { scans: ScanTurn; torch: Torch | null }) {
  return (
    <div className={styles.tools}>
      <button
        type="button"
        className={button.tool}
        onClick={() => scans.openDialog({ about: 'search' })}
      >
        <Icon name="search" size={26} />
        Cerca
      </button>
      <button
        type="button"
        className={button.tool}
        aria-label="Inserisci il codice"
        onClick={() => scans.openDialog({ about: 'code' })}
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
  );
}

/** How many are inside; opens the figures by gate and sector. */
function Counters({ event_id, onClick }: { event_id: string; onClick: () => void }) {
  const { inside, sold } = useMemory(() => presence(event_id));
  return (
    <button type="button" className={picture.counters} data-inside={inside} onClick={onClick}>
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
