/** One report: its scope, when it was counted, and its figures. */
import { keepPreviousData } from '@tanstack/react-query';
import { Link, useParams } from 'react-router-dom';
import { reportNames, type Figure, type ReportName } from '#server/domain/report/figure.ts';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { listOrders } from '#server/contract/order/orders.ts';
import { readReport } from '#server/contract/reports.ts';
import { CallError } from '#apps/shared/api.ts';
import { formatListDate, formatTime } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import type { IconName } from '#apps/shared/ui/icon.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { useNow } from '#apps/admin/kit/clock.ts';
import { Empty, Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { PageNotFound } from '#apps/admin/shell/layout.tsx';
import { useMay } from '#apps/admin/kit/session/session.ts';
import textStyles from '#apps/admin/kit/page/text.module.css';
import { FigureFiles, ReportFile } from './figure-files.tsx';
import { FigurePanel } from './figure.tsx';
import { isNothing } from './plot-data.ts';
import { printReport, usePrinting } from './printing.ts';
import { ScopeBar } from './scope-bar.tsx';
import { useScope, type ReportScope } from './scope.ts';
import styles from './report.module.css';

const titles: Record<ReportName, string> = {
  sales: 'Vendite',
  hall: 'Sala',
  door: 'Porta',
  money: 'Soldi',
};

const nothing: Record<ReportName, { icon: IconName; title: string }> = {
  sales: { icon: 'bars', title: 'Non si è ancora venduto nulla.' },
  hall: { icon: 'armchair', title: 'Non c’è ancora una sala da guardare.' },
  door: { icon: 'door', title: 'Alla porta non è ancora entrato nessuno.' },
  money: { icon: 'wallet', title: 'Non è ancora passato denaro.' },
};

const renewMs = 15_000;

type Reply = ReplyOf<typeof readReport>;

export function ReportScreen() {
  const { report } = useParams();
  const name = reportNames.find((known) => known === report);
  return name === undefined ? <PageNotFound /> : <Report key={name} name={name} />;
}

function Report({ name }: { name: ReportName }) {
  const scope = useScope();
  const report = useEndpoint(
    readReport,
    { params: { report: name }, query: scope.ask },
    { refetchInterval: renewMs, placeholderData: keepPreviousData },
  );
  const faults = faultsOf(report.error);
  const hasFigures = faults.length === 0 && (report.data?.figures.length ?? 0) > 0;
  return (
    <div className={styles.report}>
      <PageTitle title={titles[name]}>
        {hasFigures && <ReportFile report={name} ask={scope.ask} />}
        <Button icon="print" label="Stampa" onClick={printReport} />
      </PageTitle>
      <ScopeBar scope={scope} against={report.data?.against ?? null} />
      {faults.length > 0 ? (
        <Faults faults={faults} scope={scope} />
      ) : (
        <Loaded query={report}>
          {(data) => (
            <div aria-busy={report.isPlaceholderData} className={styles.body}>
              <Head data={data} scope={scope} />
              <Figures name={name} data={data} scope={scope} />
            </div>
          )}
        </Loaded>
      )}
    </div>
  );
}

/** The server's sentences about a scope that is not possible. */
function faultsOf(error: Error | null): string[] {
  if (!(error instanceof CallError) || error.status !== 400) return [];
  const { faults } = (error.detail ?? {}) as { faults?: unknown };
  const said = Object.values(faults ?? {}).filter((fault) => typeof fault === 'string');
  return said.length > 0 ? said : [error.message];
}

function Faults({ faults, scope }: { faults: readonly string[]; scope: ReportScope }) {
  return (
    <Notice as="div" tone="warn" role="alert">
      <p>{faults.join(' ')}</p>
      {scope.ask.against === undefined ? (
        <Button small onClick={() => scope.choose({})} label="Mostra la stagione" />
      ) : (
        <Button small onClick={() => scope.compare('')} label="Togli il confronto" />
      )}
    </Notice>
  );
}

function Head({ data, scope }: { data: Reply; scope: ReportScope }) {
  const maySeeOrders = useMay(listOrders.who);
  const { event_id, show_id } = scope.ask;
  return (
    <div className={styles.head}>
      <h2>{data.name}</h2>
      {data.against !== null && <p>a confronto con {data.against}</p>}
      <p className={textStyles.soft}>{useCounted(data.counted_at)}</p>
      {event_id !== undefined && (
        <p className={styles.ways}>
          <Link to={`/events/${encodeURIComponent(event_id)}`}>Evento</Link>
          {maySeeOrders && (
            <Link to={`/events/${encodeURIComponent(event_id)}/orders`}>Ordini</Link>
          )}
        </p>
      )}
      {show_id !== undefined && (
        <p className={styles.ways}>
          <Link to={`/shows/${encodeURIComponent(show_id)}`}>Tutte le date</Link>
        </p>
      )}
    </div>
  );
}

const dayMs = 86_400_000;

/** The time alone would not say the day on paper, or the next morning. */
function useCounted(counted_at: string): string {
  const isPrinting = usePrinting();
  const isOld = useNow(60_000) - Date.parse(counted_at) > dayMs / 2;
  if (isPrinting || isOld) return `Contato il ${formatListDate(counted_at)}`;
  return `Contato alle ${formatTime(counted_at)}`;
}

function Figures({ name, data, scope }: { name: ReportName; data: Reply; scope: ReportScope }) {
  const figures: readonly Figure[] = data.figures;
  if (figures.every((figure) => figure.rows.length === 0 || isNothing(figure)))
    return (
      <Empty {...nothing[name]}>
        <p>Qui sopra puoi scegliere un’altra stagione, un periodo, uno spettacolo o un evento.</p>
      </Empty>
    );
  return (
    <div className={styles.figures}>
      {figures.map((figure) => (
        <FigurePanel
          key={figure.id}
          figure={figure}
          eventId={scope.ask.event_id ?? null}
          files={<FigureFiles report={name} figure={figure} ask={scope.ask} />}
        />
      ))}
    </div>
  );
}
