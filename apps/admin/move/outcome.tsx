/** What a move has done, and a button to undo it while the old seats are free. */
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { moveTickets } from '#server/contract/order/moves.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { tellFailure } from '#apps/admin/kit/page/loaded.tsx';
import { FailureNotice, Notice } from '#apps/admin/kit/page/notice.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import buttonStyles from '#apps/admin/kit/buttons.module.css';

export type Moved = ReplyOf<typeof moveTickets>;

interface MoveOutcomeProps {
  moved: Moved;
  onUndone: (back: Moved) => void;
}

export function MoveOutcome({ moved, onUndone }: MoveOutcomeProps) {
  const act = useChange();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  const undo = async () => {
    setBusy(true);
    setFailure(null);
    try {
      onUndone(await act(moveTickets, backOf(moved)));
    } catch (error) {
      setFailure(tellFailure(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Notice as="div" tone="good" role="status" tabIndex={-1} ref={box}>
      <p>
        <b>Fatto.</b> {moved.tickets.map(({ from, to }) => `${from} → ${to}`).join('; ')}.
      </p>
      <div className={buttonStyles.actions}>
        {moved.may_undo && (
          <Button
            small
            busy={busy}
            onClick={() => void undo()}
            icon="back"
            label="Rimetti com’era"
          />
        )}
        <Link
          className={`ui-button ${buttonStyles.small}`}
          to={`/orders/${encodeURIComponent(moved.order_id)}`}
        >
          Torna all’ordine
        </Link>
      </div>
      <FailureNotice text={failure} />
    </Notice>
  );
}

/** Moves the tickets back without another mail to the buyer. */
function backOf(moved: Moved) {
  return {
    params: { orderId: moved.order_id },
    body: {
      tickets: moved.tickets.map(({ ticket_id, from_object }) => ({
        ticket_id,
        object: from_object,
      })),
      expected_cents: 0,
      rules_reason: 'Rimesso com’era',
      tell_buyer: false,
    },
  };
}
