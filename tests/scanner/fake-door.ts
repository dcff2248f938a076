/** A small real HTTP server that speaks the scanner's contract, with faults to order: what the product's server would never do on command. */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { conflictsOf } from '#server/domain/admission.ts';
import { hashBytes, hashInput, writeTicketCode } from '#server/domain/ticket-code.ts';

const dist = path.join(import.meta.dirname, '..', '..', 'dist', 'scanner');
const types: Record<string, string> = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm', '.svg': 'image/svg+xml', '.png': 'image/png', '.webmanifest': 'application/manifest+json' };

interface SentScan { admission_id: string; seq: number; event_id: string; place: string | null; revision: number | null; direction: 'in' | 'out'; gate: string | null; verdict: string; counts: boolean; corrected_at: string; [field: string]: unknown }
interface Ticket { revision: number; state: 'valid' | 'void' | 'refunded' | 'unpaid'; type_label: string }
interface Place { seat: string; category: string; issued: number; ticket: Ticket | null; changed: number }
interface Stored { scan: SentScan; phone_id: string; changed: number; conflict_with: string | null }

/** Boots on a free port; `places` of them, all sold in full price. */
export async function startFakeDoor(places = 40) {
  const secret = randomBytes(32);
  const event = { id: 'serata', tag: 'EV01', salt: randomBytes(8).toString('hex'), title: 'Serata di prova', starts_at: Date.now() + 3_600_000, wipe_at: Date.now() + 48 * 3_600_000, cancelled: false, verify_policy: 'ask', reentry: true };
  const other = { tag: 'EV02', title: 'Concerto di Natale', starts_at: Date.parse('2026-12-12T20:30:00Z') };
  const list = new Map<string, Place>();
  let sequence = 1;
  for (let n = 1; n <= places; n += 1) list.set(`Platea-A-${n}`, { seat: `Platea, fila A, posto ${n}`, category: 'Platea', issued: 1, ticket: { revision: 1, state: 'valid', type_label: 'Intero' }, changed: sequence });
  const stored = new Map<string, Stored>();
  const phones = new Map<string, { phone_id: string; name: string; gate: string | null; revoked: boolean }>();
  const pairings = new Map<string, { name: string; gate: string | null }>();
  let epoch = 0;
  const faults = {
    /** So many answers to sent scans get lost after the work was done. */
    loseAnswers: 0,
    /** A captive portal: HTML 200 for everything under /api/. */
    portal: false,
    /** Scans that the server cannot read. */
    isUnreadable: (_: SentScan): boolean => false,
    /** Pages of a snapshot hold so many places. */
    pageSize: Infinity,
  };
  const calls: { method: string; path: string; items: number }[] = [];

  const codeOf = (place: string, revision = 1, tag = event.tag) => writeTicketCode(tag, createHmac('sha256', secret).update(`${place}|${revision}`).digest().subarray(0, 16));
  const hashOf = (code: string) => createHash('sha256').update(hashInput(event.salt, code)).digest().subarray(0, hashBytes).toString('base64url');

  function changePlace(place: string, change: Partial<Pick<Place, 'issued' | 'ticket'>>) {
    sequence += 1;
    list.set(place, { ...list.get(place)!, ...change, changed: sequence });
  }

  function store(scan: SentScan, phone_id: string) {
    if (!stored.has(scan.admission_id)) stored.set(scan.admission_id, { scan, phone_id, changed: (sequence += 1), conflict_with: null });
    const same = [...stored.values()].filter((row) => row.scan.counts && row.scan.place === scan.place && row.scan.revision === scan.revision);
    const conflicts = conflictsOf(same.map(({ scan: { admission_id, direction, corrected_at } }, received) => ({ admission_id, direction, corrected_at: Date.parse(corrected_at), received })));
    for (const row of same) {
      const conflict_with = conflicts.get(row.scan.admission_id) ?? null;
      if (conflict_with !== row.conflict_with) Object.assign(row, { conflict_with, changed: (sequence += 1) });
    }
    const { conflict_with } = stored.get(scan.admission_id)!;
    return { admission_id: scan.admission_id, result: conflict_with === null ? 'stored' : 'conflict', verdict: scan.verdict, conflict_with };
  }

  function changes(since: string | null) {
    const [of, from = '0', page = '0'] = (since ?? '').split('.');
    if (since !== null && of !== String(epoch)) return null;
    const isSnapshot = since === null || page !== '0';
    const start = Number(page);
    const changed = [...list].filter(([, row]) => isSnapshot || row.changed > Number(from));
    const part = isSnapshot ? changed.slice(start, start + faults.pageSize) : changed;
    const more = isSnapshot && start + part.length < changed.length;
    const iso = (ms: number) => new Date(ms).toISOString();
    return {
      kind: isSnapshot ? 'snapshot' : 'delta', cursor: more ? `${epoch}.${from}.${start + part.length}` : `${epoch}.${sequence}`, more, server_time: iso(Date.now()),
      event: { ...event, starts_at: iso(event.starts_at), admits_from: iso(Date.now() - 3_600_000), wipe_at: iso(event.wipe_at) },
      other_events: [{ ...other, starts_at: iso(other.starts_at) }],
      places: part.map(([place, { seat, category, issued, ticket }]) => ({
        place, seat, category, issued, hashes: Array.from({ length: issued + 2 }, (_, i) => hashOf(codeOf(place, i + 1))),
        ticket: ticket && { ticket_id: `t-${place}`, order_group: 'o1', initials: null, gates: [], ...ticket },
      })),
      admissions: [...stored.values()].filter((row) => row.scan.counts && row.scan.place !== null && (isSnapshot || row.changed > Number(from))).map(({ scan, phone_id, conflict_with }) => ({
        admission_id: scan.admission_id, place: scan.place, revision: scan.revision, direction: scan.direction, at: scan.corrected_at, gate: scan.gate, phone_id,
        by: [...phones.values()].find((phone) => phone.phone_id === phone_id)?.name ?? '', conflict_with,
      })),
    };
  }

  function refuse(response: ServerResponse, status: number, code: string, message: string) {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ status, code, message }));
  }

  async function answerApi(request: IncomingMessage, response: ServerResponse, url: URL) {
    if (faults.portal) return response.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>Accetta le condizioni del Wi-Fi</body></html>');
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString()) as { token?: string; items?: SentScan[] };
    calls.push({ method: request.method!, path: url.pathname, items: body.items?.length ?? 0 });
    const json = (value: unknown) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    const server_time = new Date().toISOString();
    const events = [{ id: event.id, title: event.title, starts_at: new Date(event.starts_at).toISOString() }];
    if (url.pathname === '/api/scanner/pair') {
      const made = pairings.get(body.token ?? '');
      if (!made || !pairings.delete(body.token!)) return refuse(response, 410, 'pairing_invalid', 'Questo codice di abbinamento non è più valido: chiedine uno nuovo in ufficio.');
      const device_token = randomBytes(16).toString('hex');
      phones.set(device_token, { phone_id: `p${phones.size + 1}`, ...made, revoked: false });
      return json({ device_token, phone_id: phones.get(device_token)!.phone_id, ...made, events, server_time, wire_version: 1 });
    }
    const phone = phones.get(request.headers.authorization?.replace('Bearer ', '') ?? '');
    if (!phone) return refuse(response, 401, 'not_logged_in', 'Devi accedere per continuare.');
    if (phone.revoked && url.pathname !== '/api/scanner/admissions') return refuse(response, 401, 'phone_revoked', 'Questo telefono non è più autorizzato.');
    if (url.pathname === '/api/scanner/admissions') {
      const results = body.items!.map((scan, index) => (faults.isUnreadable(scan) ? { admission_id: null, index, result: 'unreadable', verdict: null, conflict_with: null } : { index, ...store(scan, phone.phone_id) }));
      if (faults.loseAnswers > 0) {
        faults.loseAnswers -= 1;
        return request.socket.destroy();
      }
      return json({ results, server_time });
    }
    if (url.pathname === '/api/scanner/heartbeat') return json({ name: phone.name, gate: phone.gate, events, server_time, wire_version: 1 });
    const page = changes(url.searchParams.get('since'));
    return page ? json(page) : refuse(response, 409, 'resync_required', 'L’elenco dei biglietti va scaricato di nuovo.');
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url!, 'http://door');
    if (url.pathname.startsWith('/api/')) return void answerApi(request, response, url);
    const file = url.pathname === '/scanner/' ? 'index.html' : url.pathname.replace(/^\/scanner\//, '');
    readFile(path.join(dist, path.normalize(`/${file}`))).then(
      (content) => response.writeHead(200, { 'content-type': types[path.extname(file)] ?? 'application/octet-stream', 'cache-control': 'no-cache' }).end(content),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, event, faults, calls, stored, codeOf, changePlace,
    /** The link that the office would show. */
    pairingLink(name: string, gate: string | null = null) {
      const token = randomBytes(16).toString('base64url');
      pairings.set(token, { name, gate });
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}/scanner/#pair=${token}`;
    },
    revoke(name: string) {
      for (const phone of phones.values()) if (phone.name === name) phone.revoked = true;
    },
    /** Every cursor becomes too old. */
    forgetCursors() {
      epoch += 1;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => { server.close(resolve); });
    },
  };
}
