/** Changes of the chosen tickets that take no free seat: another type, or a swap. */
import { useState } from 'react';
import { Button } from '#apps/admin/kit/button.tsx';
import type { Order } from '#apps/admin/order/shown-order.ts';
import { OtherType } from './other-type.tsx';
import { SwapSeats } from './swap-seats.tsx';
import buttonStyles from '#apps/admin/kit/buttons.module.css';

interface WithoutSeatsProps {
  order: Order;
  tickets: readonly string[];
  onDone: (said: string) => void;
}

export function WithoutSeats({ order, tickets, onDone }: WithoutSeatsProps) {
  const [open, setOpen] = useState<'type' | 'swap' | null>(null);
  const [ticket, ...others] = tickets;
  const close = () => setOpen(null);
  const done = (said: string) => {
    close();
    onDone(said);
  };
  if (ticket === undefined) return null;
  return (
    <>
      <div className={buttonStyles.actions}>
        <Button small onClick={() => setOpen('type')} label="Cambia tariffa…" />
        {others.length === 0 && (
          <Button small onClick={() => setOpen('swap')} label="Scambia con…" />
        )}
      </div>
      {open === 'type' && (
        <OtherType order={order} tickets={tickets} onDone={done} onClose={close} />
      )}
      {open === 'swap' && <SwapSeats order={order} ticket={ticket} onDone={done} onClose={close} />}
    </>
  );
}
