/** The checks before doors open, one line each: the state, and what to do if it is not right. */
import { useEffect, useState } from 'react';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { clockWarningMs } from '#server/domain/door/phone.ts';
import { blindWords, CameraError, troubleWords } from '#apps/scanner/camera/camera.ts';
import { sightWords, tryCamera, tryDecoder } from '#apps/scanner/camera/try-camera.ts';
import { useAwake } from '#apps/shared/awake.ts';
import { addByHand, isApple, isInstalled, useInstall } from '#apps/scanner/screens/install.ts';
import { askToPersist } from '#apps/scanner/device/pairing.ts';
import { isSoundOn, signal, unlockSound } from '#apps/scanner/device/signals.ts';
import { useOfflineReady } from '#apps/scanner/device/update.ts';
import type { Device, StoredEvent } from '#apps/scanner/kit/store.ts';
import { phone } from '#apps/scanner/scan/phone.ts';
import { sayUnsent } from '#apps/scanner/screens/words.ts';
import { useLive, useUnsent } from '#apps/scanner/screens/status.ts';
import { useClockError, useNow } from '#apps/scanner/screens/use-now.ts';
import { spanWords } from '#apps/scanner/kit/clock.ts';
import { Check, type Mark } from './check.tsx';
import { ListCheck } from './list-check.tsx';
import { GateCheck } from './gate-check.tsx';
import { SupervisorCheck } from './supervisor-check.tsx';
import styles from './checks.module.css';

/**
 * A camera that was tried longer ago counts as untried: permissions may be withdrawn, lenses
 * break, apps are updated.
 */
const triedMs = 24 * 3_600_000;

interface ChecksProps {
  device: Device;
  event: StoredEvent | null;
  onQueue: () => void;
}

export function Checks({ device, event, onQueue }: ChecksProps) {
  const now = useNow();
  const isAwake = useAwake();
  return (
    <ul className={styles.checks} aria-label="Controlli">
      <ListCheck event={event} now={now} />
      {event && <GateCheck device={device} event_id={event.event_id} />}
      <OfflineCheck />
      <CameraCheck now={now} />
      <SoundCheck />
      <StorageCheck />
      <InstallCheck />
      {isAwake === false && (
        <Check
          name="awake"
          mark="warn"
          title="Schermo acceso"
          text="Questo telefono può spegnersi da solo: togli il blocco automatico nelle impostazioni."
        />
      )}
      <ClockCheck />
      <BatteryCheck />
      <SupervisorCheck device={device} event={event} />
      <QueueCheck onQueue={onQueue} />
    </ul>
  );
}

function OfflineCheck() {
  const isReady = useOfflineReady();
  return (
    <Check
      name="offline"
      mark={isReady ? 'good' : 'wait'}
      title="App sul telefono"
      text={isReady ? 'Si apre anche senza rete' : 'La sto salvando: resta collegato'}
    />
  );
}

function CameraCheck({ now }: { now: number }) {
  const [trouble, setTrouble] = useState<string | null>(null);
  const triedAt = useLive(() => phone.readMeta('camera_tried_at'));
  async function check() {
    try {
      const sight = await tryCamera();
      if (sight !== 'sees') return setTrouble(sightWords[sight]);
      if (!(await tryDecoder())) return setTrouble(blindWords.help);
      setTrouble(null);
      await phone.writeMeta('camera_tried_at', Date.now());
    } catch (error) {
      setTrouble(troubleWords[error instanceof CameraError ? error.trouble : 'broken'].help);
    }
  }
  if (trouble === null && triedAt !== undefined && now - triedAt < triedMs)
    return <Check name="camera" mark="good" title="Fotocamera" text="Provata: vede e legge" />;
  const untried = triedAt === undefined ? 'Da provare' : 'Da provare di nuovo';
  return (
    <Check
      name="camera"
      mark={trouble === null ? 'wait' : 'warn'}
      title="Fotocamera"
      text={trouble ?? untried}
      action={<AsyncButton onClick={check}>Prova</AsyncButton>}
    />
  );
}

const soundStates: Record<'untried' | 'on' | 'off', { mark: Mark; text: string }> = {
  untried: { mark: 'wait', text: 'Da provare' },
  on: { mark: 'good', text: 'L’hai sentito? Se no, alza il volume' },
  off: { mark: 'warn', text: 'Questo telefono non suona: guarda lo schermo' },
};

