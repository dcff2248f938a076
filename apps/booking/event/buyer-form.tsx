/** The form before a booking that costs nothing: who books, and where the tickets are sent. */
import { useEffect, useRef, useState } from 'react';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Field } from '#apps/shared/ui/field.tsx';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { EmailField, mailFault } from '#apps/booking/shell/email-field.tsx';
import type { Booking } from './book.ts';
import { payWords } from './sale-words.ts';
import styles from './buyer-form.late.module.css';

const purpose = 'Gratis. Usiamo questi dati solo per la tua prenotazione: niente pubblicità.';

type BuyerFormProps = NonNullable<Booking['free']> & Pick<Booking, 'busy' | 'refusal'>;

export function BuyerForm({ send, close, busy, refusal }: BuyerFormProps) {
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [tried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const faults = {
    name: name.trim() === '' ? 'Scrivi nome e cognome di chi prenota.' : null,
    email: mailFault(email),
  };
  useEffect(() => {
    if (refusal !== null) form.current?.querySelector<HTMLElement>('[autocomplete=email]')?.focus();
  }, [refusal]);

  async function submit() {
    setTried(true);
    const wrong = faults.name !== null ? '[name=name]' : '[autocomplete=email]';
    if (faults.name !== null || faults.email !== null)
      return form.current?.querySelector<HTMLElement>(wrong)?.focus();
    await send({ name: name.trim(), email: email.trim() });
  }
  return (
    <Modal title="A chi mandiamo i biglietti?" onClose={close}>
      <form
        ref={form}
        className={styles.form}
        noValidate
        onSubmit={(event) => event.preventDefault()}
      >
        <Field
          label="Nome e cognome"
          name="name"
          autoComplete="name"
          data-autofocus
          required
          maxLength={121}
          value={name}
          error={tried ? faults.name : null}
          onChange={(event) => setName(event.target.value)}
        />
        <EmailField
          label="E-mail (qui riceverai i biglietti)"
          value={email}
          error={(tried ? faults.email : null) ?? refusal}
          onChange={setEmail}
        />
        <AsyncButton
          variant="primary"
          type="submit"
          className="ui-button-wide"
          busy={busy}
          onClick={submit}
        >
          {payWords(0)}
        </AsyncButton>
        <p className="small soft">{purpose}</p>
      </form>
    </Modal>
  );
}
