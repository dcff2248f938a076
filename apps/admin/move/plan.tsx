/** The effect of a move, computed by the server: the difference, obstacles, the button. */
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { moveTickets, quoteMove } from '#server/contract/order/moves.ts';
import { moveObstacleWords } from '#server/domain/seat/move-words.ts';
import { formatCount, formatEuro } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Check } from '#apps/admin/kit/form/choices.tsx';
import { FormActions } from '#apps/admin/kit/form/form-actions.tsx';
import formStyles from '#apps/admin/kit/form/form.module.css';
import { isReason, TypedReason } from '#apps/admin/kit/form/typed-reason.tsx';
import { useSubmit } from '#apps/admin/kit/form/use-submit.ts';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import type { Order } from '#apps/admin/order/shown-order.ts';
import { HandBack } from '#apps/admin/order/refund/hand-back.tsx';
import { DifferenceForm, newDifference, readDifference } from './difference.tsx';
import { useHanding, withHanding } from './handing.ts';
import type { Moved } from './outcome.tsx';
import styles from './move.module.css';

type Quote = ReplyOf<typeof quoteMove>;

interface MovePlanProps {
  order: Order;
  wishes: { ticket_id: string; object: string }[];
  onMoved: (moved: Moved) => void;
}

export function MovePlan({ order, wishes, onMoved }: MovePlanProps) {
  const [keepReason, setKeepReason] = useState<string | null>(null);
  const keeps = keepReason !== null;
  const quote = useEndpoint(
    quoteMove,
    {
      params: { orderId: order.order_id },
      body: { tickets: wishes, ...(keeps && { keep_back: true }) },
    },
    // The old quote stays until the next one arrives, so that the form keeps its values.
    { retry: false, refetchOnWindowFocus: false, gcTime: 0, placeholderData: keepPreviousData },
  );
  return (
    <Loaded query={quote}>
      {(data) => (
        <MoveForm
          // A difference in the other direction needs a new form.
          key={Math.sign(data.difference_cents)}
          waiting={quote.isPlaceholderData}
          order={order}
          wishes={wishes}
          quote={data}
          keepReason={keepReason}
          onKeep={setKeepReason}
          onMoved={onMoved}
          onFailed={() => void quote.refetch()}
        />
      )}
    </Loaded>
  );
}

interface MoveFormProps extends MovePlanProps {
  quote: Quote;
  keepReason: string | null;
  onKeep: (reason: string | null) => void;
  onFailed: () => void;
  /** The latest quote has not arrived yet. */ waiting: boolean;
}

function MoveForm(props: MoveFormProps) {
  const { order, quote, waiting, keepReason, onKeep } = props;
  const [difference, setDifference] = useState(() => newDifference(quote.difference_cents));
  const [rulesReason, setRulesReason] = useState('');
  const [tells, setTells] = useState(order.buyer_email !== null);
  const handing = useHanding(order.order_id, quote.hand_cents, difference);
  const settled = withHanding(readDifference(difference, quote.difference_cents), handing);
  const isReady =
    !waiting &&
    handing.isReady &&
    quote.obstacle === null &&
    typeof settled !== 'string' &&
    (quote.orphans.length === 0 || isReason(rulesReason)) &&
    (keepReason === null || isReason(keepReason));
  const sending = useMove(props, { settled, rulesReason, tells });
  if (quote.obstacle !== null)
    return (
      <Notice tone="warn" role="alert">
        {moveObstacleWords[quote.obstacle]}
      </Notice>
    );
  return (
    <form
      className={`${formStyles.stack} ${styles.plan}`}
      aria-label="Conferma lo spostamento"
      onSubmit={sending.submit}
    >
      <p className={styles.sentence}>{sentenceOf(quote, keepReason !== null)}</p>
      {quote.difference_cents !== 0 && (
        <DifferenceForm
          cents={quote.difference_cents}
          byHand={quote.hand_cents}
          draft={difference}
          onChange={setDifference}
        >
          <HandBack hand={handing.hand} />
        </DifferenceForm>
      )}
      {quote.orphans.length > 0 && (
        <Orphans count={quote.orphans.length} reason={rulesReason} onChange={setRulesReason} />
      )}
      <Afterwards
        order={order}
        keepReason={keepReason}
        onKeep={onKeep}
        tells={tells}
        onTell={setTells}
      />
      <FormActions
        busy={sending.busy}
        failure={sending.failure}
        disabled={!isReady}
        submitLabel={labelOf(quote)}
      />
    </form>
  );
}

