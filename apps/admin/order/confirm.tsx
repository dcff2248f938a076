/** The dialog that confirms an order paid outside Stripe: method, sum, seats and reason. */
import { useState } from 'react';
import { confirmOrder } from '#server/contract/office.ts';
import { manualMethods, type ManualMethod } from '#server/domain/order/order.ts';
import { buyerFaults, buyerLengths, type BuyerTexts } from '#server/domain/order/buyer.ts';
import { methodName } from '#server/domain/order/order-words.ts';
import { formatEuro } from '#apps/shared/format.ts';
import { ConfirmDialog } from '#apps/shared/ui/confirm-dialog.tsx';
import { mailInput } from '#apps/shared/ui/mail-input.ts';
import { Radios } from '#apps/admin/kit/form/choices.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { NamedSeats } from '#apps/admin/kit/form/named-seats.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import { isReason, TypedReason } from '#apps/admin/kit/form/typed-reason.tsx';
import type { OrderDialogProps } from './shown-order.ts';
import formStyles from '#apps/admin/kit/form/form.module.css';
import styles from '#apps/admin/order/refund/refund.module.css';

const hints: Record<ManualMethod, string> = {
  cash: 'Incassati alla cassa.',
  transfer: 'Già arrivato sul conto.',
  guest: 'Nessun incasso: l’ordine vale zero.',
  other: 'Buono, carta cultura, accordo.',
};

interface ConfirmOrderProps extends OrderDialogProps {
  onConfirmed: () => void;
}

export function ConfirmOrder({ order, onClose, onConfirmed }: ConfirmOrderProps) {
  const change = useChange();
  const [method, setMethod] = useState<ManualMethod>('cash');
  const [reason, setReason] = useState('');
  const [buyer, setBuyer] = useState({
    name: order.buyer_name ?? '',
    email: order.buyer_email ?? '',
  });
  const [faults, setFaults] = useState<BuyerTexts>({});
  const isKnown = order.buyer_forgotten_at === null;

  async function confirm() {
    const found = buyerFaults(buyer);
    setFaults(found);
    if (Object.keys(found).length > 0) return;
    await change(confirmOrder, {
      params: { orderId: order.order_id },
      body: {
        reason: reason.trim(),
        method,
        expected_cents: order.total_cents,
        ...(isKnown && { buyer: { name: buyer.name.trim(), email: buyer.email.trim() } }),
      },
    });
    onConfirmed();
  }

  return (
    <ConfirmDialog
      title="Conferma senza pagamento online"
      confirmLabel={labelOf(method, order.total_cents)}
      disabled={!isReason(reason)}
      onConfirm={confirm}
      onCancel={onClose}
      text={
        <div className={formStyles.stack}>
          <NamedSeats
            seats={order.lines.map((line) => line.seat)}
            sum={method === 'guest' ? 0 : order.total_cents}
            sumLabel="Incasso"
            one="biglietto"
            many="biglietti"
          />
          <MethodChoice value={method} onChange={setMethod} />
          <TypedReason value={reason} onChange={setReason} />
          {isKnown && (
            <BuyerFields
              buyer={buyer}
              faults={faults}
              onChange={(typed) => setBuyer({ ...buyer, ...typed })}
            />
          )}
          <p>{tellOutcome(order)}</p>
        </div>
      }
    />
  );
}

function tellOutcome({ state }: OrderDialogProps['order']): string {
  return state === 'deleted'
    ? 'L’ordine è annullato: i posti vengono ripresi se sono ancora liberi, poi i biglietti vengono emessi.'
    : 'Il pagamento online viene chiuso, i biglietti vengono emessi e spediti. Se l’acquirente ha appena pagato online, vale quel pagamento.';
}

interface MethodChoiceProps {
  value: ManualMethod;
  onChange: (method: ManualMethod) => void;
}

function MethodChoice({ value, onChange }: MethodChoiceProps) {
  return (
    <Radios
      legend="Come è stato pagato"
      className={styles.choicesTwo}
      value={value}
      onChange={onChange}
      options={manualMethods.map((name) => [name, methodName(name), hints[name]] as const)}
    />
  );
}

function labelOf(method: ManualMethod, total_cents: number): string {
  if (method === 'guest') return 'Conferma l’invito';
  return `Conferma: ${formatEuro(total_cents)} ${method === 'cash' ? 'in contanti' : 'ricevuti'}`;
}

interface BuyerFieldsProps {
  buyer: { name: string; email: string };
  faults: BuyerTexts;
  onChange: (typed: { name: string } | { email: string }) => void;
}

function BuyerFields({ buyer, faults, onChange }: BuyerFieldsProps) {
  return (
    <>
      <TextField
        label="Nome (facoltativo)"
        maxLength={buyerLengths.name}
        value={buyer.name}
        error={faults.name ?? null}
        onChange={(name) => onChange({ name })}
      />
      <TextField
        label="E-mail (facoltativa)"
        {...mailInput}
        value={buyer.email}
        error={faults.email ?? null}
        hint="Se c’è, i biglietti partono anche per posta."
        onChange={(email) => onChange({ email })}
      />
    </>
  );
}
