/** What a tried cart costs: the total, each kind of ticket with its reason, and both groupings. */
import { feeParts } from '#server/domain/price/pricing.ts';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { tryRules } from '#server/contract/price-rules.ts';
import { formatEuro } from '#apps/shared/format.ts';
import { Table, SecondLine } from '#apps/admin/kit/list/table.tsx';
import tableStyles from '#apps/admin/kit/list/table.module.css';
import styles from './rules.module.css';

export type TrialReply = ReplyOf<typeof tryRules>;

export function TrialResult({ reply }: { reply: TrialReply }) {
  const { list_cents, total_cents, lines, groupings } = reply;
  const fees = feeParts(reply);
  const saved = list_cents - total_cents;
  return (
    <>
      <p className={styles.total}>
        Totale <b>{formatEuro(total_cents)}</b>
        {saved > 0
          ? ` invece di ${formatEuro(list_cents)}: ${formatEuro(saved)} in meno.`
          : ', il listino: nessuna regola lo abbassa.'}
        {fees !== null && ` Di cui ${fees}.`}
      </p>
      <Table
        cards
        columns={['Biglietti', { number: 'Listino' }, { number: 'Prezzo' }, 'Perché']}
        aria-label="Prezzi del carrello"
      >
        <tbody>
          {lines.map((line) => (
            <tr key={JSON.stringify(line)}>
              <th scope="row">
                {line.quantity} × {line.label}
                <SecondLine>{line.category}</SecondLine>
              </th>
              <td className={tableStyles.number}>
                <span className={styles.small}>Listino </span>
                {formatEuro(line.list_cents)}
              </td>
              <td className={tableStyles.number}>
                <span className={styles.small}>Prezzo </span>
                <b>{formatEuro(line.price_cents)}</b>
              </td>
              <td>
                {line.reasons.length === 0
                  ? 'Listino'
                  : line.reasons.map(({ rule_id, words }) => <p key={rule_id}>{words}</p>)}
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
      {groupings.map((grouping) => (
        <Grouping key={grouping.rule_id} {...grouping} />
      ))}
    </>
  );
}

/** Says both sums of a rule of kind `every`, where they differ. */
function Grouping(props: TrialReply['groupings'][number]) {
  const { name, grouped, cheapest_cents, best_cents } = props;
  if (cheapest_cents === best_cents)
    return (
      <p>
        «{name}» costa lo stesso con i meno cari di tutto il carrello e con i meno cari di ogni
        gruppo.
      </p>
    );
  return (
    <p>
      «{name}» con i meno cari di tutto il carrello: <b>{formatEuro(cheapest_cents)}</b>; con i meno
      cari di ogni gruppo: <b>{formatEuro(best_cents)}</b>. Ora vale{' '}
      {grouped === 'cheapest' ? 'la prima somma' : 'la seconda somma'}.
    </p>
  );
}