interface Said {
  settled: ReturnType<typeof readDifference>;
  rulesReason: string;
  tells: boolean;
}

/** Sends the move; if it is refused, the quote is fetched again. */
function useMove(props: MoveFormProps, { settled, rulesReason, tells }: Said) {
  const { order, wishes, quote, keepReason, onMoved, onFailed } = props;
  const act = useChange();
  return useSubmit(async () => {
    if (typeof settled === 'string') return;
    const moved = await act(moveTickets, {
      params: { orderId: order.order_id },
      body: {
        tickets: wishes,
        expected_cents: quote.difference_cents,
        tell_buyer: tells,
        ...(settled && { difference: settled }),
        ...(quote.orphans.length > 0 && { rules_reason: rulesReason.trim() }),
        ...(keepReason !== null && { keep_reason: keepReason.trim() }),
      },
    }).catch((error: unknown) => {
      onFailed();
      throw error;
    });
    onMoved(moved);
  });
}

interface AfterwardsProps {
  order: Order;
  keepReason: string | null;
  onKeep: (reason: string | null) => void;
  tells: boolean;
  onTell: (tells: boolean) => void;
}

/** Choices about the old seats and the buyer's mail. */
function Afterwards({ order, keepReason, onKeep, tells, onTell }: AfterwardsProps) {
  return (
    <>
      <div className={formStyles.choices}>
        <Check
          label="Lascia bloccati i posti di prima"
          hint="Per esempio una poltrona rotta: non tornano in vendita."
          checked={keepReason !== null}
          onChange={(keep) => onKeep(keep ? '' : null)}
        />
        {order.buyer_email !== null && (
          <Check
            label="Avvisa per e-mail"
            hint={`A ${order.buyer_email}, con i biglietti nuovi.`}
            checked={tells}
            onChange={onTell}
          />
        )}
      </div>
      {keepReason !== null && (
        <TypedReason
          label="Perché restano bloccati"
          hint="Si legge sulla pianta: almeno 5 caratteri."
          value={keepReason}
          onChange={(text) => onKeep(text.slice(0, 100))}
        />
      )}
    </>
  );
}

interface OrphansProps {
  count: number;
  reason: string;
  onChange: (text: string) => void;
}

function Orphans({ count, reason, onChange }: OrphansProps) {
  return (
    <>
      <Notice tone="warn">
        {count === 1 ? 'Resterebbe un posto isolato.' : `Resterebbero ${count} posti isolati.`}
      </Notice>
      <TypedReason label="Perché va bene così" value={reason} onChange={onChange} />
    </>
  );
}

/** The whole effect in one sentence. */
function sentenceOf({ tickets, difference_cents }: Quote, keeps: boolean): string {
  const way = tickets.map(({ from, to }) => `${from} → ${to}`).join('; ');
  const seats = keeps ? 'i posti di prima restano bloccati' : 'i posti di prima tornano in vendita';
  const codes =
    tickets.length === 1 ? 'il codice di prima non vale più' : 'i codici di prima non valgono più';
  return `${way}: ${codes}, ${seats}, ${moneyWords(difference_cents)}.`;
}

function moneyWords(cents: number): string {
  if (cents === 0) return 'il prezzo non cambia';
  const sum = formatEuro(Math.abs(cents));
  return cents > 0 ? `ci sono ${sum} da pagare` : `ci sono ${sum} da restituire`;
}

function labelOf({ tickets }: Quote): string {
  return `Sposta ${formatCount(tickets.length, 'biglietto', 'biglietti')}`;
}
