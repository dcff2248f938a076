/** The scanning screen: camera, verdict, the mode of a scan, and the unsent scans. */
import {
  useEffect,
  useEffectEvent,
  useState,
  useSyncExternalStore,
  type ComponentProps,
} from 'react';
import { formatTime } from '#apps/shared/format.ts';
import { Icon, type IconName } from '#apps/shared/ui/icon.tsx';
import { verdictWords } from '#apps/shared/verdict-words.ts';
import { listenToReader } from '#apps/scanner/camera/keyboard-reader.ts';
import { useCamera } from '#apps/scanner/camera/use-camera.ts';
import { useTorch, type Torch } from '#apps/scanner/camera/use-torch.ts';
import { isSoundLost, isSoundOn, unlockSound } from '#apps/scanner/device/signals.ts';
import type { Device, StoredEvent } from '#apps/scanner/kit/store.ts';
import { phone } from '#apps/scanner/scan/phone.ts';
import { noteScreen, takeResumed } from '#apps/scanner/scan/restart.ts';
import type { UndoableScan } from '#apps/scanner/scan/undo.ts';
import { joinFacts, sayCount } from '#apps/scanner/screens/words.ts';
import { RehearsalBanner } from '#apps/scanner/screens/rehearsal-banner.tsx';
import { StatusLine } from '#apps/scanner/screens/status-line.tsx';
import { useMemory, useQueueLength } from '#apps/scanner/screens/status.ts';
import { ThemeSwitch } from '#apps/scanner/screens/theme-switch.tsx';
import { answerAim, AskSupervisor } from './supervisor/ask-supervisor.tsx';
import { aimWords, ModeSwitch, readMode, type Mode } from './mode-switch.tsx';
import { ConflictLine } from './conflict-line.tsx';
import { useConflicts } from './use-conflicts.ts';
import { OutcomeView } from './verdict/outcome-view.tsx';
import { ScanCamera } from './scan-camera.tsx';
import { ScanDialogs, undoWords } from './scan-dialogs.tsx';
import { Scans } from './scans.ts';
import { useSupervisor, type Supervisor } from './supervisor/use-supervisor.ts';
import { RoundButton } from '#apps/scanner/screens/parts.tsx';
import parts from '#apps/scanner/screens/parts.module.css';
import picture from './scan-camera.module.css';
import styles from './scan.module.css';

interface ScanProps {
  device: Device;
  event: StoredEvent;
  onLeave: () => void;
}

export function Scan({ device, event, onLeave }: ScanProps) {
  const { event_id } = event;
  const supervisor = useSupervisor(device);
  const [scans] = useState(() => new Scans(event_id));
  const [mode, setMode] = useRestarts(scans, event, device);
  const { outcome, dialog, last } = useSyncExternalStore(scans.subscribe, scans.read);
  const camera = useScanCamera(scans, mode);
  const torch = useTorch(camera.torch);
  const asked = dialog?.about === 'ask' ? dialog : null;
  const isVerdict = outcome !== null && asked === null;
  useEscape(isVerdict && dialog === null, scans.close);
  useEscape(asked !== null, scans.cancel);
  useUnlockedSound();
  return (
    <>
      {/* The verdict covers all of this, so the keyboard must not reach it. */}
      <main className={styles.scan} inert={isVerdict} data-asking={asked ? '' : undefined}>
        <RehearsalBanner />
        <Head
          device={device}
          event={event}
          onLeave={onLeave}
          onQueue={() => scans.showDialog({ about: 'queue' })}
        />
        <StatusLine event={event} device={device} />
        <ConflictLine onShow={() => scans.showDialog({ about: 'queue' })} />
        <Chips supervisor={supervisor} />
        {asked && <AskSupervisor asked={asked} scans={scans} />}
        <div className={styles.view}>
          <ScanCamera
            camera={camera}
            mode={mode}
            aim={asked ? answerAim : aimWords(mode)}
            onCameras={() => scans.showDialog({ about: 'cameras' })}
          />
          <Counters event_id={event_id} onClick={() => scans.showDialog({ about: 'presence' })} />
        </div>
        <LastScan event_id={event_id} last={last} scans={scans} />
        <footer className={styles.foot}>
          <ModeSwitch mode={mode} onMode={setMode} />
          <Tools scans={scans} torch={torch} />
        </footer>
      </main>
      {isVerdict && <OutcomeView outcome={outcome} scans={scans} asks={supervisor.asks} />}
      <ScanDialogs
        device={device}
        event={event}
        camera={camera}
        dialog={dialog}
        scans={scans}
        supervisor={supervisor}
        mode={mode}
      />
    </>
  );
}

/** The mode of scanning. A restart returns to it and decides the scan that caused the restart. */
function useRestarts(scans: Scans, { event_id, facts }: StoredEvent, { phone_id }: Device) {
  const [resumed] = useState(() => takeResumed(event_id));
  const [mode, setMode] = useState<Mode>(readMode(resumed?.mode));
  const title = facts?.title ?? '';
  const resume = useEffectEvent(() => {
    if (resumed) scans.resume(resumed.pending, phone_id);
  });
  useEffect(() => resume(), []);
  useEffect(() => {
    noteScreen({ event_id, title, mode });
    return () => noteScreen(null);
  }, [event_id, title, mode]);
  return [mode, setMode] as const;
}

