/** Names the holder of a ticket, for the first time or anew; before a change it says what becomes of the old code. */
import { useId, useRef, useState, type RefObject } from 'react';
import { call } from '#apps/shared/api.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Field } from '#apps/shared/ui/field.tsx';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { setHolder } from '#server/contract/holders.ts';
import { isPersonName } from '#server/domain/holder.ts';
import type { OrderReply } from '#apps/booking/shell/replies.ts';
import styles from './holders.module.css';

interface HolderFormProps {
  order: OrderReply;
  ticket: OrderReply['tickets'][number];
  onDone: () => Promise<unknown>;
  onClose: () => void;
}
type Wrong = Partial<Record<'first_name' | 'last_name' | 'email', string>>;

export function HolderForm({ order, ticket, onDone, onClose }: HolderFormProps) {
  const [wish, setWish] = useState({ first_name: '', last_name: '', email: '' });
  const [wrong, setWrong] = useState<Wrong>({});
  const form = useRef<HTMLFormElement>(null);
  const formId = useId();
  const isChange = ticket.holder_step === 'change';
  const field = (name: keyof typeof wish) => ({
    value: wish[name],
    error: wrong[name] ?? null,
    name,
    maxLength: name === 'email' ? 254 : 60,
    onChange: (event: { target: { value: string } }) =>
      setWish((before) => ({ ...before, [name]: event.target.value })),
  });

  async function send() {
    const found = mistakesIn(wish, form);
    setWrong(found);
    const first = Object.keys(found)[0];
    if (first !== undefined) {
      form.current!.querySelector<HTMLInputElement>(`[name=${first}]`)!.focus();
      return;
    }
    const email = wish.email.trim();
    await call(setHolder, {
      params: { orderId: order.order_id, ticketId: ticket.ticket_id },
      body: {
        first_name: wish.first_name.trim(),
        last_name: wish.last_name.trim(),
        ...(email === '' ? {} : { email }),
      },
    });
    onClose();
    await onDone();
  }
  return (
    <Modal
      title={isChange && ticket.holder !== null ? 'Cambia intestatario' : 'Chi userà il biglietto?'}
      onClose={onClose}
      actions={
        <>
          <button type="button" className="ui-button" onClick={onClose}>
            Torna indietro
          </button>
          <AsyncButton variant="primary" type="submit" form={formId} onClick={send}>
            {!isChange
              ? 'Salva il nome'
              : ticket.holder === null
                ? 'Passa il biglietto'
                : 'Cambia intestatario'}
          </AsyncButton>
        </>
      }
    >
      <form
        id={formId}
        ref={form}
        className={styles.section}
        noValidate
        onSubmit={(event) => event.preventDefault()}
      >
        <p className="soft">
          {ticket.seat}
          {ticket.holder !== null && `, ora intestato a ${ticket.holder}`}
        </p>
        {isChange && (
          <p>
            Il codice di prima <strong>smette subito di valere</strong>, anche se stampato o già
            inviato ad altri: all’ingresso serve quello nuovo.
          </p>
        )}
        <Field
          label="Nome"
          hint="Come sul documento"
          required
          autoComplete="given-name"
          data-autofocus
          {...field('first_name')}
        />
        <Field label="Cognome" required autoComplete="family-name" {...field('last_name')} />
        <Field
          label="E-mail (facoltativa)"
          hint="Gli mandiamo il suo biglietto"
          type="email"
          inputMode="email"
          autoComplete="email"
          {...field('email')}
        />
      </form>
    </Modal>
  );
}

function mistakesIn(
  { first_name, last_name }: { first_name: string; last_name: string },
  form: RefObject<HTMLFormElement | null>,
): Wrong {
  const wrong: Wrong = {};
  if (!isPersonName(first_name.trim()))
    wrong.first_name =
      first_name.trim() === ''
        ? 'Scrivi il nome.'
        : 'Usa solo lettere, spazi, apostrofi e trattini.';
  if (!isPersonName(last_name.trim()))
    wrong.last_name =
      last_name.trim() === ''
        ? 'Scrivi il cognome.'
        : 'Usa solo lettere, spazi, apostrofi e trattini.';
  // The browser's own rule for addresses.
  if (form.current!.querySelector<HTMLInputElement>('[name=email]')!.validity.typeMismatch)
    wrong.email = 'Questo indirizzo non è completo.';
  return wrong;
}
