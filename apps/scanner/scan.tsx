/** The screen of the evening: camera, verdict, direction, and what still has to be sent. */
import { useCallback, useEffect, useRef, useState, type SyntheticEvent } from 'react';
import { mayOverrule, type Direction } from '#server/domain/admission.ts';
import { codeLength, readTicketCode } from '#server/domain/ticket-code.ts';
import { formatTime } from '#apps/shared/format.ts';
import { Field } from '#apps/shared/ui/field.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { verdictWords } from '#apps/shared/verdict-words.ts';
import { admit, newAdmissionId, type Shown } from './admit.ts';
import { troubleWords } from './camera.ts';
import { recognise, type Recognised } from './recognise.ts';
import { isSoundOn, signal, unlockSound } from './signals.ts';
import { StatusLine, useQueueLength } from './status-line.tsx';
import { readStatus } from './status.ts';
import type { Device, StoredEvent } from './store.ts';
import { syncSoon } from './sync.ts';
import { useCamera } from './use-camera.ts';
import { NotSavedView, VerdictView } from './verdict.tsx';
import { listenToReader } from './wedge.ts';

export interface ScanProps { device: Device; event: StoredEvent; onLeave: () => void; onQueue: () => void }
type Outcome = { shown: Shown; recognised: Recognised } | 'not_saved' | null;
/** A conversation with a person; about whom is settled when it begins. */
type Talk = { about: 'code' } | { about: 'overrule'; recognised: Recognised } | null;

export function Scan({ device, event, onLeave, onQueue }: ScanProps) {
  const [direction, setDirection] = useState<Direction>('in');
  const [outcome, setOutcome] = useState<Outcome>(null);
  const [last, setLast] = useState<Shown | null>(null);
  const [talk, setTalk] = useState<Talk>(null);
  const [torchOn, setTorchOn] = useState(false);
  const waiting = useQueueLength() ?? 0;
  const { event_id } = event;

  // What stands on the screen at this very moment: a scan or a tap must not wait for React to draw to know it.
  const front = useRef<{ outcome: Outcome; talk: Talk }>({ outcome: null, talk: null });
  const show = useCallback((next: Outcome) => {
    front.current.outcome = next;
    setOutcome(next);
  }, []);
  const speak = useCallback((next: Talk) => {
    front.current.talk = next;
    setTalk(next);
  }, []);

  // One after the other: the second of two quick codes must see what the first has changed.
  const turn = useRef<Promise<void>>(Promise.resolve());
  const decide = useCallback((read: () => Promise<Recognised | null>, override: string | null) => {
    turn.current = turn.current.then(async () => {
      try {
        const recognised = await read();
        if (!recognised) return;
        const shown = await admit({ event_id, recognised, direction, now: Date.now(), admission_id: newAdmissionId(), override, offline: !readStatus().online });
        show({ shown, recognised });
        setLast(shown);
        signal(verdictWords[shown.verdict].tone);
        syncSoon();
      } catch (error) {
        console.error(error);
        show('not_saved');
        signal('bad');
      }
    });
  }, [event_id, direction, show]);
  // While a dialog is open, what happens to be in view or is put under the reader is nobody's turn.
  const onCode = useCallback((text: string) => decide(async () => (front.current.talk === null ? recognise(event_id, text) : null), null), [decide, event_id]);
  const close = useCallback(() => show(null), [show]);
  const hush = useCallback(() => speak(null), [speak]);
  /** A scan that is being decided comes first: its verdict, not a dialog about the guest before, is what the doorman must see. */
  function beginTalk(wanted: Talk) {
    const { outcome: seen } = front.current;
    turn.current = turn.current.then(() => {
      if (front.current.outcome === seen) speak(wanted);
    });
  }

  const camera = useCamera(onCode, direction);
  useEffect(() => listenToReader(onCode), [onCode]);
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
    document.addEventListener('pointerdown', unlock);
    return () => document.removeEventListener('pointerdown', unlock);
  }, []);

  async function toggleTorch() {
    await camera.torch?.(!torchOn).then(() => setTorchOn(!torchOn), () => setTorchOn(false));
  }

  return (
    <>
      {/* The verdict hides all of this from the eye, so also from the keyboard. */}
      <main className={direction === 'out' ? 'scan scan-out' : 'scan'} inert={outcome !== null}>
        <header className="scan-head">
          <button type="button" className="round-button" aria-label="Torna alla preparazione" onClick={onLeave}><Icon name="back" size={26} /></button>
          <div className="scan-title">
            <h1>{event.facts?.title}</h1>
            <p>{[device.gate, device.name].filter(Boolean).join(' · ')}</p>
          </div>
          <button type="button" className="round-button" aria-label={`Letture di questo telefono, ${waiting} da inviare`} onClick={onQueue}>
            <Icon name="list" size={26} />
            {waiting > 0 && <span className="round-button-count" aria-hidden="true">{waiting}</span>}
          </button>
        </header>
        <StatusLine event={event} />

        <section className="scan-camera" aria-label="Fotocamera" data-camera data-camera-state={camera.state} data-decoder={camera.decoder}>
          <div id={camera.elementId} className="scan-picture" />
          {camera.state === 'running' && <div className="scan-aim" aria-hidden="true"><p>{direction === 'in' ? 'Inquadra il codice' : 'Inquadra il codice di chi esce'}</p></div>}
          {camera.state === 'starting' && <output className="scan-message">Accendo la fotocamera…</output>}
          {camera.trouble !== null && (
            <div className="scan-message" role="alert">
              <Icon name="camera" size={48} />
              <h2>{troubleWords[camera.trouble].title}</h2>
              <p>{troubleWords[camera.trouble].help}</p>
              <button type="button" className="ui-button ui-button-primary" onClick={camera.retry}>Riprova</button>
            </div>
          )}
        </section>

        <p className="scan-last" data-last-verdict={last?.verdict} data-last-admission={last?.admission_id}>{last === null ? 'Nessuna lettura ancora' : `${formatTime(last.at)} · ${verdictWords[last.verdict].big}${last.place ? ` · ${last.place.seat}` : ''}`}</p>
        <footer className="scan-foot">
          <fieldset className="direction">
            <legend className="visually-hidden">Chi leggi adesso</legend>
            {(['in', 'out'] as const).map((value) => (
              <label key={value} className={direction === value ? 'direction-choice direction-chosen' : 'direction-choice'}>
                <input type="radio" name="direction" className="visually-hidden" checked={direction === value} onChange={() => setDirection(value)} />
                {value === 'in' ? 'Entrata' : 'Uscita'}
              </label>
            ))}
          </fieldset>
          <div className="scan-tools">
            <button type="button" className="tool" onClick={() => beginTalk({ about: 'code' })}><Icon name="edit" size={24} />Inserisci il codice</button>
            {camera.torch && <button type="button" className="tool" aria-pressed={torchOn} onClick={() => void toggleTorch()}><Icon name="torch" size={24} />Torcia</button>}
          </div>
        </footer>
      </main>
      {outcome === 'not_saved' && <NotSavedView onClose={close} />}
      {outcome !== null && outcome !== 'not_saved' && <VerdictView key={outcome.shown.admission_id} shown={outcome.shown} onClose={close}
        onOverrule={mayOverrule(outcome.shown.verdict, outcome.shown.direction, outcome.shown.counts) ? () => beginTalk({ about: 'overrule', recognised: outcome.recognised }) : null} />}
      {talk?.about === 'code' && <CodeDialog onClose={hush} onText={(text) => {
        hush();
        onCode(text);
      }} />}
      {talk?.about === 'overrule' && <OverruleDialog onClose={hush} onReason={(reason) => {
        hush();
        decide(() => Promise.resolve(talk.recognised), reason);
      }} />}
    </>
  );
}

