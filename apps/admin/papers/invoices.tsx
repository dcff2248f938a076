/** Invoices that buyers want: open ones, made ones, and the file for the accountant. */
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { addressOf } from '#server/contract/endpoint.ts';
import { exportInvoices, listInvoices, reopenInvoice } from '#server/contract/invoices.ts';
import { invoiceStates, noRecipientCode } from '#server/domain/papers/invoice.ts';
import { formatCount, formatEuro, formatListDate } from '#apps/shared/format.ts';
import { AskButton } from '#apps/admin/kit/ask-button.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { FreshDownload } from '#apps/admin/kit/fresh-download.tsx';
import { FilterBar } from '#apps/admin/kit/list/filter-bar.tsx';
import { Choice, useAddressFilters, withoutEmpty } from '#apps/admin/kit/list/filters.tsx';
import { PagedList, usePages } from '#apps/admin/kit/list/paged-list.tsx';
import { Table, SecondLine } from '#apps/admin/kit/list/table.tsx';
import { Empty } from '#apps/admin/kit/page/loaded.tsx';
import { PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import { StateBadge } from '#apps/admin/kit/state-badge.tsx';
import { MakeInvoice, type Invoice } from './make-invoice.tsx';
import tableStyles from '#apps/admin/kit/list/table.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';

export function InvoicesScreen() {
  const { text, oneOf, set, clear } = useAddressFilters();
  const query = withoutEmpty({ q: text('q'), state: oneOf('state', invoiceStates) });
  const invoices = usePages(listInvoices, { query }, 30_000);
  const [making, setMaking] = useState<Invoice | null>(null);
  const first = invoices.data?.pages[0];
  const state = query.state === undefined ? {} : { state: query.state };
  return (
    <>
      <PageTitle title="Fatture" />
      <FilterBar
        query={query}
        set={set}
        label="Cerca per nome, partita IVA, codice fiscale o ordine"
        hint="Nome, partita IVA o ordine"
      >
        <Choice
          label="Stato"
          all="Da fare e fatte"
          value={query.state ?? ''}
          onChange={(value) => set('state', value)}
          options={[
            ['todo', 'Da fare'],
            ['done', 'Fatte'],
          ]}
        />
      </FilterBar>
      {first !== undefined && (
        <p className={textStyles.links}>
          <span>
            <b>{first.todo.toLocaleString('it-IT')}</b> da fare,{' '}
            {first.done.toLocaleString('it-IT')} fatte
          </span>
          <FreshDownload href={addressOf(exportInvoices, {}, { format: 'excel', ...state })}>
            CSV (Excel italiano)
          </FreshDownload>
          <FreshDownload href={addressOf(exportInvoices, {}, { format: 'plain', ...state })}>
            CSV
          </FreshDownload>
        </p>
      )}
      <PagedList
        pages={invoices}
        end={(rows) => `${formatCount(rows, 'richiesta', 'richieste')} in tutto`}
      >
        {(rows) =>
          rows.length === 0 ? (
            <NoInvoices filtered={Object.keys(query).length > 0} onClear={clear} />
          ) : (
            <InvoiceTable invoices={rows} onMake={setMaking} />
          )
        }
      </PagedList>
      {making !== null && <MakeInvoice invoice={making} onClose={() => setMaking(null)} />}
    </>
  );
}

function NoInvoices({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (filtered)
    return (
      <Empty icon="search" title="Nessuna fattura trovata.">
        <Button onClick={onClear} label="Mostra tutte" />
      </Empty>
    );
  return (
    <Empty icon="list" title="Nessuno ha chiesto la fattura.">
      <p>Chi compra può chiederla nella pagina dell’ordine, dopo il pagamento.</p>
    </Empty>
  );
}

interface InvoiceTableProps {
  invoices: readonly Invoice[];
  onMake: (invoice: Invoice) => void;
}

function InvoiceTable({ invoices, onMake }: InvoiceTableProps) {
  return (
    <Table
      cards
      columns={[
        'Intestazione',
        'Codici',
        { name: 'Ordine', rem: 11 },
        { number: 'Pagato', rem: 7 },
        { name: 'Stato', rem: 13 },
      ]}
    >
      <tbody>
        {invoices.map((invoice) => (
          <InvoiceLine key={invoice.invoice_id} invoice={invoice} onMake={onMake} />
        ))}
      </tbody>
    </Table>
  );
}

function InvoiceLine({
  invoice,
  onMake,
}: {
  invoice: Invoice;
  onMake: InvoiceTableProps['onMake'];
}) {
  const { vat_number, tax_code, recipient_code, pec } = invoice;
  return (
    <tr>
      <th scope="row">
        {invoice.name}
        <SecondLine>
          {invoice.address}, {invoice.postal_code} {invoice.city} ({invoice.province})
        </SecondLine>
      </th>
      <td>
        {vat_number !== '' && <div>P. IVA {vat_number}</div>}
        {tax_code !== '' && <div>C.F. {tax_code}</div>}
        <SecondLine>
          {recipient_code || noRecipientCode}
          {pec !== '' && ` · ${pec}`}
        </SecondLine>
      </td>
      <td>
        <Link className={textStyles.code} to={`/orders/${invoice.order_id}`} data-row>
          {invoice.order_number}
        </Link>
        <SecondLine>{invoice.event_title}</SecondLine>
      </td>
      <td className={tableStyles.number}>
        {formatEuro(invoice.paid_cents)}
        {invoice.refunded_cents > 0 && (
          <SecondLine>resi {formatEuro(invoice.refunded_cents)}</SecondLine>
        )}
      </td>
      <td>
        <InvoiceState invoice={invoice} onMake={onMake} />
      </td>
    </tr>
  );
}

function InvoiceState({
  invoice,
  onMake,
}: {
  invoice: Invoice;
  onMake: InvoiceTableProps['onMake'];
}) {
  const change = useChange();
  const params = { invoiceId: invoice.invoice_id };
  if (invoice.made_at === null)
    return (
      <>
        <StateBadge word="Da fare" tone="warn" icon="clock" />
        <SecondLine>chiesta il {formatListDate(invoice.asked_at)}</SecondLine>
        <Button small onClick={() => onMake(invoice)} label="Segna come fatta…" />
      </>
    );
  return (
    <>
      <StateBadge word="Fatta" tone="good" icon="check" />
      <SecondLine>
        n. {invoice.made_number} del {invoice.made_on?.split('-').toReversed().join('/')}
      </SecondLine>
      <AskButton
        label="Riapri…"
        title="Vuoi riaprire questa fattura?"
        text="Torna tra quelle da fare, e chi ha comprato può di nuovo cambiare i dati se il termine non è passato."
        confirmLabel="Sì, riapri"
        onConfirm={() => change(reopenInvoice, { params })}
      />
    </>
  );
}
