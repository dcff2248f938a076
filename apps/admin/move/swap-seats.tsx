/** The dialog in which a ticket changes seats with another one, found by typed words. */
import { useDeferredValue, useState } from 'react';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { quoteSwap, swapTickets } from '#server/contract/order/moves.ts';
import { moveObstacleWords } from '#server/domain/seat/move-words.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { Check, Radios } from '#apps/admin/kit/form/choices.tsx';
import { FormActions } from '#apps/admin/kit/form/form-actions.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { isReason, TypedReason } from '#apps/admin/kit/form/typed-reason.tsx';
import { useSubmit } from '#apps/admin/kit/form/use-submit.ts';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import type { Order } from '#apps/admin/order/shown-order.ts';
import formStyles from '#apps/admin/kit/form/form.module.css';

type Quote = ReplyOf<typeof quoteSwap>;

interface SwapSeatsProps {
  order: Order;
  ticket: string;
  onDone: (said: string) => void;
  onClose: () => void;
}

export function SwapSeats(props: SwapSeatsProps) {
  const { order, ticket, onClose } = props;
  const [text, setText] = useState('');
  const q = useDeferredValue(text.trim());
  const quote = useEndpoint(
    quoteSwap,
    { params: { orderId: order.order_id }, body: { ticket_id: ticket, q } },
    { enabled: q !== '', retry: false, refetchOnWindowFocus: false, gcTime: 0 },
  );
  return (
    <Modal title="Scambia con un altro posto" onClose={onClose}>
      <div className={formStyles.stack}>
        <TextField
          label="Altro posto"
          hint="Per esempio: Platea C7."
          value={text}
          maxLength={200}
          onChange={setText}
          data-autofocus
        />
        {q !== '' && (
          <Loaded query={quote}>{(data) => <SwapForm key={q} {...props} quote={data} />}</Loaded>
        )}
      </div>
    </Modal>
  );
}

function SwapForm({ order, ticket, quote, onDone, onClose }: SwapSeatsProps & { quote: Quote }) {
  const change = useChange();
  const [chosen, setChosen] = useState(quote.seats[0]?.ticket_id ?? '');
  const [reason, setReason] = useState('');
  const [tells, setTells] = useState(true);
  const other = quote.seats.find(({ ticket_id }) => ticket_id === chosen);
  const { busy, failure, submit } = useSubmit(async () => {
    if (other === undefined) return;
    const done = await change(swapTickets, {
      params: { orderId: order.order_id },
      body: {
        ticket_id: ticket,
        object: other.own_object,
        with_ticket_id: other.ticket_id,
        with_object: other.object,
        tell_buyer: tells,
        ...(other.uneven && { reason: reason.trim() }),
      },
    });
    onDone(`${done.with_seat} ↔ ${done.seat}.`);
  });
  if (other === undefined)
    return <Notice>Nessun biglietto valido su un posto con questo nome.</Notice>;
  return (
    <form className={formStyles.stack} onSubmit={submit}>
      <Radios
        legend={`${quote.seat} cambia con`}
        value={chosen}
        options={quote.seats.map((seat) => [seat.ticket_id, seat.seat, whoseWords(seat)] as const)}
        onChange={setChosen}
      />
      {other.obstacle !== null && <Notice tone="warn">{moveObstacleWords[other.obstacle]}</Notice>}
      {other.uneven && (
        <>
          <Notice tone="warn">
            I due posti non hanno lo stesso prezzo: con lo scambio nessuno paga né riceve la
            differenza.
          </Notice>
          <TypedReason value={reason} onChange={setReason} />
        </>
      )}
      <Check
        label="Avvisa per e-mail"
        hint="I biglietti nuovi vanno a chi ha lasciato un indirizzo."
        checked={tells}
        onChange={setTells}
      />
      <p>I codici di prima non valgono più: i biglietti di carta si stampano di nuovo.</p>
      <FormActions
        busy={busy}
        failure={failure}
        disabled={other.obstacle !== null || (other.uneven && !isReason(reason))}
        onCancel={onClose}
        submitLabel="Scambia i posti"
      />
    </form>
  );
}

function whoseWords(seat: Quote['seats'][number]): string {
  return [seat.type_label, seat.buyer_name ?? 'Senza nome', seat.order_number].join(' · ');
}
