/** Chooses the other date, shows what becomes of the orders, and begins (RULES E7). */
import { useState } from 'react';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { previewTransfer, readTransfer, startTransfer } from '#server/contract/transfers.ts';
import { formatCount, formatEuro, formatShortDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { ConfirmDialog } from '#apps/shared/ui/confirm-dialog.tsx';
import { Field, FieldSelect } from '#apps/shared/ui/field.tsx';
import { newKey } from '#apps/admin/kit/new-key.ts';
import { Fact, Facts } from '#apps/admin/kit/page/facts.tsx';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import type { Chosen } from '#apps/admin/order/bulk.tsx';
import formStyles from '#apps/admin/kit/form/form.module.css';
import { StayingList } from './staying.tsx';

type Preview = ReplyOf<typeof previewTransfer>;

interface TransferDialogProps {
  eventId: string;
  dates: ReplyOf<typeof readTransfer>['dates'];
  chosen: Chosen;
  onClose: () => void;
}

export function TransferDialog({ eventId, dates, chosen, onClose }: TransferDialogProps) {
  const change = useChange();
  const [transfer_key] = useState(newKey);
  const [to_event_id, setTo] = useState(dates[0]?.event_id ?? '');
  const order_ids = chosen.ids.length > 0 ? { order_ids: [...chosen.ids] } : {};
  const params = { eventId };
  const body = { to_event_id, ...order_ids };
  const preview = useEndpoint(
    previewTransfer,
    { params, body },
    { retry: false, refetchOnWindowFocus: false },
  );
  const orders = preview.data?.orders ?? 0;

  async function start({ orders: expected_orders, back_cents: expected_back_cents }: Preview) {
    const sums = { expected_orders, expected_back_cents };
    const asked = { params, body: { transfer_key, ...body, ...sums } };
    await change(startTransfer, asked).catch((error: unknown) => {
      // Orders or free seats have changed: the next click sees them.
      void preview.refetch();
      throw error;
    });
    chosen.clear();
    onClose();
  }
  return (
    <ConfirmDialog
      title="Portare gli ordini su un’altra data?"
      confirmLabel={orders === 0 ? 'Porta gli ordini' : `Porta ${count(orders)}`}
      disabled={orders === 0}
      onConfirm={() => preview.data && start(preview.data)}
      onCancel={onClose}
      text={
        <div className={formStyles.stack}>
          <Field label="Su quale data">
            <FieldSelect value={to_event_id} onChange={({ target }) => setTo(target.value)}>
              {dates.map(({ event_id, starts_at }) => (
                <option key={event_id} value={event_id}>
                  {formatShortDate(starts_at)}
                </option>
              ))}
            </FieldSelect>
          </Field>
          <Loaded query={preview}>{(data) => <Outlook preview={data} />}</Loaded>
        </div>
      }
    />
  );
}

const count = (orders: number) => formatCount(orders, 'ordine', 'ordini');

function Outlook({ preview }: { preview: Preview }) {
  const { orders, tickets, same_seats, back_orders, back_cents, staying } = preview;
  return (
    <>
      <Facts wide>
        <Fact name="Ci stanno">
          {count(orders)}, {formatCount(tickets, 'biglietto', 'biglietti')}
        </Fact>
        <Fact name="Con lo stesso posto">
          {formatCount(same_seats, 'biglietto', 'biglietti')} di {tickets}
        </Fact>
        <Fact name="Da restituire">
          {back_cents === 0 ? 'niente' : `${formatEuro(back_cents)}, a ${count(back_orders)}`}
        </Fact>
      </Facts>
      <StayingList staying={staying} />
      <p>
        Nessuno paga di più. Chi va riceve i biglietti nuovi per e-mail, e i vecchi non valgono più.
        Hai un minuto per annullare.
      </p>
    </>
  );
}