function CodeDialog({ onClose, onText }: { onClose: () => void; onText: (text: string) => void }) {
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  function submit(event: SyntheticEvent) {
    event.preventDefault();
    // A slip of the finger is no guest to be sent away: the text stays to be mended.
    if (readTicketCode(text)) onText(text);
    else setError(`Il codice è incompleto o contiene un errore: sono ${codeLength} lettere e numeri.`);
  }
  return (
    <Modal title="Inserisci il codice" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field label="Codice del biglietto" hint="I gruppi di lettere e numeri sotto il QR; trattini e minuscole non contano." value={text} error={error} onChange={(event) => setText(event.target.value)}
          autoComplete="off" autoCapitalize="characters" spellCheck={false} enterKeyHint="go" maxLength={200} />
        <button type="submit" className="ui-button ui-button-primary ui-button-wide" disabled={text.trim() === ''}>Controlla</button>
      </form>
    </Modal>
  );
}

const reasons = ['Documento e acquisto controllati', 'Era uscito senza passare dal lettore', 'Deciso dal responsabile'];

/** The reason is kept with the scan: the office sees who was let in against the rule, and why. */
function OverruleDialog({ onClose, onReason }: { onClose: () => void; onReason: (reason: string) => void }) {
  return (
    <Modal title="Perché lo fai entrare?" role="alertdialog" onClose={onClose}>
      <div className="stack">
        {reasons.map((reason) => <button key={reason} type="button" className="ui-button ui-button-wide" onClick={() => onReason(reason)}>{reason}</button>)}
      </div>
    </Modal>
  );
}
