/** Refunds of a cancelled event that a person hands over: several in one act, each in its way. */
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { handBackTogether, listHandBacks } from '#server/contract/hand-back.ts';
import { formatCount, formatEuro } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Field, FieldSelect } from '#apps/shared/ui/field.tsx';
import { AskButton } from '#apps/admin/kit/ask-button.tsx';
import { Check } from '#apps/admin/kit/form/choices.tsx';
import { TypedReason } from '#apps/admin/kit/form/typed-reason.tsx';
import formStyles from '#apps/admin/kit/form/form.module.css';
import styles from './hand-backs.module.css';
import { Cell } from '#apps/admin/kit/list/cell.tsx';
import { Table } from '#apps/admin/kit/list/table.tsx';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import { TillChoice } from '#apps/admin/order/refund/hand-back.tsx';
import {
  chosenOf,
  handBacksState,
  newDraft,
  type HandBacks,
  type HandBacksDraft,
  type ToHand,
  type Way,
} from './hand-backs-draft.ts';

type Result = ReplyOf<typeof handBackTogether>;
type Change = (changes: Partial<HandBacksDraft>) => void;

export function HandBackList({ eventId }: { eventId: string }) {
  const list = useEndpoint(listHandBacks, { params: { eventId } });
  const [result, setResult] = useState<Result | null>(null);
  return (
    <Panel wide className={formStyles.stack} aria-labelledby="hand-backs">
      <h2 id="hand-backs">Da restituire a mano</h2>
      {result !== null && <Outcome result={result} />}
      <Loaded query={list}>
        {(data) =>
          data.items.length === 0 ? (
            <p>Non c’è più niente da restituire a mano.</p>
          ) : (
            <HandBackForm eventId={eventId} data={data} onDone={setResult} />
          )
        }
      </Loaded>
    </Panel>
  );
}

interface FormProps {
  eventId: string;
  data: HandBacks;
  onDone: (result: Result) => void;
}

function HandBackForm({ eventId, data, onDone }: FormProps) {
  const [draft, setDraft] = useState(newDraft);
  const change: Change = (changes) => setDraft({ ...draft, ...changes });
  const chosen = chosenOf(draft, data);
  const all = data.items.length === chosen.length;
  const ids = new Set(all ? [] : data.items.map(({ refund_id }) => refund_id));
  return (
    <>
      <Check
        label={`Tutti e ${data.items.length}`}
        checked={all}
        onChange={() => change({ ids })}
      />
      <Table cards columns={['Ordine', 'A chi', { number: 'Quanto' }, 'Come']}>
        <tbody>
          {data.items.map((item) => (
            <HandRow key={item.refund_id} item={item} draft={draft} onChange={change} />
          ))}
        </tbody>
      </Table>
      {chosen.length > 0 && (
        <Act
          {...{ eventId, data, draft, chosen }}
          onChange={change}
          onDone={(result) => {
            setDraft(newDraft);
            onDone(result);
          }}
        />
      )}
    </>
  );
}

const wayWords: Record<Way, string> = {
  paid: 'Come ha pagato',
  cash: 'Contanti',
  pos: 'POS',
  transfer: 'Bonifico',
};
const ways = Object.keys(wayWords) as Way[];

interface HandRowProps {
  item: ToHand;
  draft: HandBacksDraft;
  onChange: Change;
}

function HandRow({ item, draft, onChange }: HandRowProps) {
  const { refund_id, order_id, number, buyer_name, amount_cents } = item;
  const paid = item.ways
    .map((way) => `${wayWords[way.method].toLowerCase()} ${formatEuro(way.amount_cents)}`)
    .join(', ');
  const toggle = (on: boolean) => {
    const ids = new Set(draft.ids);
    if (on) ids.add(refund_id);
    else ids.delete(refund_id);
    onChange({ ids });
  };
  return (
    <tr>
      <td>
        <Check
          small
          label={
            <Link className={styles.number} to={`/orders/${order_id}`}>
              {number}
            </Link>
          }
          checked={draft.ids.has(refund_id)}
          onChange={toggle}
        />
      </td>
      <Cell name="A chi">{buyer_name ?? 'senza nome'}</Cell>
      <Cell name="Quanto" number>
        {formatEuro(amount_cents)}
      </Cell>
      <td className={styles.way}>
        <FieldSelect
          aria-label={`Come torna ${number}`}
          value={draft.ways[refund_id] ?? 'paid'}
          onChange={({ target }) =>
            onChange({ ways: { ...draft.ways, [refund_id]: target.value as Way } })
          }
        >
          {ways.map((way) => (
            <option key={way} value={way}>
              {way === 'paid' ? `Come ha pagato: ${paid}` : wayWords[way]}
            </option>
          ))}
        </FieldSelect>
      </td>
    </tr>
  );
}

