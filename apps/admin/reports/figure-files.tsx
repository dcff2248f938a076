/** Downloads of a figure or a whole report for other programs. */
import { addressOf } from '#server/contract/endpoint.ts';
import { readReportFile } from '#server/contract/reports.ts';
import type { ReportName } from '#server/domain/report/figure.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import type { ScopeAsk } from './scope.ts';
import styles from './report.module.css';

interface FilesProps {
  report: ReportName;
  ask: ScopeAsk;
}

const formats = [
  ['xlsx', 'XLSX'],
  ['excel', 'CSV (Excel italiano)'],
  ['plain', 'CSV'],
] as const;

interface FigureFilesProps extends FilesProps {
  figure: { id: string; title: string };
}

export function FigureFiles({ report, figure, ask }: FigureFilesProps) {
  return (
    <ul className={styles.files} aria-label={`Scarica: ${figure.title}`}>
      {formats.map(([format, name]) => (
        <li key={format}>
          <a
            href={addressOf(readReportFile, { report }, { ...ask, figure: figure.id, format })}
            download
          >
            {name}
          </a>
        </li>
      ))}
    </ul>
  );
}

export function ReportFile({ report, ask }: FilesProps) {
  return (
    <a className="ui-button" href={addressOf(readReportFile, { report }, ask)} download>
      <Icon name="download" /> Scarica XLSX
    </a>
  );
}
