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

function useBuyer({ send, refusal, phone: isAsked }: BuyerFormProps) {
  const [typed, setTyped] = useState({ name: '', email: '', phone: '' });
  const [tried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const faults = {
    name: typed.name.trim() === '' ? 'Scrivi nome e cognome di chi prenota.' : null,
    email: mailFault(typed.email),
    phone: isAsked ? phoneFault(typed.phone) : null,
  };
  useEffect(() => {
    if (refusal !== null) form.current?.querySelector<HTMLElement>(places.email)?.focus();
  }, [refusal]);

  async function submit() {
    setTried(true);
    const wrong = (['name', 'email', 'phone'] as const).find((field) => faults[field] !== null);
    if (wrong !== undefined)
      return form.current?.querySelector<HTMLElement>(places[wrong])?.focus();
    const buyer = { name: typed.name.trim(), email: typed.email.trim() };
    await send(isAsked ? { ...buyer, phone: typed.phone.trim() } : buyer);
  }
  const field = (name: keyof typeof typed) => ({
    value: typed[name],
    error: tried ? faults[name] : null,
    onChange: (text: string) => setTyped((before) => ({ ...before, [name]: text })),
  });
  return { form, field, submit };
}

export function BuyerForm(props: BuyerFormProps) {
  const { close, busy, refusal, phone: isAsked } = props;
  const { form, field, submit } = useBuyer(props);
  const email = field('email');
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
          {...onEvents(field('name'))}
        />
        <EmailField
          label="E-mail (qui riceverai i biglietti)"
          {...email}
          error={email.error ?? refusal}
        />
        {isAsked && <PhoneField {...field('phone')} />}
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

type TypedField = ReturnType<ReturnType<typeof useBuyer>['field']>;

function PhoneField(field: TypedField) {
  return (
    <Field
      label="Telefono"
      name="phone"
      type="tel"
      autoComplete="tel"
      required
      maxLength={phoneLength}
      {...onEvents(field)}
    />
  );
}

function onEvents({ onChange, ...field }: TypedField) {
  return {
    ...field,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
}
