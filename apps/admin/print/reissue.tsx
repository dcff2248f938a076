/** New codes for an order's lost paper tickets; the old codes no longer admit. */
import { useState } from 'react';
import { reissueTickets } from '#server/contract/counter.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { ReasonDialog } from '#apps/admin/kit/form/reason-dialog.tsx';
import { useAct } from '#apps/admin/kit/session/session.ts';

interface ReissueButtonProps {
  order_id: string;
  small?: boolean;
  onDone: () => Promise<unknown>;
}

export function ReissueButton({ order_id, small = false, onDone }: ReissueButtonProps) {
  const act = useAct();
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <Button
        small={small}
        look="quiet"
        onClick={() => setIsAsking(true)}
        label="Emetti di nuovo…"
      />
      {isAsking && (
        <ReasonDialog
          title="Emettere di nuovo i biglietti?"
          text="I biglietti nuovi hanno altri codici: alla porta quelli di prima danno SOSTITUITO. Se la carta è solo rovinata basta «Ristampa»."
          hint="Per esempio: biglietti persi, rubati."
          confirmLabel="Emetti e stampa"
          onCancel={() => setIsAsking(false)}
          onConfirm={async (reason) => {
            await act(reissueTickets, { params: { orderId: order_id }, body: { reason } });
            setIsAsking(false);
            await onDone();
          }}
        />
      )}
    </>
  );
}
