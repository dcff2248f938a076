/** What a supervisor's consent overrules: the verdict of the steward's phone, above the seat. */
import { verdictAsked, type Question } from '#server/domain/door/approval.ts';
import { verdictWords } from '#apps/shared/verdict-words.ts';
import { phone } from '#apps/scanner/scan/phone.ts';
import parts from '#apps/scanner/screens/parts.module.css';
import { SeatWords, VerdictIcon } from '#apps/scanner/screens/scan/verdict/verdict-parts.tsx';
import styles from './asked-verdict.module.css';

interface AskedVerdictProps {
  question: Question;
  /** In one line, because the code and the camera need the room. */
  inLine?: boolean;
}

export function AskedVerdict({ question, inLine = false }: AskedVerdictProps) {
  const verdict = verdictAsked(question);
  const words = verdict && verdictWords[verdict];
  if (inLine)
    return (
      <p className={styles.line}>
        {words && (
          <>
            <strong className={parts[words.tone]} data-overrules={verdict}>
              {words.big}
            </strong>
            {' · '}
          </>
        )}
        <SeatWords seat={phone.seatAskedAbout(question)} />
      </p>
    );
  return (
    <div className={styles.asked}>
      {words && (
        <p className={`${styles.verdict} ${parts[words.tone]}`} data-overrules={verdict}>
          <VerdictIcon path={words.icon} className={styles.icon} />
          <strong>{words.big}</strong>
        </p>
      )}
      <p className={styles.seat}>
        <SeatWords seat={phone.seatAskedAbout(question)} />
      </p>
    </div>
  );
}
