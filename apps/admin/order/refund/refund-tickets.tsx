/** The tickets in the refund dialog, each with its amount or the reason against a refund. */
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { quoteRefund } from '#server/contract/order/refunds.ts';
import { formatEuro } from '#apps/shared/format.ts';
import { obstacleWords } from '#server/domain/payment/refund-words.ts';
import { Check } from '#apps/admin/kit/form/choices.tsx';
import formStyles from '#apps/admin/kit/form/form.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './refund.module.css';

export type QuotedLine = ReplyOf<typeof quoteRefund>['lines'][number];

interface RefundTicketsProps {
  lines: readonly QuotedLine[];
  onChange: (ticketIds: string[]) => void;
}

export function RefundTickets({ lines, onChange }: RefundTicketsProps) {
  const chosen = lines.filter((line) => line.chosen).flatMap((line) => line.ticket_id ?? []);
  const open = lines
    .filter((line) => line.obstacle === null)
    .flatMap((line) => line.ticket_id ?? []);
  const toggle = (id: string) =>
    onChange(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id]);
  return (
    <fieldset className={`${formStyles.choices} ${styles.tickets}`}>
      <legend>Biglietti</legend>
      {open.length > 1 && (
        <Check
          label={<b>Tutto l’ordine</b>}
          checked={chosen.length === open.length}
          onChange={(all) => onChange(all ? open : [])}
        />
      )}
      {lines.map(({ ticket_id, ...line }) => (
        <Check
          key={line.line_id}
          label={line.seat}
          hint={[line.type_label, line.obstacle !== null && obstacleWords[line.obstacle]]
            .filter(Boolean)
            .join(' · ')}
          checked={line.chosen}
          disabled={ticket_id === null || (line.obstacle !== null && !line.chosen)}
          onChange={() => ticket_id !== null && toggle(ticket_id)}
        >
          <span className={styles.sum}>
            {formatEuro(line.price_cents)}
            {line.fee_cents > 0 && (
              <span className={`${textStyles.soft} ${formStyles.hint}`}>
                + {formatEuro(line.fee_cents)}
              </span>
            )}
          </span>
        </Check>
      ))}
    </fieldset>
  );
}
