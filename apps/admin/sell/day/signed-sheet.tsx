/** A signed closing of a day, with its paper and its file. */
import { addressOf } from '#server/contract/endpoint.ts';
import { downloadDaySheet, exportDaySheet } from '#server/contract/days.ts';
import { formatListDate } from '#apps/shared/format.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { joinClasses } from '#apps/admin/kit/join-classes.ts';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import textStyles from '#apps/admin/kit/page/text.module.css';
import type { DaySheet } from './sheet.ts';
import { DayTables } from './day-tables.tsx';
import styles from '#apps/admin/sell/sell.module.css';
import dayStyles from './day.module.css';

interface SignedSheetProps {
  day: string;
  sheet: DaySheet['signed'][number];
}

export function SignedSheet({ day, sheet }: SignedSheetProps) {
  const { nth, corrects, signed_by, signed_at, handed_to, difference_reason } = sheet;
  const which = { day, nth: String(nth) };
  return (
    <section className={dayStyles.sheet} aria-labelledby={`sheet-${nth}`}>
      <h2 id={`sheet-${nth}`}>
        Foglio {nth}
        {corrects !== null && `, corregge il foglio ${corrects}`}
      </h2>
      <Notice tone="good">
        Firmato da {signed_by} il {formatListDate(signed_at)}. Consegnato per la banca a {handed_to}
        .{difference_reason !== null && ` Perché non torna: ${difference_reason}`}
      </Notice>
      <p className={joinClasses(textStyles.links, styles.actions)}>
        <a href={addressOf(downloadDaySheet, {}, which)} download>
          <Icon name="download" size={16} /> PDF
        </a>
        <a href={addressOf(exportDaySheet, {}, { ...which, format: 'excel' })} download>
          CSV (Excel italiano)
        </a>
        <a href={addressOf(exportDaySheet, {}, { ...which, format: 'plain' })} download>
          CSV
        </a>
      </p>
      <DayTables sheet={sheet} />
    </section>
  );
}
