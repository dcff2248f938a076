/** Books for tests: an invented evening of any size, written with the product's own chain and signed by a key of its own. */
import { createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import {
  chain,
  endLine,
  endText,
  headerLine,
  rowLine,
  startOf,
} from '#server/domain/book/chain.ts';
import { headOf, leafOf, treeOf } from '#server/domain/book/heads.ts';
import type { BookRow, Fact } from '#server/domain/book/rows.ts';
import type { CheckSignature } from '#server/domain/book/verdict.ts';

interface Signer {
  key: string;
  sign: (text: string) => string;
}

export function makeSigner(): Signer {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    key: publicKey.export({ format: 'jwk' }).x!,
    sign: (text) => sign(null, Buffer.from(text), privateKey).toString('base64url'),
  };
}

/** As Node does it. */
export const checkWithNode: CheckSignature = async ({ key, signature, text }) => {
  const x = Buffer.from(key).toString('base64url');
  const known = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, Buffer.from(text), known, signature);
};

const began = Date.parse('2026-11-20T18:00:00Z');

/** Orders of two, each paid, with its fee; all come in, and Stripe pays out. A head in the middle, and one at the end. */
export function inventFacts(tickets: number): Fact[] {
  const facts: Fact[] = [
    {
      kind: 'event',
      title: 'La locandiera è qui',
      venue: 'Teatro «Città»',
      starts_at: '2026-11-20T20:00:00.000Z',
      status: 'published',
    },
  ];
  const seats: number[] = [];
  const payments: number[] = [];
  const name = (n: number) => `N${String(n).padStart(7, '0')}`;
  for (let n = 0; n < tickets / 2; n += 1) {
    const order = name(n);
    facts.push(
      {
        kind: 'order',
        order,
        channel: 'web',
        total_cents: 3_000,
        gift: false,
        buyer: 'y1Vq0c0Z8b2cS8zvTq9m1A',
        mail: 'kK2n5sXQm7yq9d0aJmC3wQ',
      },
      ticketOf(order, n * 2),
      ticketOf(order, n * 2 + 1),
      { kind: 'payment', order, means: 'stripe', method: 'card', cents: 3_000 },
    );
    seats.push(facts.length - 2, facts.length - 1);
    payments.push(facts.length);
    facts.push({ kind: 'fee', payment: facts.length, cents: 70 });
  }
  for (const [nth, ticket] of seats.entries())
    facts.push({
      kind: 'admission',
      ticket,
      place: `Platea-${nth}`,
      revision: 1,
      direction: 'in',
      gate: 'Ingresso',
      by: 'phone',
      offline: nth % 3 === 0,
      override: false,
      counts: true,
      second: false,
    });
  for (const payment of payments)
    facts.push({
      kind: 'payout_line',
      of: payment,
      payout: 'po_1',
      cents: 3_000,
      fee_cents: 70,
      net_cents: 2_930,
    });
  return facts;
}

function ticketOf(order: string, nth: number): Fact {
  return {
    kind: 'ticket',
    order,
    place: `Platea-${nth}`,
    seat: `Platea, posto ${nth}`,
    category: nth % 4 === 0 ? 'Galleria' : 'Platea',
    type: nth % 5 === 0 ? 'Ridotto' : 'Intero',
    price_cents: 1_400,
    fee_cents: 100,
    revision: 1,
    test: false,
  };
}

const header = headerLine({ book: 'la-locandiera', opened: new Date(began).toISOString() });

/** The lines of a book without their ends; heads of the day after so many rows. */
export function writeLines(
  facts: readonly Fact[],
  signer: Signer,
  headsAfter: readonly number[] = [],
): string[] {
  let hash = startOf(header);
  const lines = [header];
  let before = '';
  const write = (fact: Fact) => {
    const n = lines.length;
    const at = new Date(began + n * 1_000).toISOString();
    const chained = chain(hash, { n, at, ...fact } as BookRow);
    hash = chained.hash;
    lines.push(rowLine(chained));
  };
  for (const [index, fact] of facts.entries()) {
    write(fact);
    const day = headsAfter.indexOf(index + 1);
    if (day < 0) continue;
    const leaf = leafOf({ start: startOf(header), rows: lines.length - 1, hash });
    const tree = treeOf(['andere', leaf, 'noch']);
    const parts = { day: `2026-11-${20 + day}`, before, root: tree.root, seal: 1, seal_hash: 'a' };
    const head = headOf(parts);
    write({ kind: 'head', ...parts, rows: lines.length - 1, hash, path: tree.pathOf(1), head });
    before = head;
  }
  const end = { rows: lines.length - 1, head: hash };
  lines.push(endLine({ ...end, key: signer.key, signature: signer.sign(endText(end)) }));
  return lines;
}

export function bytesOf(lines: readonly string[]): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(lines.map((line) => `${line}\n`).join(''));
}
