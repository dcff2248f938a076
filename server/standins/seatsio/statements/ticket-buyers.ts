/** The ids of a company's ticket buyers. */
import { readPage } from './paging.ts';
import type { Reader, Writer } from '#server/standins/kit/store.ts';

/** The latest first. */
export function pageOfTicketBuyers(sql: Reader, query: URLSearchParams, companyId: number) {
  return readPage<{ id: number; buyer_id: string }>(sql, query, {
    select: 'SELECT id, buyer_id FROM seatsio_ticket_buyers',
    where: 'company_id = ?',
    values: [companyId],
  });
}

/** Changes nothing if the id exists already. */
export function addTicketBuyer(sql: Writer, companyId: number, id: string) {
  return sql.run(
    'INSERT INTO seatsio_ticket_buyers (company_id, buyer_id) VALUES (?, ?) ON CONFLICT DO NOTHING',
    companyId,
    id,
  );
}

export function removeTicketBuyer(sql: Writer, companyId: number, id: string) {
  return sql.run(
    'DELETE FROM seatsio_ticket_buyers WHERE company_id = ? AND buyer_id = ?',
    companyId,
    id,
  );
}
