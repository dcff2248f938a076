/** Summaries for the accountant, or of one evening: on screen, on paper, as files. */
import { addressOf } from '#server/contract/endpoint.ts';
import { listEvents } from '#server/contract/events.ts';
import {
  downloadEvening,
  downloadSummary,
  exportEvening,
  exportSummary,
  readEvening,
  readSummary,
} from '#server/contract/summaries.ts';
import { noFiscalValue } from '#server/domain/papers/summary.ts';
import { dayText, daysOfSeason, romeDay, seasonOf } from '#server/domain/time/rome-clock.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { EventChoice } from '#apps/admin/door/event-choice.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { useAllPages } from '#apps/admin/kit/list/all-pages.ts';
import { useAddressFilters } from '#apps/admin/kit/list/filters.tsx';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { Conventions } from './conventions.tsx';
import { EveningTables } from './evening-tables.tsx';
import { SummaryTables } from './summary-tables.tsx';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './papers.module.css';

export function SummariesScreen() {
  const { text, set, change } = useAddressFilters();
  const events = useAllPages(listEvents, { enabled: true, refetchInterval: 60_000 });
  const event_id = text('event_id');
  const span = spanOf(text('from'), text('to'));
  return (
    <>
      <PageTitle title="Riepiloghi" />
      <Notice tone="warn" icon="info">
        <strong>{noFiscalValue}.</strong> Serve a chi tiene i conti: gli incassi si certificano con
        ricevute o con un sistema riconosciuto.
      </Notice>
      <div className={styles.span}>
        <EventChoice
          events={(events.data?.items ?? []).filter(({ status }) => status !== 'draft')}
          value={event_id}
          all="Tutti gli eventi di un periodo"
          onChoose={(id) => set('event_id', id)}
        />
        {event_id === '' && <SpanFields span={span} onChange={change} />}
      </div>
      {event_id === '' ? <Accountant span={span} /> : <Evening eventId={event_id} />}
    </>
  );
}

interface Span {
  from: string;
  to: string;
}

const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text);

/** The default is this month until today. */
function spanOf(from: string, to: string): Span {
  const today = dayText(romeDay(Date.now()));
  return {
    from: isDay(from) ? from : `${today.slice(0, 8)}01`,
    to: isDay(to) ? to : today,
  };
}

function monthBefore(): Span {
  const first = Date.parse(`${spanOf('', '').from}T12:00:00Z`);
  const to = dayText(romeDay(first) - 1);
  return { from: `${to.slice(0, 8)}01`, to };
}

function season(): Span {
  const { from, to } = daysOfSeason(seasonOf(romeDay(Date.now())));
  return { from: dayText(from), to: dayText(to) };
}

function SpanFields({
  span,
  onChange,
}: {
  span: Span;
  onChange: (span: { from: string; to: string }) => void;
}) {
  const set = (part: Partial<Span>) => onChange({ ...span, ...part });
  return (
    <>
      <TextField
        label="Dal giorno"
        type="date"
        value={span.from}
        onChange={(from) => set({ from })}
      />
      <TextField
        label="Al giorno, compreso"
        type="date"
        value={span.to}
        onChange={(to) => set({ to })}
      />
      <Button small onClick={() => onChange({ from: '', to: '' })} label="Questo mese" />
      <Button small onClick={() => onChange(monthBefore())} label="Mese scorso" />
      <Button small onClick={() => onChange(season())} label="Questa stagione" />
    </>
  );
}

interface FilesProps {
  pdf: string;
  excel: string;
  plain: string;
}

function Files({ pdf, excel, plain }: FilesProps) {
  return (
    <p className={`${textStyles.links} ${styles.files}`}>
      <a href={pdf} download>
        <Icon name="download" size={16} /> PDF
      </a>
      <a href={excel} download>
        CSV (Excel italiano)
      </a>
      <a href={plain} download>
        CSV
      </a>
    </p>
  );
}

function Accountant({ span }: { span: Span }) {
  const summary = useEndpoint(readSummary, { query: span }, { refetchInterval: 60_000 });
  return (
    <>
      <Files
        pdf={addressOf(downloadSummary, {}, { ...span })}
        excel={addressOf(exportSummary, {}, { ...span, format: 'excel' })}
        plain={addressOf(exportSummary, {}, { ...span, format: 'plain' })}
      />
      <Loaded query={summary}>{(data) => <SummaryTables summary={data} />}</Loaded>
      <Conventions span={span} />
    </>
  );
}

function Evening({ eventId }: { eventId: string }) {
  const params = { eventId };
  const evening = useEndpoint(readEvening, { params }, { refetchInterval: 60_000 });
  return (
    <>
      <Files
        pdf={addressOf(downloadEvening, params)}
        excel={addressOf(exportEvening, params, { format: 'excel' })}
        plain={addressOf(exportEvening, params, { format: 'plain' })}
      />
      <Loaded query={evening}>{(data) => <EveningTables evening={data} />}</Loaded>
    </>
  );
}