/** The camera and the handheld reader, which both call `onCode`. */
function useScanCamera(scans: Scans, mode: Mode) {
  const { outcome } = useSyncExternalStore(scans.subscribe, scans.read);
  const camera = useCamera(
    (text) => scans.onCode(text, { mode, inView: true }),
    mode,
    (code) => scans.onForeign(code),
  );
  const hear = useEffectEvent((text: string) => void scans.onCode(text, { mode }));
  useEffect(() => listenToReader((text) => hear(text)), []);
  const forgetCode = useEffectEvent(camera.forgetCode);
  const unsaved = outcome?.kind === 'not_saved' ? outcome.read : null;
  // A code that is still in view when the failure's screen is closed is tried again, because its
  // guest is waiting.
  useEffect(() => (unsaved === null ? undefined : () => forgetCode(unsaved)), [unsaved]);
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

/** Any tap restores a sound that the system has blocked. */
function useUnlockedSound(): void {
  useEffect(() => {
    const unlock = () => {
      if (!isSoundOn()) void unlockSound();
    };
    // Browsers differ in which of these events allows sound.
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
      <RoundButton icon="back" label="Torna alla preparazione" onClick={onLeave} />
      <div className={styles.title}>
        <h1>{event.facts?.title}</h1>
        <p>{device.name}</p>
      </div>
      <ThemeSwitch />
      <QueueButton onClick={onQueue} />
    </header>
  );
}

/** Says what is unusual, with the button that ends it. */
function Chips({ supervisor: { keyOpenUntil } }: { supervisor: Supervisor }) {
  const isMute = useSyncExternalStore(isSoundLost.subscribe, isSoundLost.read);
  return (
    <>
      {keyOpenUntil !== null && (
        <button type="button" className={styles.chip} onClick={phone.closeKey}>
          <span>Consensi senza PIN fino alle {formatTime(keyOpenUntil)}</span>
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

type Last = ReturnType<Scans['read']>['last'];

/** The last scan in one line, and the button that takes it back. */
function LastScan({ event_id, last, scans }: { event_id: string; last: Last; scans: Scans }) {
  const undoable = useMemory(() => undoableBeside(event_id, last));
  return (
    <div className={styles.history}>
      <LastLine last={last} undoable={undoable} />
      {undoable !== null && (
        <button
          type="button"
          className={parts.undo}
          aria-label={undoWords(undoable.direction)}
          onClick={() =>
            scans.openDialog({
              about: 'undo',
              scan: undoable,
              isLast: true,
              asks: false,
              together: phone.undoableWith(undoable),
            })
          }
        >
          <Icon name="undo" size={22} />
          Annulla
        </button>
      )}
    </div>
  );
}

/**
 * The scan that the line's button takes back: one of the place in the line, never another guest's;
 * after an undo the latest scan.
 */
function undoableBeside(event_id: string, last: Last): UndoableScan | null {
  if (last === null || last.verdict === 'undone') return phone.lastUndoable(event_id);
  return last.place === null ? null : phone.lastUndoable(event_id, last.place.place);
}

function LastLine({ last, undoable }: { last: Last; undoable: UndoableScan | null }) {
  return (
    <p
      className={styles.last}
      data-last-verdict={last?.verdict}
      data-last-admission={last?.admission_id}
    >
      {lastWords(last, undoable)}
    </p>
  );
}

/** After a restart or an undo the line is about the next scan that can be taken back. */
function lastWords(last: Last, undoable: UndoableScan | null): string {
  if (last !== null && (last.verdict !== 'undone' || undoable === null))
    return joinFacts(formatTime(last.at), verdictWords[last.verdict].big, last.place?.seat);
  if (undoable === null) return 'Nessuna lettura ancora';
  const { scanned_at, verdict, seat } = undoable;
  return joinFacts(formatTime(scanned_at), verdictWords[verdict].big, seat);
}

function Tools({ scans, torch }: { scans: Scans; torch: Torch | null }) {
  return (
    <div className={styles.tools}>
      <Tool icon="search" onClick={() => scans.openDialog({ about: 'search' })}>
        Cerca
      </Tool>
      <Tool
        icon="edit"
        aria-label="Inserisci il codice"
        onClick={() => scans.openDialog({ about: 'code' })}
      >
        Codice
      </Tool>
      {torch && (
        <Tool icon="torch" aria-pressed={torch.isOn} onClick={torch.toggle}>
          Torcia
        </Tool>
      )}
    </div>
  );
}

function Tool({ icon, children, ...rest }: ComponentProps<'button'> & { icon: IconName }) {
  return (
    <button type="button" className={parts.tool} {...rest}>
      <Icon name={icon} size={26} />
      {children}
    </button>
  );
}

/** How many are inside; a tap opens the figures by gate and sector. */
function Counters({ event_id, onClick }: { event_id: string; onClick: () => void }) {
  const { inside, sold } = useMemory(() => phone.presence(event_id));
  return (
    <button type="button" className={picture.counters} data-inside={inside} onClick={onClick}>
      <span className={parts.unbroken}>{sayCount(inside, 'dentro', 'dentro')} ·</span>
      <span className={parts.unbroken}>{sayCount(sold, 'biglietto', 'biglietti')}</span>
      <Icon name="forward" size={18} />
    </button>
  );
}

function QueueButton({ onClick }: { onClick: () => void }) {
  const waiting = useQueueLength() ?? 0;
  const unseen = useConflicts();
  const conflicts = unseen.conflicts.length + unseen.guests.length;
  const what: [string, string] =
    unseen.guests.length === 0
      ? ['doppio ingresso', 'doppi ingressi']
      : ['ingresso da guardare', 'ingressi da guardare'];
  const toSee = conflicts > 0 ? `, ${sayCount(conflicts, ...what)}` : '';
  return (
    <RoundButton
      icon="list"
      label={`Letture di questo telefono, ${waiting} da inviare${toSee}`}
      onClick={onClick}
    >
      {waiting > 0 && (
        <span className={parts.count} aria-hidden="true">
          {waiting}
        </span>
      )}
      {conflicts > 0 && (
        <span className={parts.alarm} aria-hidden="true">
          !
        </span>
      )}
    </RoundButton>
  );
}
