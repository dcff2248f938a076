/** "Pronto per la porta": what must be true before doors open, each with what to do if it is not; one tap begins. */
import { useCallback, useEffect, useState, type ReactNode } from 'react';
import { formatCount, formatLongDate, formatTime } from '#apps/shared/format.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { clockWarningMs } from '#server/domain/phone.ts';
import { CameraError, troubleWords } from './camera.ts';
import { isApple, isInstalled, useInstall } from './install.ts';
import { askToPersist } from './pairing.ts';
import { unlockSound } from './signals.ts';
import { StatusLine, useQueueLength } from './status-line.tsx';
import { useStatus } from './status.ts';
import { readMeta, writeMeta, type Device, type StoredEvent } from './store.ts';
import { syncNow } from './sync.ts';
import { tryCamera } from './try-camera.ts';
import { useOfflineReady, useUpdate } from './update.ts';
import { useLive } from './use-live.ts';
import { useNow } from './use-now.ts';

export interface ReadyProps { device: Device; events: StoredEvent[]; chosenId: string | null; onChoose: (event_id: string) => void; onStart: () => void; onQueue: () => void; onPair: () => void }

/** A list younger than this is fresh enough to open the doors with. */
const freshMs = 10 * 60_000;

export function Ready({ device, events, chosenId, onChoose, onStart, onQueue, onPair }: ReadyProps) {
  const chosen = events.find(({ event_id }) => event_id === chosenId) ?? null;
  const update = useUpdate();
  const { trouble } = useStatus();
  const wiped = useLive(() => readMeta('wiped'));
  const isComplete = chosen !== null && chosen.generation > 0;
  const isOver = chosenId !== null && wiped?.includes(chosenId) === true;
  const start = useCallback(() => {
    void unlockSound();
    onStart();
  }, [onStart]);

  return (
    <main className="page">
      <header className="ready-head">
        <p className="ready-phone"><Icon name="phone" />{[device.name, device.gate].filter(Boolean).join(' · ')}</p>
        <h1>Pronto per la porta</h1>
      </header>
      {device.forgotten && (
        <div className="note note-bad" role="alert">
          <Icon name="warning" /><span>L’abbinamento non vale più: chiedi un codice nuovo in ufficio. Le letture da inviare restano qui.</span>
          <button type="button" className="ui-button ui-button-primary" onClick={onPair}>Abbina</button>
        </div>
      )}
      {trouble !== null && !device.forgotten && <output className="note note-warn"><Icon name="warning" />{trouble}</output>}
      {update && (
        <div className="note note-info">
          <Icon name="refresh" /><output>È pronta una versione nuova.</output>
          <AsyncButton variant="primary" onClick={update}>Aggiorna</AsyncButton>
        </div>
      )}

      {device.events.length === 0 && <p className="note note-warn">A questo telefono non è assegnato nessun evento: assegnalo in ufficio.</p>}
      <fieldset className="event-choice">
        <legend className={device.events.length > 1 ? 'event-legend' : 'visually-hidden'}>Quale evento controlli?</legend>
        {device.events.map(({ id, title, starts_at }) => {
          const stored = events.find(({ event_id }) => event_id === id);
          return (
            <label key={id} className={chosenId === id ? 'event-card event-card-chosen' : 'event-card'}>
              <input type="radio" name="event" className={device.events.length > 1 ? 'event-radio' : 'visually-hidden'} checked={chosenId === id} onChange={() => onChoose(id)} />
              <span>
                <strong>{stored?.facts?.title ?? title}</strong>
                <span className="event-date">{formatLongDate(stored?.facts?.starts_at ?? starts_at)}</span>
                {stored?.facts?.cancelled && <span className="event-cancelled">Evento annullato</span>}
              </span>
            </label>
          );
        })}
      </fieldset>

      {isComplete && <StatusLine event={chosen} />}
      {isOver ? <output className="note note-info"><Icon name="lock" />L’evento è concluso: i suoi biglietti sono stati cancellati da questo telefono.</output> : <Checks event={chosen} onQueue={onQueue} />}
      <footer className="ready-foot">
        <button type="button" className="big-button" disabled={!isComplete} onClick={start}><Icon name="camera" size={28} />{isComplete ? 'Inizia' : isOver || chosenId === null ? 'Niente da controllare' : 'Scarico i biglietti…'}</button>
      </footer>
    </main>
  );
}

type Mark = 'good' | 'warn' | 'wait';

