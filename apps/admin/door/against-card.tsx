/** One guest without a valid ticket: the entry, what had become of the ticket, and the decision. */
import { useState, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { settleEntryAgainst, type listEntriesAgainst } from '#server/contract/door/against.ts';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { againstAnswers, keepingAnswer } from '#server/domain/door/against.ts';
import { formatListDate, formatTime, formatTimeWithSeconds } from '#apps/shared/format.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { formatSpan } from '#apps/admin/kit/clock.ts';
import { joinParts } from '#apps/admin/kit/join-parts.ts';
import { Notes } from '#apps/admin/kit/page/notes.tsx';
import textStyles from '#apps/admin/kit/page/text.module.css';
import { useAct } from '#apps/admin/kit/session/session.ts';
import { StateBadge } from '#apps/admin/kit/state-badge.tsx';
import { againstReasonWords, againstWords } from '#apps/admin/kit/words.ts';
import { Answers, Settled, UnsettledCard } from './unsettled-card.tsx';
import styles from './conflicts.module.css';

type Entry = ReplyOf<typeof listEntriesAgainst>['items'][number];

interface AgainstCardProps {
  entry: Entry;
  maySettle: boolean;
  onSettled: () => void;
}

export function AgainstCard({ entry, maySettle, onSettled }: AgainstCardProps) {
  const act = useAct();
  const [again, setAgain] = useState(false);
  const { settled } = entry;
  const mayChange = maySettle && settled?.as === keepingAnswer;
  return (
    <UnsettledCard scan={entry} heading="h3" badge={<Badge entry={entry} />}>
      <What entry={entry} />
      {settled !== null && !again && (
        <Settled settled={settled}>
          {mayChange && <Button small onClick={() => setAgain(true)} label="Cambia risposta" />}
        </Settled>
      )}
      {maySettle && (settled === null || again) && (
        <Answers
          scan={entry}
          question={`Che cosa fa chi è entrato, ${entry.seat}`}
          answers={answersTo(entry)}
          onAnswer={async (body) => {
            await act(settleEntryAgainst, { params: { admissionId: entry.admission_id }, body });
            setAgain(false);
            onSettled();
          }}
        >
          {settled !== null && (
            <Button look="quiet" onClick={() => setAgain(false)} label="Lascia com’era" />
          )}
        </Answers>
      )}
    </UnsettledCard>
  );
}

function Badge({ entry: { settled } }: { entry: Entry }) {
  if (settled === null) return <StateBadge tone="bad" icon="warning" word="Da decidere" />;
  const isKept = settled.as === keepingAnswer;
  return (
    <StateBadge
      tone={isKept ? 'warn' : 'good'}
      icon={isKept ? 'lock' : 'check'}
      word={isKept ? 'Resta' : againstWords[settled.as].word}
    />
  );
}

/** If the place was sold again, a guest who stays sits on another one, and no place is kept. */
function answersTo({ sold_to, settled }: Entry) {
  const stays =
    sold_to === null
      ? againstWords.stays
      : { word: 'Resta, in un altro posto', hint: 'Il posto è di chi l’ha comprato dopo.' };
  return againstAnswers
    .filter((as) => settled?.as !== as)
    .map((as) => ({ as, ...(as === keepingAnswer ? stays : againstWords[as]) }));
}

function What({ entry }: { entry: Entry }) {
  const { at, by, gate, offline, received_at, out_at, kept, sold_to, settled } = entry;
  const delay = Date.parse(received_at) - Date.parse(at);
  return (
    <div className={styles.side}>
      <p>
        <b>{gate ?? 'Senza varco'}</b> ·{' '}
        <time dateTime={at}>entrato alle {formatTimeWithSeconds(at)}</time>
      </p>
      <p className={textStyles.soft}>
        {joinParts(
          by !== gate && by,
          offline && 'senza rete',
          delay > lateMs && `arrivata dopo ${formatSpan(delay)}`,
        )}
      </p>
      <Notes
        notes={[
          {
            tone: 'bad',
            icon: 'warning',
            text: (
              <>
                {sayAgainst(entry)}. Ordine <OrderLink order={entry.order} />
              </>
            ),
          },
          sold_to !== null && {
            tone: settled === null ? 'bad' : undefined,
            icon: 'ticket',
            text: (
              <>
                Il posto è già di un altro: ordine <OrderLink order={sold_to} />
                {sold_to.buyer_name !== null && `, ${sold_to.buyer_name}`}
              </>
            ),
          },
          kept && { tone: 'warn', icon: 'lock', text: 'Il posto non è in vendita' },
          out_at !== null && {
            tone: 'good',
            icon: 'check',
            text: `Uscito alle ${formatTime(out_at)}`,
          },
        ]}
      />
    </div>
  );
}

/** A scan that arrived later than this shows its delay. */
const lateMs = 60_000;

function sayAgainst({ against, at, ended_at, minutes_after }: Entry): string {
  const reason = againstReasonWords[against];
  if (ended_at === null || minutes_after === null) return reason;
  const span = formatSpan(Math.abs(Date.parse(at) - Date.parse(ended_at)));
  const isToday = formatListDate(at).slice(0, 10) === formatListDate(ended_at).slice(0, 10);
  const when = isToday ? `alle ${formatTime(ended_at)}` : `il ${formatListDate(ended_at)}`;
  return Date.parse(at) < Date.parse(ended_at)
    ? `${reason} ${when}, ${span} dopo l’ingresso`
    : `Entrato con un ${reason.toLowerCase()} ${when}, ${span} prima`;
}

function OrderLink({
  order: { order_id, order_number },
}: {
  order: { order_id: string | null; order_number: string };
}): ReactNode {
  if (order_id === null) return <span className={textStyles.code}>{order_number}</span>;
  return (
    <Link className={textStyles.code} to={`/orders/${order_id}`}>
      {order_number}
    </Link>
  );
}
