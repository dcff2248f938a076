/**
 * Requests a refund: which tickets, the sum and what is kept, then a last question with the sum.
 */
import { useState } from 'react';
import { call } from '#apps/shared/api.ts';
import { formatCount, formatEuro } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { obstacleWords } from '#server/domain/payment/refund-words.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { ConfirmDialog } from '#apps/shared/ui/confirm-dialog.tsx';
import { keepPreviousData } from '@tanstack/react-query';
import { askRefund, orderRefunds } from '#server/contract/order/refunds.ts';
import type { RefundsReply } from '#apps/booking/shell/replies.ts';
import priceLines from '#apps/booking/shell/price-lines.module.css';
import late from './refund-form.late.module.css';
import styles from './refunds.module.css';

interface RefundChooserProps {
  order_id: string;
  page: RefundsReply;
  onDone: () => Promise<unknown>;
  onCancel: () => void;
}

/**
 * The server computes the sum and checks it again when the refund is requested. Null: unknown
 * yet.
 */
function useQuote(order_id: string, chosen: readonly string[]) {
  const { data, isPlaceholderData, refetch } = useEndpoint(
    orderRefunds,
    { params: { orderId: order_id }, query: { ticket_ids: chosen.join(',') } },
    { placeholderData: keepPreviousData },
  );
  const isKnown = !isPlaceholderData && chosen.length > 0;
  return { quote: (isKnown && data) || null, refetch };
}

export function RefundChooser({ order_id, page, onDone, onCancel }: RefundChooserProps) {
  const [chosen, setChosen] = useState<readonly string[]>(() =>
    page.lines.flatMap(({ chosen: isChosen, ticket_id }) => (isChosen && ticket_id) || []),
  );
  const [reason, setReason] = useState('');
  const [sure, setSure] = useState(false);
  const { quote, refetch } = useQuote(order_id, chosen);
  const sum = quote === null ? null : formatEuro(quote.amount_cents);

  async function send() {
    await call(askRefund, {
      params: { orderId: order_id },
      body: {
        ticket_ids: [...chosen],
        expected_cents: quote?.amount_cents ?? 0,
        ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
      },
    }).catch(async (error: unknown) => {
      await refetch();
      throw error;
    });
    setSure(false);
    await onDone();
  }
  return (
    <form className={late.form} onSubmit={(event) => event.preventDefault()}>
      <Tickets lines={page.lines} chosen={chosen} onChange={setChosen} />
      <Reason reason={reason} onChange={setReason} />
      <section className={late.sums} aria-label="Rimborso" aria-live="polite">
        {chosen.length === 0 && <p className="soft">Scegli almeno un biglietto.</p>}
        {chosen.length > 0 && quote === null && <p className="soft">Calcoliamo il rimborso…</p>}
        {quote !== null && <Sums quote={quote} />}
      </section>
      <div className={styles.actions}>
        <button type="button" className="ui-button" onClick={onCancel}>
          Annulla
        </button>
        <AsyncButton
          variant="primary"
          type="submit"
          disabled={quote === null || quote.obstacle !== null}
          onClick={() => setSure(true)}
        >
          Chiedi il rimborso{sum !== null && ` di ${sum}`}
        </AsyncButton>
      </div>
      {sure && sum !== null && (
        <ConfirmDialog
          title={`Vuoi restituire ${formatCount(chosen.length, 'biglietto', 'biglietti')}?`}
          danger={page.request === 'automatic'}
          text={<LastWords isAutomatic={page.request === 'automatic'} sum={sum} />}
          confirmLabel={`Sì, chiedi ${sum}`}
          cancelLabel="Torna indietro"
          onConfirm={send}
          onCancel={() => setSure(false)}
        />
      )}
    </form>
  );
}

