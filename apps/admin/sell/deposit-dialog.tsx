/** The dialog that takes a part of the money for reserved seats. */
import { useState } from 'react';
import { takeDeposit } from '#server/contract/counter.ts';
import { depositEndWords, sayDeposit } from '#server/domain/counter/deposit-words.ts';
import type { CounterMethod } from '#server/domain/counter/counter.ts';
import type { DepositEnd } from '#server/domain/order/payment.ts';
import { formatEuro } from '#apps/shared/format.ts';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { EuroField } from '#apps/admin/kit/form/euro-field.tsx';
import { FormActions } from '#apps/admin/kit/form/form-actions.tsx';
import formStyles from '#apps/admin/kit/form/form.module.css';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { newKey } from '#apps/admin/kit/new-key.ts';
import { tellFailure } from '#apps/admin/kit/page/loaded.tsx';
import { useAct, useMay } from '#apps/admin/kit/session/session.ts';
import { depositSum, readDeposit, type DepositParts } from './deposit-form.ts';
import type { Sale } from './use-sale.ts';
import styles from './till.module.css';

interface DepositDialogProps {
  item: {
    order_id: string;
    number: string;
    total_cents: number;
    paid_cents: number;
    deposit_end: DepositEnd | null;
  };
  onTaken: (sale: Sale) => Promise<unknown>;
  onClose: () => void;
}

type Typed = Partial<Record<CounterMethod, string>>;

const labels: Record<CounterMethod, string> = {
  cash: 'In contanti',
  pos: 'Con il POS',
  transfer: 'Con un bonifico arrivato',
};

export function DepositDialog({ item, onTaken, onClose }: DepositDialogProps) {
  const { paid_cents, total_cents, deposit_end } = item;
  const mayBook = useMay('book_transfers');
  const [typed, setTyped] = useState<Typed>({});
  const [receipt, setReceipt] = useState('');
  const due = total_cents - paid_cents;
  const parts = readDeposit(typed, due);
  const { busy, failure, send, forget } = useTaking(item, onTaken);
  const ways: readonly CounterMethod[] = mayBook ? ['cash', 'pos', 'transfer'] : ['cash', 'pos'];
  return (
    <Modal title={`Acconto per ${item.number}`} onClose={onClose}>
      <form
        className={formStyles.stack}
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) void send(withReceipt(parts, receipt));
        }}
      >
        <p className={styles.due}>
          {paid_cents > 0 ? 'Restano' : 'Da pagare'} <strong>{formatEuro(due)}</strong>
        </p>
        {ways.map((method, at) => (
          <EuroField
            key={method}
            label={labels[method]}
            value={typed[method] ?? ''}
            isFirst={at === 0}
            onChange={(text) => {
              forget();
              setTyped({ ...typed, [method]: text });
            }}
          />
        ))}
        <TextField
          label="Numero dello scontrino POS (facoltativo)"
          maxLength={40}
          value={receipt}
          onChange={setReceipt}
        />
        <p role="status">
          {typeof parts === 'string' || parts.length === 0
            ? ''
            : sayDeposit(paid_cents + depositSum(parts), total_cents)}
        </p>
        {deposit_end !== null && <p>{depositEndWords[deposit_end]}</p>}
        <FormActions
          busy={busy}
          failure={failure}
          onCancel={onClose}
          submitLabel="Incassa l’acconto (Invio)"
        />
      </form>
    </Modal>
  );
}

function withReceipt(parts: DepositParts | string, text: string): DepositParts | string {
  const receipt = text.trim();
  if (typeof parts === 'string' || receipt === '') return parts;
  return parts.map((part) => (part.method === 'pos' ? { ...part, receipt } : part));
}

/** Sends the parts with one key, so that pressing again after a lost line takes them once. */
function useTaking(
  { order_id }: DepositDialogProps['item'],
  onTaken: DepositDialogProps['onTaken'],
) {
  const act = useAct();
  const [deposit_key] = useState(newKey);
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const send = async (payments: DepositParts | string) => {
    if (typeof payments === 'string') return setFailure(payments);
    if (payments.length === 0) return setFailure('Scrivi quanto ti dà.');
    setBusy(true);
    setFailure(null);
    const params = { orderId: order_id };
    await act(takeDeposit, { params, body: { deposit_key, payments } }).then(
      onTaken,
      (error: unknown) => setFailure(tellFailure(error)),
    );
    setBusy(false);
  };
  return { busy, failure, send, forget: () => setFailure(null) };
}
