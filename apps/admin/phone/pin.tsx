/** The supervisors’ PIN: whether one is set, and how to set, change or remove it. Never shown. */
import { useState } from 'react';
import { readDoorPin, setDoorPin } from '#server/contract/door/phones.ts';
import { pinDigits } from '#server/domain/door/phone.ts';
import { formatListDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { PasswordField } from '#apps/admin/shell/login/password-field.tsx';
import { useAct } from '#apps/admin/kit/session/session.ts';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import buttonStyles from '#apps/admin/kit/buttons.module.css';
import formStyles from '#apps/admin/kit/form/form.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './phones.module.css';
import { FormActions } from '#apps/admin/kit/form/form-actions.tsx';
import { useSubmit } from '#apps/admin/kit/form/use-submit.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { AskButton } from '#apps/admin/kit/ask-button.tsx';

export function DoorPinPanel() {
  const pin = useEndpoint(readDoorPin, {});
  const [open, setOpen] = useState(false);
  const act = useAct();
  return (
    <Panel className={styles.pin} aria-labelledby="pin-title">
      <h2 id="pin-title">PIN dei responsabili</h2>
      <Loaded query={pin}>
        {({ set, set_at, set_by, supervisor_phones }) => (
          <>
            {set ? <PinIsSet at={set_at} by={set_by} /> : <NoPin />}
            {set && supervisor_phones === 0 && <NoSupervisorPhone />}
            <div className={buttonStyles.actions}>
              <Button
                small
                onClick={() => setOpen(true)}
                label={set ? 'Cambia il PIN…' : 'Imposta un PIN…'}
              />
              {set && (
                <AskButton
                  label="Togli il PIN…"
                  title="Togliere il PIN?"
                  danger
                  confirmLabel="Togli il PIN"
                  text={
                    <p>
                      Alla prossima connessione ogni telefono potrà far entrare lo stesso scrivendo
                      solo un motivo.
                    </p>
                  }
                  onConfirm={async () => {
                    await act(setDoorPin, { body: { pin: null } });
                    void pin.refetch();
                  }}
                />
              )}
            </div>
            {open && (
              <PinDialog
                isChange={set}
                onClose={() => setOpen(false)}
                onDone={() => {
                  setOpen(false);
                  void pin.refetch();
                }}
              />
            )}
          </>
        )}
      </Loaded>
    </Panel>
  );
}

interface PinIsSetProps {
  at: string | null;
  by: string | null;
}

function PinIsSet({ at, by }: PinIsSetProps) {
  return (
    <p>
      Impostato{at !== null && ` il ${formatListDate(at)}`}
      {by !== null && ` da ${by}`}. Sta solo sui telefoni dei responsabili e apre il loro consenso,
      che alla maschera serve per far entrare lo stesso, per far entrare a mano chi si trova con
      «Cerca» e per annullare le letture di altri: la maschera mostra un codice, il responsabile lo
      legge con il suo telefono, anche senza rete.
    </p>
  );
}

function NoSupervisorPhone() {
  return (
    <p className={textStyles.warn} role="status">
      Nessun telefono di responsabile è abbinato: finché non ce n’è uno, alla porta nessuno può dare
      il consenso. Si può far entrare solo da Letture.
    </p>
  );
}

function NoPin() {
  return (
    <p>
      Non c’è: sul telefono di una maschera basta scrivere un motivo per far entrare lo stesso chi
      mostra il codice, e chi passa senza codice conta quando l’ufficio lo conferma. Con un PIN
      serve il consenso di un responsabile, dal suo telefono, anche senza rete.
    </p>
  );
}

interface PinDialogProps {
  isChange: boolean;
  onDone: () => void;
  onClose: () => void;
}

function PinDialog({ isChange, onDone, onClose }: PinDialogProps) {
  const act = useAct();
  const [pin, setPin] = useState('');

  const { busy, failure, setFailure, submit } = useSubmit(async () => {
    if (!/^\d+$/.test(pin) || pin.length < pinDigits.least || pin.length > pinDigits.most) {
      setFailure(`Il PIN ha da ${pinDigits.least} a ${pinDigits.most} cifre.`);
      return;
    }
    await act(setDoorPin, { body: { pin } });
    onDone();
  });

  return (
    <Modal
      title={isChange ? 'Cambia il PIN dei responsabili' : 'Imposta il PIN dei responsabili'}
      onClose={onClose}
    >
      <form className={formStyles.stack} noValidate onSubmit={submit}>
        <PasswordField
          label="Nuovo PIN"
          value={pin}
          onChange={setPin}
          autoComplete="off"
          hint={`Da ${pinDigits.least} a ${pinDigits.most} cifre. Annotalo: qui non si vedrà più.`}
          error={failure}
        />
        <p className={textStyles.soft}>
          I telefoni dei responsabili lo ricevono alla prossima connessione; fino ad allora vale
          quello di prima.
        </p>
        <FormActions busy={busy} onCancel={onClose} submitLabel="Salva il PIN" />
      </form>
    </Modal>
  );
}
