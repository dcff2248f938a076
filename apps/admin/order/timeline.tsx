/** The history of an order, newest first; lines with details can be opened. */
import { formatListDate } from '#apps/shared/format.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { actorWords, sayEntry, type Entry } from './timeline-words.ts';
import { Fact, Facts } from '#apps/admin/kit/page/facts.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './timeline.module.css';

export function Timeline({ entries }: { entries: Entry[] }) {
  return (
    <Panel wide>
      <h2>Storia</h2>
      {entries.length === 0 && <p className={textStyles.soft}>Nessun passaggio registrato.</p>}
      <ol className={styles.history}>
        {entries.map((entry, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- a kind may repeat at once
          <li key={`${entry.at} ${entry.action} ${entries.length - index}`}>
            <Line entry={entry} />
          </li>
        ))}
      </ol>
    </Panel>
  );
}

function Line({ entry }: { entry: Entry }) {
  const { icon, text, more, bad } = sayEntry(entry);
  const sentence = (
    <span className={bad ? textStyles.bad : undefined}>
      <Icon name={icon} size={16} /> {text}{' '}
      <span className={textStyles.soft}>· {actorWords(entry.actor)}</span>
    </span>
  );
  return (
    <>
      <time dateTime={entry.at}>{formatListDate(entry.at)}</time>
      {more.length === 0 ? (
        sentence
      ) : (
        <details>
          <summary>{sentence}</summary>
          <Facts>
            {more.map(([name, value]) => (
              <Fact key={name} name={name}>
                {value}
              </Fact>
            ))}
          </Facts>
        </details>
      )}
    </>
  );
}
