/** The desk of a move: the tickets, their new seats, and the confirmation. */
import { useMemo, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { proposeMove } from '#server/contract/order/moves.ts';
import { typedFaults } from '#server/domain/seat/typed-fault-words.ts';
import { readTypedSeats } from '#server/domain/seat/typed-seats.ts';
import { SeatMapChart, type Sight } from '#apps/admin/seats/chart.tsx';
import {
  namedSeatsOf,
  seatsOf,
  type Hall,
  type OfficeSeat,
  type Seats,
} from '#apps/admin/seats/seats.ts';
import { useRefresh } from '#apps/admin/kit/refresh.ts';
import { Empty, tellFailure } from '#apps/admin/kit/page/loaded.tsx';
import { useAct } from '#apps/admin/kit/session/session.ts';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import type { Order } from '#apps/admin/order/shown-order.ts';
import { MovePlan } from './plan.tsx';
import { MoveOutcome, type Moved } from './outcome.tsx';
import { MovingTickets } from './tickets.tsx';
import { WithoutSeats } from './without-seats.tsx';
import { assigned, pressed, seatOfTicket, wishesOf, without, type Targets } from './targets.ts';
import styles from './move.module.css';

interface MoveDeskProps {
  order: Order;
  hall: Hall;
  now: Seats;
}

export function MoveDesk({ order, hall, now }: MoveDeskProps) {
  const seats = useMemo(() => seatsOf(hall, now.taken), [hall, now.taken]);
  const valid = order.lines.filter((line) => line.ticket_state === 'valid');
  const [moved, setMoved] = useState<Moved | null>(null);
  const [said, setSaid] = useState<string | null>(null);
  if (valid.length === 0 || order.state !== 'confirmed')
    return (
      <Empty icon="ticket" title="Non c’è niente da spostare.">
        <p>Questo ordine non ha biglietti validi.</p>
      </Empty>
    );
  return (
    <>
      {now.map === 'silent' && (
        <Notice tone="warn" aria-live="polite">
          La pianta dei posti non risponde: aspetta che torni, poi sposta.
        </Notice>
      )}
      {moved !== null && (
        <MoveOutcome key={`done ${moved.move_id}`} moved={moved} onUndone={setMoved} />
      )}
      {said !== null && (
        <Notice tone="good" role="status">
          <b>Fatto.</b> {said}
        </Notice>
      )}
      <Choosing
        key={`after ${moved?.move_id ?? 'nothing'}`}
        order={order}
        hall={hall}
        seats={seats}
        onMoved={(done) => {
          setSaid(null);
          setMoved(done);
        }}
        onSaid={(text) => {
          setMoved(null);
          setSaid(text);
        }}
      />
    </>
  );
}

interface ChoosingProps {
  order: Order;
  hall: Hall;
  seats: readonly OfficeSeat[];
  onMoved: (moved: Moved) => void;
  /** What was done without a free seat, in words. */ onSaid: (said: string) => void;
}

function Choosing({ order, hall, seats, onMoved, onSaid }: ChoosingProps) {
  const choice = useChoice(order, hall, seats);
  const { tickets, targets } = choice;
  const refresh = useRefresh();
  const bright = useMemo(() => [...new Set(Object.values(targets))], [targets]);
  const wishes = wishesOf({ seats, tickets, targets });
  return (
    <div className={styles.desk}>
      <div className={styles.side}>
        <MovingTickets order={order} seats={seats} {...choice} />
        <WithoutSeats order={order} tickets={tickets} onDone={onSaid} />
        {wishes !== null && (
          <MovePlan
            // Other seats get a new form without what was typed for the last ones.
            key={JSON.stringify(wishes)}
            order={order}
            wishes={wishes}
            onMoved={onMoved}
          />
        )}
      </div>
      <section className={styles.map} aria-label="Pianta dei posti, dal vivo">
        <SeatMapChart
          hall={hall}
          seats={seats}
          chosen={none}
          marked={none}
          found={bright}
          sight={choice.sight}
          onPick={choice.press}
          onChange={refresh}
        />
      </section>
    </div>
  );
}

const none: readonly string[] = [];

/** At first the tickets named in the address are chosen, or else all. */
function useTickets(order: Order) {
  const [address] = useSearchParams();
  const all = order.lines
    .filter((line) => line.ticket_state === 'valid')
    .flatMap((line) => line.ticket_id ?? []);
  const [chosen, setChosen] = useState<readonly string[]>(() => {
    const named = (address.get('tickets') ?? '').split(',').filter((id) => all.includes(id));
    return named.length > 0 ? named : all;
  });
  const toggle = (ticket: string) =>
    setChosen(chosen.includes(ticket) ? chosen.filter((id) => id !== ticket) : [...chosen, ticket]);
  return { tickets: all.filter((id) => chosen.includes(id)), toggle };
}

function useChoice(order: Order, hall: Hall, seats: readonly OfficeSeat[]) {
  const act = useAct();
  const named = useMemo(() => namedSeatsOf(hall), [hall]);
  const { tickets, toggle } = useTickets(order);
  const [targets, setTargets] = useState<Targets>({});
  const [said, setSaid] = useState<string | null>(null);
  // The map shows the group first and typed seats later; pressed seats are in view anyway.
  const [sight, setSight] = useState<Sight>(() => ({
    objects: tickets.flatMap((ticket) => seatOfTicket(seats, ticket)?.object ?? []),
  }));
  const choosing = { seats, tickets, targets };
  const settle = (next: Targets | null, why: string) => {
    setSaid(next === null ? why : null);
    if (next !== null) setTargets(next);
  };
  return {
    tickets,
    targets,
    said,
    sight: sight.objects.length === 0 ? null : sight,
    toggle(ticket: string) {
      toggle(ticket);
      setTargets(without(targets, ticket));
    },
    letGo: (ticket: string) => setTargets(without(targets, ticket)),
    async propose() {
      const found = await act(proposeMove, {
        params: { orderId: order.order_id },
        body: { ticket_ids: [...tickets] },
      }).catch((error: unknown) => setSaid(tellFailure(error)));
      if (!found) return;
      const objects = found.tickets.map(({ object }) => object);
      setSight({ objects });
      settle(
        objects.length === 0
          ? null
          : Object.fromEntries(found.tickets.map(({ ticket_id, object }) => [ticket_id, object])),
        'Non ci sono altri posti liberi adatti a tutti questi biglietti.',
      );
    },
    press: (object: string) => settle(pressed(choosing, object), whyNot(choosing)),
    type(text: string) {
      const typed = readTypedSeats(text, named);
      const faults = typedFaults(typed);
      if (faults.length > 0) return setSaid(`${faults.join('; ')}.`);
      // Typed seats replace the ones chosen before.
      const anew = { ...choosing, targets: {} };
      if (typed.objects.length > 0) setSight({ objects: typed.objects });
      settle(
        assigned(anew, typed.objects),
        'Uno dei posti non è libero, o sono più dei biglietti.',
      );
    },
  };
}

function whyNot({ tickets, targets }: { tickets: readonly string[]; targets: Targets }) {
  const isFull = tickets.every((ticket) => targets[ticket] !== undefined);
  return isFull
    ? 'Ogni biglietto ha già il suo posto nuovo: togline uno per cambiarlo.'
    : 'Questo posto non è libero.';
}