function Checks({ event, onQueue }: { event: StoredEvent | null; onQueue: () => void }) {
  const now = useNow();
  const [cameraTrouble, setCameraTrouble] = useState<string | null>(null);
  const [battery, setBattery] = useState<number | null>(null);
  const persisted = useLive(() => readMeta('persisted'));
  const clock = useLive(() => readMeta('clock'));
  const cameraTried = useLive(() => readMeta('camera_tried_at'));
  const waiting = useQueueLength() ?? 0;
  const install = useInstall();
  const isOfflineReady = useOfflineReady();
  const { syncing } = useStatus();

  useEffect(() => {
    const source = navigator as Navigator & { getBattery?: () => Promise<{ level: number }> };
    void source.getBattery?.().then(({ level }) => setBattery(level), () => {});
  }, []);

  async function checkCamera() {
    try {
      await tryCamera();
      setCameraTrouble(null);
      await writeMeta('camera_tried_at', Date.now());
    } catch (error) {
      setCameraTrouble(troubleWords[error instanceof CameraError ? error.trouble : 'broken'].help);
    }
  }

  const isComplete = event !== null && event.generation > 0;
  const isFresh = isComplete && event.updated_at !== null && now - event.updated_at < freshMs;
  const offset = Math.abs(clock?.offset_ms ?? 0);
  return (
    <ul className="checks" aria-label="Controlli">
      <Check name="list" mark={isComplete ? (isFresh ? 'good' : 'warn') : 'wait'} title="Elenco dei biglietti"
        text={isComplete ? `Completo: ${formatCount(event.tickets, 'biglietto', 'biglietti')} su ${formatCount(event.places, 'posto', 'posti')}, alle ${formatTime(event.updated_at ?? now)}`
          : `Sto scaricando… ${formatCount(event?.draft?.places ?? 0, 'posto', 'posti')}`}
        action={isFresh ? null : <AsyncButton onClick={syncNow} busy={syncing}>Aggiorna</AsyncButton>} />
      <Check name="offline" mark={isOfflineReady ? 'good' : 'wait'} title="App sul telefono" text={isOfflineReady ? 'Si apre anche senza rete' : 'La sto salvando: resta collegato'} action={null} />
      <Check name="camera" mark={cameraTrouble !== null ? 'warn' : cameraTried === undefined ? 'wait' : 'good'} title="Fotocamera"
        text={cameraTrouble ?? (cameraTried === undefined ? 'Da provare' : 'Provata')} action={cameraTried === undefined || cameraTrouble !== null ? <AsyncButton onClick={checkCamera}>Prova</AsyncButton> : null} />
      <Check name="storage" mark={persisted ? 'good' : 'warn'} title="Memoria protetta" text={persisted ? 'Il telefono non cancellerà i dati da solo' : 'Installa l’app: il telefono custodirà meglio i dati'}
        action={persisted ? null : <AsyncButton onClick={async () => writeMeta('persisted', await askToPersist())}>Chiedi</AsyncButton>} />
      <Check name="installed" mark={isInstalled() ? 'good' : 'warn'} title="App installata"
        text={isInstalled() ? 'È nella schermata principale' : install ? 'Si apre più in fretta e a tutto schermo' : isApple() ? 'In Safari tocca Condividi, poi «Aggiungi alla schermata Home»' : 'Dal menu del browser scegli «Installa app»'}
        action={install ? <AsyncButton onClick={install}>Installa</AsyncButton> : null} />
      <Check name="clock" mark={clock === undefined ? 'wait' : offset > clockWarningMs ? 'warn' : 'good'} title="Orologio"
        text={clock === undefined ? 'Da confrontare con il server' : offset > clockWarningMs ? `Sbaglia di ${Math.round(offset / 60_000)} min: imposta l’ora automatica` : 'Giusto'} action={null} />
      {battery !== null && <Check name="battery" mark={battery < 0.3 ? 'warn' : 'good'} title="Batteria" text={`${Math.round(battery * 100)} %${battery < 0.3 ? ': tieni pronto un caricatore' : ''}`} action={null} />}
      <Check name="queue" mark={waiting === 0 ? 'good' : 'warn'} title="Letture da inviare" text={waiting === 0 ? 'Nessuna' : formatCount(waiting, 'ingresso da inviare', 'ingressi da inviare')}
        action={<button type="button" className="ui-button" onClick={onQueue}>Vedi</button>} />
    </ul>
  );
}

const markIcons = { good: 'check', warn: 'warning', wait: 'clock' } as const;
const markWords = { good: 'A posto', warn: 'Da guardare', wait: 'In attesa' } as const;

function Check({ name, mark, title, text, action }: { name: string; mark: Mark; title: string; text: string; action: ReactNode }) {
  return (
    <li className={`check check-${mark}`} data-check={name} data-mark={mark}>
      <span className="check-mark"><Icon name={markIcons[mark]} size={24} label={markWords[mark]} /></span>
      <span className="check-text"><strong>{title}</strong><span>{text}</span></span>
      {action}
    </li>
  );
}
