/** All that happened to an order, the newest first; a line opens where there is more to tell. */
import { formatListDate } from '#apps/shared/format.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { actorWords, sayEntry, type Entry } from './timeline-words.ts';

export function Timeline({ entries }: { entries: Entry[] }) {
  return (
    <section className="panel panel-wide">
      <h2>Storia</h2>
      {entries.length === 0 && <p className="soft">Nessun passaggio registrato.</p>}
      <ol className="history">
        {entries.map((entry, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- two things of one kind may happen in the same millisecond
          <li key={`${entry.at} ${entry.action} ${entries.length - index}`}>
            <Line entry={entry} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Line({ entry }: { entry: Entry }) {
  const { icon, text, more, bad } = sayEntry(entry);
  const sentence = (
    <span className={bad ? 'note-bad' : undefined}>
      <Icon name={icon} size={16} /> {text}{' '}
      <span className="soft">· {actorWords(entry.actor)}</span>
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
          <dl className="facts">
            {more.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </>
  );
}
