/** The tickets of one lost sale, what each cost, and how it was paid. */
import { useState } from 'react';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { rebuildSale, type lookAtLost } from '#server/contract/lost-sales.ts';
import { counterMethods, type CounterMethod } from '#server/domain/counter/counter.ts';
import { formatEuro, formatShortDate } from '#apps/shared/format.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { EuroField, readEuro } from '#apps/admin/kit/form/euro-field.tsx';
import { MailField } from '#apps/admin/kit/form/mail-field.tsx';
import { TextField } from '#apps/admin/kit/form/text-field.tsx';
import { useSubmit } from '#apps/admin/kit/form/use-submit.ts';
import { FailureNotice } from '#apps/admin/kit/page/notice.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { useAct } from '#apps/admin/kit/session/session.ts';
import formStyles from '#apps/admin/kit/form/form.module.css';
import styles from './lost.module.css';

/** A ticket that was found; `ticket` is its code or a phone's scan. */
export interface LostTicket extends ReplyOf<typeof lookAtLost> {
  ticket: string;
  /** As the person chose or typed; until then the event's first type and its price. */
  type?: string;
  price?: string | undefined;
}

const methodNames: Record<CounterMethod, string> = {
  cash: 'Contanti',
  pos: 'POS',
  transfer: 'Bonifico',
};

interface LostSaleProps {
  tickets: readonly LostTicket[];
  onChange: (tickets: readonly LostTicket[]) => void;
  onRebuilt: (sale: ReplyOf<typeof rebuildSale>) => Promise<void>;
}

export function LostSale({ tickets, onChange, onRebuilt }: LostSaleProps) {
  const act = useAct();
  const [method, setMethod] = useState<CounterMethod>('cash');
  const [buyer, setBuyer] = useState({ name: '', email: '' });
  const priced = tickets.map((one) => ({ ...one, ...chosenOf(one) }));
  const total = priced.reduce((sum, { cents }) => sum + (cents ?? 0), 0);
  const { busy, failure, submit } = useSubmit(async () => {
    const given = Object.entries(buyer).filter(([, value]) => value.trim() !== '');
    await onRebuilt(
      await act(rebuildSale, {
        body: {
          tickets: priced.map(({ ticket, ticket_type, cents }) => ({
            ticket,
            ticket_type,
            amount_cents: cents ?? 0,
          })),
          method,
          ...(given.length > 0 && { buyer: Object.fromEntries(given) }),
        },
      }),
    );
  });
  const change = (ticket: string, changes: Partial<LostTicket>) =>
    onChange(tickets.map((one) => (one.ticket === ticket ? { ...one, ...changes } : one)));
  const [first] = tickets;
  return (
    <Panel aria-label="La vendita">
      {first && (
        <h2>
          {first.event_title}, {formatShortDate(first.event_starts_at)}
        </h2>
      )}
      <form className={formStyles.stack} onSubmit={submit}>
        {priced.map((one) => (
          <Line
            key={one.place}
            line={one}
            onChange={(changes) => change(one.ticket, changes)}
            onDrop={() => onChange(tickets.filter(({ ticket }) => ticket !== one.ticket))}
          />
        ))}
        <PaidBy method={method} onChange={setMethod} />
        <Buyer buyer={buyer} onChange={setBuyer} />
        <p className={formStyles.hint}>
          I soldi vanno nel turno «Ricostruito», non in una cassa aperta.
        </p>
        <FailureNotice text={failure} />
        <Button
          type="submit"
          look="primary"
          busy={busy}
          disabled={priced.some(({ cents, ticket_type }) => cents === null || ticket_type === '')}
          label={`Ricostruisci la vendita: ${formatEuro(total)}`}
        />
      </form>
    </Panel>
  );
}

interface PaidByProps {
  method: CounterMethod;
  onChange: (method: CounterMethod) => void;
}

function PaidBy({ method, onChange }: PaidByProps) {
  return (
    <fieldset className={formStyles.choices}>
      <legend>Com’era stata pagata</legend>
      {counterMethods.map((one) => (
        <label key={one}>
          <input
            type="radio"
            name="method"
            checked={method === one}
            onChange={() => onChange(one)}
          />
          {methodNames[one]}
        </label>
      ))}
    </fieldset>
  );
}

interface BuyerProps {
  buyer: { name: string; email: string };
  onChange: (buyer: BuyerProps['buyer']) => void;
}

function Buyer({ buyer, onChange }: BuyerProps) {
  return (
    <>
      <TextField
        label="Nome dell’acquirente (facoltativo)"
        value={buyer.name}
        maxLength={200}
        onChange={(name) => onChange({ ...buyer, name })}
      />
      <MailField
        label="E-mail (facoltativa)"
        value={buyer.email}
        onChange={(email) => onChange({ ...buyer, email })}
        hint="Se c’è, i biglietti partono anche per posta."
      />
    </>
  );
}

/** The type and price, as the person left them or as the event sells them. */
function chosenOf({ types, type, price }: LostTicket) {
  const chosen = types.find(({ ticket_type }) => ticket_type === type) ?? types[0];
  const usual = chosen ? spellEuro(chosen.amount_cents) : '';
  return {
    ticket_type: chosen?.ticket_type ?? '',
    shown: price ?? usual,
    cents: readEuro(price ?? usual),
  };
}

/** "32,00", as the field takes it. */
function spellEuro(cents: number): string {
  return (cents / 100).toFixed(2).replace('.', ',');
}

interface LineProps {
  line: LostTicket & ReturnType<typeof chosenOf>;
  onChange: (changes: Partial<LostTicket>) => void;
  onDrop: () => void;
}

function Line({ line: { seat, types, ticket_type, shown }, onChange, onDrop }: LineProps) {
  return (
    <fieldset className={styles.line}>
      <legend>{seat}</legend>
      <label className="ui-field">
        <span>Tipo</span>
        <select
          className="ui-input"
          value={ticket_type}
          onChange={(event) => onChange({ type: event.target.value, price: undefined })}
        >
          {types.map((type) => (
            <option key={type.ticket_type} value={type.ticket_type}>
              {type.label}
            </option>
          ))}
        </select>
      </label>
      <EuroField
        label="Quanto era costato"
        value={shown}
        onChange={(price) => onChange({ price })}
        hint="Con la prevendita."
      />
      <Button small label="Togli" aria-label={`Togli ${seat}`} onClick={onDrop} />
    </fieldset>
  );
}
