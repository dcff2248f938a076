/** The refund dialog: tickets or a sum, with or without fees, and what happens to the tickets. */
import { keepPreviousData } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { makeRefund, quoteRefund } from '#server/contract/order/refunds.ts';
import { formatEuro } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { feeParts } from '#server/domain/price/pricing.ts';
import { obstacleWords } from '#server/domain/payment/refund-words.ts';
import { ConfirmDialog } from '#apps/shared/ui/confirm-dialog.tsx';
import { Check, Segments } from '#apps/admin/kit/form/choices.tsx';
import { EuroField, readEuro } from '#apps/admin/kit/form/euro-field.tsx';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { NamedSeats } from '#apps/admin/kit/form/named-seats.tsx';
import { HandBack, useHandBack } from './hand-back.tsx';
import { RefundTickets, type QuotedLine } from './refund-tickets.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import { isReason, TypedReason } from '#apps/admin/kit/form/typed-reason.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { partlyEnded, type Order } from '#apps/admin/order/shown-order.ts';
import formStyles from '#apps/admin/kit/form/form.module.css';

type Quote = ReplyOf<typeof quoteRefund>;

interface RefundDialogProps {
  order: Order;
  /** Chosen tickets; empty: all that may be refunded. */
  ticketIds: readonly string[];
  onClose: () => void;
}

/** The user's choices; null: the policy decides. */
interface Draft {
  by: 'tickets' | 'amount';
  chosen: readonly string[] | null;
  amount: string;
  with_fees: boolean | null;
  with_money: boolean;
  voids_tickets: boolean;
  frees_seats: boolean;
  handed_back: boolean;
  gives_codes_back: boolean;
  reason: string;
}

const newDraft: Draft = {
  by: 'tickets',
  chosen: null,
  amount: '',
  with_fees: null,
  with_money: true,
  voids_tickets: true,
  frees_seats: true,
  handed_back: true,
  gives_codes_back: false,
  reason: '',
};

export function RefundDialog({ order, ticketIds, onClose }: RefundDialogProps) {
  const act = useChange();
  const [draft, setDraft] = useState<Draft>({
    ...newDraft,
    chosen: ticketIds.length > 0 ? ticketIds : null,
  });
  const change = (changes: Partial<Draft>) => setDraft((old) => ({ ...old, ...changes }));
  const amount = draft.by === 'amount' ? (readEuro(draft.amount) ?? 0) : null;
  const quote = useEndpoint(
    quoteRefund,
    { params: { orderId: order.order_id }, query: askOf(draft, amount) },
    { placeholderData: keepPreviousData, retry: false },
  );
  const isHanded = isByHand(draft, quote.data) && draft.handed_back;
  const hand = useHandBack(order.order_id, quote.data?.hand_cents ?? 0, isHanded);
  const handing = isHanded ? (hand.state?.handing ?? null) : {};
  const ready =
    handing !== null &&
    quote.data !== undefined &&
    !quote.isPlaceholderData &&
    quote.data.obstacle === null &&
    (amount === null || amount > 0) &&
    isReason(draft.reason);

  async function refund() {
    const { data } = quote;
    if (!data) return;
    await act(makeRefund, {
      params: { orderId: order.order_id },
      body: {
        ...bodyOf(draft, data, amount),
        ...handing,
        expected_cents: data.amount_cents,
        expected_left_cents: data.left_cents,
        reason: draft.reason.trim(),
      },
    });
    onClose();
  }

  return (
    <ConfirmDialog
      title={`Rimborso dell’ordine ${order.number}`}
      danger
      disabled={!ready}
      onConfirm={refund}
      onCancel={onClose}
      confirmLabel={labelOf(draft, quote.data)}
      text={
        <Loaded query={quote}>
          {(data) => (
            <RefundForm order={order} quote={data} draft={draft} change={change}>
              {isHanded && <HandBack hand={hand} />}
            </RefundForm>
          )}
        </Loaded>
      }
    />
  );
}

