/** Registro: who did what and when, with its seals; for administrators. */
import { Link } from 'react-router-dom';
import { addressOf, type ReplyOf } from '#server/contract/endpoint.ts';
import { exportRegistry, listRegistry } from '#server/contract/registry.ts';
import { actionName, tellDetail, type DetailLine } from '#server/domain/audit/audit-words.ts';
import { formatListDate } from '#apps/shared/format.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { FreshDownload } from '#apps/admin/kit/fresh-download.tsx';
import { PagedList, usePages } from '#apps/admin/kit/list/paged-list.tsx';
import { Table, SecondLine } from '#apps/admin/kit/list/table.tsx';
import { Empty } from '#apps/admin/kit/page/loaded.tsx';
import { PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { TechnicalDetails } from '#apps/admin/kit/page/technical-details.tsx';
import { actorWords } from '#apps/admin/order/timeline-words.ts';
import { RegistrySearch, useRegistryFilters, type RegistryFilters } from './filters.tsx';
import { SealState } from '#apps/admin/health/seals.tsx';
import tableStyles from '#apps/admin/kit/list/table.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './registry.module.css';

type Entry = ReplyOf<typeof listRegistry>['items'][number];

export function RegistryScreen() {
  const filters = useRegistryFilters();
  const entries = usePages(listRegistry, { query: filters.query }, 30_000);
  return (
    <>
      <PageTitle title="Registro" />
      <SealState />
      <RegistrySearch filters={filters} people={entries.data?.pages[0]?.people ?? []} />
      <PagedList pages={entries}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty icon="search" title="Niente nel Registro con questi filtri.">
              <Button onClick={filters.clear} label="Mostra tutto" />
            </Empty>
          ) : (
            <>
              <Files filters={filters} />
              <EntryTable entries={rows} />
            </>
          )
        }
      </PagedList>
    </>
  );
}

function Files({ filters }: { filters: RegistryFilters }) {
  const file = (format: 'excel' | 'plain') =>
    addressOf(exportRegistry, {}, { format, ...filters.query });
  return (
    <p className={`${textStyles.links} ${styles.files}`}>
      <FreshDownload href={file('excel')}>
        <Icon name="download" size={16} /> CSV (Excel italiano)
      </FreshDownload>
      <FreshDownload href={file('plain')}>CSV</FreshDownload>
    </p>
  );
}

function EntryTable({ entries }: { entries: readonly Entry[] }) {
  return (
    <Table
      cards
      className={styles.entries}
      columns={[
        'Che cosa',
        { name: 'Quando', rem: 9.5 },
        { name: 'Chi', rem: 9 },
        'Su che cosa',
        { name: 'Sigillo', rem: 5.5, late: true },
      ]}
    >
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.id}>
            <th scope="row">
              {actionName(entry.action)}
              <Detail entry={entry} />
            </th>
            <td className={styles.when}>
              <time dateTime={entry.at}>{formatListDate(entry.at)}</time>
            </td>
            <td>{whoOf(entry)}</td>
            <td>
              <Subject subject={entry.subject} />
            </td>
            <td className={tableStyles.aside}>
              <span className={tableStyles.label}>Sigillo </span>
              {entry.seal === null ? <span className={textStyles.soft}>fra poco</span> : entry.seal}
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

/** A removed user has no name. */
function whoOf({ actor, actor_name }: Entry): string {
  if (actor_name === actor && actor.startsWith('user:')) return 'persona non più qui';
  return actorWords(actor_name);
}

function Detail({ entry }: { entry: Entry }) {
  const { lines, technical } = tellDetail(entry.detail);
  return (
    <div className={styles.detail}>
      {lines.map((line) => (
        <SecondLine key={line.name}>{sayLine(line)}</SecondLine>
      ))}
      <TechnicalDetails>
        <code>
          {entry.action} · {entry.subject.id}
          {technical.map((line) => ` · ${sayLine(line)}`)}
        </code>
      </TechnicalDetails>
    </div>
  );
}

function sayLine({ name, from, to }: DetailLine): string {
  return from === null ? `${name}: ${to}` : `${name}: ${from} → ${to}`;
}

function Subject({ subject: { id, kind, name } }: { subject: Entry['subject'] }) {
  if (kind === null) return <span className={textStyles.soft}>{wholeHouse[id] ?? '–'}</span>;
  return <Link to={placeOf[kind](id, name ?? '')}>{name || 'Senza titolo'}</Link>;
}

const wholeHouse: Record<string, string> = {
  site: 'Il sito',
  door: 'La porta',
  counter: 'Le casse',
};

/** The screen for each kind of subject. */
const placeOf: Record<
  NonNullable<Entry['subject']['kind']>,
  (id: string, name: string) => string
> = {
  order: (id) => `/orders/${encodeURIComponent(id)}`,
  event: (id) => `/events/${encodeURIComponent(id)}`,
  show: (id) => `/shows/${encodeURIComponent(id)}`,
  person: () => '/settings/people',
  phone: (_, name) => `/door/phones?q=${encodeURIComponent(name)}`,
  shift: (id) => `/sell/shifts/${encodeURIComponent(id)}`,
};
