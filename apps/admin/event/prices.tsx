/** The prices at Stripe: whether each can be sold, and if not, why. */
import { useState, type FormEvent } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { mostPrices, readPrices } from '#server/contract/prices.ts';
import { formatEuro } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Badge } from '#apps/shared/ui/badge.tsx';
import { Field } from '#apps/shared/ui/field.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { PageTitle } from '#apps/admin/kit/page-title.tsx';
import { Empty, Loaded } from '#apps/admin/kit/loaded.tsx';
import { priceFaultWords } from '#apps/admin/order/money-words.ts';
import { Notice } from '#apps/admin/kit/notice.tsx';
import { Table } from '#apps/admin/kit/list/table.tsx';
import filterStyles from '#apps/admin/kit/list/filters.module.css';
import tableStyles from '#apps/admin/kit/list/table.module.css';
import textStyles from '#apps/admin/kit/text.module.css';
import styles from './prices.module.css';

type Prices = ReplyOf<typeof readPrices>;

/** The ids stand in the address: an event's page links here with all of its own. */
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
        <Field
          label="Codici dei prezzi"
          hint={`Separati da virgole o spazi, al massimo ${mostPrices}. Cominciano con price_.`}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          maxLength={5_000}
          autoComplete="off"
          spellCheck={false}
          error={ids.length > mostPrices ? `Sono ${ids.length}: al massimo ${mostPrices}.` : null}
        />
        <button type="submit" className="ui-button">
          <Icon name="search" /> Guarda su Stripe
        </button>
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
          <span>
            Stripe non conosce:{' '}
            {prices.unknown.map((id) => (
              <code key={id} className={styles.unknownId}>
                {id}
              </code>
            ))}
          </span>
        </Notice>
      )}
      {prices.items.length > 0 && (
        <Table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Prezzo</th>
              <th scope="col">Prodotto</th>
              <th scope="col" className={tableStyles.number}>
                Importo
              </th>
              <th scope="col">In vendita</th>
            </tr>
          </thead>
          <tbody>
            {prices.items.map((price) => (
              <tr key={price.id}>
                <th scope="row">
                  <code>{price.id}</code>
                  {(price.nickname ?? price.lookup_key) !== null && (
                    <span className={`${textStyles.soft} ${tableStyles.under}`}>
                      {price.nickname ?? price.lookup_key}
                    </span>
                  )}
                </th>
                <td>
                  {price.product.name ?? 'Prodotto eliminato'}
                  {!price.product.active && (
                    <span className={`${textStyles.soft} ${tableStyles.under}`}>archiviato</span>
                  )}
                </td>
                <td className={tableStyles.number}>
                  {price.currency === 'eur'
                    ? formatEuro(price.unit_amount)
                    : price.unit_amount === null
                      ? 'N/D'
                      : `${(price.unit_amount / 100).toLocaleString('it-IT', { minimumFractionDigits: 2 })} ${price.currency.toUpperCase()}`}
                </td>
                <td>
                  {price.sellable ? (
                    <Badge tone="good" icon="check">
                      Si può vendere
                    </Badge>
                  ) : (
                    <>
                      <Badge tone="bad" icon="cross">
                        Non si può vendere
                      </Badge>
                      <span className={`${textStyles.soft} ${tableStyles.under}`}>
                        {price.why_not === null ? '' : priceFaultWords[price.why_not]}
                      </span>
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
