/** Erases a person's data; says what is erased now, what later and why, and what never. */
import { useState } from 'react';
import { erasePerson } from '#server/contract/personal.ts';
import { beyondErasure } from '#server/domain/person/held.ts';
import { formatEuro, formatListDate } from '#apps/shared/format.ts';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { mailInput } from '#apps/shared/ui/mail-input.ts';
import { addressKey } from '#server/domain/text/mail-address.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { FormActions } from '#apps/admin/kit/form/form-actions.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { useSubmit } from '#apps/admin/kit/form/use-submit.ts';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { useAct } from '#apps/admin/kit/session/session.ts';
import { sayWhen, type Found } from './words.ts';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './personal.module.css';

interface EraseProps {
  found: Found;
  onErased: (words: string) => Promise<void>;
}

export function ErasePerson(props: EraseProps) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button look="danger" label="Cancella i suoi dati…" onClick={() => setAsking(true)} />
      {asking && <EraseDialog {...props} onClose={() => setAsking(false)} />}
    </>
  );
}

function EraseDialog({ found, onErased, onClose }: EraseProps & { onClose: () => void }) {
  const act = useAct();
  const [typed, setTyped] = useState('');
  const isSame = addressKey(typed) === found.email;
  const { busy, failure, submit } = useSubmit(async () => {
    const { waiting, remembered } = await act(erasePerson, {
      body: { email: found.email, typed },
    });
    onClose();
    await onErased(sayDone(waiting, remembered));
  });
  return (
    <Modal title={`Cancellare i dati di ${found.email}?`} onClose={onClose}>
      <form className={styles.erase} onSubmit={submit}>
        <Goes found={found} />
        <Waits found={found} />
        <Mentions mentions={found.mentions} />
        <Beyond found={found} />
        <TextField
          label="Per confermare scrivi il suo indirizzo"
          hint="Non si può annullare."
          {...mailInput}
          value={typed}
          onChange={setTyped}
        />
        <FormActions
          busy={busy}
          failure={failure}
          onCancel={onClose}
          submitLabel="Cancella i dati"
          disabled={!isSame}
          danger
        />
      </form>
    </Modal>
  );
}

function sayDone(waiting: number, remembered: boolean): string {
  const words =
    waiting === 0
      ? 'I dati sono stati cancellati.'
      : 'Cancellato quello che si può. Il resto si cancella da solo quando non serve più.';
  return remembered
    ? words
    : `${words} Non è stato possibile scrivere l’elenco accanto alle copie: se ne ripristini una, ripeti la cancellazione.`;
}

function Goes({ found }: { found: Found }) {
  return (
    <section>
      <h3>Che cosa succede</h3>
      <ul className={styles.words}>
        {found.held.map(({ kind, label, count, erasure }) => (
          <li key={kind}>
            <strong>
              {label} ({count})
            </strong>
            : {erasure}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Waits({ found }: { found: Found }) {
  const waiting = found.orders.filter(({ blocker }) => blocker !== null);
  if (waiting.length === 0) return null;
  return (
    <Notice as="section" tone="warn">
      <h3>Non ancora</h3>
      <ul className={styles.words}>
        {waiting.map((order) => (
          <li key={order.order_id}>
            <strong>
              Ordine {order.number}, {order.event_title}
            </strong>
            : {sayWhen(order)}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function Mentions({ mentions }: Pick<Found, 'mentions'>) {
  if (mentions.length === 0) return null;
  return (
    <section>
      <h3>Da guardare prima</h3>
      <p>
        Qui c’è solo una parte del nome, che può essere di un’altra persona: la cancellazione non la
        tocca. Se è sua, toglila a mano.
      </p>
      <ul className={styles.words}>
        {mentions.map(({ order_number, where, text }) => (
          <li key={`${order_number} ${where} ${text}`}>
            <strong>
              {where}, ordine {order_number}
            </strong>
            : «{text}»
          </li>
        ))}
      </ul>
    </section>
  );
}

function Beyond({ found }: { found: Found }) {
  return (
    <section>
      <h3>Che cosa non si raggiunge da qui</h3>
      <ul className={styles.words}>
        {beyondErasure.map(({ title, words }) => (
          <li key={title}>
            <strong>{title}</strong>: {words}
            {title === 'Stripe' && <StripeNumbers stripe={found.stripe} />}
          </li>
        ))}
        <li>
          <strong>Copie di sicurezza</strong>: {found.backups}
        </li>
      </ul>
    </section>
  );
}

function StripeNumbers({ stripe }: { stripe: Found['stripe'] }) {
  return (
    <ul>
      {stripe.map((one) => (
        <li key={one.payment_intent ?? one.charge_id}>
          <code className={textStyles.code}>{one.payment_intent ?? one.charge_id}</code>,{' '}
          {formatEuro(one.amount_cents)}, {formatListDate(one.paid_at)}
        </li>
      ))}
    </ul>
  );
}
