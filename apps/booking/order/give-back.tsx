/** "Non vieni più?": free tickets are given back, all or some, and until when they are kept. */
import { useState } from 'react';
import { call } from '#apps/shared/api.ts';
import { formatCount, formatLongDate, formatTime } from '#apps/shared/format.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { ConfirmDialog } from '#apps/shared/ui/confirm-dialog.tsx';
import { giveBackFree } from '#server/contract/order/free.ts';
import type { OrderReply } from '#apps/booking/shell/replies.ts';
import card from '#apps/booking/shell/page/card.module.css';
import styles from './refund/refunds.module.css';

interface GiveBackProps {
  order: OrderReply;
  now: number;
  onChanged: () => Promise<unknown>;
}

type Ticket = OrderReply['tickets'][number];

function isLeft({ state, admitted_at }: Ticket): boolean {
  return state === 'valid' && admitted_at === null;
}

export function GiveBack({ order, now, onChanged }: GiveBackProps) {
  const [kept, setKept] = useState<readonly string[]>([]);
  const [sure, setSure] = useState(false);
  const tickets = order.tickets.filter(isLeft);
  // Missing in orders that this browser stored in an older version.
  const until = order.free?.give_back_until ?? null;
  if (until === null || now >= Date.parse(until) || tickets.length === 0) return null;
  const chosen = tickets.filter(({ ticket_id }) => !kept.includes(ticket_id));
  const count = formatCount(chosen.length, 'biglietto', 'biglietti');

  async function giveBack() {
    const ticket_ids = chosen.map(({ ticket_id }) => ticket_id);
    await call(giveBackFree, { params: { orderId: order.order_id }, body: { ticket_ids } });
    setSure(false);
    setKept([]);
    await onChanged();
  }
  return (
    <section id="non-vengo" className={`${card.section} no-print`} aria-labelledby="back-title">
      <h2 id="back-title">Non vieni più?</h2>
      <p>
        {keptWords(order, tickets)}Lascia il posto a qualcun altro: puoi farlo fino a{' '}
        {formatLongDate(until)}.
      </p>
      {tickets.length > 1 && <Choice tickets={tickets} kept={kept} onChange={setKept} />}
      <AsyncButton disabled={chosen.length === 0} onClick={() => setSure(true)}>
        Non vengo più: restituisci {count}
      </AsyncButton>
      {sure && (
        <ConfirmDialog
          title={`Vuoi restituire ${count}?`}
          danger
          text={`${chosen.length === 1 ? 'Il codice smette' : 'I codici smettono'} subito di valere: non si può tornare indietro.`}
          confirmLabel={`Sì, restituisci ${count}`}
          onConfirm={giveBack}
          onCancel={() => setSure(false)}
        />
      )}
    </section>
  );
}

function keptWords({ free }: OrderReply, tickets: readonly Ticket[]): string {
  if (tickets.some(({ let_go }) => let_go))
    return 'Il tempo è passato e il posto è stato liberato: se è ancora libero, all’ingresso puoi entrare. ';
  const until = free?.kept_until ?? null;
  if (until === null) return '';
  const at = formatTime(until);
  return tickets.length === 1
    ? `Teniamo il tuo posto fino alle ${at}: dopo può andare ad altri. `
    : `Teniamo i tuoi posti fino alle ${at}: dopo possono andare ad altri. `;
}

interface ChoiceProps {
  tickets: readonly Ticket[];
  kept: readonly string[];
  onChange: (kept: readonly string[]) => void;
}

function Choice({ tickets, kept, onChange }: ChoiceProps) {
  return (
    <fieldset className={styles.tickets}>
      <legend>Quali biglietti restituisci?</legend>
      {tickets.map(({ ticket_id, seat, type_label }) => (
        <label key={ticket_id} className={styles.ticket}>
          <input
            type="checkbox"
            checked={!kept.includes(ticket_id)}
            onChange={(event) =>
              onChange(
                event.target.checked ? kept.filter((id) => id !== ticket_id) : [...kept, ticket_id],
              )
            }
          />
          <span className={styles.seat}>
            {seat}
            <span className="soft"> – {type_label}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