interface ActProps extends FormProps {
  draft: HandBacksDraft;
  chosen: readonly ToHand[];
  onChange: Change;
}

function Act({ eventId, data, draft, chosen, onChange, onDone }: ActProps) {
  const change = useChange();
  const { sums, total_cents, inTills, till, open, lacks, wantsReason, body } = handBacksState(
    draft,
    data,
    chosen,
  );
  const forAll = (way: Way) =>
    onChange({
      ways: { ...draft.ways, ...Object.fromEntries(chosen.map((one) => [one.refund_id, way])) },
    });
  const send = async () => {
    if (body !== null) onDone(await change(handBackTogether, { params: { eventId }, body }));
  };
  return (
    <>
      <AllWays onChange={forAll} />
      {inTills && (
        <TillChoice data={data} value={till} onChange={(next) => onChange({ till: next })} />
      )}
      {lacks && open && open.in_drawer_cents !== null && (
        <Notice tone="warn">
          Nel cassetto di {open.till_name} ci sono {formatEuro(open.in_drawer_cents)}.
        </Notice>
      )}
      {wantsReason && (
        <TypedReason
          label={lacks ? 'Perché lo stesso' : 'Perché da un’altra cassa'}
          value={draft.reason}
          onChange={(reason) => onChange({ reason })}
        />
      )}
      <AskButton
        small={false}
        disabled={body === null}
        label={`Segna restituiti: ${formatCount(chosen.length, 'ordine', 'ordini')}, ${formatEuro(total_cents)}`}
        title="Hai restituito questi soldi?"
        text={<Question sums={sums} total_cents={total_cents} />}
        confirmLabel="Sì, restituiti"
        onConfirm={send}
      />
    </>
  );
}

function Question({ sums, total_cents }: { sums: Result['done']; total_cents: number }) {
  return (
    <>
      <SumsList sums={sums} />
      In tutto {formatEuro(total_cents)}. Ogni acquirente riceve un’e-mail.
    </>
  );
}

function AllWays({ onChange }: { onChange: (way: Way) => void }) {
  return (
    <Field label="Per tutti gli scelti">
      <FieldSelect value="" onChange={({ target }) => onChange(target.value as Way)}>
        <option value="" disabled>
          Lascia come nelle righe
        </option>
        {ways.map((way) => (
          <option key={way} value={way}>
            {wayWords[way]}
          </option>
        ))}
      </FieldSelect>
    </Field>
  );
}

function SumsList({ sums }: { sums: Result['done'] }) {
  return (
    <ul>
      {sums.map(({ method, refunds, cents }) => (
        <li key={method}>
          {wayWords[method]}: {formatCount(refunds, 'ordine', 'ordini')}, {formatEuro(cents)}
        </li>
      ))}
    </ul>
  );
}

/** What went, and what did not, each with its reason. */
function Outcome({ result: { items, done } }: { result: Result }) {
  const refused = items.filter((item) => item.refused !== null);
  return (
    <>
      {done.length > 0 && (
        <Notice as="div" tone="good" role="status">
          Restituiti a mano:
          <SumsList sums={done} />
        </Notice>
      )}
      {refused.length > 0 && (
        <Notice as="div" tone="bad" role="alert">
          Non restituiti:
          <ul>
            {refused.map((item) => (
              <li key={item.refund_id}>
                {item.number}, {formatEuro(item.amount_cents)}: {item.refused?.message}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  );
}
