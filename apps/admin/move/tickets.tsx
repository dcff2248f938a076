/** The tickets of an order with their new seats, and a line for typing seats. */
import { useState } from 'react';
import { FailureNotice } from '#apps/admin/kit/page/notice.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { Check } from '#apps/admin/kit/form/choices.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import type { OfficeSeat } from '#apps/admin/seats/seats.ts';
import { isValidTicket, type Order } from '#apps/admin/order/shown-order.ts';
import type { Targets } from './targets.ts';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './move.module.css';

interface MovingTicketsProps {
  order: Order;
  seats: readonly OfficeSeat[];
  tickets: readonly string[];
  targets: Targets;
  said: string | null;
  toggle: (ticket: string) => void;
  letGo: (ticket: string) => void;
  type: (text: string) => void;
  propose: () => Promise<void>;
}

export function MovingTickets(props: MovingTicketsProps) {
  const { order, seats, tickets, targets, said, toggle, letGo, type, propose } = props;
  const valid = order.lines.filter(isValidTicket);
  const next = tickets.find((ticket) => targets[ticket] === undefined);
  const nameOf = (object: string) => seats.find((seat) => seat.object === object)?.name ?? object;
  return (
    <>
      <ul className={styles.tickets} aria-label="Biglietti da spostare">
        {valid.map(({ ticket_id: id, seat, type_label }) => {
          const target = targets[id];
          return (
            <li key={id} aria-current={id === next}>
              <Check
                small
                label={seat}
                hint={type_label}
                checked={tickets.includes(id)}
                disabled={valid.length === 1}
                onChange={() => toggle(id)}
              />
              {target !== undefined && (
                <p className={styles.target}>
                  <span>
                    → <b>{nameOf(target)}</b>
                  </span>
                  <Button
                    small
                    look="quiet"
                    aria-label={`Togli ${nameOf(target)}`}
                    onClick={() => letGo(id)}
                    icon="cross"
                  />
                </p>
              )}
              {id === next && <p className={textStyles.soft}>→ scegli il posto nuovo</p>}
            </li>
          );
        })}
      </ul>
      <Button
        small
        disabled={tickets.length === 0}
        onClick={() => void propose()}
        label="Proponi posti"
      />
      <TypedTargets said={said} onType={type} count={tickets.length} />
    </>
  );
}

interface TypedTargetsProps {
  said: string | null;
  count: number;
  onType: (text: string) => void;
}

function TypedTargets({ said, count, onType }: TypedTargetsProps) {
  const [text, setText] = useState('');
  return (
    <form
      className={styles.typed}
      aria-label="Scegli scrivendo"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') onType(text.trim());
      }}
    >
      <TextField
        label={count === 1 ? 'Posto nuovo' : 'Posti nuovi'}
        value={text}
        onChange={setText}
        maxLength={200}
        hint="Tocca la pianta, oppure scrivi (Platea B4 B5) e premi Invio."
      />
      <FailureNotice text={said} />
    </form>
  );
}
