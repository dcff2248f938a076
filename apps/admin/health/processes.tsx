/** The servers of this house with their versions, and where a security release is announced. */
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { readHealth } from '#server/contract/health.ts';
import { formatDate } from '#apps/shared/format.ts';
import { formatAgo, formatSpan, useNow } from '#apps/admin/kit/clock.ts';
import { StateBadge } from '#apps/admin/kit/state-badge.tsx';
import panelStyles from '#apps/admin/kit/page/panel.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './health.module.css';

type Health = ReplyOf<typeof readHealth>;

export function Processes({ health }: { health: Health }) {
  // A server of 1.0.0 does not tell them, while an upgrade goes on.
  const { version, released, processes, releases = [] } = health;
  const now = useNow(5_000);
  return (
    <>
      <div className={panelStyles.title}>
        <h2 id="processes">Processi</h2>
        <span className={textStyles.soft}>
          Questa versione, la {version}, è del {formatDate(released)}.
        </span>
      </div>
      <ul className={styles.rows}>
        {processes.map((one) => (
          <ProcessRow key={`${one.host} ${one.pid} ${one.started_at}`} process={one} now={now} />
        ))}
      </ul>
      {releases.length > 1 && (
        <p className={textStyles.soft}>
          Qui sono partite la prima volta:{' '}
          {releases
            .map((one) => `la ${one.version} il ${formatDate(one.first_started_at)}`)
            .join(', ')}
          .
        </p>
      )}
      <p className={textStyles.soft}>
        Le versioni che correggono la sicurezza sono annunciate dove si prende il programma, nella
        pagina sulla sicurezza: conviene farsene avvisare.
      </p>
    </>
  );
}

interface ProcessRowProps {
  process: Health['processes'][number];
  now: number;
}

function ProcessRow({ process, now }: ProcessRowProps) {
  const { version, host, pid, started_at, last_beat_at, beats } = process;
  return (
    <li className={styles.row}>
      <h3>
        Versione {version}{' '}
        {beats ? (
          <StateBadge tone="good" icon="check" word="Acceso" />
        ) : (
          <StateBadge tone="warn" icon="warning" word="Non dà segni" />
        )}
      </h3>
      <p className={textStyles.soft}>
        {host}, processo {pid}: acceso da {formatSpan(Math.max(0, now - Date.parse(started_at)))},
        ultimo segno {formatAgo(last_beat_at, now)}.
      </p>
    </li>
  );
}
