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

/** What was typed, what is wrong with it, and the call. */
function useWish({ order, ticket, onDone, onClose }: HolderFormProps) {
  const [wish, setWish] = useState({ first_name: '', last_name: '', email: '' });
  const [wrong, setWrong] = useState<Wrong>({});
  const form = useRef<HTMLFormElement>(null);
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
    if (first !== undefined)
      return form.current!.querySelector<HTMLInputElement>(`[name=${first}]`)!.focus();
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
  return { form, field, send };
}

export function HolderForm(props: HolderFormProps) {
  const { ticket, onClose } = props;
  const { form, field, send } = useWish(props);
  const formId = useId();
  const isChange = ticket.holder_step === 'change';
  const change =
    ticket.holder === null
      ? { title: 'Chi userà il biglietto?', button: 'Passa il biglietto' }
      : { title: 'Cambia intestatario', button: 'Cambia intestatario' };
  const words = isChange ? change : { title: 'Chi userà il biglietto?', button: 'Salva il nome' };
  return (
    <Modal
      title={words.title}
      onClose={onClose}
      actions={
        <>
          <button type="button" className="ui-button" onClick={onClose}>
            Torna indietro
          </button>
          <AsyncButton variant="primary" type="submit" form={formId} onClick={send}>
            {words.button}
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
        <NameFields field={field} />
      </form>
    </Modal>
  );
}

function NameFields({ field }: Pick<ReturnType<typeof useWish>, 'field'>) {
  return (
    <>
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
    </>
  );
}

function mistakesIn(
  { first_name, last_name }: { first_name: string; last_name: string },
  form: RefObject<HTMLFormElement | null>,
): Wrong {
  const wrong: Wrong = {};
  for (const [name, text, missing] of [
    ['first_name', first_name.trim(), 'Scrivi il nome.'],
    ['last_name', last_name.trim(), 'Scrivi il cognome.'],
  ] as const)
    if (!isPersonName(text))
      wrong[name] = text === '' ? missing : 'Usa solo lettere, spazi, apostrofi e trattini.';
  // The browser's own rule for addresses.
  if (form.current!.querySelector<HTMLInputElement>('[name=email]')!.validity.typeMismatch)
    wrong.email = 'Questo indirizzo non è completo.';
  return wrong;
}
