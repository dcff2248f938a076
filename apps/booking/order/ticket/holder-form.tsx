/** Names or changes the holder of a ticket; before a change it says that the old code ends. */
import { useId, useRef, useState } from 'react';
import { call } from '#apps/shared/api.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Field } from '#apps/shared/ui/field.tsx';
import { mailInput } from '#apps/shared/ui/mail-input.ts';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { setHolder } from '#server/contract/order/holders.ts';
import { isPersonName } from '#server/domain/order/holder.ts';
import { isMailAddress } from '#server/domain/text/mail-address.ts';
import { isolate } from '#server/domain/text/direction.ts';
import type { OrderReply } from '#apps/booking/shell/replies.ts';
import styles from './holders.module.css';

type Ticket = OrderReply['tickets'][number];
interface HolderFormProps {
  order: OrderReply;
  ticket: Ticket;
  onDone: () => Promise<unknown>;
  /** Gets the next ticket to name; null: none. */
  onGoOn: (ticket_id: string | null) => void;
}
type Wrong = Partial<Record<'first_name' | 'last_name' | 'email', string>>;

/** The state of the form: typed values, faults, sending. */
function useWish({ order, ticket, onDone, onGoOn }: HolderFormProps) {
  const [wish, setWish] = useState({ first_name: '', last_name: '', email: '' });
  const [wrong, setWrong] = useState<Wrong>({});
  const form = useRef<HTMLFormElement>(null);
  const field = (name: keyof typeof wish) => ({
    value: wish[name],
    error: wrong[name] ?? null,
    name,
    maxLength: 60,
    onChange: (event: { target: { value: string } }) =>
      setWish((before) => ({ ...before, [name]: event.target.value })),
  });

  async function send() {
    const found = mistakesIn(wish);
    setWrong(found);
    const first = Object.keys(found)[0];
    if (first !== undefined)
      return form.current?.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus();
    const email = wish.email.trim();
    await call(setHolder, {
      params: { orderId: order.order_id, ticketId: ticket.ticket_id },
      body: {
        first_name: wish.first_name.trim(),
        last_name: wish.last_name.trim(),
        ...(email === '' ? {} : { email }),
      },
    });
    const next = ticket.holder_step === 'name' ? nextToName(order, ticket) : undefined;
    onGoOn(next?.ticket_id ?? null);
    await onDone();
  }
  const fill = (names: { first_name: string; last_name: string }) =>
    setWish((before) => ({ ...before, ...names }));
  return { form, field, fill, send };
}

/** The next ticket without a name, so that all can be named one after the other. */
function nextToName(order: OrderReply, ticket: Ticket): Ticket | undefined {
  const others = order.tickets.filter((other) => other.ticket_id !== ticket.ticket_id);
  return others.find((other) => other.holder_step === 'name');
}

/** Takes the last word for the surname, as in "Eva Maria Neri"; the buyer can correct it. */
function partsOf(name: string): { first_name: string; last_name: string } {
  const words = name.trim().split(/\s+/);
  return { first_name: words.slice(0, -1).join(' '), last_name: words.at(-1) ?? '' };
}

export function HolderForm(props: HolderFormProps) {
  const { order, ticket, onGoOn } = props;
  const { form, field, fill, send } = useWish(props);
  const onClose = () => onGoOn(null);
  const formId = useId();
  const isChange = ticket.holder_step === 'change';
  const change =
    ticket.holder === null
      ? { title: 'Chi userà il biglietto?', button: 'Passa il biglietto' }
      : { title: 'Cambia intestatario', button: 'Cambia intestatario' };
  const naming = {
    title: 'Chi userà il biglietto?',
    button: nextToName(order, ticket) === undefined ? 'Salva il nome' : 'Salva e continua',
  };
  const words = isChange ? change : naming;
  const { buyer_name } = order;
  const isNew = order.tickets.every(({ holder }) => holder !== buyer_name);
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
          {ticket.holder !== null && `, intestatario: ${isolate(ticket.holder)}`}
        </p>
        {isChange && (
          <p>
            Il codice di prima <strong>smette subito di valere</strong>, anche se stampato o già
            inviato ad altri: all’ingresso serve quello nuovo.
          </p>
        )}
        {!isChange && buyer_name !== null && isNew && (
          <button type="button" className="ui-button" onClick={() => fill(partsOf(buyer_name))}>
            Uso il mio nome<span className="visually-hidden">: {buyer_name}</span>
          </button>
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
        autoComplete="email"
        {...field('email')}
        {...mailInput}
      />
    </>
  );
}

function mistakesIn({ first_name, last_name, email }: Record<keyof Wrong, string>): Wrong {
  const wrong: Wrong = {};
  for (const [name, text, missing] of [
    ['first_name', first_name.trim(), 'Scrivi il nome.'],
    ['last_name', last_name.trim(), 'Scrivi il cognome.'],
  ] as const)
    if (!isPersonName(text))
      wrong[name] = text === '' ? missing : 'Usa solo lettere, spazi, apostrofi e trattini.';
  if (email.trim() !== '' && !isMailAddress(email.trim()))
    wrong.email = 'Questo indirizzo non è completo.';
  return wrong;
}
