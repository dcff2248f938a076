/** What must be true before doors open, one line each: how it stands, and what to do if it is not so. */
import { useEffect, useState, type ReactNode } from 'react';
import { formatTime } from '#apps/shared/format.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { clockWarningMs } from '#server/domain/phone.ts';
import { useAwake } from '#apps/scanner/device/awake.ts';
import { sayCount } from './count.ts';
import { blindWords, CameraError, troubleWords } from '#apps/scanner/camera/camera.ts';
import { addByHand, isApple, isInstalled, useInstall } from '#apps/scanner/device/install.ts';
import { askToPersist } from '#apps/scanner/device/pairing.ts';
import { readMeta, syncNow, writeMeta } from '#apps/scanner/scan/phone.ts';
import { isSoundOn, signal, unlockSound } from '#apps/scanner/device/signals.ts';
import { spanWords } from '#apps/scanner/sync/clock.ts';
import { listAge, useQueueLength } from './status-line.tsx';
import { useStatus } from './status.ts';
import type { StoredEvent } from '#apps/scanner/list/store.ts';
import { tryCamera, tryDecoder } from '#apps/scanner/camera/try-camera.ts';
import { useOfflineReady } from '#apps/scanner/device/update.ts';
import { useLive } from './use-live.ts';
import { useClockError, useNow } from './use-now.ts';

/** A list younger than this is fresh enough to open the doors with. */
const freshMs = 10 * 60_000;
/** A camera that was tried yesterday is a camera that nobody has tried: permissions are withdrawn, lenses break, apps are updated. */
const triedMs = 24 * 3_600_000;

type Mark = 'good' | 'warn' | 'wait';

export function Checks({ event, onQueue }: { event: StoredEvent | null; onQueue: () => void }) {
  const now = useNow();
  const [cameraTrouble, setCameraTrouble] = useState<string | null>(null);
  const [sound, setSound] = useState<'untried' | 'on' | 'off'>(isSoundOn() ? 'on' : 'untried');
  const battery = useBattery();
  const isAwake = useAwake();
  const persisted = useLive(() => readMeta('persisted'));
  const clock = useLive(() => readMeta('clock'));
  const clockError = useClockError();
  const isClockWrong = clockError > clockWarningMs;
  const cameraTried = useLive(() => readMeta('camera_tried_at'));
  const waiting = useQueueLength() ?? 0;
  const install = useInstall();
  const isOfflineReady = useOfflineReady();

  async function checkCamera() {
    try {
      await tryCamera();
      if (!(await tryDecoder())) return setCameraTrouble(blindWords.help);
      setCameraTrouble(null);
      await writeMeta('camera_tried_at', Date.now());
    } catch (error) {
      setCameraTrouble(troubleWords[error instanceof CameraError ? error.trouble : 'broken'].help);
    }
  }
  async function checkSound() {
    await unlockSound();
    setSound(isSoundOn() ? 'on' : 'off');
    signal('admit');
  }

  const isLow = battery !== null && battery.level < 0.3 && !battery.charging;
  const isTried = cameraTried !== undefined && now - cameraTried < triedMs;
  return (
    <ul className="checks" aria-label="Controlli">
      <ListCheck event={event} now={now} />
      <Check
        name="offline"
        mark={isOfflineReady ? 'good' : 'wait'}
        title="App sul telefono"
        text={isOfflineReady ? 'Si apre anche senza rete' : 'La sto salvando: resta collegato'}
      />
      <Check
        name="camera"
        mark={cameraTrouble !== null ? 'warn' : isTried ? 'good' : 'wait'}
        title="Fotocamera"
        text={
          cameraTrouble ??
          (isTried
            ? 'Provata: vede e legge'
            : cameraTried === undefined
              ? 'Da provare'
              : 'Da provare di nuovo')
        }
        action={
          isTried && cameraTrouble === null ? null : (
            <AsyncButton onClick={checkCamera}>Prova</AsyncButton>
          )
        }
      />
      <Check
        name="sound"
        mark={sound === 'on' ? 'good' : sound === 'off' ? 'warn' : 'wait'}
        title="Suono"
        text={
          sound === 'on'
            ? 'L’hai sentito? Se no, alza il volume'
            : sound === 'off'
              ? 'Questo telefono non suona: guarda lo schermo'
              : 'Da provare'
        }
        action={<AsyncButton onClick={checkSound}>Suona</AsyncButton>}
      />
      <Check
        name="storage"
        mark={persisted ? 'good' : 'warn'}
        title="Memoria protetta"
        text={
          persisted
            ? 'Il telefono non cancellerà i dati da solo'
            : isInstalled()
              ? 'Il telefono non lo garantisce: non svuotare i dati del browser prima di aver inviato tutto'
              : 'Installa l’app: il telefono custodirà meglio i dati'
        }
        action={
          persisted ? null : (
            <AsyncButton onClick={async () => writeMeta('persisted', await askToPersist())}>
              Chiedi
            </AsyncButton>
          )
        }
      />
      <Check
        name="installed"
        mark={isInstalled() ? 'good' : 'warn'}
        title="App installata"
        text={
          isInstalled()
            ? 'È nella schermata principale'
            : install
              ? 'Si apre più in fretta e a tutto schermo'
              : isApple()
                ? addByHand
                : 'Dal menu del browser scegli «Installa app»'
        }
        action={install ? <AsyncButton onClick={install}>Installa</AsyncButton> : null}
      />
      {isAwake === false && (
        <Check
          name="awake"
          mark="warn"
          title="Schermo acceso"
          text="Questo telefono può spegnersi da solo: togli il blocco automatico nelle impostazioni."
        />
      )}
      <Check
        name="clock"
        mark={clock === undefined ? 'wait' : isClockWrong ? 'warn' : 'good'}
        title="Orologio"
        text={
          clock === undefined
            ? 'Da confrontare con il server'
            : isClockWrong
              ? `Sbaglia di ${spanWords(clockError)}: imposta l’ora automatica`
              : 'Giusto'
        }
      />
      {battery !== null && (
        <Check
          name="battery"
          mark={isLow ? 'warn' : 'good'}
          title="Batteria"
          text={`${Math.round(battery.level * 100)} %${battery.charging ? ', in carica' : isLow ? ': tieni pronto un caricatore' : ''}`}
        />
      )}
      <Check
        name="queue"
        mark={waiting === 0 ? 'good' : 'warn'}
        title="Letture da inviare"
        text={
          waiting === 0
            ? 'Nessuna'
            : sayCount(waiting, 'ingresso da inviare', 'ingressi da inviare')
        }
        action={
          <button type="button" className="ui-button" onClick={onQueue}>
            Vedi
          </button>
        }
      />
    </ul>
  );
}

