/** The dialog that gives the chosen tickets another type, and settles the difference. */
import { useState } from 'react';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { changeTypes, quoteTypes } from '#server/contract/order/moves.ts';
import { moveObstacleWords } from '#server/domain/seat/move-words.ts';
import { formatEuro } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { Check, Radios } from '#apps/admin/kit/form/choices.tsx';
import { FormActions } from '#apps/admin/kit/form/form-actions.tsx';
import { useSubmit } from '#apps/admin/kit/form/use-submit.ts';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import { HandBack } from '#apps/admin/order/refund/hand-back.tsx';
import type { Order } from '#apps/admin/order/shown-order.ts';
import { DifferenceForm, newDifference, readDifference } from './difference.tsx';
import { useHanding, withHanding } from './handing.ts';
import formStyles from '#apps/admin/kit/form/form.module.css';

type Quote = ReplyOf<typeof quoteTypes>;

interface OtherTypeProps {
  order: Order;
  tickets: readonly string[];
  onDone: (said: string) => void;
  onClose: () => void;
}

export function OtherType(props: OtherTypeProps) {
  const { order, tickets, onClose } = props;
  const quote = useEndpoint(
    quoteTypes,
    { params: { orderId: order.order_id }, body: { ticket_ids: [...tickets] } },
    { retry: false, refetchOnWindowFocus: false, gcTime: 0 },
  );
  return (
    <Modal title="Cambia tariffa" onClose={onClose}>
      <Loaded query={quote}>{(data) => <TypeForm {...props} quote={data} />}</Loaded>
    </Modal>
  );
}

function TypeForm({ order, tickets, quote, onDone, onClose }: OtherTypeProps & { quote: Quote }) {
  const [first] = quote.choices;
  const [type, setType] = useState(first?.ticket_type ?? '');
  const chosen = quote.choices.find(({ ticket_type }) => ticket_type === type);
  const cents = chosen?.difference_cents ?? 0;
  const [difference, setDifference] = useState(() => newDifference(cents));
  const [tells, setTells] = useState(order.buyer_email !== null);
  const byHand = chosen?.hand_cents ?? 0;
  const handing = useHanding(order.order_id, byHand, difference);
  const settled = withHanding(readDifference(difference, cents), handing);
  const sending = useTypeChange({ order, tickets, quote, onDone }, { chosen, settled, tells });
  if (quote.obstacle !== null)
    return <Notice tone="warn">{moveObstacleWords[quote.obstacle]}</Notice>;
  if (chosen === undefined) return <Notice>Per questi posti non c’è un’altra tariffa.</Notice>;
  return (
    <form className={formStyles.stack} onSubmit={sending.submit}>
      <TicketsNow quote={quote} />
      <Radios
        legend="Tariffa nuova"
        value={type}
        options={quote.choices.map(
          (choice) => [choice.ticket_type, choice.label, differenceWords(choice)] as const,
        )}
        onChange={(next) => {
          setType(next);
          const found = quote.choices.find(({ ticket_type }) => ticket_type === next);
          setDifference(newDifference(found?.difference_cents ?? 0));
        }}
      />
      {cents !== 0 && (
        <DifferenceForm cents={cents} byHand={byHand} draft={difference} onChange={setDifference}>
          <HandBack hand={handing.hand} />
        </DifferenceForm>
      )}
      {order.buyer_email !== null && (
        <Check
          label="Manda i biglietti nuovi"
          hint={`A ${order.buyer_email}.`}
          checked={tells}
          onChange={setTells}
        />
      )}
      <p>I codici di prima non valgono più: i biglietti di carta si stampano di nuovo.</p>
      <FormActions
        busy={sending.busy}
        failure={sending.failure}
        disabled={typeof settled === 'string' || !handing.isReady}
        onCancel={onClose}
        submitLabel="Cambia tariffa"
      />
    </form>
  );
}

function differenceWords({ difference_cents: cents }: Quote['choices'][number]): string {
  if (cents === 0) return 'Stesso prezzo.';
  const sum = formatEuro(Math.abs(cents));
  return cents > 0 ? `Da pagare ${sum}.` : `Da restituire ${sum}.`;
}

function TicketsNow({ quote }: { quote: Quote }) {
  return (
    <ul>
      {quote.tickets.map(({ ticket_id, seat, type_label, price_cents }) => (
        <li key={ticket_id}>
          {seat} · {type_label} · {formatEuro(price_cents)}
        </li>
      ))}
    </ul>
  );
}

interface Said {
  chosen: Quote['choices'][number] | undefined;
  settled: ReturnType<typeof readDifference>;
  tells: boolean;
}

function useTypeChange(
  { order, tickets, quote, onDone }: Omit<OtherTypeProps, 'onClose'> & { quote: Quote },
  { chosen, settled, tells }: Said,
) {
  const change = useChange();
  return useSubmit(async () => {
    if (chosen === undefined || typeof settled === 'string') return;
    await change(changeTypes, {
      params: { orderId: order.order_id },
      body: {
        ticket_ids: [...tickets],
        ticket_type: chosen.ticket_type,
        expected_cents: chosen.difference_cents,
        tell_buyer: tells,
        ...(settled && { difference: settled }),
      },
    });
    onDone(`${quote.tickets.map(({ seat }) => seat).join('; ')}: ora ${chosen.label}.`);
  });
}
