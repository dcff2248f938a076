/** Messages to other programs, newest first: the body, the answer, sending one again. */
import { useState } from 'react';
import { listProgramAddresses, listProgramDeliveries } from '#server/contract/program/webhooks.ts';
import { deliveryStates } from '#server/domain/program/webhook.ts';
import { formatCount, formatListDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Choice, useAddressFilters, withoutEmpty } from '#apps/admin/kit/list/filters.tsx';
import { PagedList, usePages } from '#apps/admin/kit/list/paged-list.tsx';
import { Table, SecondLine } from '#apps/admin/kit/list/table.tsx';
import { Empty } from '#apps/admin/kit/page/loaded.tsx';
import { BackLink, PageTitle, Toolbar } from '#apps/admin/kit/page/page-title.tsx';
import { StateBadge } from '#apps/admin/kit/state-badge.tsx';
import { DeliveryDialog, type Delivery } from './delivery-dialog.tsx';
import { deliveryStateWords, kindWords, outcomeOf } from './words.ts';
import tableStyles from '#apps/admin/kit/list/table.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';

export function DeliveriesScreen() {
  const { text, oneOf, set } = useAddressFilters();
  const query = withoutEmpty({
    address_id: text('address_id').slice(0, 40),
    state: oneOf('state', deliveryStates),
  });
  const pages = usePages(listProgramDeliveries, { query }, 5_000);
  const addresses = useEndpoint(listProgramAddresses, {});
  const known = addresses.data?.items ?? [];
  const [chosen, setChosen] = useState<string | null>(null);
  return (
    <>
      <BackLink to="/settings/programs">Programmi</BackLink>
      <PageTitle title="Consegne" />
      <Toolbar>
        <Choice
          label="Indirizzo"
          all="Tutti gli indirizzi"
          value={query.address_id ?? ''}
          onChange={(value) => set('address_id', value)}
          options={known.map(({ id, url }) => [id, url])}
        />
        <Choice
          label="Stato"
          all="Tutti gli stati"
          value={query.state ?? ''}
          onChange={(value) => set('state', value)}
          options={deliveryStates.map((state) => [state, deliveryStateWords[state].word])}
        />
      </Toolbar>
      <PagedList
        pages={pages}
        end={(rows) => `${formatCount(rows, 'consegna', 'consegne')} in tutto`}
      >
        {(rows) =>
          rows.length === 0 ? (
            <Empty icon="mail" title="Nessuna consegna.">
              <p>Qui compare ogni avviso mandato agli indirizzi, per trenta giorni.</p>
            </Empty>
          ) : (
            <>
              <DeliveryTable
                rows={rows}
                urlOf={(id) => known.find((one) => one.id === id)?.url ?? ''}
                onChoose={setChosen}
              />
              <Opened rows={rows} id={chosen} onClose={() => setChosen(null)} />
            </>
          )
        }
      </PagedList>
    </>
  );
}

/** The opened delivery, from the current rows. */
function Opened({
  rows,
  id,
  onClose,
}: {
  rows: readonly Delivery[];
  id: string | null;
  onClose: () => void;
}) {
  const delivery = rows.find((row) => row.id === id);
  return delivery && <DeliveryDialog delivery={delivery} onClose={onClose} />;
}

interface DeliveryTableProps {
  rows: readonly Delivery[];
  urlOf: (address_id: string) => string;
  onChoose: (id: string) => void;
}

function DeliveryTable({ rows, urlOf, onChoose }: DeliveryTableProps) {
  return (
    <Table
      cards
      columns={[
        'Avviso',
        { name: 'Stato', rem: 11 },
        { name: 'Ultimo tentativo', rem: 16 },
        { name: 'Creato', rem: 9.5 },
      ]}
    >
      <tbody>
        {rows.map((row) => (
          <tr key={row.id} className={row.state === 'given_up' ? tableStyles.attention : undefined}>
            <th scope="row">
              <button
                type="button"
                className={`${textStyles.link} ${tableStyles.stretch}`}
                data-row
                onClick={() => onChoose(row.id)}
              >
                {kindWords[row.kind]}
              </button>
              <SecondLine>
                <span className={textStyles.clip}>{urlOf(row.address_id)}</span>
              </SecondLine>
            </th>
            <td>
              <StateBadge {...deliveryStateWords[row.state]} />
            </td>
            <td>
              {outcomeOf(row)}
              {row.run_at !== null && row.failures > 0 && (
                <SecondLine>di nuovo {formatListDate(row.run_at)}</SecondLine>
              )}
            </td>
            <td className={tableStyles.aside}>
              <time dateTime={row.created_at}>{formatListDate(row.created_at)}</time>
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
