/** What one event costs: the ticket types of each sector with their amounts. */
import { Link, useParams } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { readEvent } from '#server/contract/event-desk.ts';
import { getEvent } from '#server/contract/events.ts';
import { mostPrices } from '#server/contract/prices.ts';
import { formatEuro } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { TechnicalDetails } from '#apps/admin/kit/technical-details.tsx';
import { Loaded } from '#apps/admin/kit/loaded.tsx';
import { Notice } from '#apps/admin/kit/notice.tsx';
import { Panel } from '#apps/admin/kit/panel.tsx';
import { Table } from '#apps/admin/kit/list/table.tsx';
import tableStyles from '#apps/admin/kit/list/table.module.css';
import panelStyles from '#apps/admin/kit/panel.module.css';
import textStyles from '#apps/admin/kit/text.module.css';

type OfficeEvent = ReplyOf<typeof readEvent>;

export function EventPricesScreen() {
  const { eventId } = useParams() as { eventId: string };
  const event = useEndpoint(readEvent, { params: { eventId } });
  return <Loaded query={event}>{(data) => <Prices event={data} />}</Loaded>;
}

/** Amounts live at Stripe and come with the public page, which a draft does not have. */
function Prices({ event }: { event: OfficeEvent }) {
  const published = event.status !== 'draft';
  const page = useEndpoint(getEvent, { params: { eventId: event.id } }, { enabled: published });
  const ids = [
    ...new Set(
      event.attributes.seat_pricing.flatMap((entry) =>
        entry.ticketTypes.map((type) => type.price_id),
      ),
    ),
  ];
  const amounts = new Map(page.data?.prices.map((price) => [price.id, price.unit_amount]));
  return (
    <Panel>
      <div className={panelStyles.title}>
        <h2>Prezzi</h2>
        {ids.length > 0 && ids.length <= mostPrices && (
          <Link to={`/prices?ids=${ids.map(encodeURIComponent).join(',')}`}>
            Controlla su Stripe
          </Link>
        )}
      </div>
      <Table columns={['Settore', 'Biglietto', { number: 'Importo' }]}>
        <tbody>
          {event.attributes.seat_pricing.flatMap((entry) =>
            entry.ticketTypes.map((type) => (
              <tr key={`${entry.category} ${type.ticketType}`}>
                <td>{entry.category}</td>
                <td>{type.label}</td>
                <td className={tableStyles.number}>
                  {page.isLoading ? '…' : formatEuro(amounts.get(type.price_id))}
                </td>
              </tr>
            )),
          )}
        </tbody>
      </Table>
      <TechnicalDetails>
        <ul>
          {event.attributes.seat_pricing.flatMap((entry) =>
            entry.ticketTypes.map((type) => (
              <li key={`${entry.category} ${type.ticketType}`}>
                {entry.category}, {type.label}: <code>{type.price_id}</code>
              </li>
            )),
          )}
        </ul>
      </TechnicalDetails>
      {!published && (
        <p className={textStyles.soft}>Gli importi si vedono qui quando l’evento è pubblicato.</p>
      )}
      {page.isSuccess &&
        event.attributes.seat_pricing.some((entry) =>
          entry.ticketTypes.some((type) => !amounts.has(type.price_id)),
        ) && (
          <Notice tone="warn">
            I biglietti con «N/D» non sono in vendita: il loro prezzo manca, non è attivo o non è in
            euro.
          </Notice>
        )}
    </Panel>
  );
}
