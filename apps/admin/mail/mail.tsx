/** One mail: its content, attachments and state, and a button to send it again. */
import { nameOfEvent } from '#apps/admin/kit/date-name.ts';
import { Link, useNavigate, useParams } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { readMail } from '#server/contract/mails.ts';
import { formatListDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { TechnicalDetails } from '#apps/admin/kit/page/technical-details.tsx';
import { Fact, Facts } from '#apps/admin/kit/page/facts.tsx';
import { BackLink, PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { LetterFrame } from './letter-frame.tsx';
import { mailKindWords, mailTroubleWords } from './words.ts';
import { MailBadge, MailNotConfigured } from './mailbox.tsx';
import { ResendMail } from './resend.tsx';
import { Notice, type NoticeProps } from '#apps/admin/kit/page/notice.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import panelStyles from '#apps/admin/kit/page/panel.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './mail.module.css';

type Mail = ReplyOf<typeof readMail>;

export function MailScreen() {
  const { mailId } = useParams() as { mailId: string };
  const mail = useEndpoint(
    readMail,
    { params: { mailId } },
    { refetchInterval: (query) => (query.state.data?.state === 'waiting' ? 5_000 : false) },
  );
  return (
    <>
      <BackLink to="/settings/mail">Posta</BackLink>
      <Loaded query={mail}>{(data) => <MailDetail mail={data} />}</Loaded>
    </>
  );
}

function MailDetail({ mail }: { mail: Mail }) {
  return (
    <>
      <PageTitle title={mail.subject ?? mailKindWords[mail.kind]}>
        <MailBadge mail={mail} />
      </PageTitle>
      {!mail.leaves && <MailNotConfigured />}
      {mail.leaves && mail.order_id !== null && (
        <p className={textStyles.soft}>
          Il link dell’acquirente qui è tolto: chi lo apre può agire al posto suo.
        </p>
      )}
      <Trouble mail={mail} />
      <div className={panelStyles.panels}>
        <Panel>
          <h2>Messaggio</h2>
          <Facts>
            <Fact name="A">{mail.to_address ?? '–'}</Fact>
            <Fact name="Tipo">{mailKindWords[mail.kind]}</Fact>
            <Fact name="Creato">{formatListDate(mail.created_at)}</Fact>
            {mail.sent_at !== null && <Fact name="Inviato">{formatListDate(mail.sent_at)}</Fact>}
            {mail.state === 'waiting' && mail.next_try_at !== null && (
              <Fact name="Prossimo invio">{formatListDate(mail.next_try_at)}</Fact>
            )}
            <Fact name="Tentativi">{mail.attempts}</Fact>
            <Fact name="Codice">
              <TechnicalDetails>
                <code>{mail.message_id}</code>
              </TechnicalDetails>
            </Fact>
          </Facts>
        </Panel>
        <Panel>
          <h2>Ordine</h2>
          <Facts>
            <Fact name="Numero">
              {mail.order_id === null ? (
                '–'
              ) : (
                <Link to={`/orders/${mail.order_id}`}>{mail.order_number}</Link>
              )}
            </Fact>
            <Fact name="Evento">{nameOfEvent(mail) || '–'}</Fact>
            <Fact name="Indirizzo">{mail.resend_to ?? 'nessuno'}</Fact>
          </Facts>
          <SendAgain mail={mail} />
        </Panel>
      </div>
      {mail.html === null && mail.sent_at !== null && mail.forgotten_at === null && (
        <p className={textStyles.soft}>
          Il testo è stato cancellato, come dicono i tempi di conservazione in Dati personali.
        </p>
      )}
      {mail.html !== null && (
        <Letter html={mail.html} text={mail.text ?? ''} attachments={mail.attachments} />
      )}
    </>
  );
}

const troubleLooks: Partial<Record<Mail['state'], Pick<NoticeProps, 'tone' | 'icon'>>> = {
  failed: { tone: 'bad' },
  waiting: { tone: 'warn', icon: 'info' },
};

function Trouble({ mail: { trouble, state } }: { mail: Mail }) {
  if (trouble === null) return null;
  return (
    <Notice as="div" {...troubleLooks[state]}>
      {mailTroubleWords[trouble.trouble]}
      {trouble.said !== null && (
        <TechnicalDetails>
          Risposta del server: <code>{trouble.said}</code>
        </TechnicalDetails>
      )}
    </Notice>
  );
}

function SendAgain({ mail }: { mail: Mail }) {
  const navigate = useNavigate();
  if (mail.order_id === null) return null;
  if (mail.forgotten_at !== null)
    return (
      <p className={textStyles.soft}>
        Destinatario e testo sono stati cancellati il{' '}
        {formatListDate(mail.forgotten_at).slice(0, 10)}, come promette l’informativa privacy.
      </p>
    );
  if (mail.resend_to === null)
    return (
      <p className={textStyles.soft}>
        Per inviarlo serve un indirizzo: indicalo nella pagina dell’ordine.
      </p>
    );
  return (
    <ResendMail
      mailId={mail.mail_id}
      to={<b>{mail.resend_to}</b>}
      onSent={(mail_id) => navigate(`/settings/mail/${mail_id}`)}
    />
  );
}

interface LetterProps {
  html: string;
  text: string;
  attachments: Mail['attachments'];
}

function Letter({ html, text, attachments }: LetterProps) {
  return (
    <Panel wide className={styles.letter}>
      <h2>Come lo legge l’acquirente</h2>
      {attachments.length > 0 && (
        <ul className={styles.files} aria-label="Allegati">
          {attachments.map((file) => (
            <li key={file.name}>
              {file.path === null ? (
                file.name
              ) : (
                <a className={textStyles.out} href={file.path}>
                  <Icon name="download" size={16} /> {file.name}
                </a>
              )}{' '}
              <span className={textStyles.soft}>
                {Math.max(1, Math.round(file.bytes / 1024))} kB
              </span>
            </li>
          ))}
        </ul>
      )}
      <LetterFrame className={styles.frame} title="Messaggio" html={html} />
      <details className={styles.text}>
        <summary>Solo testo</summary>
        <pre>{text}</pre>
      </details>
    </Panel>
  );
}