function ListCheck({ event, now }: { event: StoredEvent | null; now: number }) {
  const { syncing, download } = useStatus();
  const isComplete = event !== null && event.generation > 0;
  const isFresh = isComplete && event.updated_at !== null && listAge(event, now) < freshMs;
  const share =
    download && (event === null || download.event_id === event.event_id) ? download.share : null;
  const text = isComplete
    ? `Completo: ${sayCount(event.tickets, 'biglietto', 'biglietti')} su ${sayCount(event.places, 'posto', 'posti')}, alle ${formatTime(event.updated_at ?? now)}`
    : share === null
      ? 'Scarico l’elenco…'
      : share < 1
        ? `Scarico l’elenco: ${Math.round(share * 100)} %`
        : 'Preparo l’elenco…';
  return (
    <Check
      name="list"
      mark={isComplete ? (isFresh ? 'good' : 'warn') : 'wait'}
      title="Elenco dei biglietti"
      text={text}
      action={
        isFresh ? null : (
          <AsyncButton onClick={syncNow} busy={syncing}>
            Aggiorna
          </AsyncButton>
        )
      }
    >
      {!isComplete && syncing && (
        <progress aria-label="Scarico l’elenco" {...(share === null ? {} : { value: share })} />
      )}
    </Check>
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

const markIcons = { good: 'check', warn: 'warning', wait: 'clock' } as const;
const markWords = { good: 'A posto', warn: 'Da guardare', wait: 'In attesa' } as const;

function Check({
  name,
  mark,
  title,
  text,
  action = null,
  children,
}: {
  name: string;
  mark: Mark;
  title: string;
  text: string;
  action?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <li className={`check check-${mark}`} data-check={name} data-mark={mark}>
      <span className="check-mark">
        <Icon name={markIcons[mark]} size={24} label={markWords[mark]} />
      </span>
      <span className="check-text">
        <strong>{title}</strong>
        <span>{text}</span>
        {children}
      </span>
      {action}
    </li>
  );
}
