/**
 * The lights at the top of the health screen: the site, its providers, mail and waiting tasks.
 */
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { readHealth } from '#server/contract/health.ts';
import { formatCount } from '#apps/shared/format.ts';
import { formatAgo, formatSpan, useNow } from '#apps/admin/kit/clock.ts';
import { TechnicalDetails } from '#apps/admin/kit/page/technical-details.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { StateBadge } from '#apps/admin/kit/state-badge.tsx';
import textStyles from '#apps/admin/kit/page/text.module.css';
import { Findings } from './findings.tsx';
import { sealWords, useSeals } from './seals.tsx';
import { useMay } from '#apps/admin/kit/session/session.ts';
import { providerNames, tellReadiness } from './words.ts';
import styles from './health.module.css';

type Health = ReplyOf<typeof readHealth>;

const lightIcons = { good: 'check', warn: 'warning', bad: 'warning', neutral: 'clock' } as const;

interface LightProps {
  name: string;
  tone: keyof typeof lightIcons;
  word: string;
  children?: ReactNode;
}

function Light({ name, tone, word, children }: LightProps) {
  return (
    <div className={styles.light}>
      <dt>{name}</dt>
      <dd>
        <StateBadge tone={tone} icon={lightIcons[tone]} word={word} />
        {children !== undefined && (
          <span className={`${textStyles.soft} ${styles.more}`}>{children}</span>
        )}
      </dd>
    </div>
  );
}

/** `up` is null before the first call to the provider. */
function providerWords({
  up,
  answered,
  error,
}: {
  up: boolean | null;
  answered: string;
  error: string | null;
}): Omit<LightProps, 'name'> {
  if (up === null)
    return {
      tone: 'neutral',
      word: 'Non ancora interpellato',
      children: 'Nessuna chiamata dall’avvio.',
    };
  if (up) return { tone: 'good', word: 'Risponde', children: `Ultima risposta ${answered}.` };
  return {
    tone: 'bad',
    word: 'Non risponde',
    children: `Ultima risposta ${answered}. ${error ?? ''}`,
  };
}

function webhookWords({ silent_since, last_at }: Health['webhook']): Omit<LightProps, 'name'> {
  if (silent_since !== null) return { tone: 'bad', word: 'Non arrivano' };
  if (last_at === null) return { tone: 'neutral', word: 'Nessuno finora' };
  return { tone: 'good', word: 'Arrivano' };
}

function siteWords({ ready, maintenance_since }: Health): Omit<LightProps, 'name'> {
  if (!ready) return { tone: 'bad', word: 'In difficoltà' };
  return maintenance_since === null
    ? { tone: 'good', word: 'In funzione' }
    : { tone: 'warn', word: 'In manutenzione' };
}

/** Says how long ago something happened. */
type Ago = (at: string | null) => string;

export function Lights({ health }: { health: Health }) {
  const now = useNow(5_000);
  const { providers, webhook, mails, backlog } = health;
  const ago: Ago = (at) => (at === null ? 'mai' : formatAgo(at, now));
  return (
    <>
      <Warnings health={health} now={now} ago={ago} />
      <dl className={styles.lights}>
        <Light name="Sito" {...siteWords(health)}>
          {tellChecks(health.checks)}
        </Light>
        {providers.map(({ name, up, answered_at, error }) => (
          <Light
            key={name}
            name={providerNames[name]}
            {...providerWords({ up, answered: ago(answered_at), error })}
          />
        ))}
        <Light name="Webhook di Stripe" {...webhookWords(webhook)}>
          {webhook.last_at === null
            ? 'Arriveranno con i primi pagamenti.'
            : `Ultimo ${ago(webhook.last_at)}.`}
        </Light>
        <Mails mails={mails} ago={ago} />
        <Backlog backlog={backlog} now={now} />
        <Secrets sealed={health.secrets_sealed} />
        <Registry />
        <Attention count={health.attention} />
      </dl>
    </>
  );
}

/** The band over every screen tells of a restore. */
const hasOwnNotice: readonly string[] = ['webhook', 'restored'];

interface WarningsProps {
  health: Health;
  now: number;
  ago: Ago;
}

