/**
 * An evening at the door for the office's tests: sold tickets, two paired phones, and scans as
 * phones send them.
 */
import { sendAdmissions, type ScanSent } from '#server/contract/door/admissions.ts';
import { getOrder } from '#server/contract/order/orders.ts';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { callOk, demoEvent, makePairedPhone } from '#tests/support/make.ts';
import { proved } from './proof.ts';
import type { TestServer } from '#tests/support/server.ts';

type Ticket = ReplyOf<typeof getOrder>['tickets'][number];
type Phone = Awaited<ReturnType<typeof makePairedPhone>>;

interface Evening {
  tickets: Ticket[];
  one: Phone;
  two: Phone;
  /** An admission with this ticket, some minutes ago; each phone has its own `seq`. */
  scanOf: (
    phone: Phone,
    ticket: Ticket,
    changes?: Partial<ScanSent> & { ago?: number },
  ) => ScanSent;
  /** Makes the scan and sends it. */
  admit: (
    phone: Phone,
    ticket: Ticket,
    changes?: Partial<ScanSent> & { ago?: number },
  ) => Promise<void>;
}

export async function makeEvening(server: TestServer, admin: { cookie: string }): Promise<Evening> {
  const order = await makePaidOrder(server, {}, { count: 3 });
  const { tickets } = await callOk(server, getOrder, { params: { orderId: order.order_id } });
  const [one, two] = [
    await makePairedPhone(server, admin, 'Varco A'),
    await makePairedPhone(server, admin, 'Varco B'),
  ];
  const rows = await server.house.ctx.db('tickets').select('id', 'place');
  const places = new Map(rows.map(({ id, place }): [string, string] => [id, place]));
  // The tickets were bought days before, so scans may have any time of the evening.
  const issued_at = server.clock.now() - 3 * 86_400_000;
  await server.house.ctx.db('tickets').update({ issued_at });
  const codes = await server.house.ctx.db('events').where({ id: demoEvent }).first();
  const seqs = new Map<string, number>();
  const scanOf: Evening['scanOf'] = (phone, ticket, { ago = 0, ...changes } = {}) => {
    const seq = seqs.get(phone.phone_id) ?? 0;
    seqs.set(phone.phone_id, seq + 1);
    const at = new Date(server.clock.now() - ago * 60_000).toISOString();
    return proved(codes, {
      admission_id: `evening-0123456789-${phone.name}-${seq}`.replaceAll(' ', ''),
      seq,
      event_id: demoEvent,
      place: places.get(ticket.ticket_id)!,
      revision: 1,
      read: null,
      direction: 'in',
      gate: phone.name,
      verdict: 'admit',
      counts: true,
      override: null,
      scanned_at: at,
      corrected_at: at,
      offline: false,
      ...changes,
    });
  };
  return {
    tickets,
    one,
    two,
    scanOf,
    async admit(phone, ticket, changes) {
      await callOk(
        server,
        sendAdmissions,
        { body: { items: [scanOf(phone, ticket, changes)] } },
        phone.headers,
      );
    },
  };
}
