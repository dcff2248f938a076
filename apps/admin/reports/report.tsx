/** One report: its figures, each with its table. */
import { useParams } from 'react-router-dom';
import { reportNames, type ReportName } from '#server/domain/report/figure.ts';
import { readReport } from '#server/contract/reports.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { Lost } from '#apps/admin/shell/layout.tsx';

const titles: Record<ReportName, string> = {
  sales: 'Vendite',
  hall: 'Sala',
  door: 'Porta',
  money: 'Soldi',
};

export function ReportScreen() {
  const { report } = useParams();
  const name = reportNames.find((known) => known === report);
  return name === undefined ? <Lost /> : <Report key={name} name={name} />;
}

function Report({ name }: { name: ReportName }) {
  const report = useEndpoint(readReport, { params: { report: name }, query: {} });
  return (
    <>
      <PageTitle title={titles[name]} />
      <Loaded query={report}>
        {({ figures }) =>
          figures.map(({ id, title }) => (
            <Panel key={id} aria-labelledby={id}>
              <h2 id={id}>{title}</h2>
            </Panel>
          ))
        }
      </Loaded>
    </>
  );
}