function LastWords({ isAutomatic, sum }: { isAutomatic: boolean; sum: string }) {
  return isAutomatic ? (
    <>
      Ti rimborsiamo <strong>{sum}</strong> sullo stesso mezzo con cui hai pagato. I biglietti
      smettono subito di essere validi: non si può tornare indietro.
    </>
  ) : (
    <>
      Chiedi il rimborso di <strong>{sum}</strong>. Ti rispondiamo per e-mail: fino ad allora i
      biglietti restano validi e puoi ritirare la richiesta.
    </>
  );
}

interface TicketsProps {
  lines: RefundsReply['lines'];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

function Tickets({ lines, chosen, onChange }: TicketsProps) {
  return (
    <fieldset className={styles.tickets}>
      <legend>Quali biglietti vuoi restituire?</legend>
      {lines.map((line) => (
        <TicketChoice
          key={line.line_id}
          line={line}
          checked={chosen.includes(line.ticket_id ?? '')}
          onToggle={(ticket_id) => {
            const others = chosen.filter((id) => id !== ticket_id);
            onChange(others.length < chosen.length ? others : [...chosen, ticket_id]);
          }}
        />
      ))}
    </fieldset>
  );
}

interface ReasonProps {
  reason: string;
  onChange: (reason: string) => void;
}

function Reason({ reason, onChange }: ReasonProps) {
  return (
    <label className={late.reason}>
      <span>
        Motivo <span className="soft">(se vuoi)</span>
      </span>
      <textarea
        rows={2}
        maxLength={500}
        value={reason}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  );
}

interface TicketChoiceProps {
  line: RefundsReply['lines'][number];
  checked: boolean;
  onToggle: (ticket_id: string) => void;
}

function TicketChoice({ line, checked, onToggle }: TicketChoiceProps) {
  const refused = line.obstacle !== null || line.ticket_id === null;
  return (
    <label className={refused ? `${styles.ticket} ${late.off}` : styles.ticket}>
      <input
        type="checkbox"
        checked={checked && !refused}
        disabled={refused}
        onChange={() => line.ticket_id !== null && onToggle(line.ticket_id)}
      />
      <span className={styles.seat}>
        {line.seat}
        <span className="soft"> – {line.type_label}</span>
        {line.obstacle !== null && (
          <span className={`${late.why} small soft`}>{obstacleWords[line.obstacle]}</span>
        )}
      </span>
      <span className={priceLines.price}>{formatEuro(line.price_cents + line.fee_cents)}</span>
    </label>
  );
}

function Sums({ quote }: { quote: RefundsReply }) {
  const because = quote.because !== null && <p>{quote.because}</p>;
  if (quote.obstacle === 'nothing_left' && because) return because;
  if (quote.obstacle !== null) return <p className="soft">{obstacleWords[quote.obstacle]}</p>;
  const presale_cents = quote.fee_cents - quote.service_cents;
  const hasService = quote.lines.some(({ service_cents }) => service_cents > 0);
  return (
    <>
      {because}
      <dl>
        <Sum name="Biglietti" cents={quote.tickets_cents} />
        {presale_cents > 0 && <Sum name="Diritto di prevendita" cents={presale_cents} />}
        {quote.service_cents > 0 && (
          <Sum name="Commissione di servizio" cents={quote.service_cents} />
        )}
        {quote.kept_fee_cents > 0 && (
          <Sum
            name={
              hasService
                ? 'Prevendita e commissione, non rimborsabili'
                : 'Diritto di prevendita, non rimborsabile'
            }
            cents={quote.kept_fee_cents}
            className="soft"
          />
        )}
        <div className={late.total}>
          <dt>Ti rimborsiamo</dt>
          <dd>
            <strong>{formatEuro(quote.amount_cents)}</strong>
          </dd>
        </div>
      </dl>
    </>
  );
}

function Sum({ name, cents, className }: { name: string; cents: number; className?: string }) {
  return (
    <div className={className}>
      <dt>{name}</dt>
      <dd>{formatEuro(cents)}</dd>
    </div>
  );
}
