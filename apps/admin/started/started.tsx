/**
 * «Attività avviate»: what persons have started and the server carries on, with progress and stop.
 * The machine's own queue is «Lavori in attesa», in Salute.
 */
import { Link } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { listStarted } from '#server/contract/started.ts';
import { formatListDate, formatTimeWithSeconds } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { nameOfEvent } from '#apps/admin/kit/date-name.ts';
import { Empty, Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { Intro, PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { Progress } from '#apps/admin/kit/progress.tsx';
import { StateBadge } from '#apps/admin/kit/state-badge.tsx';
import { useRunning } from '#apps/admin/shell/started-link.tsx';
import { StartedActs } from './acts.tsx';
import {
  adviceOn,
  isFile,
  kindWords,
  pageOf,
  startedTroubleWords,
  startedWords,
  type Started,
} from './words.ts';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './started.module.css';

type List = ReplyOf<typeof listStarted>;

export function StartedScreen() {
  // While nothing runs, only the number in the navigation is asked for.
  const running = useRunning();
  const list = useEndpoint(
    listStarted,
    {},
    {
      refetchInterval: ({ state }) => (running + (state.data?.running ?? 0) > 0 ? 3_000 : false),
    },
  );
  return (
    <>
      <PageTitle title="Attività avviate" />
      <Intro>
        Messaggi, rimborsi, cambi di sala, file lunghi e importazioni che qualcuno di voi ha
        avviato. Vanno avanti da soli anche se chiudi la pagina; solo un file si ferma, se chiudi il
        browser che lo scarica.
      </Intro>
      <Loaded query={list}>{(data) => <Told list={data} />}</Loaded>
    </>
  );
}

function Told({ list: { items, at } }: { list: List }) {
  const isOpen = ({ state, resume }: Started) =>
    state === 'running' || state === 'waiting' || resume;
  const [open, ended] = [items.filter(isOpen), items.filter((item) => !isOpen(item))];
  return (
    <>
      {open.length === 0 ? (
        <Empty icon="check" title="Non c’è niente in corso.">
          <p>Quando avviate qualcosa di lungo, qui vedete a che punto è e lo potete fermare.</p>
        </Empty>
      ) : (
        <Section id="open" title="Non ancora finite" items={open} at={at} />
      )}
      {ended.length > 0 && (
        <Section id="ended" title="Degli ultimi sette giorni" items={ended} at={at} />
      )}
    </>
  );
}

function Section({
  id,
  title,
  items,
  at,
}: {
  id: string;
  title: string;
  items: Started[];
  at: string;
}) {
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul className={styles.list}>
        {items.map((item) => (
          <Row key={`${item.kind} ${item.work_id}`} item={item} at={at} />
        ))}
      </ul>
    </section>
  );
}

function Row({ item, at }: { item: Started; at: string }) {
  const { kind, state, title, actor, own, started_at, ended_at, said, trouble } = item;
  const advice = adviceOn(item);
  return (
    <li className={styles.row}>
      <div className={styles.head}>
        <h3>
          <Link to={pageOf(item)} data-row>
            {kindWords[kind].name}
            {title !== null && `: «${title}»`}
          </Link>
        </h3>
        <StateBadge {...startedWords[state]} />
      </div>
      <p className={textStyles.soft}>
        {item.event_title !== null && `${nameOfEvent(item)} · `}
        da {own ? 'te' : actor}, <time dateTime={started_at}>{formatListDate(started_at)}</time>
        {ended_at !== null && state !== 'called_off' && (
          <>
            , fine <time dateTime={ended_at}>{formatListDate(ended_at)}</time>
          </>
        )}
      </p>
      <Course item={item} at={at} />
      {trouble !== null && <Notice tone="warn">{startedTroubleWords[trouble]}</Notice>}
      {said !== null && <Notice tone="bad">{said}</Notice>}
      {advice !== null && <p>{advice}</p>}
      <div className={styles.acts}>
        <StartedActs item={item} />
        <Link to={pageOf(item)}>{linkWords(item)}</Link>
      </div>
    </li>
  );
}

function Course({ item, at }: { item: Started; at: string }) {
  const { kind, state, unit, done, total, failed, begins_at, moved_at, started_at, ended_at } =
    item;
  if (state === 'waiting' && kind === 'rehousing' && begins_at !== null)
    return (
      <p>I posti sono presi. Si può annullare fino alle {formatTimeWithSeconds(begins_at)}.</p>
    );
  if (state === 'waiting' && begins_at !== null)
    return (
      <p>Comincia alle {formatTimeWithSeconds(begins_at)}: fino ad allora si può annullare.</p>
    );
  if (unit === null || state === 'called_off') return null;
  return (
    <>
      <Progress
        label={kindWords[kind].name}
        unit={unit}
        done={done}
        total={total}
        ended={ended_at !== null || state === 'broken'}
        course={
          state === 'running' && kind !== 'rehousing' ? { started_at, moved_at, at } : undefined
        }
      />
      {failed > 0 && (
        <p className={textStyles.bad}>Non riusciti: {failed.toLocaleString('it-IT')}</p>
      )}
    </>
  );
}

function linkWords(item: Started): string {
  if (item.state === 'partly') return 'Vedi che cosa non è riuscito';
  if (isFile(item)) return item.state === 'running' ? 'Vai alla pagina' : 'Scaricalo di nuovo';
  return item.state === 'broken' || item.state === 'failed'
    ? 'Avvialo di nuovo'
    : 'Vedi i dettagli';
}
