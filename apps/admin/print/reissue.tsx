/** New codes for lost paper tickets of an order; the old codes no longer admit. */
import { useState } from 'react';
import { readPaper, reissueTickets } from '#server/contract/counter.ts';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Badge } from '#apps/shared/ui/badge.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { Check } from '#apps/admin/kit/form/choices.tsx';
import { ReasonDialog } from '#apps/admin/kit/form/reason-dialog.tsx';
import { useAct } from '#apps/admin/kit/session/session.ts';
import { formatCount } from '#apps/shared/format.ts';
import formStyles from '#apps/admin/kit/form/form.module.css';

interface ReissueProps {
  order_id: string;
  onDone: () => Promise<unknown>;
}

export function ReissueButton({ small = false, ...reissue }: ReissueProps & { small?: boolean }) {
  const [isAsking, setIsAsking] = useState(false);
  const params = { orderId: reissue.order_id };
  // Who is inside changes from minute to minute.
  const paper = useEndpoint(readPaper, { params }, { enabled: isAsking, staleTime: 0 });
  return (
    <>
      <Button
        small={small}
        look="quiet"
        onClick={() => setIsAsking(true)}
        label="Emetti di nuovo…"
      />
      {isAsking && paper.data !== undefined && (
        <ReissueDialog
          {...reissue}
          tickets={paper.data.tickets}
          onCancel={() => setIsAsking(false)}
          onDone={async () => {
            setIsAsking(false);
            await reissue.onDone();
          }}
        />
      )}
    </>
  );
}

type PaperTicket = ReplyOf<typeof readPaper>['tickets'][number];

/**
 * The tickets that are ticked at first: the only one, else those whose guests are not inside,
 * because the paper of a guest inside was good.
 */
function chosenFirst(tickets: readonly PaperTicket[]): ReadonlySet<string> {
  const meant = tickets.length === 1 ? tickets : tickets.filter(({ inside }) => !inside);
  return new Set(meant.map(({ ticket_id }) => ticket_id));
}

function ReissueDialog({
  order_id,
  tickets,
  onCancel,
  onDone,
}: ReissueProps & { tickets: readonly PaperTicket[]; onCancel: () => void }) {
  const act = useAct();
  const [chosen, setChosen] = useState(() => chosenFirst(tickets));
  const turn = (id: string) =>
    setChosen((old) => new Set(old.has(id) ? [...old].filter((one) => one !== id) : [...old, id]));
  const wanted = tickets.filter(({ ticket_id }) => chosen.has(ticket_id));
  return (
    <ReasonDialog
      title="Quali biglietti emettere di nuovo?"
      text="I biglietti scelti hanno un codice nuovo: alla porta quello di prima dà SOSTITUITO. Se la carta è solo rovinata basta «Ristampa»."
      hint="Per esempio: biglietti persi, rubati."
      confirmLabel={`Emetti ${formatCount(wanted.length, 'biglietto', 'biglietti')} e stampa`}
      disabled={wanted.length === 0}
      onCancel={onCancel}
      onConfirm={async (reason) => {
        const ticket_ids = wanted.map(({ ticket_id }) => ticket_id);
        await act(reissueTickets, { params: { orderId: order_id }, body: { reason, ticket_ids } });
        await onDone();
      }}
    >
      <fieldset className={formStyles.choices}>
        <legend>Biglietti</legend>
        {tickets.map(({ ticket_id, seat, inside }) => (
          <Check
            key={ticket_id}
            label={seat}
            checked={chosen.has(ticket_id)}
            onChange={() => turn(ticket_id)}
          >
            {inside && <Badge tone="good">dentro</Badge>}
          </Check>
        ))}
      </fieldset>
      {wanted.some(({ inside }) => inside) && (
        <p>Chi è dentro resta dentro: alla porta il suo biglietto nuovo dice GIÀ ENTRATO.</p>
      )}
    </ReasonDialog>
  );
}
