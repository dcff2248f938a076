/** A shift in tables: the drawer, ways to pay, events and ticket types, free tickets. */
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { readShift } from '#server/contract/shifts.ts';
import { methodName } from '#server/domain/order/order-words.ts';
import { formatListDate, formatShortDate } from '#apps/shared/format.ts';
import { Intro } from '#apps/admin/kit/page/page-title.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { Sums, type SumRow } from './sums.tsx';

export type Shift = ReplyOf<typeof readShift>;

export function ShiftReading({ shift }: { shift: Shift }) {
  const { report } = shift;
  const sold = report.sold.filter(({ gift }) => !gift);
  return (
    <>
      {shift.closed_at !== null && <Intro>Chiuso il {formatListDate(shift.closed_at)}</Intro>}
      <Sums title="Cassetto" rows={drawerOf(shift)} />
      <Sums
        title="Per tipo di pagamento"
        rows={[
          ...report.payments.map(
            ({ method, count, amount_cents }) =>
              [`${methodName(method)} (${count})`, amount_cents] as const,
          ),
          ...report.refunds.map(
            ({ method, count, amount_cents }) =>
              [`Rimborsi, ${methodName(method).toLowerCase()} (${count})`, -amount_cents] as const,
          ),
        ]}
      />
      <Sums
        title="Per evento e tipo"
        rows={sold.map(
          ({ event_title, starts_at, type_label, tickets, amount_cents }) =>
            [
              `${event_title}, ${formatShortDate(starts_at)} – ${type_label} (${tickets})`,
              amount_cents,
            ] as const,
        )}
      />
      {report.gifts.length > 0 && (
        <Panel>
          <h2>Omaggi</h2>
          <ul>
            {report.gifts.map((gift) => (
              <li key={gift.order_id}>
                {gift.number}, {gift.event_title}: {gift.tickets} – {gift.gift_reason}
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </>
  );
}

function drawerOf(shift: Shift): SumRow[] {
  const { report } = shift;
  const counted: SumRow[] =
    shift.counted_cents === null
      ? []
      : [
          ['Contato', shift.counted_cents],
          [
            `Differenza${shift.difference_reason === null ? '' : `: ${shift.difference_reason}`}`,
            shift.counted_cents - (report.expected_cents ?? 0),
          ],
        ];
  const { cash_sales_cents, cash_refunds_cents, expected_cents } = report;
  return [
    ['Fondo cassa', shift.float_cents],
    ...known('Vendite in contanti', cash_sales_cents),
    ...known('Rimborsi in contanti', cash_refunds_cents === null ? null : -cash_refunds_cents),
    ...report.moves.map(
      ({ amount_cents, reason }) =>
        [`${amount_cents > 0 ? 'Versamento' : 'Prelievo'}: ${reason}`, amount_cents] as const,
    ),
    ...known('Contante atteso', expected_cents),
    ...counted,
  ];
}

/** No row for a sum that a cashier is not told before the count (RULES K3). */
function known(name: string, cents: number | null): SumRow[] {
  return cents === null ? [] : [[name, cents]];
}
