/** What the event form says: a summary of faults, the save bar, dialogs about saving. */
import { type Ref } from 'react';
import { formatCount } from '#apps/shared/format.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { ConfirmDialog } from '#apps/shared/ui/confirm-dialog.tsx';
import { Modal } from '#apps/shared/ui/modal.tsx';
import type { Faults } from '#apps/admin/kit/form/form-section.tsx';
import { fieldWords } from './faults.ts';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './form.module.css';

interface FaultSummaryProps {
  ref: Ref<HTMLDivElement>;
  faults: Faults;
  onGo: (field: string) => void;
}

export function FaultSummary({ ref, faults, onGo }: FaultSummaryProps) {
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
    </Notice>
  );
}

interface DiscardQuestionProps {
  onDiscard: () => void;
  onClose: () => void;
}

export function DiscardQuestion({ onDiscard, onClose }: DiscardQuestionProps) {
  return (
    <ConfirmDialog
      title="Scartare le modifiche?"
      text={<p>Torna tutto com’era all’ultimo salvataggio.</p>}
      confirmLabel="Scarta le modifiche"
      cancelLabel="Continua a scrivere"
      danger
      onCancel={onClose}
      onConfirm={onDiscard}
    />
  );
}

interface ConflictProps {
  onTheirs: () => void;
  onMine: () => Promise<void>;
  onClose: () => void;
}

/** Another user saved first, so the person chooses which version stays. */
export function Conflict({ onTheirs, onMine, onClose }: ConflictProps) {
  return (
    <Modal
      title="Qualcun altro ha salvato nel frattempo"
      role="alertdialog"
      onClose={onClose}
      actions={
        <>
          <Button data-autofocus onClick={onTheirs} label="Carica la sua versione" />
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

interface BuyersQuestionProps {
  buyers: number;
  onTell: () => Promise<void>;
  onClose: () => void;
}

/** Warns before saving that buyers will get a mail about the new date or place. */
export function BuyersQuestion({ buyers, onTell, onClose }: BuyersQuestionProps) {
  return (
    <ConfirmDialog
      title="Cambia la data o il luogo"
      confirmLabel={`Salva e avvisa ${formatCount(buyers, 'acquirente', 'acquirenti')}`}
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
