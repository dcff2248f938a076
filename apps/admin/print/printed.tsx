/**
 * Prints an order at the till's printer or by the browser; prints again with old or new codes.
 */
import { newerWord, withOther } from '#server/domain/text/newer-word.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { printOrder, type readCounter, readPaper, readPrint } from '#server/contract/counter.ts';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { notePrinted } from '#server/contract/paper.ts';
import type { PrintTrouble } from '#server/domain/counter/printing.ts';
import { keyOf, useEndpoint } from '#apps/shared/query.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { tellFailure } from '#apps/admin/kit/page/loaded.tsx';
import { FailureNotice, Notice } from '#apps/admin/kit/page/notice.tsx';
import { useAct } from '#apps/admin/kit/session/session.ts';
import { PaperTickets } from './paper.tsx';
import { ReissueButton } from './reissue.tsx';
import buttonStyles from '#apps/admin/kit/buttons.module.css';

export const troubleWords = withOther<Record<PrintTrouble, string>>(
  {
    no_printer: 'La cassa non ha più una stampante.',
    unreachable: 'La stampante non risponde: controlla che sia accesa e collegata.',
    paper_out: 'La carta è finita: cambia il rotolo, la stampa riparte da sola.',
    cover_open: 'Il coperchio della stampante è aperto: chiudilo, la stampa riparte da sola.',
    no_tickets: 'Nessun biglietto valido da stampare.',
  },
  newerWord,
);

export type Counter = ReplyOf<typeof readCounter>;
export type OpenCounter = Counter & { shift: NonNullable<Counter['shift']> };

export function hasShift(counter: Counter | undefined): counter is OpenCounter {
  return (counter?.shift ?? null) !== null;
}

interface PrintedSaleProps {
  sale: { order_id: string };
  counter: OpenCounter;
  /** The first print opens the cash drawer. */
  opensDrawer?: boolean;
}

export function PrintedSale({ sale: { order_id }, counter, opensDrawer = true }: PrintedSaleProps) {
  const client = useQueryClient();
  // A new number prints again.
  const [nth, setNth] = useState(0);
  const [onlyNew, setOnlyNew] = useState(false);
  const till = counter.settings.tills.find(({ id }) => id === counter.shift.till_id);
  const again = async (isOnlyNew: boolean) => {
    await client.invalidateQueries({
      queryKey: keyOf(readPaper, { params: { orderId: order_id } }),
    });
    setOnlyNew(isOnlyNew);
    setNth(nth + 1);
  };
  return (
    <>
      {till !== undefined && till.printer !== null ? (
        <NetworkPrint
          key={nth}
          order_id={order_id}
          till_id={till.id}
          opensDrawer={opensDrawer && nth === 0}
          onlyNew={onlyNew}
        />
      ) : (
        <BrowserPrint
          key={nth}
          order_id={order_id}
          layout={till?.layout ?? '80mm'}
          onlyNew={onlyNew}
        />
      )}
      <div className={buttonStyles.actions}>
        <Button icon="print" onClick={() => again(false)} label="Ristampa" />
        <ReissueButton order_id={order_id} onDone={() => again(true)} />
      </div>
    </>
  );
}

interface NetworkPrintProps {
  order_id: string;
  till_id: string;
  opensDrawer: boolean;
  /** Only the codes that have no paper yet. */
  onlyNew: boolean;
}

function NetworkPrint({ order_id, till_id, opensDrawer, onlyNew }: NetworkPrintProps) {
  const act = useAct();
  const [job, setJob] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const print = useRef(async () => {
    try {
      const body = { till_id, opens_drawer: opensDrawer, only_new: onlyNew };
      setJob((await act(printOrder, { params: { orderId: order_id }, body })).print_id);
    } catch (error) {
      setFailure(tellFailure(error));
    }
  });
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    void print.current();
  }, []);
  return (
    <>
      <FailureNotice text={failure} />
      {job !== null && <Job print_id={job} />}
    </>
  );
}

const watchMs = 500;

function Job({ print_id }: { print_id: string }) {
  const { data } = useEndpoint(
    readPrint,
    { params: { printId: print_id } },
    { refetchInterval: ({ state }) => (state.data?.state === 'waiting' ? watchMs : false) },
  );
  if (data === undefined) return <p role="status">Mando alla stampante…</p>;
  if (data.state === 'printed') return <p role="status">Stampato.</p>;
  return data.trouble === null ? (
    <p role="status">In stampa…</p>
  ) : (
    <Notice as="output" tone="warn">
      {troubleWords[data.trouble]}
    </Notice>
  );
}

interface BrowserPrintProps extends Pick<NetworkPrintProps, 'order_id' | 'onlyNew'> {
  layout: '80mm' | 'a6';
}

function BrowserPrint({ order_id, layout, onlyNew }: BrowserPrintProps) {
  const act = useAct();
  const params = { orderId: order_id };
  const paper = useEndpoint(readPaper, { params }, { staleTime: 60_000, gcTime: 60_000 });
  const tell = useRef(act);
  const printed = useRef(false);
  useEffect(() => {
    if (paper.data === undefined || printed.current) return;
    printed.current = true;
    const { order_id: orderId, tickets } = paper.data;
    window.print();
    const sheets = sheetsOf(tickets, onlyNew);
    // Only a person knows whether it was printed; a failed note must not stop a sale.
    tell.current(notePrinted, { params: { orderId }, body: { tickets: sheets } }).catch(() => {});
  }, [paper.data, onlyNew]);
  if (paper.data === undefined)
    return paper.isError ? (
      <FailureNotice text={tellFailure(paper.error)} />
    ) : (
      <p role="status">Preparo la stampa…</p>
    );
  return (
    <>
      <p role="status">Mandato in stampa.</p>
      <PaperTickets tickets={sheetsOf(paper.data.tickets, onlyNew)} layout={layout} />
    </>
  );
}

/** The tickets that go on paper. */
function sheetsOf<T extends { printed: boolean }>(tickets: readonly T[], onlyNew: boolean): T[] {
  return tickets.filter(({ printed }) => !onlyNew || !printed);
}
