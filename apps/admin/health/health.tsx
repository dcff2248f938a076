/** The health screen: state of the site, its providers and its data, and what can be done about problems. */
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { readComparison, startComparison } from '#server/contract/breaks.ts';
import { checkInvariants, readHealth, readInvariants } from '#server/contract/health.ts';
import { formatCount } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { formatAgo, formatSpan, useNow } from '#apps/admin/kit/clock.ts';
import { Breaks } from './breaks.tsx';
import { Visits } from './visits.tsx';
import { providerNames, tellReadiness, tellTask } from './words.ts';
import { PageTitle } from '#apps/admin/kit/page-title.tsx';
import { Loaded } from '#apps/admin/kit/loaded.tsx';
import { useRefresh } from '#apps/admin/kit/refresh.ts';
import { useAct } from '#apps/admin/shell/session.ts';
import { Notice } from '#apps/admin/kit/notice.tsx';
import { Panel } from '#apps/admin/kit/panel.tsx';
import { StateBadge } from '#apps/admin/kit/state-badge.tsx';
import buttonStyles from '#apps/admin/kit/buttons.module.css';
import textStyles from '#apps/admin/kit/text.module.css';
import styles from './health.module.css';

type Health = ReplyOf<typeof readHealth>;
type Invariants = ReplyOf<typeof readInvariants>;

const refresh = { refetchInterval: 10_000 };

export function HealthScreen() {
  const health = useEndpoint(readHealth, {}, refresh);
  return (
    <>
      <PageTitle title="Salute" />
      <Loaded query={health}>{(data) => <Lights health={data} />}</Loaded>
      <Panel aria-labelledby="differences">
        <div className={styles.head}>
          <h2 id="differences">Differenze con i fornitori</h2>
          <Comparison />
        </div>
        <Breaks />
      </Panel>
      <Panel aria-labelledby="invariants">
        <InvariantsPanel />
      </Panel>
      <Visits />
    </>
  );
}

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

/** `up` is null before the first call. */
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

function Lights({ health }: { health: Health }) {
  const now = useNow(5_000);
  const { providers, webhook, mails, backlog, checks } = health;
  const ago = (at: string | null) => (at === null ? 'mai' : formatAgo(at, now));
  return (
    <>
      {webhook.silent_since !== null && (
        <Notice tone="bad" role="alert">
          Nessun webhook da Stripe da{' '}
          {formatSpan(Math.max(0, now - Date.parse(webhook.silent_since)))}, ma intanto{' '}
          {formatCount(webhook.paid_since, 'ordine è stato pagato', 'ordini sono stati pagati')}.
          Gli ordini vengono confermati lo stesso, più lentamente: controlla l’indirizzo del webhook
          su Stripe.
        </Notice>
      )}
      <dl className={styles.lights}>
        <Light
          name="Sito"
          tone={health.ready ? 'good' : 'bad'}
          word={health.ready ? 'In funzione' : 'In difficoltà'}
        >
          {tellChecks(checks)}
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
        <Light
          name="Da sistemare"
          tone={health.attention > 0 ? 'warn' : 'good'}
          word={health.attention > 0 ? formatCount(health.attention, 'cosa', 'cose') : 'Niente'}
        >
          {health.attention > 0 ? (
            <Link to="/attention">Vedi che cosa ti aspetta</Link>
          ) : (
            'Niente aspetta una persona.'
          )}
        </Light>
      </dl>
    </>
  );
}

interface MailsProps {
  mails: Health['mails'];
  ago: (at: string | null) => string;
}

function Mails({ mails: { failed, waiting, oldest_waiting_at }, ago }: MailsProps) {
  return (
    <Light
      name="E-mail"
      tone={failed > 0 ? 'warn' : 'good'}
      word={failed > 0 ? formatCount(failed, 'non inviata', 'non inviate') : 'Inviate'}
    >
      {waiting === 0
        ? 'Nessuna in attesa.'
        : `${formatCount(waiting, 'in attesa', 'in attesa')}, la prima ${ago(oldest_waiting_at)}.`}{' '}
      {failed > 0 && <Link to="/mailbox">Apri la posta</Link>}
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

function Comparison() {
  const comparison = useEndpoint(readComparison, {}, { refetchInterval: 3_000 });
  const act = useAct();
  const renew = useRefresh();
  const now = useNow(5_000);
  const { data } = comparison;
  if (data === undefined) return null;
  return (
    <>
      <span className={textStyles.soft}>{tellComparison(data, now)}</span>
      <AsyncButton
        className={buttonStyles.small}
        disabled={data.running}
        onClick={async () => {
          await act(startComparison, {});
          renew();
        }}
      >
        Confronta adesso
      </AsyncButton>
    </>
  );
}

function tellComparison(
  { running, finished_at }: ReplyOf<typeof readComparison>,
  now: number,
): string {
  if (running) return 'Confronto in corso…';
  if (finished_at === null) return 'Il primo confronto è questa notte alle 4.';
  return `Ultimo confronto: ${formatAgo(finished_at, now)}.`;
}

function InvariantsPanel() {
  const invariants = useEndpoint(readInvariants, {}, { refetchInterval: 30_000 });
  const act = useAct();
  const now = useNow(5_000);
  const checked = invariants.data?.items[0]?.checked_at ?? null;
  return (
    <>
      <div className={styles.head}>
        <h2 id="invariants">Conti in ordine</h2>
        <span className={textStyles.soft}>
          {checked === null
            ? 'Non ancora controllati.'
            : `Ultimo controllo: ${formatAgo(checked, now)}.`}
        </span>
        <AsyncButton
          className={buttonStyles.small}
          onClick={async () => {
            await act(checkInvariants, {});
            await invariants.refetch();
          }}
        >
          Controlla adesso
        </AsyncButton>
      </div>
      <Loaded query={invariants}>
        {(data) => <InvariantList data={data} checked={checked} />}
      </Loaded>
    </>
  );
}

interface InvariantListProps {
  data: Invariants;
  checked: string | null;
}

/** The broken ones first, with whom they concern; the rest is one line that opens. */
function InvariantList({ data: { items, broken }, checked }: InvariantListProps) {
  const now = useNow(30_000);
  return (
    <>
      {items
        .filter((item) => item.violations > 0)
        .map((item) => (
          <Notice key={item.name} as="div" tone="bad">
            <p>
              <b>Non è vero che: {item.words.charAt(0).toLowerCase() + item.words.slice(1)}.</b>{' '}
              {formatCount(item.violations, 'caso', 'casi')}, da{' '}
              {item.broken_since === null
                ? 'poco'
                : formatSpan(Math.max(0, now - Date.parse(item.broken_since)))}
              .
            </p>
            <p className={styles.sample}>
              {item.sample.map((subject) =>
                item.about === 'order' ? (
                  <Link key={subject} to={`/orders/${subject}`}>
                    {subject}
                  </Link>
                ) : (
                  <span key={subject}>{item.about === 'task' ? tellTask(subject) : subject}</span>
                ),
              )}
            </p>
          </Notice>
        ))}
      <details className={styles.invariants}>
        <summary>
          {checked === null ? `${items.length} regole` : tellKept(items.length, broken)}
        </summary>
        <ul>
          {items
            .filter((item) => item.violations === 0)
            .map((item) => (
              <li key={item.name}>
                <Icon name="check" size={16} /> {item.words}
              </li>
            ))}
        </ul>
      </details>
    </>
  );
}

function tellKept(rules: number, broken: number): string {
  return broken === 0
    ? `Tutte le ${rules} regole sono rispettate`
    : `${rules - broken} regole su ${rules} sono rispettate`;
}
