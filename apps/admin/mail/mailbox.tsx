/** The list of mails to buyers, newest first, with their states. */
import { Link } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { listMails, sendBounce } from '#server/contract/mails.ts';
import { mailKinds, mailStates } from '#server/domain/mail/kinds.ts';
import { formatCount, formatListDate } from '#apps/shared/format.ts';
import { PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { Choice, useAddressFilters, withoutEmpty } from '#apps/admin/kit/list/filters.tsx';
import { FilterBar } from '#apps/admin/kit/list/filter-bar.tsx';
import { Empty } from '#apps/admin/kit/page/loaded.tsx';
import { HandInBounces } from './hand-in-bounces.tsx';
import { useMay } from '#apps/admin/kit/session/session.ts';
import { mailKindWords, mailStateWords, mailTroubleWords, mailWordsOf } from './words.ts';
import { PagedList, usePages } from '#apps/admin/kit/list/paged-list.tsx';
import { TechnicalDetails } from '#apps/admin/kit/page/technical-details.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { Table } from '#apps/admin/kit/list/table.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { StateBadge } from '#apps/admin/kit/state-badge.tsx';
import tableStyles from '#apps/admin/kit/list/table.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './mailbox.module.css';

type MailLine = ReplyOf<typeof listMails>['items'][number];

export function MailboxScreen() {
  const filters = useMailFilters();
  const mayHandIn = useMay(sendBounce.who);
  const mails = usePages(listMails, { query: filters.query }, 15_000);
  return (
    <>
      <PageTitle title="Posta">{mayHandIn && <HandInBounces />}</PageTitle>
      <MailSearch filters={filters} />
      <PagedList
        pages={mails}
        end={(rows) => `${formatCount(rows, 'messaggio', 'messaggi')} in tutto`}
      >
        {(rows, { leaves }) => (
          <>
            {!leaves && <MailNotConfigured />}
            {rows.length === 0 ? (
              <NoMails filtered={Object.keys(filters.query).length > 0} onClear={filters.clear} />
            ) : (
              <MailTable mails={rows} />
            )}
          </>
        )}
      </PagedList>
    </>
  );
}

export function MailNotConfigured() {
  return (
    <Notice as="div" tone="warn">
      <p>
        <strong>Non è configurato nessun server di posta:</strong> i messaggi non escono da qui e
        nessuno li riceve.
      </p>
      <TechnicalDetails>
        Per spedirli davvero imposta <code>SMTP_URL</code> e <code>MAIL_FROM</code> sul server.
      </TechnicalDetails>
    </Notice>
  );
}

type MailFilters = ReturnType<typeof useMailFilters>;

function useMailFilters() {
  const { text, oneOf, set, clear } = useAddressFilters();
  const query = withoutEmpty({
    q: text('q'),
    order_id: text('order_id'),
    state: oneOf('state', mailStates),
    kind: oneOf('kind', mailKinds),
  });
  return { query, set, clear };
}

function MailSearch({ filters: { query, set } }: { filters: MailFilters }) {
  return (
    <FilterBar
      query={query}
      set={set}
      label="Cerca per indirizzo, nome o numero d’ordine"
      hint="Indirizzo, nome o numero d’ordine"
    >
      <Choice
        label="Stato"
        all="Tutti gli stati"
        value={query.state ?? ''}
        onChange={(value) => set('state', value)}
        options={mailStates.map((name) => [
          name,
          name === 'failed' ? 'Non inviato o respinto' : mailStateWords[name].word,
        ])}
      />
      <Choice
        label="Tipo"
        all="Tutti i tipi"
        value={query.kind ?? ''}
        onChange={(value) => set('kind', value)}
        options={mailKinds.map((name) => [name, mailKindWords[name]])}
      />
    </FilterBar>
  );
}

function MailTable({ mails }: { mails: MailLine[] }) {
  return (
    <Table
      cards
      className={styles.mails}
      columns={[
        'Messaggio',
        'A',
        { name: 'Ordine', rem: 7.5 },
        { name: 'Stato', rem: 14.5 },
        { name: 'Creato', rem: 9.5 },
      ]}
    >
      <tbody>
        {mails.map((mail) => (
          <tr
            key={mail.mail_id}
            className={mail.state === 'failed' ? tableStyles.attention : undefined}
          >
            <th scope="row" className={styles.subject}>
              <Link
                className={`${tableStyles.stretch} ${textStyles.clip}`}
                to={`/settings/mail/${mail.mail_id}`}
                data-row
              >
                {mail.subject ?? mailKindWords[mail.kind]}
              </Link>
              <span className={`${textStyles.soft} ${tableStyles.under} ${textStyles.clip}`}>
                {mail.trouble === null
                  ? mailKindWords[mail.kind]
                  : mailTroubleWords[mail.trouble.trouble]}
              </span>
            </th>
            <td className={tableStyles.aside}>
              <span className={textStyles.clip}>
                {mail.to_address ?? <span className={textStyles.soft}>{tellNobody(mail)}</span>}
              </span>
            </td>
            <td className={tableStyles.aside}>
              {mail.order_number === null ? (
                '–'
              ) : (
                <span className={textStyles.code}>{mail.order_number}</span>
              )}
            </td>
            <td>
              <MailBadge mail={mail} />
            </td>
            <td className={`${tableStyles.aside} ${styles.created}`}>
              <time dateTime={mail.created_at}>{formatListDate(mail.created_at)}</time>
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

export function MailBadge({ mail }: { mail: Pick<MailLine, 'state' | 'trouble'> }) {
  return <StateBadge {...mailWordsOf(mail.state, mail.trouble?.trouble ?? null)} />;
}

function tellNobody({ forgotten_at, state }: MailLine): string {
  if (forgotten_at !== null) return 'Dati cancellati';
  return state === 'waiting' ? 'Non ancora indicato' : 'Nessun indirizzo';
}

function NoMails({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (!filtered)
    return (
      <Empty icon="mail" title="Non c’è ancora nessun messaggio.">
        <p>
          Ogni ordine confermato riceve i suoi biglietti per e-mail: i messaggi compaiono qui da
          soli.
        </p>
      </Empty>
    );
  return (
    <Empty icon="search" title="Nessun messaggio trovato.">
      <p>Controlla i filtri o cerca solo una parte dell’indirizzo.</p>
      <Button onClick={onClear} label="Mostra tutti i messaggi" />
    </Empty>
  );
}
