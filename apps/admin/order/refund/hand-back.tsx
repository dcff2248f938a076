/** The parts in which money goes back by hand: how much in each way, and from which till. */
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { quoteHandBack } from '#server/contract/hand-back.ts';
import type { CounterMethod } from '#server/domain/counter/counter.ts';
import { formatEuro } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Field, FieldSelect } from '#apps/shared/ui/field.tsx';
import { EuroField } from '#apps/admin/kit/form/euro-field.tsx';
import { TypedReason } from '#apps/admin/kit/form/typed-reason.tsx';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { useMay } from '#apps/admin/kit/session/session.ts';
import {
  amountsOf,
  handState,
  newHandDraft,
  noTill,
  tillOf,
  type HandDraft,
  type HandQuote,
  type HandState,
} from './hand-back-draft.ts';
import styles from './hand-back.module.css';

/** The default and the open tills for this sum, and what the person has changed. */
export function useHandBack(order_id: string, amount_cents: number, enabled = true) {
  const mayOverrule = useMay('refund');
  const [draft, setDraft] = useState<HandDraft>(newHandDraft);
  const quote = useEndpoint(
    quoteHandBack,
    { params: { orderId: order_id }, query: { amount_cents: String(amount_cents) } },
    { enabled, placeholderData: keepPreviousData },
  );
  const isCurrent = quote.data !== undefined && !quote.isPlaceholderData;
  const state = isCurrent ? handState(draft, quote.data, { amount_cents, mayOverrule }) : null;
  return { quote, draft, setDraft, state, amount_cents, mayOverrule };
}

export function HandBack({ hand }: { hand: ReturnType<typeof useHandBack> }) {
  return <Loaded query={hand.quote}>{(quote) => <HandBackForm {...hand} data={quote} />}</Loaded>;
}

type FormProps = Omit<ReturnType<typeof useHandBack>, 'quote'> & { data: HandQuote };

const labels: Record<CounterMethod, string> = {
  cash: 'Contanti',
  pos: 'POS',
  transfer: 'Bonifico',
};

function HandBackForm({ data, draft, setDraft, state, amount_cents, mayOverrule }: FormProps) {
  const amounts = amountsOf(draft, data);
  const change = (changes: Partial<HandDraft>) => setDraft({ ...draft, ...changes });
  const methods: readonly CounterMethod[] = mayOverrule
    ? ['cash', 'pos', 'transfer']
    : ['cash', 'pos'];
  return (
    <fieldset className={styles.hand}>
      <legend>Come tornano {formatEuro(amount_cents)}</legend>
      {mayOverrule && (
        <TillChoice data={data} value={tillOf(draft, data)} onChange={(till) => change({ till })} />
      )}
      <div className={styles.amounts}>
        {methods.map((method) => (
          <EuroField
            key={method}
            label={labels[method]}
            value={amounts[method]}
            onChange={(text) => change({ amounts: { ...amounts, [method]: text } })}
          />
        ))}
      </div>
      {state !== null && <Sum state={state} />}
      {state !== null && state.lacks_cents > 0 && (
        <Notice tone="warn">
          Nel cassetto di {state.till?.till_name} ci sono{' '}
          {formatEuro(state.till?.in_drawer_cents ?? 0)}.
        </Notice>
      )}
      {state?.wantsReason && (
        <TypedReason
          label={state.lacks_cents > 0 ? 'Perché lo stesso' : 'Perché da un’altra cassa'}
          hint="Resta nella storia dell’ordine: almeno 5 caratteri."
          value={draft.reason}
          onChange={(reason) => change({ reason })}
        />
      )}
    </fieldset>
  );
}

/** How far the parts are from the sum. */
function Sum({ state: { missing_cents } }: { state: HandState }) {
  if (missing_cents === 0) return null;
  return (
    <p role="status" className={styles.missing}>
      {missing_cents > 0
        ? `Manca ${formatEuro(missing_cents)}`
        : `${formatEuro(-missing_cents)} di troppo`}
    </p>
  );
}

interface TillChoiceProps {
  data: Pick<HandQuote, 'tills'>;
  value: string;
  onChange: (till: string) => void;
}

export function TillChoice({ data: { tills }, value, onChange }: TillChoiceProps) {
  return (
    <Field label="Contanti e POS da">
      <FieldSelect value={value} onChange={(event) => onChange(event.target.value)}>
        {value === '' && <option value="">Scegli la cassa</option>}
        {tills.map((till) => (
          <option key={till.shift_id} value={till.shift_id}>
            {till.till_name}, {till.own ? 'il tuo turno' : till.user_name}:{' '}
            {formatEuro(till.in_drawer_cents)}
          </option>
        ))}
        <option value={noTill}>Fuori dalle casse</option>
      </FieldSelect>
    </Field>
  );
}
