/** One scan in doubt: what it says, why it does not count, and the office's decision. */
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { settleDoubt, type listDoubts } from '#server/contract/door/doubts.ts';
import type { DoubtAnswer } from '#server/domain/door/doubt.ts';
import { formatListSeconds } from '#apps/shared/format.ts';
import { useAct } from '#apps/admin/kit/session/session.ts';
import { doubtWords } from '#apps/admin/kit/words.ts';
import { Notes } from '#apps/admin/kit/page/notes.tsx';
import { StateBadge } from '#apps/admin/kit/state-badge.tsx';
import { joinParts } from '#apps/admin/kit/join-parts.ts';
import textStyles from '#apps/admin/kit/page/text.module.css';
import { Answers, Settled, UnsettledCard, type Answer } from './unsettled-card.tsx';
import styles from './conflicts.module.css';

type Doubtful = ReplyOf<typeof listDoubts>['items'][number];

interface DoubtCardProps {
  doubt: Doubtful;
  maySettle: boolean;
  onSettled: () => void;
}

const answers: readonly Answer<DoubtAnswer>[] = [
  {
    as: 'counts',
    word: 'Vale',
    hint: 'Conta come ogni altra lettura; si può annullare in Letture.',
  },
  { as: 'counts_not', word: 'Non vale', hint: 'Resta scritta, e non conta.' },
];

export function DoubtCard({ doubt, maySettle, onSettled }: DoubtCardProps) {
  const act = useAct();
  const { settled } = doubt;
  return (
    <UnsettledCard
      scan={doubt}
      heading="h3"
      badge={
        settled === null ? (
          <StateBadge tone="warn" icon="warning" word="In dubbio" />
        ) : (
          <StateBadge tone="neutral" icon="cross" word="Non vale" />
        )
      }
    >
      <Scan doubt={doubt} />
      {settled !== null && <Settled settled={settled} />}
      {maySettle && (
        <Answers
          scan={doubt}
          question={`Questa lettura vale? ${doubt.seat}`}
          answers={answers.filter(({ as }) => settled === null || as === 'counts')}
          onAnswer={async (body) => {
            await act(settleDoubt, { params: { admissionId: doubt.admission_id }, body });
            onSettled();
          }}
        />
      )}
    </UnsettledCard>
  );
}

function Scan({ doubt }: { doubt: Doubtful }) {
  return (
    <div className={styles.side}>
      <p>
        <b>{whatItSays(doubt)}</b> · <time dateTime={doubt.at}>{formatListSeconds(doubt.at)}</time>
      </p>
      <p className={textStyles.soft}>
        {joinParts(
          doubt.by,
          doubt.gate !== doubt.by && doubt.gate,
          `ricevuta ${formatListSeconds(doubt.received_at)}`,
        )}
      </p>
      <Notes
        notes={[
          doubt.note !== null && { icon: 'edit', text: doubt.note },
          { tone: 'warn', icon: 'warning', text: doubtWords[doubt.doubt] },
        ]}
      />
    </div>
  );
}

function whatItSays({ verdict, direction, annuls }: Doubtful): string {
  if (verdict !== 'undone') return direction === 'in' ? 'Ingresso' : 'Uscita';
  if (annuls === null) return 'Annullamento';
  return `Annullamento della lettura di ${annuls.by}`;
}