/** What must be corrected; missing webhooks have a notice of their own, with a count. */
function Warnings({ health, now, ago }: WarningsProps) {
  const { webhook, unbelieved_proxy: proxy } = health;
  return (
    <>
      <Findings findings={health.findings.filter(({ name }) => !hasOwnNotice.includes(name))} />
      {webhook.silent_since !== null && (
        <Notice tone="bad" role="alert">
          Nessun webhook da Stripe da{' '}
          {formatSpan(Math.max(0, now - Date.parse(webhook.silent_since)))}, ma intanto{' '}
          {formatCount(webhook.paid_since, 'ordine è stato pagato', 'ordini sono stati pagati')}.
          Gli ordini vengono confermati lo stesso, più lentamente: controlla l’indirizzo del webhook
          su Stripe.
        </Notice>
      )}
      {proxy !== null && (
        <Notice as="div" tone="warn" role="status">
          <p>
            Da {proxy.peer} arrivano visite che dicono di passare da un proxy, {ago(proxy.at)}{' '}
            l’ultima: per i limiti contano tutte come un solo visitatore.
          </p>
          <TechnicalDetails>
            <code>TRUST_PROXY</code> non lo nomina: se è il tuo proxy, scrivilo nella
            configurazione.
          </TechnicalDetails>
        </Notice>
      )}
    </>
  );
}

function Secrets({ sealed }: { sealed: boolean }) {
  return (
    <Light
      name="Segreti dei biglietti"
      tone={sealed ? 'good' : 'neutral'}
      word={sealed ? 'Sigillati' : 'In chiaro'}
    >
      {sealed
        ? 'Chi copia il database non può fare biglietti.'
        : 'Chi copia il database può fare biglietti validi.'}
      {!sealed && (
        <TechnicalDetails>
          La chiave <code>SECRETS_KEY</code> li sigilla.
        </TechnicalDetails>
      )}
    </Light>
  );
}

function Registry() {
  const seals = useSeals();
  const mayRead = useMay('see_audit');
  if (seals.data === undefined) return null;
  const { tone, word } = sealWords(seals.data);
  return (
    <Light name="Registro" tone={tone} word={word}>
      {mayRead && <Link to="/settings/registry">Apri il Registro</Link>}
    </Light>
  );
}

function Attention({ count }: { count: number }) {
  if (count === 0)
    return (
      <Light name="Da sistemare" tone="good" word="Niente">
        Niente aspetta una persona.
      </Light>
    );
  return (
    <Light name="Da sistemare" tone="warn" word={formatCount(count, 'cosa', 'cose')}>
      <Link to="/attention">Vedi che cosa ti aspetta</Link>
    </Light>
  );
}

interface MailsProps {
  mails: Health['mails'];
  ago: Ago;
}

function Mails({ mails: { leaves, failed, waiting, oldest_waiting_at }, ago }: MailsProps) {
  if (!leaves)
    return (
      <Light name="E-mail" tone="warn" word="Non spedite: posta non configurata">
        Nessuno riceve i messaggi di questo sito. <Link to="/settings/mail">Apri la posta</Link>
      </Light>
    );
  return (
    <Light
      name="E-mail"
      tone={failed > 0 ? 'warn' : 'good'}
      word={failed > 0 ? formatCount(failed, 'non inviata', 'non inviate') : 'Inviate'}
    >
      {waiting === 0
        ? 'Nessuna in attesa.'
        : `${formatCount(waiting, 'in attesa', 'in attesa')}, la prima ${ago(oldest_waiting_at)}.`}{' '}
      {failed > 0 && <Link to="/settings/mail">Apri la posta</Link>}
    </Light>
  );
}

interface BacklogProps {
  backlog: Health['backlog'];
  now: number;
}

function Backlog({ backlog: { oldest_due_at, failing, waiting }, now }: BacklogProps) {
  const lateMs = oldest_due_at === null ? 0 : now - Date.parse(oldest_due_at);
  const look =
    lateMs > 60_000
      ? ({ tone: 'bad', word: `In ritardo di ${formatSpan(lateMs)}` } as const)
      : ({ tone: failing > 0 ? 'warn' : 'good', word: 'Puntuale' } as const);
  return (
    <Light name="Lavoro in attesa" {...look}>
      {formatCount(waiting, 'operazione programmata', 'operazioni programmate')}
      {failing > 0 && `, ${formatCount(failing, 'da riprovare', 'da riprovare')}`}.
    </Light>
  );
}

function tellChecks(checks: Health['checks']): string {
  const faults = tellReadiness(checks);
  const disk =
    checks.disk_free_bytes === null
      ? ''
      : `${Math.floor(checks.disk_free_bytes / 1e9)} GB liberi su disco.`;
  return faults.length === 0 ? disk : `Attenzione: ${faults.join(', ')}. ${disk}`;
}
