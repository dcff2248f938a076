/** The live codes of a rule on paper, each with the QR code of its link; only seen in print. */
import { createPortal } from 'react-dom';
import { formatLongDate } from '#apps/shared/format.ts';
import { QrCode } from '#apps/shared/ui/qr-code.tsx';
import { codeLink } from '#apps/admin/kit/code-link.ts';
import { usePrintOnce } from '#apps/admin/kit/page/print-once.ts';
import paperStyles from '#apps/admin/kit/page/paper.module.css';
import type { RuleCode } from './code-words.ts';
import type { KnownRule, RulesDesk } from './owner.ts';
import styles from './rules.module.css';

export interface CodePaper {
  rule: KnownRule;
  date: RulesDesk['dates'][number];
  codes: readonly RuleCode[];
}

export function CodeSheets({ paper, onPrinted }: { paper: CodePaper; onPrinted: () => void }) {
  const { rule, date, codes } = paper;
  usePrintOnce(onPrinted);
  const main = document.querySelector('main');
  if (main === null) return null;
  return createPortal(
    <div>
      <div className={paperStyles.paper}>
        <h1>{rule.rule.name}</h1>
        <p>
          {date.title}, {formatLongDate(date.starts_at)}
        </p>
        <ul className={styles.sheet}>
          {codes.map(({ code_id, spelling, holder }) => (
            <li key={code_id}>
              <QrCode text={codeLink(date, spelling)} label={`Link del codice ${spelling}`} />
              <b>{spelling}</b>
              {holder !== null && <span>{holder}</span>}
            </li>
          ))}
        </ul>
      </div>
    </div>,
    main,
  );
}
