/** Reserved seats, the first to expire on top; the seller takes the money or frees the seats. */
import { keepPreviousData, useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import {
  collectReservation,
  dropReservation,
  listReservations,
  readCounter,
} from '#server/contract/counter.ts';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { formatCount, formatEuro, formatListDate, formatShortDate } from '#apps/shared/format.ts';
import { keyOf, useEndpoint } from '#apps/shared/query.ts';
import { ConfirmDialog } from '#apps/shared/ui/confirm-dialog.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import formStyles from '#apps/admin/kit/form/form.module.css';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { Table, SecondLine } from '#apps/admin/kit/list/table.tsx';
import { Empty, Loaded, tellFailure } from '#apps/admin/kit/page/loaded.tsx';
import { FailureNotice } from '#apps/admin/kit/page/notice.tsx';
import { BackLink, Intro, PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { useAct, useMay } from '#apps/admin/kit/session/session.ts';
import { hasShift, type Counter } from '#apps/admin/print/printed.tsx';
import { sayDeposit } from '#server/domain/counter/deposit-words.ts';
import { DepositDialog } from './deposit-dialog.tsx';
import { Done } from './outcome.tsx';
import { PayDialog } from './pay.tsx';
import { ReservationEnd } from './reservation-end.tsx';
import type { Sale, SaleBody } from './use-sale.ts';
import styles from './sell.module.css';

type Reservation = ReplyOf<typeof listReservations>['items'][number];

interface Taking {
  item: Reservation;
  way: 'cash' | 'pos' | 'split' | 'transfer';
}

interface Asking {
  about: 'deposit' | 'end' | 'drop';
  item: Reservation;
}

export function ReservationsScreen() {
  const [text, setText] = useState('');
  const q = useDeferredValue(text);
  const list = useEndpoint(
    listReservations,
    { query: { q } },
    { refetchInterval: 15_000, placeholderData: keepPreviousData },
  );
  const counter = useEndpoint(readCounter, {});
  return (
    <>
      <BackLink to="/sell">Vendi</BackLink>
      <PageTitle title="Prenotazioni da pagare" />
      <Intro>Quando scade il loro tempo i posti tornano liberi da soli.</Intro>
      <div className={formStyles.lead}>
        <TextField
          label="Cerca"
          type="search"
          value={text}
          maxLength={100}
          onChange={setText}
          hint="Nome, telefono, numero dell’ordine o posto."
        />
      </div>
      <Loaded query={counter}>
        {(desk) => (
          <Loaded query={list}>
            {({ items }) => <Waiting items={items} counter={desk} isSearched={q.trim() !== ''} />}
          </Loaded>
        )}
      </Loaded>
    </>
  );
}

interface WaitingProps {
  items: readonly Reservation[];
  counter: Counter;
  isSearched: boolean;
}

function Waiting({ items, counter, isSearched }: WaitingProps) {
  const act = useAct();
  const client = useQueryClient();
  const [failure, setFailure] = useState<string | null>(null);
  const [taking, setTaking] = useState<Taking | null>(null);
  const [sale, setSale] = useState<Sale | null>(null);
  const [busy, setBusy] = useState(false);
  const [asking, setAsking] = useState<Asking | null>(null);
  const run = async (work: () => Promise<unknown>) => {
    setFailure(null);
    await work().catch((error: unknown) => setFailure(tellFailure(error)));
    await client.invalidateQueries({ queryKey: keyOf(listReservations) });
  };
  const collect = async ({ item }: Taking, payments: SaleBody['payments'] = []) => {
    setBusy(true);
    await run(async () => {
      const params = { orderId: item.order_id };
      setSale(await act(collectReservation, { params, body: { payments } }));
    });
    setBusy(false);
    setTaking(null);
  };
  return (
    <>
      <FailureNotice text={failure} />
      {sale !== null && hasShift(counter) && <Done sale={sale} counter={counter} />}
      {items.length === 0 ? (
        <NoReservation isSearched={isSearched} />
      ) : (
        <ReservationTable items={items} onTake={setTaking} onAsk={setAsking} />
      )}
      {taking !== null && (
        <TakeMoney
          {...taking}
          counter={counter}
          busy={busy}
          onTaken={(payments) => collect(taking, payments)}
          onClose={() => setTaking(null)}
        />
      )}
      {asking !== null && (
        <AskDialog {...asking} run={run} onSale={setSale} onClose={() => setAsking(null)} />
      )}
    </>
  );
}

interface AskDialogProps extends Asking {
  run: (work: () => Promise<unknown>) => Promise<void>;
  onSale: (sale: Sale) => void;
  onClose: () => void;
}

/** A part of the money, another end of a reservation, or its end now. */
function AskDialog({ about, item, run, onSale, onClose }: AskDialogProps) {
  const act = useAct();
  const close = async () => {
    await run(async () => {});
    onClose();
  };
  if (about === 'deposit')
    return (
      <DepositDialog
        item={item}
        onTaken={(sale) => {
          onSale(sale);
          return close();
        }}
        onClose={onClose}
      />
    );
  if (about === 'end') return <ReservationEnd item={item} onClose={onClose} onChanged={close} />;
  return (
    <ConfirmDialog
      title="Liberare i posti?"
      text={dropWords(item)}
      danger
      confirmLabel="Libera i posti"
      cancelLabel="Torna indietro"
      onCancel={onClose}
      onConfirm={async () => {
        const params = { orderId: item.order_id };
        await run(() => act(dropReservation, { params }));
        onClose();
      }}
    />
  );
}

function dropWords({ number, paid_cents, deposit_end }: Reservation): string {
  const ends = `La prenotazione ${number} finisce subito e i suoi posti tornano in vendita.`;
  if (deposit_end === null) return ends;
  const sum = `L’acconto di ${formatEuro(paid_cents)}`;
  return deposit_end === 'kept'
    ? `${ends} ${sum} resta al teatro.`
    : `${ends} ${sum} va restituito: poi lo trovi tra i rimborsi dell’ordine.`;
}

function NoReservation({ isSearched }: { isSearched: boolean }) {
  const title = isSearched ? 'Nessuna prenotazione trovata.' : 'Nessuna prenotazione in attesa.';
  return <Empty icon="clock" title={title} />;
}

interface TakeMoneyProps extends Taking {
  counter: Counter;
  busy: boolean;
  onTaken: (payments: SaleBody['payments']) => Promise<void>;
  onClose: () => void;
}

function TakeMoney({ item, way, onTaken, ...rest }: TakeMoneyProps) {
  const due = item.total_cents - item.paid_cents;
  if (way !== 'transfer')
    return (
      <PayDialog
        way={way}
        total={due}
        startsAt={item.starts_at}
        onSell={({ payments }) => void onTaken(payments)}
        {...rest}
      />
    );
  return (
    <ConfirmDialog
      title="Il bonifico è arrivato?"
      text={`La prenotazione ${item.number} è pagata: ${formatEuro(due)}.`}
      confirmLabel="È arrivato"
      cancelLabel="Torna indietro"
      onCancel={rest.onClose}
      onConfirm={() => onTaken([{ method: way, amount_cents: due }])}
    />
  );
}

interface ReservationTableProps {
  items: readonly Reservation[];
  onTake: (taking: Taking) => void;
  onAsk: (asking: Asking) => void;
}

function ReservationTable({ items, onTake, onAsk }: ReservationTableProps) {
  const mayBook = useMay('book_transfers');
  return (
    <Table cards columns={['Scade', 'Chi', 'Evento', { number: 'Totale' }, { hidden: 'Azioni' }]}>
      <tbody>
        {items.map((item) => (
          <tr key={item.order_id}>
            <th scope="row">{formatListDate(item.pay_by)}</th>
            <td>
              {item.buyer_name ?? 'Senza nome'}
              <SecondLine>{[item.number, item.buyer_phone].filter(Boolean).join(' · ')}</SecondLine>
            </td>
            <td>
              {item.event_title}
              <SecondLine>
                {formatShortDate(item.starts_at)} · {formatCount(item.places, 'posto', 'posti')}
              </SecondLine>
              <SecondLine>{item.seats.join(' · ')}</SecondLine>
            </td>
            <td>
              {formatEuro(item.total_cents)}
              {item.paid_cents > 0 && (
                <SecondLine>{sayDeposit(item.paid_cents, item.total_cents)}</SecondLine>
              )}
            </td>
            <td>
              <div className={styles.rowActions}>
                <Button small onClick={() => onTake({ item, way: 'cash' })} label="Contanti" />
                <Button small onClick={() => onTake({ item, way: 'pos' })} label="POS" />
                <Button small onClick={() => onTake({ item, way: 'split' })} label="Misto" />
                {mayBook && (
                  <Button
                    small
                    onClick={() => onTake({ item, way: 'transfer' })}
                    label="Bonifico"
                  />
                )}
                <Button small onClick={() => onAsk({ about: 'deposit', item })} label="Acconto…" />
                <Button small onClick={() => onAsk({ about: 'end', item })} label="Scadenza…" />
                <Button
                  small
                  look="danger"
                  onClick={() => onAsk({ about: 'drop', item })}
                  label="Libera"
                />
              </div>
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
