/** Seats that wait for their money, those that free themselves first on top: take the money, or give the seats back. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  collectReservation,
  dropReservation,
  listReservations,
  readCounter,
} from '#server/contract/counter.ts';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { CounterMethod } from '#server/domain/order/counter.ts';
import { formatCount, formatEuro, formatListDate, formatShortDate } from '#apps/shared/format.ts';
import { keyOf, useEndpoint } from '#apps/shared/query.ts';
import { ConfirmDialog } from '#apps/shared/ui/confirm-dialog.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { Table, Under } from '#apps/admin/kit/list/table.tsx';
import { Empty, Loaded, tellFailure } from '#apps/admin/kit/page/loaded.tsx';
import { FailureNotice } from '#apps/admin/kit/page/notice.tsx';
import { BackLink, Intro, PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { useAct, useMay } from '#apps/admin/shell/session.ts';
import { PrintedSale } from '#apps/admin/sell/paper/printed.tsx';
import type { Counter } from '#apps/admin/sell/shift/shift-open.tsx';
import styles from './sell.module.css';

type Reservation = ReplyOf<typeof listReservations>['items'][number];

export function ReservationsScreen() {
  const list = useEndpoint(listReservations, {}, { refetchInterval: 15_000 });
  const counter = useEndpoint(readCounter, {});
  return (
    <>
      <BackLink to="/sell">Vendi</BackLink>
      <PageTitle title="Prenotazioni da pagare" />
      <Intro>Quando scade il loro tempo i posti tornano liberi da soli.</Intro>
      <Loaded query={counter}>
        {(desk) => (
          <Loaded query={list}>{({ items }) => <Waiting items={items} counter={desk} />}</Loaded>
        )}
      </Loaded>
    </>
  );
}

function Waiting({ items, counter }: { items: readonly Reservation[]; counter: Counter }) {
  const act = useAct();
  const client = useQueryClient();
  const [failure, setFailure] = useState<string | null>(null);
  const [paid, setPaid] = useState<string | null>(null);
  const [dropping, setDropping] = useState<Reservation | null>(null);
  const run = async (work: () => Promise<unknown>) => {
    setFailure(null);
    await work().catch((error: unknown) => setFailure(tellFailure(error)));
    await client.invalidateQueries({ queryKey: keyOf(listReservations) });
  };
  const collect = ({ order_id, total_cents }: Reservation, method: CounterMethod) =>
    run(async () => {
      const payments = [{ method, amount_cents: total_cents }];
      await act(collectReservation, { params: { orderId: order_id }, body: { payments } });
      setPaid(order_id);
    });
  return (
    <>
      <FailureNotice text={failure} />
      {paid !== null && counter.shift !== null && (
        <PrintedSale key={paid} sale={{ order_id: paid }} counter={counter} />
      )}
      {items.length === 0 ? (
        <Empty icon="clock" title="Nessuna prenotazione in attesa." />
      ) : (
        <ReservationTable items={items} onCollect={collect} onDrop={setDropping} />
      )}
      {dropping !== null && (
        <ConfirmDialog
          title="Liberare i posti?"
          text={`La prenotazione ${dropping.number} finisce subito e i suoi posti tornano in vendita.`}
          danger
          confirmLabel="Libera i posti"
          cancelLabel="Torna indietro"
          onCancel={() => setDropping(null)}
          onConfirm={async () => {
            const params = { orderId: dropping.order_id };
            await run(() => act(dropReservation, { params }));
            setDropping(null);
          }}
        />
      )}
    </>
  );
}

interface ReservationTableProps {
  items: readonly Reservation[];
  onCollect: (item: Reservation, method: CounterMethod) => void;
  onDrop: (item: Reservation) => void;
}

function ReservationTable({ items, onCollect, onDrop }: ReservationTableProps) {
  const mayBook = useMay('book_transfers');
  return (
    <Table cards columns={['Scade', 'Chi', 'Evento', { number: 'Totale' }, { hidden: 'Azioni' }]}>
      <tbody>
        {items.map((item) => (
          <tr key={item.order_id}>
            <th scope="row">{formatListDate(item.pay_by)}</th>
            <td>
              {item.buyer_name ?? 'Senza nome'}
              <Under>{[item.number, item.buyer_phone].filter(Boolean).join(' · ')}</Under>
            </td>
            <td>
              {item.event_title}
              <Under>
                {formatShortDate(item.starts_at)} · {formatCount(item.places, 'posto', 'posti')}
              </Under>
            </td>
            <td>{formatEuro(item.total_cents)}</td>
            <td>
              <div className={styles.rowActions}>
                <Button small onClick={() => onCollect(item, 'cash')} label="Contanti" />
                <Button small onClick={() => onCollect(item, 'pos')} label="POS" />
                {mayBook && (
                  <Button small onClick={() => onCollect(item, 'transfer')} label="Bonifico" />
                )}
                <Button small look="danger" onClick={() => onDrop(item)} label="Libera" />
              </div>
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