function SoundCheck() {
  const [sound, setSound] = useState<keyof typeof soundStates>(isSoundOn() ? 'on' : 'untried');
  async function check() {
    await unlockSound();
    setSound(isSoundOn() ? 'on' : 'off');
    signal('admit');
  }
  return (
    <Check
      name="sound"
      {...soundStates[sound]}
      title="Suono"
      action={<AsyncButton onClick={check}>Suona</AsyncButton>}
    />
  );
}

function StorageCheck() {
  const isPersisted = useLive(() => phone.readMeta('persisted'));
  const ask = async () => phone.writeMeta('persisted', await askToPersist());
  const advice = isInstalled()
    ? 'Il telefono non lo garantisce: non svuotare i dati del browser prima di aver inviato tutto'
    : 'Installa l’app: il telefono custodirà meglio i dati';
  return (
    <Check
      name="storage"
      mark={isPersisted ? 'good' : 'warn'}
      title="Memoria protetta"
      text={isPersisted ? 'Il telefono non cancellerà i dati da solo' : advice}
      action={isPersisted ? null : <AsyncButton onClick={ask}>Chiedi</AsyncButton>}
    />
  );
}

function InstallCheck() {
  const install = useInstall();
  const byHand = isApple() ? addByHand : 'Dal menu del browser scegli «Installa app»';
  const advice = install ? 'Si apre più in fretta e a tutto schermo' : byHand;
  return (
    <Check
      name="installed"
      mark={isInstalled() ? 'good' : 'warn'}
      title="App installata"
      text={isInstalled() ? 'È nella schermata principale' : advice}
      action={install && <AsyncButton onClick={install}>Installa</AsyncButton>}
    />
  );
}

function ClockCheck() {
  const clock = useLive(() => phone.readMeta('clock'));
  const error = useClockError();
  if (clock === undefined)
    return <Check name="clock" mark="wait" title="Orologio" text="Da confrontare con il server" />;
  const isWrong = error > clockWarningMs;
  return (
    <Check
      name="clock"
      mark={isWrong ? 'warn' : 'good'}
      title="Orologio"
      text={isWrong ? `Sbaglia di ${spanWords(error)}: imposta l’ora automatica` : 'Giusto'}
    />
  );
}

/** Renders nothing where the browser does not tell. */
function BatteryCheck() {
  const battery = useBattery();
  if (battery === null) return null;
  const { level, charging } = battery;
  const isLow = level < 0.3 && !charging;
  const advice = isLow ? ': tieni pronto un caricatore' : '';
  return (
    <Check
      name="battery"
      mark={isLow ? 'warn' : 'good'}
      title="Batteria"
      text={`${Math.round(level * 100)} %${charging ? ', in carica' : advice}`}
    />
  );
}

/** Not in the DOM's types: Chromium alone has it. */
interface Battery extends EventTarget {
  level: number;
  charging: boolean;
}

function useBattery(): Pick<Battery, 'level' | 'charging'> | null {
  const [state, setState] = useState<Pick<Battery, 'level' | 'charging'> | null>(null);
  useEffect(() => {
    const listening = new AbortController();
    const source = navigator as Navigator & { getBattery?: () => Promise<Battery> };
    void source.getBattery?.().then(
      (battery) => {
        if (listening.signal.aborted) return;
        const read = () => setState({ level: battery.level, charging: battery.charging });
        for (const change of ['levelchange', 'chargingchange'])
          battery.addEventListener(change, read, { signal: listening.signal });
        read();
      },
      () => {},
    );
    return () => listening.abort();
  }, []);
  return state;
}

function QueueCheck({ onQueue }: { onQueue: () => void }) {
  const unsent = useUnsent();
  const waiting = unsent?.readings ?? 0;
  return (
    <Check
      name="queue"
      mark={waiting === 0 ? 'good' : 'warn'}
      title="Letture da inviare"
      text={unsent && waiting > 0 ? sayUnsent(unsent) : 'Nessuna'}
      action={
        <button type="button" className="ui-button" onClick={onQueue}>
          Vedi
        </button>
      }
    />
  );
}
