/** The health screen: state of the site, its providers and its data, with actions. */
import { Link } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { readComparison, startComparison } from '#server/contract/breaks.ts';
import { checkInvariants, readHealth, readInvariants } from '#server/contract/health.ts';
import { formatCount } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { formatAgo, formatSpan, useNow } from '#apps/admin/kit/clock.ts';
import { Backups } from './backups.tsx';
import { Breaks } from './breaks.tsx';
import { Jobs } from './jobs.tsx';
import { Keys } from './keys.tsx';
import { Lights } from './lights.tsx';
import { Processes } from './processes.tsx';
import { Webhooks } from './webhooks.tsx';
import { tellSeal, tellTask } from './words.ts';
import { PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { useRefresh } from '#apps/admin/kit/refresh.ts';
import { useAct, useMay } from '#apps/admin/kit/session/session.ts';
import { LegalNotice } from '#apps/admin/kit/legal-notice.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import buttonStyles from '#apps/admin/kit/buttons.module.css';
import panelStyles from '#apps/admin/kit/page/panel.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './health.module.css';

type Invariants = ReplyOf<typeof readInvariants>;

const refresh = { refetchInterval: 10_000 };

export function HealthScreen() {
  const health = useEndpoint(readHealth, {}, refresh);
  const maySeeKeys = useMay('change_site');
  return (
    <>
      <PageTitle title="Salute" />
      <Loaded query={health}>{(data) => <Lights health={data} />}</Loaded>
      <Panel aria-labelledby="differences">
        <div className={panelStyles.title}>
          <h2 id="differences">Differenze con i fornitori</h2>
          <Comparison />
        </div>
        <Breaks />
      </Panel>
      <Panel aria-labelledby="backups">
        <Backups />
      </Panel>
      <Panel aria-labelledby="invariants">
        <InvariantsPanel />
      </Panel>
      <Panel aria-labelledby="jobs">
        <Jobs />
      </Panel>
      <Panel aria-labelledby="processes">
        <Loaded query={health}>{(data) => <Processes health={data} />}</Loaded>
      </Panel>
      <Panel>
        <Webhooks />
      </Panel>
      {maySeeKeys && <Keys />}
      <div className={styles.legal}>
        <LegalNotice />
      </div>
    </>
  );
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
      <div className={panelStyles.title}>
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

/** Broken rules come first, each with its orders; the others fold into one line. */
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
                  <span key={subject}>{tellSubject(item.about, subject)}</span>
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

function tellSubject(about: Invariants['items'][number]['about'], subject: string): string {
  if (about === 'task') return tellTask(subject);
  return about === 'seal' ? tellSeal(subject) : subject;
}

function tellKept(rules: number, broken: number): string {
  return broken === 0
    ? `Tutte le ${rules} regole sono rispettate`
    : `${rules - broken} regole su ${rules} sono rispettate`;
}
