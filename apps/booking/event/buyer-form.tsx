/** The form before a booking that costs nothing: who books, and where the tickets are sent. */
import { useEffect, useRef, useState } from 'react';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Field } from '#apps/shared/ui/field.tsx';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { EmailField, mailFault } from '#apps/booking/shell/email-field.tsx';
import { phoneFault, phoneLength } from '#server/domain/text/phone-number.ts';
import type { Booking } from './book.ts';
import { payWords } from './sale-words.ts';
import styles from './buyer-form.late.module.css';

const purpose = 'Gratis. Usiamo questi dati solo per la tua prenotazione: niente pubblicità.';

const places = {
  name: '[name=name]',
  email: '[autocomplete=email]',
  phone: '[name=phone]',
};

type BuyerFormProps = NonNullable<Booking['free']> &
  Pick<Booking, 'busy' | 'refusal'> & { /** Whether the event asks for it. */ phone: boolean };

export function BuyerForm({ send, close, busy, refusal, phone: isAsked }: BuyerFormProps) {
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [phone, setPhone] = useState('');
  const [tried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const faults = {
    name: name.trim() === '' ? 'Scrivi nome e cognome di chi prenota.' : null,
    email: mailFault(email),
    phone: isAsked ? phoneFault(phone) : null,
  };
  useEffect(() => {
    if (refusal !== null) form.current?.querySelector<HTMLElement>('[autocomplete=email]')?.focus();
  }, [refusal]);

  async function submit() {
    setTried(true);
    const wrong = (['name', 'email', 'phone'] as const).find((field) => faults[field] !== null);
    if (wrong !== undefined)
      return form.current?.querySelector<HTMLElement>(places[wrong])?.focus();
    const buyer = { name: name.trim(), email: email.trim() };
    await send(isAsked ? { ...buyer, phone: phone.trim() } : buyer);
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
        {isAsked && (
          <Field
            label="Telefono"
            name="phone"
            type="tel"
            autoComplete="tel"
            required
            maxLength={phoneLength}
            value={phone}
            error={tried ? faults.phone : null}
            onChange={(event) => setPhone(event.target.value)}
          />
        )}
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
