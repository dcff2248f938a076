/** The summary of an evening: tickets by ordine di posti, annulled tickets, VAT by rate. */
import type { ReactNode } from 'react';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { readEvening } from '#server/contract/summaries.ts';
import { entryNames } from '#server/domain/papers/summary.ts';
import { regimeNames } from '#server/domain/papers/regime.ts';
import { formatCount, formatEuro, formatLongDate } from '#apps/shared/format.ts';
import { SecondLine, WideTable } from '#apps/admin/kit/list/table.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import tableStyles from '#apps/admin/kit/list/table.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import { Rates } from './summary-tables.tsx';

type Evening = ReplyOf<typeof readEvening>;
type Line = Evening['annulled'][number];

export function EveningTables({ evening }: { evening: Evening }) {
  const { event, categories, annulled } = evening;
  const sold = categories;
  const lines = [...sold.flatMap((category) => category.lines), ...annulled];
  // The commission has columns only where there is one.
  const service = lines.some(({ service_cents }) => service_cents !== 0);
  return (
    <>
      <Panel wide aria-labelledby="evening-title">
        <h2 id="evening-title">{event.title}</h2>
        <p className={textStyles.soft}>
          {formatLongDate(event.starts_at)} · {event.venue_title} · certificazione degli incassi:{' '}
          {regimeNames[event.regime].toLowerCase()}
          {event.regime === 'external' &&
            ` · sigilli: ${evening.seals.sealed} di ${evening.seals.tickets}`}
        </p>
        <Tickets name={event.title} service={service}>
          {sold.map(({ category, places, lines }) => (
            <Category key={category} {...{ category, places, lines, service }} />
          ))}
          <Total places={evening.places} total={evening.total} service={service} />
        </Tickets>
      </Panel>
      {annulled.length > 0 && (
        <Panel wide aria-labelledby="annulled-title">
          <h2 id="annulled-title">Annullati e rimborsati</h2>
          <Tickets name="Annullati e rimborsati" service={service}>
            <tbody>
              {annulled.map((line) => (
                <TicketLine key={keyOf(line)} line={line} service={service} />
              ))}
            </tbody>
            <Total total={evening.annulled_total} service={service} />
          </Tickets>
        </Panel>
      )}
      <Rates rates={evening.rates} />
    </>
  );
}

interface TicketsProps {
  name: string;
  service: boolean;
  children: ReactNode;
}

function Tickets({ name, service, children }: TicketsProps) {
  return (
    <WideTable
      name={name}
      columns={[
        'Ordine di posti',
        'Titolo',
        { number: 'Prezzo' },
        { number: 'Numero' },
        { number: 'Biglietti' },
        { number: 'IVA biglietti' },
        { number: 'Prevendita' },
        { number: 'IVA prevendita' },
        ...(service ? [{ number: 'Commissione' }, { number: 'IVA commissione' }] : []),
      ]}
    >
      {children}
    </WideTable>
  );
}

function keyOf({ category, kind, type_label, price_cents, fee_cents, tickets }: Line): string {
  return [category, kind, type_label, price_cents, fee_cents, tickets].join('|');
}

interface CategoryProps {
  category: string;
  places: number;
  lines: readonly Line[];
  service: boolean;
}

function Category({ category, places, lines, service }: CategoryProps) {
  return (
    <tbody>
      {lines.length === 0 && (
        <tr>
          <th scope="row">
            {category}
            <SecondLine>{places.toLocaleString('it-IT')} posti</SecondLine>
          </th>
          <td colSpan={service ? 9 : 7}>Nessun biglietto</td>
        </tr>
      )}
      {lines.map((line, at) => (
        <TicketLine
          key={keyOf(line)}
          line={line}
          service={service}
          places={at === 0 ? places : undefined}
        />
      ))}
    </tbody>
  );
}

interface TicketLineProps {
  line: Line;
  service: boolean;
  places?: number | undefined;
}

function TicketLine({ line, service, places }: TicketLineProps) {
  const money = (cents: number) => <td className={tableStyles.number}>{formatEuro(cents)}</td>;
  return (
    <tr>
      <th scope="row">
        {line.category}
        {places !== undefined && <SecondLine>{places.toLocaleString('it-IT')} posti</SecondLine>}
      </th>
      <td>
        {entryNames[line.kind]}
        {line.type_label !== entryNames[line.kind] && <SecondLine>{line.type_label}</SecondLine>}
      </td>
      <td className={tableStyles.number}>
        {formatEuro(line.price_cents)}
        {line.fee_cents > 0 && <SecondLine>+ {formatEuro(line.fee_cents)}</SecondLine>}
      </td>
      <td className={tableStyles.number}>{line.tickets.toLocaleString('it-IT')}</td>
      {money(line.tickets_cents)}
      {money(line.tickets_vat_cents)}
      {money(line.fees_cents)}
      {money(line.fees_vat_cents)}
      {service && money(line.service_cents)}
      {service && money(line.service_vat_cents)}
    </tr>
  );
}

interface TotalProps {
  places?: number;
  total: Evening['total'];
  service: boolean;
}

function Total({ places, total, service }: TotalProps) {
  const money = (cents: number) => <td className={tableStyles.number}>{formatEuro(cents)}</td>;
  return (
    <tfoot>
      <tr>
        <th scope="row">Totale</th>
        <td colSpan={2}>{places === undefined ? '–' : formatCount(places, 'posto', 'posti')}</td>
        <td className={tableStyles.number}>{total.tickets.toLocaleString('it-IT')}</td>
        {money(total.tickets_cents)}
        {money(total.tickets_vat_cents)}
        {money(total.fees_cents)}
        {money(total.fees_vat_cents)}
        {service && money(total.service_cents)}
        {service && money(total.service_vat_cents)}
      </tr>
    </tfoot>
  );
}
