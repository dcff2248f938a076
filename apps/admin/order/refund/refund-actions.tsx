/**
 * The actions on an open refund: on a request, a failed one, cash to hand back, one of Stripe.
 */
import { useState } from 'react';
import { decideRefund, retryRefund, settleRefund } from '#server/contract/order/refunds.ts';
import {
  hasFailed,
  type PaymentKind,
  type RefundOrigin,
  type RefundState,
} from '#server/domain/payment/refund.ts';
import { formatEuro } from '#apps/shared/format.ts';
import { ConfirmDialog } from '#apps/shared/ui/confirm-dialog.tsx';
import { NamedSeats } from '#apps/admin/kit/form/named-seats.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { HandBack, useHandBack } from './hand-back.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import buttonStyles from '#apps/admin/kit/buttons.module.css';
import formStyles from '#apps/admin/kit/form/form.module.css';

interface OpenRefund {
  refund_id: string;
  order_id: string | null;
  state: RefundState;
  origin: RefundOrigin;
  kind: PaymentKind;
  amount_cents: number;
  seats: readonly string[];
}

type Choice = 'approve' | 'refuse' | 'retry' | 'handed_back' | 'restore' | 'void' | 'keep';

/** The possible choices about a refund; empty: there is nothing to decide. */
export function choicesOf({
  state,
  origin,
  kind,
}: Pick<OpenRefund, 'state' | 'origin' | 'kind'>): readonly Choice[] {
  if (state === 'asked') return ['approve', 'refuse'];
  if (hasFailed(state))
    return origin === 'stripe'
      ? ['handed_back', 'keep']
      : ['retry', 'handed_back', 'restore', 'keep'];
  if (state === 'requested' && kind === 'manual') return ['handed_back'];
  return origin === 'stripe' ? ['void', 'keep'] : [];
}

interface ChoiceWords {
  label: string;
  effect: string;
  danger?: boolean;
  note?: string;
}

function wordsOf(choice: Choice, { state, amount_cents }: OpenRefund): ChoiceWords {
  const sum = formatEuro(amount_cents);
  const words: Record<Choice, ChoiceWords> = {
    approve: {
      label: `Approva: rimborsa ${sum}`,
      effect:
        'Il rimborso parte subito, i biglietti non valgono più e l’acquirente riceve un’e-mail.',
      danger: true,
    },
    refuse: {
      label: 'Rifiuta la richiesta',
      effect: 'I biglietti restano validi e l’acquirente riceve un’e-mail con la tua risposta.',
      note: 'Risposta per l’acquirente',
    },
    retry: {
      label: `Riprova: rimborsa ${sum}`,
      effect: 'Stripe riceve di nuovo la richiesta di rimborso.',
      danger: true,
    },
    handed_back: {
      label: `Restituiti a mano ${sum}`,
      effect: 'Segna che l’acquirente ha già i suoi soldi. Stripe non fa nulla.',
      danger: true,
      note: 'Come e quando',
    },
    restore: {
      label: 'Ridai validità ai biglietti',
      effect:
        'Nessun rimborso: i biglietti tornano validi, se i loro posti sono ancora dell’ordine.',
      note: 'Nota',
    },
    void: {
      label: 'Annulla i biglietti',
      effect: 'I biglietti non valgono più alla porta e i posti tornano in vendita.',
      danger: true,
      note: 'Nota',
    },
    keep: hasFailed(state)
      ? {
          label: 'Lascia così',
          effect: 'Nessun altro rimborso e nessun cambiamento ai biglietti: l’avviso sparisce.',
          note: 'Nota',
        }
      : {
          label: 'Lascia validi i biglietti',
          effect: 'Il rimborso resta com’è e i biglietti valgono ancora.',
          note: 'Nota',
        },
  };
  return words[choice];
}

export function RefundActions({ refund }: { refund: OpenRefund }) {
  const [asking, setAsking] = useState<Choice | null>(null);
  const choices = choicesOf(refund);
  if (choices.length === 0) return null;
  return (
    <div className={buttonStyles.actions}>
      {choices.map((choice) => {
        const { label, danger } = wordsOf(choice, refund);
        return (
          <Button
            key={choice}
            small
            look={danger ? 'danger' : undefined}
            onClick={() => setAsking(choice)}
            label={`${label}…`}
          />
        );
      })}
      {asking !== null && (
        <DecideRefund refund={refund} choice={asking} onClose={() => setAsking(null)} />
      )}
    </div>
  );
}

interface DecideRefundProps {
  refund: OpenRefund;
  choice: Choice;
  onClose: () => void;
}

function DecideRefund({ refund, choice, onClose }: DecideRefundProps) {
  const change = useChange();
  const [note, setNote] = useState('');
  const { label, effect, danger, note: noteLabel } = wordsOf(choice, refund);
  const isHanded = choice === 'handed_back' && refund.order_id !== null;
  const hand = useHandBack(refund.order_id ?? '', refund.amount_cents, isHanded);
  const handing = isHanded ? (hand.state?.handing ?? null) : {};

  async function decide() {
    const params = { refundId: refund.refund_id };
    const noted = note.trim() === '' ? {} : { note: note.trim() };
    if (choice === 'approve' || choice === 'refuse')
      await change(decideRefund, { params, body: { decision: choice, ...noted } });
    else if (choice === 'retry') await change(retryRefund, { params });
    else await change(settleRefund, { params, body: { decision: choice, ...noted, ...handing } });
    onClose();
  }

  return (
    <ConfirmDialog
      title={label}
      danger={danger ?? false}
      disabled={handing === null}
      confirmLabel={label}
      onConfirm={decide}
      onCancel={onClose}
      text={
        <div className={formStyles.stack}>
          <p>{effect}</p>
          <NamedSeats
            seats={refund.seats}
            sum={refund.amount_cents}
            one="biglietto"
            many="biglietti"
          />
          {isHanded && <HandBack hand={hand} />}
          {noteLabel !== undefined && (
            <TextField
              label={`${noteLabel} (facoltativo)`}
              maxLength={500}
              value={note}
              onChange={setNote}
            />
          )}
        </div>
      }
    />
  );
}
