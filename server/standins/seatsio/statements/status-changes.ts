/** The log of status changes of an event's objects. */
import { readPage } from './paging.ts';
import type { Reader, Writer } from '#server/standins/kit/store.ts';

export interface StatusChangeRow {
  id: number;
  event_id: number;
  label: string;
  status: string;
  quantity: number;
  order_id: string | null;
  hold_token: string | null;
  extra_data: string | null;
  origin_type: string;
  origin_ip: string | null;
  at: number;
}

/** Every filter has two parameters, so that all take the same values. */
const FILTERS = {
  CONTAINS: "instr(lower(label), lower(?)) > 0 AND ? <> ''",
  BEGINS_WITH: 'substr(lower(label), 1, length(?)) = lower(?)',
};

interface StatusChangeFilter {
  eventId: number;
  label: string | undefined;
  /** Empty: no filter. */
  filter: string;
  filterType: keyof typeof FILTERS;
  sort: 'id' | 'label' | 'status';
  direction: 'asc' | 'desc';
}

export function pageOfStatusChanges(
  sql: Reader,
  query: URLSearchParams,
  { eventId, label, filter, filterType, sort, direction }: StatusChangeFilter,
) {
  const ofLabel = label === undefined ? '' : ' AND label = ?';
  const filtered = filter === '' ? '' : ` AND ${FILTERS[filterType]}`;
  return readPage<StatusChangeRow>(sql, query, {
    select: 'SELECT * FROM seatsio_status_changes',
    sort,
    direction,
    where: `event_id = ?${ofLabel}${filtered}`,
    values: [
      eventId,
      ...(label === undefined ? [] : [label]),
      ...(filter === '' ? [] : [filter, filter]),
    ],
  });
}

/** Oldest first. */
export function statusChangesOf(sql: Reader, eventId: number) {
  return sql.all<
    Pick<StatusChangeRow, 'label' | 'status' | 'quantity' | 'hold_token' | 'origin_type' | 'at'>
  >(
    'SELECT label, status, quantity, hold_token, origin_type, at FROM seatsio_status_changes WHERE event_id = ? ORDER BY id',
    eventId,
  );
}

export function addStatusChange(sql: Writer, row: Omit<StatusChangeRow, 'id'>) {
  return sql.run(
    `INSERT INTO seatsio_status_changes (event_id, label, status, quantity, order_id, hold_token, extra_data, origin_type, origin_ip, at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    row.event_id,
    row.label,
    row.status,
    row.quantity,
    row.order_id,
    row.hold_token,
    row.extra_data,
    row.origin_type,
    row.origin_ip,
    row.at,
  );
}
