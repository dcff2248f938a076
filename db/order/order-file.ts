/**
 * All records of one order for its page in the office: payments, refunds, mails, differences,
 * scans.
 */
import type { SeatParts } from '#server/domain/seat/seat-name.ts';
import type { NamedAdmission } from '#db/door/admissions.ts';
import { whereAbout } from '#db/audit/audit-seals.ts';
import type { Db } from '#db/engine/dialect.ts';
import { samePlaceAs, seatColumns, ticketsOfLines } from '#db/joins.ts';
import { mailHead } from '#db/mail/mails.ts';
import { sessionsOf } from './orders.ts';
import type {
  AuditRow,
  BreakRow,
  CheckoutSessionRow,
  DeclineRow,
  DisputeRow,
  MailHead,
  OrderLineRow,
  PaymentRow,
  RefundLineRow,
  RefundRow,
  TicketRow,
} from '#db/rows.ts';

/** A line with the names of its place and with its ticket, if any. */
interface FiledLine extends OrderLineRow, SeatParts {
  ticket_id: string | null;
  ticket_state: TicketRow['state'] | null;
  ticket_ended_at: number | null;
  holder: string | null;
  door_note: string | null;
}
interface FiledAdmission extends NamedAdmission, SeatParts {}

export interface OrderFile {
  lines: FiledLine[];
  sessions: CheckoutSessionRow[];
  payments: PaymentRow[];
  declines: DeclineRow[];
  refunds: RefundRow[];
  refundLines: RefundLineRow[];
  disputes: DisputeRow[];
  mails: MailHead[];
  breaks: BreakRow[];
  admissions: FiledAdmission[];
  audit: AuditRow[];
}

/**
 * Lists are ordered by time, lines by position. The queries run in parallel, because most of the
 * time is spent on the way to the database and back.
 */
export async function readOrderFile(db: Db, order_id: string): Promise<OrderFile> {
  const refunds: RefundRow[] = await db<RefundRow>('refunds')
    .where({ order_id })
    .orderBy(['created_at', 'id']);
  const [money, seats, written] = await Promise.all([
    readMoney(db, order_id),
    readSeats(db, order_id),
    readWritten(db, order_id, refunds),
  ]);
  return { refunds, ...money, ...seats, ...written };
}

async function readMoney(db: Db, order_id: string) {
  return {
    sessions: await sessionsOf(db, order_id),
    payments: await db<PaymentRow>('payments').where({ order_id }).orderBy(['paid_at', 'id']),
    declines: await db<DeclineRow>('declines').where({ order_id }).orderBy(['at', 'id']),
    refundLines: await db<RefundLineRow>('refund_lines').where({ order_id }),
    disputes: await db<DisputeRow>('disputes').where({ order_id }).orderBy(['created_at', 'id']),
    breaks: await db<BreakRow>('breaks').where({ order_id }).orderBy(['found_at', 'id']),
  };
}

async function readSeats(db: Db, order_id: string) {
  return {
    lines: await db('order_lines')
      .where('order_lines.order_id', order_id)
      .join('places', samePlaceAs('order_lines'))
      .leftJoin('tickets', ticketsOfLines)
      .orderBy('order_lines.position')
      .select(
        'order_lines.*',
        ...seatColumns,
        'tickets.id as ticket_id',
        'tickets.state as ticket_state',
        'tickets.ended_at as ticket_ended_at',
        'tickets.holder',
        'tickets.door_note',
      ),
    admissions: await db('admissions')
      .join('tickets', 'tickets.id', 'admissions.ticket_id')
      .where('tickets.order_id', order_id)
      .join('places', samePlaceAs('tickets'))
      .leftJoin('phones', 'phones.id', 'admissions.phone_id')
      .leftJoin('users', 'users.id', 'admissions.user_id')
      .orderBy(['admissions.corrected_at', 'admissions.id'])
      .select(
        'admissions.*',
        ...seatColumns,
        'phones.name as phone_name',
        'users.name as user_name',
      ),
  };
}

/** Reads the order's mails, and the audit entries about it and its refunds. */
async function readWritten(db: Db, order_id: string, refunds: readonly RefundRow[]) {
  return {
    mails: await db('mails').where({ order_id }).orderBy(['created_at', 'id']).select(mailHead),
    audit: await whereAbout(db('audit'), db, [
      order_id,
      ...refunds.map((refund) => refund.id),
    ]).orderBy(['at', 'id']),
  };
}
