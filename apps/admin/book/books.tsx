/** The signed book of each evening, the checking page, the house's key, the published heads. */
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { addressOf } from '#server/contract/endpoint.ts';
import { downloadBook, listBooks } from '#server/contract/books.ts';
import { sayDay } from '#server/domain/book/heads.ts';
import { formatListDate } from '#apps/shared/format.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { CopyField } from '#apps/admin/kit/copy-field.tsx';
import { ListSearchField, NothingFound, useListSearch } from '#apps/admin/kit/list/list-search.tsx';
import { PagedList, usePages } from '#apps/admin/kit/list/paged-list.tsx';
import { Table } from '#apps/admin/kit/list/table.tsx';
import { Empty } from '#apps/admin/kit/page/loaded.tsx';
import { Intro, PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { OpenOrder } from './open-order.tsx';
import tableStyles from '#apps/admin/kit/list/table.module.css';
import panelStyles from '#apps/admin/kit/page/panel.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './books.module.css';

type Books = ReplyOf<typeof listBooks>;

export function BooksScreen() {
  const search = useListSearch();
  const pages = usePages(listBooks, { query: search.query }, 30_000);
  const known = pages.data?.pages[0];
  return (
    <>
      <PageTitle title="Libro" />
      <Intro>
        Il libro di una data contiene ogni biglietto, pagamento, rimborso, ingresso e turno,
        nell’ordine in cui sono avvenuti. È firmato: chi lo riceve lo controlla da solo con la
        pagina di verifica, anche senza rete. Non è un documento fiscale.
      </Intro>
      {known && <KeyPanel {...known} />}
      <div className={panelStyles.below}>
        <ListSearchField search={search} label="Cerca per titolo dell’evento" hint="Titolo" />
        <PagedList pages={pages}>
          {(rows) => {
            if (rows.length > 0) return <BookTable books={rows} />;
            return search.q === '' ? (
              <Empty icon="list" title="Nessun libro: comincia con il primo biglietto." />
            ) : (
              <NothingFound search={search} title="Nessun libro con questo titolo." />
            );
          }}
        </PagedList>
      </div>
      {known && known.items.length > 0 && (
        <div className={panelStyles.below}>
          <OpenOrder />
        </div>
      )}
    </>
  );
}

function KeyPanel({ fingerprint, days }: Pick<Books, 'fingerprint' | 'days'>) {
  return (
    <Panel aria-labelledby="book-key">
      <h2 id="book-key">Chiave di firma</h2>
      <p className={textStyles.soft}>
        Dai questa impronta a chi controlla: la confronta con quella del libro. È anche sul sito,
        con le impronte di ogni giorno.
      </p>
      <CopyField text={fingerprint} label="Impronta della chiave" />
      <p className={textStyles.links}>
        <a href="/verifica.html" download>
          <Icon name="download" size={16} /> Pagina di verifica
        </a>
        <a href="/chiave-del-libro">Chiave e impronte sul sito</a>
      </p>
      {days.length > 0 && (
        <details>
          <summary>Impronte degli ultimi giorni</summary>
          <ul className={styles.heads}>
            {days.map(({ day, head }) => (
              <li key={day}>
                {sayDay(day)}: <code className={textStyles.code}>{head}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
    </Panel>
  );
}

function BookTable({ books }: { books: Books['items'] }) {
  return (
    <Table
      cards
      columns={['Evento', 'Data', { number: 'Righe' }, { name: 'Ultima riga', late: true }, 'File']}
    >
      <tbody>
        {books.map((book) => (
          <tr key={book.event_id}>
            <th scope="row">{book.title}</th>
            <td>{formatListDate(book.starts_at)}</td>
            <td className={tableStyles.number}>
              {book.rows.toLocaleString('it')} <span className={tableStyles.label}>righe</span>
            </td>
            <td className={tableStyles.aside}>
              <span className={tableStyles.label}>Ultima riga </span>
              {formatListDate(book.written_at)}
            </td>
            <td className={textStyles.links}>
              <a href={addressOf(downloadBook, { eventId: book.event_id })} download>
                <Icon name="download" size={16} /> Libro
              </a>
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
