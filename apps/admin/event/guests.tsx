/** The guests of an evening, one row per ticket: search, filters, downloads, print. */
import { useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import { addressOf, type ReplyOf } from '#server/contract/endpoint.ts';
import {
  downloadGuestPaper,
  exportGuests,
  listGuests,
  readGuestPaper,
} from '#server/contract/guests.ts';
import { ticketStates } from '#server/domain/door/admission.ts';
import { isolate } from '#server/domain/text/direction.ts';
import { formatCount } from '#apps/shared/format.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { FreshDownload } from '#apps/admin/kit/fresh-download.tsx';
import { Choice, useAddressFilters, withoutEmpty } from '#apps/admin/kit/list/filters.tsx';
import { FilterBar } from '#apps/admin/kit/list/filter-bar.tsx';
import { PagedList, usePages } from '#apps/admin/kit/list/paged-list.tsx';
import { Table, SecondLine } from '#apps/admin/kit/list/table.tsx';
import { Empty } from '#apps/admin/kit/page/loaded.tsx';
import { StateBadge } from '#apps/admin/kit/state-badge.tsx';
import { ticketStateWords } from '#apps/admin/kit/words.ts';
import { useAct, useMay } from '#apps/admin/kit/session/session.ts';
import { GuestPaper, type Paper } from './guest-paper.tsx';
import tableStyles from '#apps/admin/kit/list/table.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './guests.module.css';

type Guest = ReplyOf<typeof listGuests>['items'][number];
type Filters = ReturnType<typeof useGuestFilters>;

export function GuestsScreen() {
  const { eventId } = useParams() as { eventId: string };
  const params = { eventId };
  const filters = useGuestFilters();
  const guests = usePages(listGuests, { params, query: filters.query }, 15_000);
  return (
    <>
      <GuestSearch filters={filters} />
      <Files eventId={eventId} filters={filters} />
      <PagedList
        pages={guests}
        end={(rows) => `${formatCount(rows, 'biglietto', 'biglietti')} in tutto`}
      >
        {(rows) =>
          rows.length === 0 ? <NoGuests filters={filters} /> : <GuestTable guests={rows} />
        }
      </PagedList>
    </>
  );
}

const yesNo = ['true', 'false'] as const;

function useGuestFilters() {
  const { text, oneOf, set, clear } = useAddressFilters();
  const query = withoutEmpty({
    q: text('q'),
    state: oneOf('state', ticketStates),
    inside: oneOf('inside', yesNo),
    printed: oneOf('printed', yesNo),
  });
  return { query, set, clear };
}

function GuestSearch({ filters: { query, set } }: { filters: Filters }) {
  return (
    <FilterBar
      query={query}
      set={set}
      label="Cerca per nome, e-mail, numero d’ordine o posto"
      hint="Nome, ordine o posto"
    >
      <Choice
        label="Stato"
        all="Tutti gli stati"
        value={query.state ?? ''}
        onChange={(value) => set('state', value)}
        options={ticketStates.map((name) => [name, ticketStateWords[name].word])}
      />
      <Choice
        label="Ingresso"
        all="Dentro e fuori"
        value={query.inside ?? ''}
        onChange={(value) => set('inside', value)}
        options={[
          ['true', 'Dentro'],
          ['false', 'Non dentro'],
        ]}
      />
      <Choice
        label="Stampa in cassa"
        all="Stampati o no"
        value={query.printed ?? ''}
        onChange={(value) => set('printed', value)}
        options={[
          ['true', 'Stampati in cassa'],
          ['false', 'Non stampati'],
        ]}
      />
    </FilterBar>
  );
}

/** Files hold the filtered tickets; the print always holds all valid ones. */
function Files({ eventId, filters }: { eventId: string; filters: Filters }) {
  const act = useAct();
  const mayExport = useMay(exportGuests.who);
  const [paper, setPaper] = useState<Paper | null>(null);
  const params = { eventId };
  const file = (format: 'excel' | 'plain') =>
    addressOf(exportGuests, params, { format, ...filters.query });
  return (
    <div className={styles.files}>
      <AsyncButton onClick={async () => setPaper(await act(readGuestPaper, { params }))}>
        <Icon name="print" size={18} /> Stampa l’elenco
      </AsyncButton>
      {mayExport && (
        <p className={textStyles.links}>
          <FreshDownload href={addressOf(downloadGuestPaper, params)}>
            <Icon name="download" size={16} /> Elenco in PDF
          </FreshDownload>
          <FreshDownload href={file('excel')}>CSV (Excel italiano)</FreshDownload>
          <FreshDownload href={file('plain')}>CSV</FreshDownload>
        </p>
      )}
      {paper !== null && <GuestPaper paper={paper} onPrinted={() => setPaper(null)} />}
    </div>
  );
}

function GuestTable({ guests }: { guests: readonly Guest[] }) {
  return (
    <Table
      cards
      className={styles.guests}
      columns={[
        'Ospite',
        'Posto',
        { name: 'Tipo', rem: 9, late: true },
        { name: 'Ordine', rem: 7.5 },
        { name: 'Stato', rem: 8.5 },
        { name: 'Ingresso', rem: 7 },
        { name: 'Stampa', rem: 8.5 },
      ]}
    >
      <tbody>
        {guests.map((guest) => (
          <GuestLine key={guest.ticket_id} guest={guest} />
        ))}
      </tbody>
    </Table>
  );
}

function GuestLine({ guest }: { guest: Guest }) {
  const { holder, buyer_name, state } = guest;
  const isGone = state === 'void' || state === 'refunded';
  return (
    <tr className={isGone ? tableStyles.gone : undefined}>
      <th scope="row" className={styles.name}>
        <span className={textStyles.clip}>
          {holder ?? buyer_name ?? <span className={textStyles.soft}>Senza nome</span>}
        </span>
        {holder !== null && buyer_name !== null && holder !== buyer_name && (
          <SecondLine>acquistato da {isolate(buyer_name)}</SecondLine>
        )}
      </th>
      <td>{guest.seat}</td>
      <td className={tableStyles.aside}>{guest.type_label}</td>
      <td>
        <Link
          className={textStyles.code}
          to={`/orders/${encodeURIComponent(guest.order_id)}`}
          data-row
        >
          {guest.order_number}
        </Link>
      </td>
      <td>
        <StateBadge {...ticketStateWords[state]} />
      </td>
      <td className={tableStyles.aside}>
        {guest.inside ? <StateBadge word="Dentro" tone="good" icon="door" /> : 'Non dentro'}
      </td>
      <td className={tableStyles.aside}>{guest.printed ? 'Stampato' : 'Non stampato'}</td>
    </tr>
  );
}

function NoGuests({ filters }: { filters: Filters }) {
  if (Object.keys(filters.query).length > 0)
    return (
      <Empty icon="search" title="Nessun biglietto trovato.">
        <Button onClick={filters.clear} label="Mostra tutti" />
      </Empty>
    );
  return (
    <Empty icon="ticket" title="Non c’è ancora nessun ospite.">
      <p>I biglietti venduti compaiono qui da soli.</p>
    </Empty>
  );
}
