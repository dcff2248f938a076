/** One message to many buyers: progress, figures, the state of each address, cancelling. */
import { Link, useParams } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import {
  listMessageMails,
  readMessage,
  resumeMessage,
  stopMessage,
  withdrawMessage,
} from '#server/contract/messages.ts';
import { recipientStates } from '#server/domain/mail/message.ts';
import { formatCount, formatListDate, formatTimeWithSeconds } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { AskButton } from '#apps/admin/kit/ask-button.tsx';
import { nameOfEvent } from '#apps/admin/kit/date-name.ts';
import { Fact, Facts } from '#apps/admin/kit/page/facts.tsx';
import { Choice, useAddressFilters, withoutEmpty } from '#apps/admin/kit/list/filters.tsx';
import { PagedList, usePages } from '#apps/admin/kit/list/paged-list.tsx';
import { Table, SecondLine } from '#apps/admin/kit/list/table.tsx';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { BackLink, PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import { StateBadge } from '#apps/admin/kit/state-badge.tsx';
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
              <Progress message={data} />
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

/** Some recipients are still waiting. */
function isRunning(message: Message): boolean {
  return message.begun_at !== null && isMoving(message);
}

function Progress({ message }: { message: Message }) {
  const queued = message.counts.queued ?? 0;
  return (
    <Panel>
      <div className={panelStyles.title}>
        <h2>Invio</h2>
        {message.begun_at === null && message.withdrawn_at === null && (
          <CallOff message={message} />
        )}
        {isRunning(message) && <Stop message={message} />}
        {message.stopped_at !== null && <Resume message={message} />}
      </div>
      <progress
        className={styles.progress}
        aria-label="Messaggi partiti"
        value={message.recipients - queued}
        max={Math.max(1, message.recipients)}
      />
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

function CallOff({ message }: { message: Message }) {
  const change = useChange();
  return (
    <AskButton
      label="Annulla l’invio"
      title="Annullare l’invio?"
      confirmLabel="Annulla l’invio"
      danger
      text={
        <p>Non parte nessun messaggio. Comincia alle {formatTimeWithSeconds(message.begins_at)}.</p>
      }
      onConfirm={() => change(withdrawMessage, { params: { messageId: message.message_id } })}
    />
  );
}

function Stop({ message }: { message: Message }) {
  const change = useChange();
  return (
    <AskButton
      label="Ferma l’invio"
      title="Fermare l’invio?"
      confirmLabel="Ferma l’invio"
      danger
      text={
        <p>
          Chi l’ha già ricevuto lo tiene: qui sotto vedi chi. Gli altri non ricevono nulla finché
          non lo riprendi.
        </p>
      }
      onConfirm={() => change(stopMessage, { params: { messageId: message.message_id } })}
    />
  );
}

function Resume({ message }: { message: Message }) {
  const change = useChange();
  return (
    <AskButton
      label="Riprendi l’invio"
      title="Riprendere l’invio?"
      confirmLabel="Riprendi l’invio"
      text={<p>Parte solo per chi non l’ha ancora ricevuto.</p>}
      onConfirm={() => change(resumeMessage, { params: { messageId: message.message_id } })}
    />
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
