/** The screen of the evening: camera, verdict, direction, and what still has to be sent. */
import { useCallback, useEffect, useRef, useState, type SyntheticEvent } from 'react';
import type { Direction } from '#server/domain/admission.ts';
import { overrulable } from '#server/domain/admission.ts';
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

export function Scan({ device, event, onLeave, onQueue }: ScanProps) {
  const [direction, setDirection] = useState<Direction>('in');
  const [outcome, setOutcome] = useState<Outcome>(null);
  const [last, setLast] = useState<Shown | null>(null);
  const [dialog, setDialog] = useState<'code' | 'overrule' | null>(null);
  const [torchOn, setTorchOn] = useState(false);
  const waiting = useQueueLength() ?? 0;
  const { event_id } = event;

  // One after the other: the second of two quick codes must see what the first has changed.
  const turn = useRef<Promise<void>>(Promise.resolve());
  const decide = useCallback((read: () => Promise<Recognised>, override: string | null) => {
    turn.current = turn.current.then(async () => {
      try {
        const recognised = await read();
        const shown = await admit({ event_id, recognised, direction, now: Date.now(), admission_id: newAdmissionId(), override, offline: !readStatus().online });
        setOutcome({ shown, recognised });
        setLast(shown);
        signal(verdictWords[shown.verdict].tone);
        syncSoon();
      } catch (error) {
        console.error(error);
        setOutcome('not_saved');
        signal('bad');
      }
    });
  }, [event_id, direction]);
  const onCode = useCallback((text: string) => decide(() => recognise(event_id, text), null), [decide, event_id]);
  const close = useCallback(() => setOutcome(null), []);

  const camera = useCamera((text) => {
    // A dialog is a conversation with a person: what happens to be in view then is nobody's turn.
    if (dialog === null) onCode(text);
  });
  useEffect(() => listenToReader(onCode), [onCode]);
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

  const canOverrule = outcome !== null && outcome !== 'not_saved' && outcome.shown.direction === 'in' && !outcome.shown.counts && outcome.shown.verdict !== 'just_read' && overrulable.includes(outcome.shown.verdict);
  return (
    <main className={direction === 'out' ? 'scan scan-out' : 'scan'}>
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
          <button type="button" className="tool" onClick={() => setDialog('code')}><Icon name="edit" size={24} />Inserisci il codice</button>
          {camera.torch && <button type="button" className="tool" aria-pressed={torchOn} onClick={() => void toggleTorch()}><Icon name="torch" size={24} />Torcia</button>}
        </div>
      </footer>

      {outcome === 'not_saved' && <NotSavedView onClose={close} />}
      {outcome !== null && outcome !== 'not_saved' && (
        <VerdictView key={outcome.shown.admission_id} shown={outcome.shown} onClose={close} onOverrule={canOverrule ? () => setDialog('overrule') : null} />
      )}
      {dialog === 'code' && <CodeDialog onClose={() => setDialog(null)} onText={(text) => {
        setDialog(null);
        onCode(text);
      }} />}
      {dialog === 'overrule' && outcome !== null && outcome !== 'not_saved' && <OverruleDialog onClose={() => setDialog(null)} onReason={(reason) => {
        setDialog(null);
        decide(() => Promise.resolve(outcome.recognised), reason);
      }} />}
    </main>
  );
}

function CodeDialog({ onClose, onText }: { onClose: () => void; onText: (text: string) => void }) {
  const [text, setText] = useState('');
  function submit(event: SyntheticEvent) {
    event.preventDefault();
    if (text.trim() !== '') onText(text);
  }
  return (
    <Modal title="Inserisci il codice" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field label="Codice del biglietto" hint="I gruppi di lettere e numeri sotto il QR; trattini e minuscole non contano." value={text} onChange={(event) => setText(event.target.value)}
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
