/** All records of one order, for the office's page of it: what came in and went back, what was written, what was found, who passed the door. */
import type { NamedAdmission } from './admissions.ts';
import type { Db } from './dialect.ts';
import { mailHead } from './mails.ts';
import type {
  AuditRow,
  BreakRow,
  DisputeRow,
  MailHead,
  OrderLineRow,
  PaymentRow,
  PlaceRow,
  RefundLineRow,
  RefundRow,
  TicketRow,
} from './rows.ts';

/** A line with its place in words and its ticket, as far as there is one. */
export interface FiledLine
  extends OrderLineRow, Pick<PlaceRow, 'kind' | 'section' | 'row' | 'seat'> {
  ticket_id: string | null;
  ticket_state: TicketRow['state'] | null;
}
export interface FiledAdmission
  extends NamedAdmission, Pick<PlaceRow, 'kind' | 'section' | 'row' | 'seat'> {}

export interface OrderFile {
  lines: FiledLine[];
  payments: PaymentRow[];
  refunds: RefundRow[];
  refundLines: RefundLineRow[];
  disputes: DisputeRow[];
  mails: MailHead[];
  breaks: BreakRow[];
  admissions: FiledAdmission[];
  audit: AuditRow[];
}

/** Lists in the order of time, lines by position. */
export async function readOrderFile(db: Db, order_id: string): Promise<OrderFile> {
  const places = { 'places.event_id': 'order_lines.event_id', 'places.place': 'order_lines.place' };
  const refunds: RefundRow[] = await db<RefundRow>('refunds')
    .where({ order_id })
    .orderBy(['created_at', 'id']);
  return {
    lines: await db('order_lines')
      .where('order_lines.order_id', order_id)
      .join('places', places)
      .leftJoin('tickets', {
        'tickets.order_id': 'order_lines.order_id',
        'tickets.place': 'order_lines.place',
      })
      .orderBy('order_lines.position')
      .select(
        'order_lines.*',
        'places.kind',
        'places.section',
        'places.row',
        'places.seat',
        'tickets.id as ticket_id',
        'tickets.state as ticket_state',
      ),
    payments: await db<PaymentRow>('payments').where({ order_id }).orderBy(['paid_at', 'id']),
    refunds,
    refundLines: await db<RefundLineRow>('refund_lines').where({ order_id }),
    disputes: await db<DisputeRow>('disputes').where({ order_id }).orderBy(['created_at', 'id']),
    mails: await db('mails').where({ order_id }).orderBy(['created_at', 'id']).select(mailHead),
    breaks: await db<BreakRow>('breaks').where({ order_id }).orderBy(['found_at', 'id']),
    admissions: await db('admissions')
      .join('tickets', 'tickets.id', 'admissions.ticket_id')
      .where('tickets.order_id', order_id)
      .join('places', { 'places.event_id': 'tickets.event_id', 'places.place': 'tickets.place' })
      .leftJoin('phones', 'phones.id', 'admissions.phone_id')
      .leftJoin('users', 'users.id', 'admissions.user_id')
      .orderBy(['admissions.corrected_at', 'admissions.id'])
      .select(
        'admissions.*',
        'places.kind',
        'places.section',
        'places.row',
        'places.seat',
        'phones.name as phone_name',
        'users.name as user_name',
      ),
    audit: await db<AuditRow>('audit')
      .whereIn('subject', [order_id, ...refunds.map((refund) => refund.id)])
      .orderBy(['at', 'id']),
  };
}