function labelOf(draft: Draft, quote: Quote | undefined): string {
  if (draft.by === 'tickets' && !draft.with_money) return 'Annulla i biglietti senza rimborso';
  const sum = formatEuro(quote?.amount_cents ?? 0);
  return isByHand(draft, quote) && !draft.handed_back && quote?.hand_cents === quote?.amount_cents
    ? `Segna ${sum} da restituire`
    : `Rimborsa ${sum}`;
}

function askOf(draft: Draft, amount: number | null) {
  if (amount !== null) return { amount_cents: String(amount) };
  return {
    ...(draft.chosen === null ? {} : { ticket_ids: draft.chosen.join(',') }),
    ...(draft.with_fees === null
      ? {}
      : { with_fees: draft.with_fees ? ('true' as const) : ('false' as const) }),
    ...(draft.with_money ? {} : { with_money: 'false' as const }),
  };
}

function bodyOf(draft: Draft, quote: Quote, amount: number | null) {
  const handed = isByHand(draft, quote) ? { handed_back: draft.handed_back } : {};
  if (amount !== null) return { amount_cents: amount, ...handed };
  return {
    ticket_ids: chosenOf(quote).flatMap((line) => line.ticket_id ?? []),
    with_fees: quote.with_fees,
    with_money: draft.with_money,
    voids_tickets: draft.voids_tickets || !draft.with_money,
    frees_seats: (draft.voids_tickets || !draft.with_money) && draft.frees_seats,
    ...(givesCodes(draft, quote) && { gives_codes_back: true }),
    ...handed,
  };
}

/** Whether the uses of codes come back. */
function givesCodes(draft: Draft, quote: Quote): boolean {
  const ends = draft.voids_tickets || !draft.with_money;
  return ends && draft.gives_codes_back && quote.codes.length > 0;
}

function chosenOf(quote: Quote): QuotedLine[] {
  return quote.lines.filter((line) => line.chosen);
}

/** Whether something goes back by hand. */
function isByHand(draft: Draft, quote: Quote | undefined): boolean {
  return (quote?.hand_cents ?? 0) > 0 && (draft.by === 'amount' || draft.with_money);
}

function handWords({ hand_cents, amount_cents }: Quote): string {
  return hand_cents === amount_cents
    ? 'Ordine pagato senza Stripe: il rimborso si fa a mano.'
    : `Con Stripe tornano ${formatEuro(amount_cents - hand_cents)}, a mano ${formatEuro(hand_cents)}.`;
}

interface RefundFormProps {
  order: Order;
  quote: Quote;
  draft: Draft;
  change: (changes: Partial<Draft>) => void;
  /** How the money goes back by hand. */
  children: ReactNode;
}

function RefundForm({ order, quote, draft, change, children }: RefundFormProps) {
  const chosen = chosenOf(quote);
  return (
    <div className={formStyles.stack}>
      <Segments
        legend="Che cosa rimborsare"
        value={draft.by}
        onChange={(by) => change({ by })}
        options={[
          ['tickets', 'Biglietti'],
          ['amount', 'Una somma'],
        ]}
      />
      {draft.by === 'tickets' ? (
        <TicketChoices quote={quote} draft={draft} change={change} />
      ) : (
        <EuroField
          label="Quanto"
          value={draft.amount}
          onChange={(amount) => change({ amount })}
          hint={`Al massimo ${formatEuro(quote.left_cents)}. I biglietti restano validi.`}
        />
      )}
      {isByHand(draft, quote) && (
        <Check
          checked={draft.handed_back}
          onChange={(handed_back) => change({ handed_back })}
          label="I soldi sono già in mano all’acquirente"
          hint={handWords(quote)}
        />
      )}
      {children}
      <TypedReason value={draft.reason} onChange={(reason) => change({ reason })} />
      {draft.by === 'tickets' && (
        <NamedSeats
          seats={chosen.map((line) => line.seat)}
          {...(draft.with_money ? { sum: quote.amount_cents, sumLabel: 'Rimborso' } : {})}
          one="biglietto"
          many="biglietti"
        />
      )}
      {draft.by === 'tickets' && quote.because !== null && (
        <Notice tone="warn">{quote.because}</Notice>
      )}
      {draft.by === 'tickets' && <Inside inside={quote.inside.length} chosen={chosen.length} />}
      {(draft.by === 'amount' || draft.with_money) && <FeeWords quote={quote} />}
      {draft.by === 'tickets' && (draft.voids_tickets || !draft.with_money) && (
        <StaysClosed order={order} chosen={chosen} />
      )}
      {quote.obstacle !== null && quote.obstacle !== 'nothing_chosen' && (
        <Notice tone="warn" role="alert">
          {obstacleWords[quote.obstacle]}
        </Notice>
      )}
    </div>
  );
}

