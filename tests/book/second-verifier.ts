/** A second verifier of books, written from the description of the format alone: it shares no line with the first. `node tests/book/second-verifier.ts FILE` says what it found. */
import { createHash, createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

type Json = Record<string, unknown>;

export interface Sums {
  tickets_issued: number;
  tickets_good: number;
  worth_of_good: number;
  presale_of_good: number;
  tickets_void: number;
  tickets_refunded: number;
  changes_of_tickets: number;
  orders: number;
  came_in: number;
  went_back: number;
  going_back: number;
  fees_of_stripe: number;
  sent_to_bank: number;
  payouts: number;
  went_in: number;
  went_out: number;
  shifts: number;
}

const digest = (...parts: (string | Buffer)[]) => {
  const sha = createHash('sha256');
  for (const part of parts) sha.update(part);
  return sha.digest('base64url');
};

/** Everything that is wrong, in words; none: the book is whole. */
export function lookInto(file: Buffer): { wrong: string[]; sums: Sums; key: string } {
  const wrong: string[] = [];
  const text = file.toString('utf8');
  if (!Buffer.from(text, 'utf8').equals(file)) wrong.push('not UTF-8');
  const lines = text.split('\n');
  if (lines.pop() !== '') wrong.push('something stands after the last line');
  const [header = '', ...rest] = lines;
  const trailer = rest.pop() ?? '';
  const told: Json[] = [];
  const reached = new Map<number, string>([[0, digest(header)]]);
  let hash = digest(header);
  if (!/^\{"format":"bordero\/1","book":".+","opened":"[^"]+"\}$/.test(header))
    wrong.push('header');
  for (const [index, line] of rest.entries()) {
    const parts = /^\{"hash":"([\w-]{43})","row":(\{.*\})\}$/.exec(line);
    if (parts === null) {
      wrong.push(`line ${index + 2} is no row`);
      continue;
    }
    hash = digest(`${hash} `, parts[2]!);
    if (hash !== parts[1]) wrong.push(`line ${index + 2} is not what was chained`);
    hash = parts[1]!;
    try {
      const row = JSON.parse(parts[2]!) as Json;
      if (row['n'] !== index + 1) wrong.push(`line ${index + 2} has another number`);
      if (row['kind'] === 'head') checkHead(row, { reached, wrong });
      told.push(row);
      reached.set(index + 1, hash);
    } catch {
      wrong.push(`line ${index + 2} is no JSON`);
    }
  }
  return {
    wrong,
    sums: sumUp(told),
    key: checkTrailer(trailer, { rows: rest.length, hash, wrong }),
  };
}

function checkHead(
  row: Json,
  { reached, wrong }: { reached: Map<number, string>; wrong: string[] },
): void {
  let here = digest(
    `foglia ${reached.get(0)} ${row['rows']} ${reached.get(row['rows'] as number)}`,
  );
  for (const [side, other] of row['path'] as [string, string][])
    here = digest(side === 'left' ? `nodo ${other} ${here}` : `nodo ${here} ${other}`);
  const head = digest(
    ['testa/1', row['day'], row['before'], here, row['seal'], row['seal_hash']].join(' '),
  );
  if (row['rows'] !== Number(row['n']) - 1 || here !== row['root'] || head !== row['head'])
    wrong.push(`the head of ${row['day']} does not stand`);
}

function checkTrailer(
  trailer: string,
  { rows, hash, wrong }: { rows: number; hash: string; wrong: string[] },
): string {
  const parts =
    /^\{"rows":(\d+),"head":"([\w-]{43})","key":"([\w-]{43})","signature":"([\w-]{86})"\}$/.exec(
      trailer,
    );
  if (parts === null) {
    wrong.push('no trailer');
    return '';
  }
  const [, count, head, key, signature] = parts as unknown as string[];
  if (Number(count) !== rows) wrong.push(`${count} rows are signed, ${rows} are here`);
  if (head !== hash) wrong.push('another end is signed');
  // Letters at the end may differ without the bytes doing so.
  for (const one of [key!, signature!])
    if (Buffer.from(one, 'base64url').toString('base64url') !== one) wrong.push('odd letters');
  try {
    const known = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key! }, format: 'jwk' });
    const signed = Buffer.from(`bordero/1 ${count} ${head}`);
    if (!verify(null, signed, known, Buffer.from(signature!, 'base64url'))) wrong.push('signature');
  } catch {
    wrong.push('key');
  }
  return key!;
}

function sumUp(rows: readonly Json[]): Sums {
  const of = (kind: string) => rows.filter((row) => row['kind'] === kind);
  /** The newest word on each row that another names. */
  const newest = (kind: string, field: string) =>
    new Map(of(kind).map((row) => [row[field] as number, row]));
  const ends = new Map<number, string>();
  for (const row of rows) {
    if (row['kind'] === 'ticket_ended') ends.set(row['ticket'] as number, row['as'] as string);
    if (row['kind'] === 'ticket_revived') ends.delete(row['ticket'] as number);
  }
  const revised = newest('ticket_revised', 'ticket');
  const became = newest('refund_became', 'refund');
  const undone = newest('admission_became', 'admission');
  const good = of('ticket').filter((row) => !ends.has(row['n'] as number));
  const refunds = of('refund').map(
    (row) => ({ ...row, ...became.get(row['n'] as number) }) as Json,
  );
  const passed = of('admission').filter(
    (row) => (undone.get(row['n'] as number) ?? row)['counts'] === true,
  );
  const fees = newest('fee', 'payment');
  const sum = (some: Iterable<Json>, field: string) =>
    [...some].reduce((all, row) => all + (row[field] as number), 0);
  const price = (row: Json) => (revised.get(row['n'] as number) ?? row)['price_cents'] as number;
  const states = [...ends.values()];
  return {
    tickets_issued: of('ticket').length,
    tickets_good: good.length,
    worth_of_good: good.reduce((all, row) => all + price(row), 0),
    presale_of_good: sum(good, 'fee_cents'),
    tickets_void: states.filter((state) => state !== 'refunded').length,
    tickets_refunded: states.filter((state) => state === 'refunded').length,
    changes_of_tickets: of('ticket_revised').length,
    orders: of('order').length,
    came_in: sum(of('payment'), 'cents'),
    went_back: sum(
      refunds.filter(({ state }) => state === 'succeeded'),
      'cents',
    ),
    going_back: sum(
      refunds.filter(({ state }) =>
        /^(?:requested|pending|requires_action)$/.test(state as string),
      ),
      'cents',
    ),
    fees_of_stripe: sum(fees.values(), 'cents'),
    sent_to_bank: of('payout_line').reduce(
      (all, row) => all + (row['cents'] as number) - (row['fee_cents'] as number),
      0,
    ),
    payouts: new Set(of('payout_line').map((row) => row['payout'])).size,
    went_in: passed.filter(({ direction }) => direction === 'in').length,
    went_out: passed.filter(({ direction }) => direction === 'out').length,
    shifts: of('shift').length,
  };
}

if (import.meta.main) {
  const raw = readFileSync(process.argv[2]!);
  console.log(lookInto(raw[0] === 0x1f ? gunzipSync(raw) : raw));
}
