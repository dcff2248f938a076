/** Asking for a refund: which tickets, what it comes to and what is kept, then a last question that names the sum. */
import { useState } from 'react';
import { call } from '#apps/shared/api.ts';
import { formatCount, formatEuro } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { obstacleWords } from '#apps/shared/refund-words.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { ConfirmDialog } from '#apps/shared/ui/confirm-dialog.tsx';
import { keepPreviousData } from '@tanstack/react-query';
import { askRefund, orderRefunds } from '#server/contract/refunds.ts';
import type { RefundsReply } from '#apps/booking/shell/replies.ts';
import lines from '#apps/booking/shell/price-lines.module.css';
import styles from './refunds.module.css';

interface RefundChooserProps {
  order_id: string;
  page: RefundsReply;
  onDone: () => Promise<unknown>;
  onCancel: () => void;
}

export function RefundChooser({ order_id, page, onDone, onCancel }: RefundChooserProps) {
  const [chosen, setChosen] = useState<readonly string[]>(() =>
    page.lines.filter((line) => line.chosen).map((line) => line.ticket_id!),
  );
  const [reason, setReason] = useState('');
  const [sure, setSure] = useState(false);
  // The server adds up: the sum that is shown is the sum that it will hold against its own.
  const quote = useEndpoint(
    orderRefunds,
    { params: { orderId: order_id }, query: { ticket_ids: chosen.join(',') } },
    { placeholderData: keepPreviousData },
  );
  const known =
    quote.data !== undefined && !quote.isPlaceholderData && chosen.length > 0 ? quote.data : null;
  const sum = known === null ? null : formatEuro(known.amount_cents);

  function toggle(ticket_id: string) {
    setChosen((before) =>
      before.includes(ticket_id) ? before.filter((id) => id !== ticket_id) : [...before, ticket_id],
    );
  }
  async function send() {
    await call(askRefund, {
      params: { orderId: order_id },
      body: {
        ticket_ids: [...chosen],
        expected_cents: known!.amount_cents,
        ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
      },
    }).catch(async (error: unknown) => {
      await quote.refetch();
      throw error;
    });
    setSure(false);
    await onDone();
  }
  return (
    <form className={styles.form} onSubmit={(event) => event.preventDefault()}>
      <fieldset className={styles.tickets}>
        <legend>Quali biglietti vuoi restituire?</legend>
        {page.lines.map((line) => (
          <TicketChoice
            key={line.line_id}
            line={line}
            checked={chosen.includes(line.ticket_id ?? '')}
            onToggle={toggle}
          />
        ))}
      </fieldset>
      <label className={styles.reason}>
        <span>
          Motivo <span className="soft">(se vuoi)</span>
        </span>
        <textarea
          rows={2}
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </label>
      <section className={styles.sums} aria-label="Rimborso" aria-live="polite">
        {chosen.length === 0 ? (
          <p className="soft">Scegli almeno un biglietto.</p>
        ) : known === null ? (
          <p className="soft">Calcoliamo il rimborso…</p>
        ) : (
          <Sums quote={known} />
        )}
      </section>
      <div className={styles.actions}>
        <button type="button" className="ui-button" onClick={onCancel}>
          Annulla
        </button>
        <AsyncButton
          variant="primary"
          type="submit"
          disabled={known === null || known.obstacle !== null}
          onClick={() => setSure(true)}
        >
          {sum === null ? 'Chiedi il rimborso' : `Chiedi il rimborso di ${sum}`}
        </AsyncButton>
      </div>
      {sure && known !== null && (
        <ConfirmDialog
          title={`Vuoi restituire ${formatCount(chosen.length, 'biglietto', 'biglietti')}?`}
          danger={page.request === 'automatic'}
          text={
            <>
              {page.request === 'automatic' ? (
                <>
                  Ti rimborsiamo <strong>{sum}</strong> sullo stesso mezzo con cui hai pagato. I
                  biglietti smettono subito di essere validi: non si può tornare indietro.
                </>
              ) : (
                <>
                  Chiedi il rimborso di <strong>{sum}</strong>. Ti rispondiamo per e-mail: fino ad
                  allora i biglietti restano validi e puoi ritirare la richiesta.
                </>
              )}
            </>
          }
          confirmLabel={`Sì, chiedi ${sum}`}
          cancelLabel="Torna indietro"
          onConfirm={send}
          onCancel={() => setSure(false)}
        />
      )}
    </form>
  );
}

function TicketChoice({
  line,
  checked,
  onToggle,
}: {
  line: RefundsReply['lines'][number];
  checked: boolean;
  onToggle: (ticket_id: string) => void;
}) {
  const refused = line.obstacle !== null || line.ticket_id === null;
  return (
    <label className={refused ? `${styles.ticket} ${styles.off}` : styles.ticket}>
      <input
        type="checkbox"
        checked={checked && !refused}
        disabled={refused}
        onChange={() => onToggle(line.ticket_id!)}
      />
      <span className={styles.seat}>
        {line.seat}
        <span className="soft"> – {line.type_label}</span>
        {line.obstacle !== null && (
          <span className={`${styles.why} small soft`}>{obstacleWords[line.obstacle]}</span>
        )}
      </span>
      <span className={lines.price}>{formatEuro(line.price_cents)}</span>
    </label>
  );
}

function Sums({ quote }: { quote: RefundsReply }) {
  if (quote.obstacle !== null) return <p className="soft">{obstacleWords[quote.obstacle]}</p>;
  return (
    <dl>
      <div>
        <dt>Biglietti</dt>
        <dd>{formatEuro(quote.tickets_cents)}</dd>
      </div>
      {quote.fee_cents > 0 && (
        <div>
          <dt>Diritto di prevendita</dt>
          <dd>{formatEuro(quote.fee_cents)}</dd>
        </div>
      )}
      {quote.kept_fee_cents > 0 && (
        <div className="soft">
          <dt>Diritto di prevendita, non rimborsabile</dt>
          <dd>{formatEuro(quote.kept_fee_cents)}</dd>
        </div>
      )}
      <div className={styles.total}>
        <dt>Ti rimborsiamo</dt>
        <dd>
          <strong>{formatEuro(quote.amount_cents)}</strong>
        </dd>
      </div>
    </dl>
  );
}
