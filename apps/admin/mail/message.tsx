/** One message to many buyers: progress, figures, the state of each address, cancelling. */
import { Link, useParams } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { listMessageMails, readMessage } from '#server/contract/messages.ts';
import { recipientStates } from '#server/domain/mail/message.ts';
import { formatCount, formatListDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { nameOfEvent } from '#apps/admin/kit/date-name.ts';
import { Fact, Facts } from '#apps/admin/kit/page/facts.tsx';
import { Choice, useAddressFilters, withoutEmpty } from '#apps/admin/kit/list/filters.tsx';
import { PagedList, usePages } from '#apps/admin/kit/list/paged-list.tsx';
import { Table, SecondLine } from '#apps/admin/kit/list/table.tsx';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { BackLink, PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { Progress } from '#apps/admin/kit/progress.tsx';
import { StateBadge } from '#apps/admin/kit/state-badge.tsx';
import { MessageActs, type MessageCourse } from './message-acts.tsx';
import { progressWords, recipientWords } from './message-words.ts';
import { nameOfMessage } from './messages.tsx';
import { MailNotConfigured } from './mailbox.tsx';
import { mailTroubleWords } from './words.ts';
import filterStyles from '#apps/admin/kit/list/filters.module.css';
import panelStyles from '#apps/admin/kit/page/panel.module.css';
import tableStyles from '#apps/admin/kit/list/table.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './message.module.css';

type Message = ReplyOf<typeof readMessage>;
type Recipient = ReplyOf<typeof listMessageMails>['items'][number];

export function MessageScreen() {
  const { messageId } = useParams() as { messageId: string };
  const message = useEndpoint(
    readMessage,
    { params: { messageId } },
    { refetchInterval: ({ state }) => (isMoving(state.data) ? 2_000 : 15_000) },
  );
  return (
    <>
      <BackLink to="/messages">Messaggi</BackLink>
      <Loaded query={message}>
        {(data) => (
          <>
            <PageTitle title={nameOfMessage(data)}>
              <StateBadge {...progressWords(data)} />
            </PageTitle>
            {!data.leaves && <MailNotConfigured />}
            <div className={panelStyles.panels}>
              <Sending message={data} />
              {data.body !== null && (
                <Panel>
                  <h2>Testo</h2>
                  <pre className={styles.body}>{data.body}</pre>
                </Panel>
              )}
            </div>
            <Recipients messageId={messageId} />
          </>
        )}
      </Loaded>
    </>
  );
}

function isMoving(message: Message | undefined): boolean {
  if (message === undefined || message.withdrawn_at !== null || message.stopped_at !== null)
    return false;
  return message.finished_at === null || (message.counts.queued ?? 0) > 0;
}

function actOf(message: Message): MessageCourse['act'] {
  if (message.stopped_at !== null) return 'resume';
  if (!isMoving(message)) return null;
  return message.begun_at === null ? 'withdraw' : 'stop';
}

function Sending({ message }: { message: Message }) {
  const done = message.recipients - (message.counts.queued ?? 0);
  return (
    <Panel>
      <div className={panelStyles.title}>
        <h2>Invio</h2>
        <MessageActs
          messageId={message.message_id}
          act={actOf(message)}
          begins_at={message.begins_at}
          done={done}
          total={message.recipients}
        />
      </div>
      <Progress label="Messaggi partiti" unit="mails" done={done} total={message.recipients} />
      <Facts wide>
        <Fact name="Destinatari">{message.recipients.toLocaleString('it-IT')}</Fact>
        {recipientStates
          .map((state) => ({ state, count: message.counts[state] ?? 0 }))
          .filter(({ count }) => count > 0)
          .map(({ state, count }) => (
            <Fact key={state} name={recipientWords[state].word}>
              {count.toLocaleString('it-IT')}
            </Fact>
          ))}
        {message.left_out > 0 && (
          <Fact name="Lasciati fuori">
            {formatCount(message.left_out, 'ordine', 'ordini')} su{' '}
            {message.orders.toLocaleString('it-IT')}
          </Fact>
        )}
        <Fact name="Evento">{message.event_id === null ? 'Più eventi' : nameOfEvent(message)}</Fact>
        <Fact name="Creato">
          {formatListDate(message.created_at)}{' '}
          <span className={textStyles.soft}>da {message.actor}</span>
        </Fact>
      </Facts>
      <p className={textStyles.soft}>
        {message.stopped_at === null
          ? 'Puoi chiudere questa pagina: l’invio continua da solo, un po’ alla volta.'
          : 'L’invio è fermo: chi è ancora in coda non riceve nulla finché non lo riprendi. Può ancora arrivare solo ciò che il server di posta aveva già in mano.'}
      </p>
    </Panel>
  );
}

function Recipients({ messageId }: { messageId: string }) {
  const { oneOf, set } = useAddressFilters();
  const query = withoutEmpty({ state: oneOf('state', recipientStates) });
  const params = { messageId };
  const recipients = usePages(listMessageMails, { params, query }, 5_000);
  return (
    <section className={styles.recipients} aria-labelledby="recipients">
      <h2 id="recipients">Destinatari</h2>
      <search className={filterStyles.toolbar}>
        <Choice
          label="Esito"
          all="Tutti gli esiti"
          value={query.state ?? ''}
          onChange={(value) => set('state', value)}
          options={recipientStates.map((state) => [state, recipientWords[state].word])}
        />
      </search>
      <PagedList pages={recipients}>
        {(rows) =>
          rows.length === 0 ? (
            <p className={textStyles.soft}>Nessun destinatario con questo esito.</p>
          ) : (
            <Table
              cards
              columns={[
                'Indirizzo',
                { name: 'Ordine', rem: 8 },
                'Esito',
                { name: 'Inviato', rem: 10 },
              ]}
            >
              <tbody>
                {rows.map((row) => (
                  <RecipientLine key={row.order_id} row={row} />
                ))}
              </tbody>
            </Table>
          )
        }
      </PagedList>
    </section>
  );
}

function RecipientLine({ row }: { row: Recipient }) {
  return (
    <tr>
      <th scope="row">
        <span className={textStyles.clip}>{row.to_address ?? 'Indirizzo cancellato'}</span>
        {row.buyer_name !== null && <SecondLine>{row.buyer_name}</SecondLine>}
      </th>
      <td>
        <Link className={textStyles.code} to={`/orders/${row.order_id}`} data-row>
          {row.order_number}
        </Link>
      </td>
      <td>
        <StateBadge {...recipientWords[row.state]} />
        {row.trouble !== null && row.state !== 'kept' && (
          <SecondLine>{row.trouble.said ?? mailTroubleWords[row.trouble.trouble]}</SecondLine>
        )}
      </td>
      <td className={tableStyles.aside}>
        {row.sent_at !== null && <time dateTime={row.sent_at}>{formatListDate(row.sent_at)}</time>}
      </td>
    </tr>
  );
}
