/** The list of messages to many buyers, newest first, with their figures. */
import { Link } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { listMessages } from '#server/contract/messages.ts';
import { formatListDate } from '#apps/shared/format.ts';
import { nameOfEvent } from '#apps/admin/kit/date-name.ts';
import { PagedList, usePages } from '#apps/admin/kit/list/paged-list.tsx';
import { Table, SecondLine } from '#apps/admin/kit/list/table.tsx';
import { Empty } from '#apps/admin/kit/page/loaded.tsx';
import { BackLink, Intro, PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { StateBadge } from '#apps/admin/kit/state-badge.tsx';
import { progressWords } from './message-words.ts';
import { MailNotConfigured } from './mailbox.tsx';
import tableStyles from '#apps/admin/kit/list/table.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './message.module.css';

type Message = ReplyOf<typeof listMessages>['items'][number];

export function MessagesScreen() {
  const messages = usePages(listMessages, {}, 10_000);
  return (
    <>
      <BackLink to="/orders">Ordini</BackLink>
      <PageTitle title="Messaggi agli acquirenti" />
      <Intro>
        Solo comunicazioni di servizio su ciò che è stato comprato: la pubblicità richiede un
        consenso che questo sito non raccoglie, perciò qui non si può mandare. Per scriverne uno
        scegli gli ordini nell’elenco. A che punto è un invio si vede anche in{' '}
        <Link to="/started">Attività avviate</Link>.
      </Intro>
      <PagedList pages={messages}>
        {(rows, { leaves }) => (
          <>
            {!leaves && <MailNotConfigured />}
            {rows.length === 0 ? (
              <Empty icon="mail" title="Non c’è ancora nessun messaggio.">
                <Link to="/orders">Vai agli ordini</Link>
              </Empty>
            ) : (
              <MessageTable messages={rows} />
            )}
          </>
        )}
      </PagedList>
    </>
  );
}

export function nameOfMessage({ act, subject }: Pick<Message, 'act' | 'subject'>): string {
  if (act === 'question') return 'Riscritto a chi non ha risposto';
  return act === 'tickets' ? 'Biglietti rimandati' : (subject ?? '');
}

function MessageTable({ messages }: { messages: readonly Message[] }) {
  return (
    <Table
      cards
      className={styles.messages}
      columns={[
        'Oggetto',
        'Evento',
        { number: 'Destinatari', rem: 7 },
        { name: 'Stato', rem: 14 },
        { name: 'Creato', rem: 12 },
      ]}
    >
      <tbody>
        {messages.map((message) => (
          <tr key={message.message_id}>
            <th scope="row">
              <Link
                className={`${tableStyles.stretch} ${textStyles.strong}`}
                to={`/messages/${message.message_id}`}
                data-row
              >
                {nameOfMessage(message)}
              </Link>
            </th>
            <td className={tableStyles.aside}>
              {message.event_id === null ? 'Più eventi' : nameOfEvent(message)}
            </td>
            <td className={`${tableStyles.number} ${tableStyles.aside}`}>
              {message.recipients.toLocaleString('it-IT')}
              <span className={tableStyles.label}>
                {' '}
                {message.recipients === 1 ? 'destinatario' : 'destinatari'}
              </span>
            </td>
            <td>
              <StateBadge {...progressWords(message)} />
            </td>
            <td className={tableStyles.aside}>
              <time dateTime={message.created_at}>{formatListDate(message.created_at)}</time>
              <SecondLine>{message.actor}</SecondLine>
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
