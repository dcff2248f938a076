/** The webhooks that Stripe sent, newest first: time, order and effect. */
import { newerWord, withOther } from '#server/domain/text/newer-word.ts';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { listWebhooks } from '#server/contract/jobs.ts';
import { formatListDate } from '#apps/shared/format.ts';
import { PagedList, usePages } from '#apps/admin/kit/list/paged-list.tsx';
import { Table } from '#apps/admin/kit/list/table.tsx';
import { TechnicalDetails } from '#apps/admin/kit/page/technical-details.tsx';
import tableStyles from '#apps/admin/kit/list/table.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './health.module.css';

type Webhook = ReplyOf<typeof listWebhooks>['items'][number];

const outcomeWords = withOther<Record<Webhook['outcome'], string>>(
  {
    order: 'Ordine riletto da Stripe',
    payout: 'Accredito riletto',
    payment: 'Pagamento riletto da Stripe',
    nothing: 'Niente da fare',
  },
  newerWord,
);

/** Fetched only when opened, because they are rarely read. */
export function Webhooks() {
  const [open, setOpen] = useState(false);
  return (
    <details className={styles.invariants} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Avvisi ricevuti da Stripe</summary>
      {open && <WebhookList />}
    </details>
  );
}

function WebhookList() {
  const webhooks = usePages(listWebhooks, {}, 15_000);
  return (
    <PagedList pages={webhooks}>
      {(rows) =>
        rows.length === 0 ? (
          <p className={textStyles.soft}>Nessuno finora: arrivano con i pagamenti.</p>
        ) : (
          <Table
            cards
            columns={[
              'Che cosa ne è stato',
              { name: 'Quando', rem: 9.5 },
              { name: 'Ordine', rem: 8 },
              { number: 'Consegne', rem: 6, late: true },
            ]}
          >
            <tbody>
              {rows.map((row) => (
                <WebhookLine key={row.id} row={row} />
              ))}
            </tbody>
          </Table>
        )
      }
    </PagedList>
  );
}

function WebhookLine({ row }: { row: Webhook }) {
  return (
    <tr>
      <th scope="row">
        {outcomeWords[row.outcome]}
        <TechnicalDetails>
          <code>
            {row.type} {row.id}
          </code>
        </TechnicalDetails>
      </th>
      <td>
        <time dateTime={row.received_at}>{formatListDate(row.received_at)}</time>
      </td>
      <td>
        {row.order_id === null ? (
          '–'
        ) : (
          <Link className={textStyles.code} to={`/orders/${row.order_id}`}>
            {row.order_number}
          </Link>
        )}
      </td>
      <td className={`${tableStyles.number} ${tableStyles.aside}`}>
        <span className={tableStyles.label}>Consegne: </span>
        {row.tries}
      </td>
    </tr>
  );
}
