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
        <Tickets name={event.title}>
          {sold.map(({ category, places, lines }) => (
            <Category key={category} category={category} places={places} lines={lines} />
          ))}
          <Total places={evening.places} total={evening.total} />
        </Tickets>
      </Panel>
      {annulled.length > 0 && (
        <Panel wide aria-labelledby="annulled-title">
          <h2 id="annulled-title">Annullati e rimborsati</h2>
          <Tickets name="Annullati e rimborsati">
            <tbody>
              {annulled.map((line) => (
                <TicketLine key={keyOf(line)} line={line} />
              ))}
            </tbody>
            <Total total={evening.annulled_total} />
          </Tickets>
        </Panel>
      )}
      <Rates rates={evening.rates} />
    </>
  );
}

function Tickets({ name, children }: { name: string; children: ReactNode }) {
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
}

function Category({ category, places, lines }: CategoryProps) {
  return (
    <tbody>
      {lines.length === 0 && (
        <tr>
          <th scope="row">
            {category}
            <SecondLine>{places.toLocaleString('it-IT')} posti</SecondLine>
          </th>
          <td colSpan={7}>Nessun biglietto</td>
        </tr>
      )}
      {lines.map((line, at) => (
        <TicketLine key={keyOf(line)} line={line} places={at === 0 ? places : undefined} />
      ))}
    </tbody>
  );
}

function TicketLine({ line, places }: { line: Line; places?: number | undefined }) {
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
    </tr>
  );
}

function Total({ places, total }: { places?: number; total: Evening['total'] }) {
  return (
    <tfoot>
      <tr>
        <th scope="row">Totale</th>
        <td colSpan={2}>{places === undefined ? '–' : formatCount(places, 'posto', 'posti')}</td>
        <td className={tableStyles.number}>{total.tickets.toLocaleString('it-IT')}</td>
        <td className={tableStyles.number}>{formatEuro(total.tickets_cents)}</td>
        <td className={tableStyles.number}>{formatEuro(total.tickets_vat_cents)}</td>
        <td className={tableStyles.number}>{formatEuro(total.fees_cents)}</td>
        <td className={tableStyles.number}>{formatEuro(total.fees_vat_cents)}</td>
      </tr>
    </tfoot>
  );
}
