/** Prices at Stripe: whether each can be sold, and if not, why. */
import { useState, type FormEvent } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { mostPrices, readPrices } from '#server/contract/prices.ts';
import { formatEuro } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { Empty, Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { priceFaultWords } from '#apps/admin/order/refund/money-words.ts';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { Table, SecondLine } from '#apps/admin/kit/list/table.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { StateBadge } from '#apps/admin/kit/state-badge.tsx';
import filterStyles from '#apps/admin/kit/list/filters.module.css';
import tableStyles from '#apps/admin/kit/list/table.module.css';
import styles from './prices.module.css';

type Prices = ReplyOf<typeof readPrices>;

/** The address holds the ids, so that an event's page can link here. */
export function PricesScreen() {
  const [params, setParams] = useSearchParams();
  const asked = splitIds(params.get('ids') ?? '');
  const [typed, setTyped] = useState(asked.join(', '));
  const ids = splitIds(typed);
  const prices = useEndpoint(
    readPrices,
    { params: { priceIds: asked.join(',') } },
    { enabled: asked.length > 0 && asked.length <= mostPrices, staleTime: 30_000 },
  );

  function look(event: FormEvent) {
    event.preventDefault();
    if (ids.length > 0 && ids.length <= mostPrices) setParams({ ids: ids.join(',') });
  }

  return (
    <>
      <PageTitle title="Prezzi su Stripe" />
      <form className={`${filterStyles.toolbar} ${styles.search}`} onSubmit={look}>
        <TextField
          label="Codici dei prezzi"
          hint={`Separati da virgole o spazi, al massimo ${mostPrices}. Cominciano con price_.`}
          value={typed}
          onChange={setTyped}
          maxLength={5_000}
          spellCheck={false}
          error={ids.length > mostPrices ? `Sono ${ids.length}: al massimo ${mostPrices}.` : null}
        />
        <Button type="submit" icon="search" label="Guarda su Stripe" />
      </form>
      {asked.length === 0 ? (
        <Empty icon="search" title="Scrivi uno o più codici di prezzo.">
          <p>Vedrai importo, prodotto e se il prezzo si può vendere.</p>
        </Empty>
      ) : (
        <Loaded query={prices}>{(data) => <PriceTable prices={data} />}</Loaded>
      )}
    </>
  );
}

function splitIds(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/).filter((id) => id !== ''))];
}

function PriceTable({ prices }: { prices: Prices }) {
  return (
    <>
      {prices.unknown.length > 0 && (
        <Notice tone="bad">
          Stripe non conosce:{' '}
          {prices.unknown.map((id) => (
            <code key={id} className={styles.unknownId}>
              {id}
            </code>
          ))}
        </Notice>
      )}
      {prices.items.length > 0 && (
        <Table
          cards
          className={styles.table}
          columns={['Prezzo', 'Prodotto', { number: 'Importo' }, 'In vendita']}
        >
          <tbody>
            {prices.items.map((price) => (
              <tr key={price.id}>
                <th scope="row">
                  <code>{price.id}</code>
                  {(price.nickname ?? price.lookup_key) !== null && (
                    <SecondLine>{price.nickname ?? price.lookup_key}</SecondLine>
                  )}
                </th>
                <td>
                  {price.product.name ?? 'Prodotto eliminato'}
                  {!price.product.active && <SecondLine>archiviato</SecondLine>}
                </td>
                <td className={tableStyles.number}>{tellAmount(price)}</td>
                <td>
                  {price.sellable ? (
                    <StateBadge tone="good" icon="check" word="Si può vendere" />
                  ) : (
                    <>
                      <StateBadge tone="bad" icon="cross" word="Non si può vendere" />
                      <SecondLine>
                        {price.why_not === null ? '' : priceFaultWords[price.why_not]}
                      </SecondLine>
                    </>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </>
  );
}

function tellAmount({ currency, unit_amount }: Prices['items'][number]): string {
  if (currency === 'eur') return formatEuro(unit_amount);
  if (unit_amount === null) return 'N/D';
  const amount = (unit_amount / 100).toLocaleString('it-IT', { minimumFractionDigits: 2 });
  return `${amount} ${currency.toUpperCase()}`;
}
