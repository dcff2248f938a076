/** The reactions of the event form: summary of faults, save bar, and the dialogs that saving may open. */
import { useState, type Ref } from 'react';
import { formatCount } from '#apps/shared/format.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { ConfirmDialog } from '#apps/shared/ui/confirm-dialog.tsx';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { fieldWords, type Faults } from '#apps/admin/kit/form-faults.ts';
import { Notice } from '#apps/admin/kit/notice.tsx';
import barStyles from '#apps/admin/kit/form/save-bar.module.css';
import textStyles from '#apps/admin/kit/text.module.css';
import styles from './form.module.css';

export function FaultSummary({
  ref,
  faults,
  onGo,
}: {
  ref: Ref<HTMLDivElement>;
  faults: Faults;
  onGo: (field: string) => void;
}) {
  const { form, ...fields } = faults;
  const entries = Object.entries(fields);
  return (
    <Notice
      ref={ref}
      as="div"
      tone="bad"
      className={styles.faultSummary}
      role="alert"
      tabIndex={-1}
    >
      <div>
        <strong>
          {form ??
            `Non è stato salvato: ${entries.length === 1 ? 'c’è un campo' : `ci sono ${entries.length} campi`} da correggere.`}
        </strong>
        {entries.length > 0 && (
          <ul>
            {entries.map(([field, text]) => (
              <li key={field}>
                <button type="button" className={textStyles.link} onClick={() => onGo(field)}>
                  {fieldWords[field] ?? 'Biglietto'}
                </button>
                : {text}
              </li>
            ))}
          </ul>
        )}
      </div>
    </Notice>
  );
}

interface SaveBarProps {
  dirty: boolean;
  creating: boolean;
  draft: boolean;
  cancelled: boolean;
  note: string | null;
  onSave: () => Promise<void>;
  onDiscard: () => void;
}

export function SaveBar({
  dirty,
  creating,
  draft,
  cancelled,
  note,
  onSave,
  onDiscard,
}: SaveBarProps) {
  const [asking, setAsking] = useState(false);
  return (
    <div className={barStyles.bar}>
      <p className={barStyles.state} aria-live="polite">
        {cancelled
          ? 'L’evento è annullato: non si può più cambiare.'
          : dirty
            ? 'Modifiche non salvate'
            : (note ?? '')}
      </p>
      {dirty && !creating && (
        <button type="button" className="ui-button ui-button-quiet" onClick={() => setAsking(true)}>
          Scarta
        </button>
      )}
      {!cancelled && (
        <AsyncButton variant="primary" disabled={!dirty} onClick={onSave}>
          {creating ? 'Crea la bozza' : draft ? 'Salva la bozza' : 'Salva: si vede subito'}
        </AsyncButton>
      )}
      {asking && (
        <ConfirmDialog
          title="Scartare le modifiche?"
          text={<p>Torna tutto com’era all’ultimo salvataggio.</p>}
          confirmLabel="Scarta le modifiche"
          cancelLabel="Continua a scrivere"
          danger
          onCancel={() => setAsking(false)}
          onConfirm={() => {
            setAsking(false);
            onDiscard();
          }}
        />
      )}
    </div>
  );
}

/** Somebody else saved first: neither side is lost without being asked. */
export function Conflict({
  onTheirs,
  onMine,
  onClose,
}: {
  onTheirs: () => void;
  onMine: () => Promise<void>;
  onClose: () => void;
}) {
  return (
    <Modal
      title="Qualcun altro ha salvato nel frattempo"
      role="alertdialog"
      onClose={onClose}
      actions={
        <>
          <button type="button" className="ui-button" data-autofocus onClick={onTheirs}>
            Carica la sua versione
          </button>
          <AsyncButton variant="danger" onClick={onMine}>
            Salva la mia
          </AsyncButton>
        </>
      }
    >
      <p>
        Se carichi la sua versione, quello che hai scritto qui va perso. Se salvi la tua, prende il
        posto della sua per intero.
      </p>
      <p>Per confrontarle, chiudi questa finestra e apri l’evento in un’altra scheda.</p>
    </Modal>
  );
}

/** Date or place change for people who have paid. */
export function BuyersQuestion({
  buyers,
  onTell,
  onClose,
}: {
  buyers: number;
  onTell: () => Promise<void>;
  onClose: () => void;
}) {
  return (
    <ConfirmDialog
      title="Cambia la data o il luogo"
      confirmLabel={`Salva e avvisa ${formatCount(buyers, 'acquirente', 'acquirenti')}`}
      cancelLabel="Torna indietro"
      onConfirm={onTell}
      onCancel={onClose}
      text={
        <p>
          {buyers === 1
            ? 'Un ordine è già confermato: chi ha comprato riceverà'
            : `${buyers.toLocaleString('it-IT')} ordini sono già confermati: chi ha comprato riceverà`}{' '}
          subito un’e-mail con i nuovi dati.
        </p>
      }
    />
  );
}