function FeeWords({ quote }: { quote: Quote }) {
  if (quote.fee_cents + quote.kept_fee_cents === 0) return null;
  const hasService = quote.lines.some(({ service_cents }) => service_cents > 0);
  return (
    <p>
      {quote.fee_cents > 0
        ? `Di cui ${feeParts(quote)}.`
        : `${hasService ? 'Prevendita e commissione' : 'La prevendita'} (${formatEuro(quote.kept_fee_cents)}) non ${hasService ? 'vengono restituite' : 'viene restituita'}.`}
    </p>
  );
}

/** Guests who have seen part of the show, or sit in the seat that is to be sold. */
function Inside({ inside, chosen }: { inside: number; chosen: number }) {
  if (inside === 0) return null;
  return (
    <Notice tone="warn" icon="door">
      {insideWords(inside, chosen)}
    </Notice>
  );
}

function insideWords(inside: number, chosen: number): string {
  if (chosen === 1) return 'Chi ha questo biglietto è dentro.';
  if (inside === chosen) return `Tutti e ${chosen} sono dentro.`;
  return inside === 1 ? 'Uno di questi è dentro.' : `${inside} di questi sono dentro.`;
}

/** A place of a table sold whole is not sold again alone. */
function StaysClosed({ order, chosen }: { order: Order; chosen: readonly QuotedLine[] }) {
  const ids = chosen.flatMap(({ ticket_id }) => ticket_id ?? []);
  const names = partlyEnded(order.lines, ids);
  if (names.length === 0) return null;
  return (
    <Notice icon="lock">
      {names.join(', ')}: i posti restituiti restano chiusi. Si vende di nuovo intero, quando tutti
      i suoi biglietti sono finiti.
    </Notice>
  );
}

interface TicketChoicesProps {
  quote: Quote;
  draft: Draft;
  change: (changes: Partial<Draft>) => void;
}

function TicketChoices({ quote, draft, change }: TicketChoicesProps) {
  const hasFees = quote.lines.some((line) => line.fee_cents > 0);
  const ends = draft.voids_tickets || !draft.with_money;
  return (
    <>
      <RefundTickets lines={quote.lines} onChange={(chosen) => change({ chosen })} />
      <div className={formStyles.choices}>
        <Check
          checked={draft.with_money}
          onChange={(with_money) => change({ with_money })}
          label="Restituisci il prezzo"
          hint="Senza, i biglietti vengono solo annullati."
        />
        {hasFees && draft.with_money && (
          <Check
            checked={quote.with_fees}
            onChange={(with_fees) => change({ with_fees })}
            label="Anche la prevendita"
            hint="Le regole dell’evento decidono la proposta."
          />
        )}
        {draft.with_money && (
          <Check
            checked={draft.voids_tickets}
            onChange={(voids_tickets) => change({ voids_tickets })}
            label="Annulla i biglietti"
            hint="Alla porta compare RIMBORSATO."
          />
        )}
        {ends && (
          <Check
            checked={draft.frees_seats}
            onChange={(frees_seats) => change({ frees_seats })}
            label="Rimetti i posti in vendita"
            hint={draft.with_money ? 'Quando il rimborso è andato a buon fine.' : 'Subito.'}
          />
        )}
        {ends && quote.codes.length > 0 && (
          <Check
            checked={draft.gives_codes_back}
            onChange={(gives_codes_back) => change({ gives_codes_back })}
            label={codeLabel(quote.codes)}
            hint="Altrimenti risulta ancora usato."
          />
        )}
      </div>
    </>
  );
}

function codeLabel(codes: readonly string[]): string {
  const names = codes.join(', ');
  return codes.length === 1
    ? `Rendi di nuovo usabile il codice ${names}`
    : `Rendi di nuovo usabili i codici ${names}`;
}
