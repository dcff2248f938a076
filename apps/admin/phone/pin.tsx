/** The supervisors' PIN: whether there is one, set, changed, taken away; never shown again. */
import { useState, type FormEvent } from 'react';
import { readDoorPin, setDoorPin } from '#server/contract/phones.ts';
import { pinDigits } from '#server/domain/phone.ts';
import { formatListDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { ConfirmDialog } from '#apps/shared/ui/confirm-dialog.tsx';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { Loaded, tellFailure } from '#apps/admin/kit/loaded.tsx';
import { PasswordField } from '#apps/admin/shell/password-field.tsx';
import { useAct } from '#apps/admin/shell/session.ts';

export function DoorPinPanel() {
  const pin = useEndpoint(readDoorPin, {});
  const [open, setOpen] = useState<'set' | 'remove' | null>(null);
  const act = useAct();
  const done = () => {
    setOpen(null);
    void pin.refetch();
  };
  return (
    <section className="panel door-pin" aria-labelledby="pin-title">
      <h2 id="pin-title">PIN dei responsabili</h2>
      <Loaded query={pin}>
        {({ set, set_at, set_by }) => (
          <>
            {set ? (
              <p>
                Impostato{set_at !== null && ` il ${formatListDate(set_at)}`}
                {set_by !== null && ` da ${set_by}`}. Sul telefono di una maschera serve per far
                entrare lo stesso, per far entrare a mano chi si trova con «Cerca» e per annullare
                le letture di altri.
              </p>
            ) : (
              <p>
                Non c’è: sul telefono di una maschera basta scrivere un motivo per far entrare lo
                stesso. Con un PIN lo può fare solo chi lo conosce, anche senza rete.
              </p>
            )}
            <p className="actions actions-left">
              <button type="button" className="ui-button small" onClick={() => setOpen('set')}>
                {set ? 'Cambia il PIN…' : 'Imposta un PIN…'}
              </button>
              {set && (
                <button
                  type="button"
                  className="ui-button ui-button-danger small"
                  onClick={() => setOpen('remove')}
                >
                  Togli il PIN…
                </button>
              )}
            </p>
            {open === 'set' && (
              <PinDialog isChange={set} onDone={done} onClose={() => setOpen(null)} />
            )}
            {open === 'remove' && (
              <ConfirmDialog
                title="Togliere il PIN?"
                danger
                confirmLabel="Togli il PIN"
                cancelLabel="Torna indietro"
                onCancel={() => setOpen(null)}
                text={
                  <p>
                    Alla prossima connessione ogni telefono potrà far entrare lo stesso scrivendo
                    solo un motivo.
                  </p>
                }
                onConfirm={async () => {
                  await act(setDoorPin, { body: { pin: null } });
                  done();
                }}
              />
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

function PinDialog({
  isChange,
  onDone,
  onClose,
}: {
  isChange: boolean;
  onDone: () => void;
  onClose: () => void;
}) {
  const act = useAct();
  const [pin, setPin] = useState('');
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function save(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    if (!/^\d+$/.test(pin) || pin.length < pinDigits.least || pin.length > pinDigits.most) {
      setFailure(`Il PIN ha da ${pinDigits.least} a ${pinDigits.most} cifre.`);
      return;
    }
    setBusy(true);
    setFailure(null);
    try {
      await act(setDoorPin, { body: { pin } });
      onDone();
    } catch (error) {
      setFailure(tellFailure(error));
      setBusy(false);
    }
  }

  return (
    <Modal
      title={isChange ? 'Cambia il PIN dei responsabili' : 'Imposta il PIN dei responsabili'}
      onClose={onClose}
    >
      <form className="stack" noValidate onSubmit={(event) => void save(event)}>
        <PasswordField
          label="Nuovo PIN"
          value={pin}
          onChange={setPin}
          autoComplete="off"
          hint={`Da ${pinDigits.least} a ${pinDigits.most} cifre. Annotalo: qui non si vedrà più.`}
          error={failure}
        />
        <p className="soft">
          I telefoni lo ricevono alla prossima connessione; fino ad allora vale quello di prima.
        </p>
        <div className="ui-modal-actions">
          <button type="button" className="ui-button" onClick={onClose}>
            Torna indietro
          </button>
          <button
            type="submit"
            className="ui-button ui-button-primary"
            disabled={busy}
            aria-busy={busy}
          >
            Salva il PIN
          </button>
        </div>
      </form>
    </Modal>
  );
}
