/** The sales of the user's open shift: print again, make new codes, or return money. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { readCounter } from '#server/contract/counter.ts';
import { listOwnSales } from '#server/contract/shifts.ts';
import { methodName } from '#server/domain/order/order-words.ts';
import { formatEuro, formatListDate, formatShortDate } from '#apps/shared/format.ts';
import { keyOf, useEndpoint } from '#apps/shared/query.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { joinParts } from '#apps/admin/kit/join-parts.ts';
import { Table, SecondLine } from '#apps/admin/kit/list/table.tsx';
import { Empty, Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { BackLink, Intro, PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { GiveBackDialog, type OwnSale } from './give-back.tsx';
import { PrintedSale } from '#apps/admin/print/printed.tsx';
import { hasShift, type Counter } from '#apps/admin/print/printed.tsx';
import styles from './sell.module.css';

export function SalesScreen() {
  const counter = useEndpoint(readCounter, {});
  return (
    <>
      <BackLink to="/sell">Vendi</BackLink>
      <PageTitle title="Vendite del turno" />
      <Intro>
        Quello che hai venduto da quando hai aperto il cassetto, e gli omaggi che hai dato oggi
        senza turno: l’ultima vendita in alto.
      </Intro>
      <Loaded query={counter}>{(desk) => <OwnSales counter={desk} />}</Loaded>
    </>
  );
}

function OwnSales({ counter }: { counter: Counter }) {
  const sales = useEndpoint(listOwnSales, {});
  return <Loaded query={sales}>{({ items }) => <Sales items={items} counter={counter} />}</Loaded>;
}

function Sales({ items, counter }: { items: readonly OwnSale[]; counter: Counter }) {
  const client = useQueryClient();
  const [printing, setPrinting] = useState<string | null>(null);
  const [giving, setGiving] = useState<OwnSale | null>(null);
  const [given, setGiven] = useState<number | null>(null);
  if (items.length === 0) return <Empty icon="ticket" title="Ancora nessuna vendita." />;
  return (
    <>
      {given !== null && (
        <Notice as="output" tone="good">
          Restituiti {formatEuro(given)}: i posti tornano in vendita.
        </Notice>
      )}
      {printing !== null && hasShift(counter) && (
        <section className={styles.printing} aria-label="Stampa">
          <PrintedSale
            key={printing}
            sale={{ order_id: printing }}
            counter={counter}
            opensDrawer={false}
          />
        </section>
      )}
      <SalesTable
        items={items}
        canPrint={hasShift(counter)}
        onPrint={setPrinting}
        onGiveBack={setGiving}
      />
      {giving !== null && (
        <GiveBackDialog
          sale={giving}
          onCancel={() => setGiving(null)}
          onDone={async (cents) => {
            setGiving(null);
            setGiven(cents);
            await client.invalidateQueries({ queryKey: keyOf(listOwnSales, {}) });
            await client.invalidateQueries({ queryKey: keyOf(readCounter, {}) });
          }}
        />
      )}
    </>
  );
}

interface SalesTableProps {
  items: readonly OwnSale[];
  /** Printers belong to tills. */
  canPrint: boolean;
  onPrint: (order_id: string) => void;
  onGiveBack: (sale: OwnSale) => void;
}

function SalesTable({ items, canPrint, onPrint, onGiveBack }: SalesTableProps) {
  return (
    <Table
      cards
      columns={['Vendita', 'Posti', 'Evento', { number: 'Pagato' }, { hidden: 'Azioni' }]}
    >
      <tbody>
        {items.map((sale) => {
          const isOver = sale.tickets.every(({ state }) => state !== 'valid');
          return (
            <tr key={sale.order_id}>
              <th scope="row">
                {sale.number}
                <SecondLine>
                  {joinParts(formatListDate(sale.confirmed_at), sale.buyer_name)}
                </SecondLine>
              </th>
              <td>
                {sale.tickets.map(({ seat }) => seat).join(', ')}
                {isOver && <SecondLine>Restituiti</SecondLine>}
              </td>
              <td>
                {sale.event_title}
                <SecondLine>{formatShortDate(sale.starts_at)}</SecondLine>
              </td>
              <td>
                {formatEuro(sale.total_cents - sale.refunded_cents)}
                <SecondLine>{paidWords(sale)}</SecondLine>
              </td>
              <td>
                <div className={styles.rowActions}>
                  <Button
                    small
                    icon="print"
                    disabled={isOver || !canPrint}
                    onClick={() => onPrint(sale.order_id)}
                    label="Ristampa"
                  />
                  <Button
                    small
                    look="danger"
                    disabled={isOver}
                    onClick={() => onGiveBack(sale)}
                    label="Restituisci…"
                  />
                </div>
              </td>
            </tr>
          );
        })}
      </tbody>
    </Table>
  );
}

function paidWords({ gift_reason, methods }: OwnSale): string {
  return gift_reason === null ? methods.map(methodName).join(', ') : `Omaggio: ${gift_reason}`;
}
