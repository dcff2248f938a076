/** Prints a sale at once: at the till's network printer, whose queue is watched until it is on paper, or by the browser. */
import { useEffect, useRef, useState } from 'react';
import { printOrder, readPaper, readPrint } from '#server/contract/counter.ts';
import type { PrintTrouble } from '#server/domain/printing.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { tellFailure } from '#apps/admin/kit/loaded.tsx';
import { FailureNotice, Notice } from '#apps/admin/kit/notice.tsx';
import { useAct } from '#apps/admin/shell/session.ts';
import { PaperTickets } from './paper.tsx';
import type { Counter } from './shift-open.tsx';
import type { Sale } from './use-sale.ts';

export const troubleWords: Record<PrintTrouble, string> = {
  no_printer: 'La cassa non ha più una stampante.',
  unreachable: 'La stampante non risponde: controlla che sia accesa e collegata.',
  paper_out: 'La carta è finita: cambia il rotolo, la stampa riparte da sola.',
  cover_open: 'Il coperchio della stampante è aperto: chiudilo, la stampa riparte da sola.',
  no_tickets: 'Nessun biglietto valido da stampare.',
};

interface PrintedSaleProps {
  sale: Pick<Sale, 'order_id'>;
  counter: Counter;
}

export function PrintedSale({ sale, counter }: PrintedSaleProps) {
  const till = counter.settings.tills.find(({ id }) => id === counter.shift!.till_id);
  const hasPrinter = till !== undefined && till.printer !== null;
  return hasPrinter ? (
    <NetworkPrint order_id={sale.order_id} till_id={till.id} />
  ) : (
    <BrowserPrint order_id={sale.order_id} layout={till?.layout ?? '80mm'} />
  );
}

function NetworkPrint({ order_id, till_id }: { order_id: string; till_id: string }) {
  const act = useAct();
  const [job, setJob] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const print = useRef(async (opens_drawer: boolean) => {
    setFailure(null);
    try {
      const made = await act(printOrder, {
        params: { orderId: order_id },
        body: { till_id, opens_drawer },
      });
      setJob(made.print_id);
    } catch (error) {
      setFailure(tellFailure(error));
    }
  });
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    void print.current(true);
  }, []);
  return (
    <>
      <FailureNotice text={failure} />
      {job !== null && <Job print_id={job} />}
      <Button icon="print" onClick={() => print.current(false)} label="Ristampa" />
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

function BrowserPrint({ order_id, layout }: { order_id: string; layout: '80mm' | 'a6' }) {
  const paper = useEndpoint(
    readPaper,
    { params: { orderId: order_id } },
    { staleTime: 60_000, gcTime: 60_000 },
  );
  const printed = useRef(false);
  useEffect(() => {
    if (paper.data === undefined || printed.current) return;
    printed.current = true;
    window.print();
  }, [paper.data]);
  if (paper.data === undefined)
    return paper.isError ? (
      <FailureNotice text={tellFailure(paper.error)} />
    ) : (
      <p role="status">Preparo la stampa…</p>
    );
  return (
    <>
      <p role="status">Mandato in stampa.</p>
      <PaperTickets tickets={paper.data.tickets} layout={layout} />
      <Button icon="print" onClick={() => window.print()} label="Ristampa" />
    </>
  );
}
