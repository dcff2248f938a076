/** The answers to a moved or cancelled evening, order by order: counts, filters, file, acts. */
import { Link, useParams } from 'react-router-dom';
import { addressOf } from '#server/contract/endpoint.ts';
import { exportDateAnswers, listDateAnswers } from '#server/contract/date-answers.ts';
import { answerNames } from '#server/domain/event/answer-words.ts';
import { answerFilters, answersTo } from '#server/domain/event/date-answers.ts';
import { formatCount } from '#apps/shared/format.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { FreshDownload } from '#apps/admin/kit/fresh-download.tsx';
import { FilterBar } from '#apps/admin/kit/list/filter-bar.tsx';
import { Choice, useAddressFilters, withoutEmpty } from '#apps/admin/kit/list/filters.tsx';
import { PagedList, usePages } from '#apps/admin/kit/list/paged-list.tsx';
import { Empty } from '#apps/admin/kit/page/loaded.tsx';
import { useChosen } from '#apps/admin/order/bulk.tsx';
import { useMay } from '#apps/admin/kit/session/session.ts';
import textStyles from '#apps/admin/kit/page/text.module.css';
import guestStyles from '#apps/admin/event/guests.module.css';
import styles from './answers.module.css';
import { AnswerCounts, type Question } from './counts.tsx';
import { AnswerTable } from './table.tsx';
import { TransferPanel } from './transfer.tsx';

export function AnswersScreen() {
  const { eventId } = useParams() as { eventId: string };
  const filters = useAnswerFilters();
  const ask = { params: { eventId }, query: filters.query };
  const answers = usePages(listDateAnswers, ask, 15_000);
  const chosen = useChosen();
  const question = answers.data?.pages[0]?.question ?? null;
  return (
    <>
      {question !== null && (
        <>
          <div className={styles.counts}>
            <AnswerCounts eventId={eventId} question={question} />
          </div>
          <div className={styles.counts}>
            <TransferPanel {...{ eventId, question, chosen }} />
          </div>
          <AnswerSearch filters={filters} question={question} />
          <Files eventId={eventId} filters={filters} />
        </>
      )}
      <PagedList
        pages={answers}
        end={(rows) => `${formatCount(rows, 'ordine', 'ordini')} in tutto`}
      >
        {(rows, first) => {
          if (first.question === null) return <NeverAsked />;
          if (rows.length === 0) return <NoAnswers filters={filters} />;
          return <AnswerTable {...{ rows, chosen }} question={first.question} />;
        }}
      </PagedList>
    </>
  );
}

type Filters = ReturnType<typeof useAnswerFilters>;

function useAnswerFilters() {
  const { text, oneOf, set, clear } = useAddressFilters();
  const query = withoutEmpty({ q: text('q'), answer: oneOf('answer', answerFilters) });
  return { query, set, clear };
}

function AnswerSearch({
  filters: { query, set },
  question: { kind },
}: {
  filters: Filters;
  question: Question;
}) {
  const known = [...answersTo[kind], 'exchange', 'silent'] as const;
  return (
    <FilterBar
      query={query}
      set={set}
      label="Cerca per nome, e-mail, telefono o numero d’ordine"
      hint="Nome, ordine o telefono"
    >
      <Choice
        label="Risposta"
        all="Tutte le risposte"
        value={query.answer ?? ''}
        onChange={(value) => set('answer', value)}
        options={known.map((name) => [name, answerNames[name]])}
      />
    </FilterBar>
  );
}

function Files({ eventId, filters }: { eventId: string; filters: Filters }) {
  const file = (format: 'excel' | 'plain') =>
    addressOf(exportDateAnswers, { eventId }, { format, ...filters.query });
  if (!useMay(exportDateAnswers.who)) return null;
  return (
    <div className={guestStyles.files}>
      <p className={textStyles.links}>
        <FreshDownload href={file('excel')}>CSV (Excel italiano)</FreshDownload>
        <FreshDownload href={file('plain')}>CSV</FreshDownload>
      </p>
    </div>
  );
}

function NoAnswers({ filters }: { filters: Filters }) {
  if (Object.keys(filters.query).length > 0)
    return (
      <Empty icon="search" title="Nessun ordine trovato.">
        <Button onClick={filters.clear} label="Mostra tutti" />
      </Empty>
    );
  return <Empty icon="ticket" title="Non c’era nessun ordine a cui chiedere." />;
}

function NeverAsked() {
  return (
    <Empty icon="ticket" title="Agli acquirenti di questo evento non è stato chiesto nulla.">
      <Link to="..">Torna all’evento</Link>
    </Empty>
  );
}
