/** Whatever is done to a book is found: every single byte changed, rows dropped, doubled, swapped and put in, the end cut off, all of it written anew with another key. */
import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { fingerprintOf } from '#server/domain/book/chain.ts';
import { readBook } from '#server/domain/book/check.ts';
import { rootOfLeaf, treeOf } from '#server/domain/book/heads.ts';
import { fromBase64url, sha256, toBase64url } from '#server/domain/book/sha256.ts';
import { judgeBook } from '#server/domain/book/verdict.ts';
import { bytesOf, checkWithNode, inventFacts, makeSigner, writeLines } from './make-book.ts';
import { lookInto } from './second-verifier.ts';

const signer = makeSigner();
const fingerprint = fingerprintOf(fromBase64url(signer.key)!);
const small = writeLines(inventFacts(2), signer, [5, 7]);
const large = writeLines(inventFacts(400), signer, [100, 900]);

const judge = (bytes: Uint8Array, heads = '') =>
  judgeBook(bytes, { fingerprint, heads }, checkWithNode);
const faultsOf = (lines: readonly string[]) =>
  readBook(bytesOf(lines)).faults.map(({ kind, n, line }) => `${kind} ${n ?? `line ${line}`}`);
const headIn = (lines: readonly string[], nth: number) => readBook(bytesOf(lines)).heads[nth]!;

test('our hash is SHA-256, and its letters are base64url', () => {
  for (let length = 0; length < 200; length += 1) {
    const bytes = randomBytes(length);
    const wanted = createHash('sha256').update(bytes).digest('base64url');
    expect(toBase64url(sha256(bytes))).toBe(wanted);
    expect(Buffer.from(fromBase64url(bytes.toString('base64url'))!)).toEqual(bytes);
  }
  expect(fromBase64url('AB')).toBe(null);
});

test('a book as it was written is whole, and both verifiers say the same of it', async () => {
  for (const lines of [small, large]) {
    const verdict = await judge(bytesOf(lines));
    expect(verdict.faults).toEqual([]);
    expect(verdict).toMatchObject({ whole: true, signature: 'good', key: 'trusted' });
    const { wrong, sums, key } = lookInto(Buffer.from(bytesOf(lines)));
    expect({ wrong, key }).toEqual({ wrong: [], key: signer.key });
    expect(sums).toMatchObject({
      tickets_issued: verdict.totals.issued,
      came_in: verdict.totals.paid_cents,
      sent_to_bank: verdict.totals.paid_out_cents,
      went_in: verdict.totals.entries,
    });
  }
});

test('every byte of a small book, changed by one bit, is found, and so by the second verifier', async () => {
  const bytes = bytesOf(small);
  const unseen: string[] = [];
  for (let at = 0; at < bytes.length; at += 1) {
    const change = 1 << (at % 8);
    bytes[at]! ^= change;
    // The lines first: a signature costs more than all of them.
    if (readBook(bytes).faults.length === 0 && (await judge(bytes)).whole)
      unseen.push(`first ${at} ${change}`);
    if (lookInto(Buffer.from(bytes)).wrong.length === 0) unseen.push(`second ${at} ${change}`);
    bytes[at]! ^= change;
  }
  expect(unseen).toEqual([]);
  expect((await judge(bytes)).whole).toBe(true);
});

test('any byte of a large book, taken out or changed, is found, and the row is named', async () => {
  const bytes = bytesOf(large);
  const text = Buffer.from(bytes).toString('latin1');
  const rounds = 12;
  for (let round = 0; round < rounds; round += 1) {
    const at = Math.floor((round + Math.random()) * (bytes.length / rounds));
    const without = new Uint8Array([...bytes.subarray(0, at), ...bytes.subarray(at + 1)]);
    expect((await judge(without)).whole).toBe(false);
    bytes[at]! ^= 4;
    const { whole, faults } = await judge(bytes);
    bytes[at]! ^= 4;
    expect([at, whole]).toEqual([at, false]);
    const line = text.slice(0, at).split('\n').length;
    if (line === 1 || line >= large.length - 1 || text[at] === '\n') continue;
    // Row n stands on line n + 1.
    const isNamed = faults.some((fault) => fault.n === line - 1 || fault.line === line);
    expect([at, line, isNamed]).toEqual([at, line, true]);
  }
});

test('rows that are dropped, doubled, swapped or put in are named', () => {
  const without = small.toSpliced(5, 1);
  expect(faultsOf(without)).toContain('missing 5');
  const doubled = small.toSpliced(7, 0, small[7]!);
  expect(faultsOf(doubled)).toEqual(['doubled 7']);
  const swapped = small.with(5, small[7]!).with(7, small[5]!);
  expect(faultsOf(swapped)).toEqual(['moved 7', 'moved 5']);
  const added = small.toSpliced(4, 0, small[3]!.replace('1400', '1500'));
  expect(faultsOf(added)).toEqual(['added 3']);
  const changed = small.with(3, small[3]!.replace('1400', '1500'));
  expect(faultsOf(changed)).toEqual(['changed 3']);
});

test('a book that is cut, or written anew from a row on, is found by its signature', async () => {
  const cut = [...small.slice(0, 6), small.at(-1)!];
  expect(faultsOf(cut)).toContain('missing 6');
  const facts = inventFacts(2);
  const shorter = [...writeLines(facts.slice(0, 6), signer, [5]).slice(0, -1), small.at(-1)!];
  expect((await judge(bytesOf(shorter))).whole).toBe(false);
  // Rows, hashes and the end made to fit, but for the signature, which nobody else can make.
  const anew = writeLines(facts.slice(0, 6), makeSigner(), [5]);
  const end = JSON.parse(anew.at(-1)!) as Record<string, unknown>;
  const forged = [...anew.slice(0, -1), JSON.stringify({ ...end, key: signer.key })];
  const verdict = await judge(bytesOf(forged));
  expect(verdict).toMatchObject({ faults: [], signature: 'bad', whole: false });
});

test('signed again by another key it is whole in itself, and not the one that the reader trusts', async () => {
  const verdict = await judge(bytesOf(writeLines(inventFacts(2), makeSigner(), [5])));
  expect(verdict).toMatchObject({ signature: 'good', key: 'other', whole: false });
});

test('a published head is a prefix of the chain: written anew by the house itself, the book lacks it', async () => {
  const { head, day } = headIn(small, 0);
  const here = await judge(bytesOf(small), `${day.split('-').toReversed().join('/')}: ${head}`);
  expect(here).toMatchObject({ whole: true, known: [{ day, found: 'here' }] });
  const facts = inventFacts(2).with(2, { ...inventFacts(2)[2]!, price_cents: 1 } as never);
  const anew = bytesOf(writeLines(facts, signer, [5, 7]));
  expect(await judge(anew)).toMatchObject({ whole: true });
  expect(await judge(anew, `${day} ${head}`)).toMatchObject({
    whole: false,
    known: [{ found: 'differs' }],
  });
  expect(await judge(anew, head)).toMatchObject({ whole: false, known: [{ found: 'missing' }] });
  expect(await judge(anew, `2026-01-01 ${head}`)).toMatchObject({
    whole: true,
    known: [{ found: 'elsewhere' }],
  });
});

test('each leaf of a tree of any size leads to its root', () => {
  for (let size = 1; size < 20; size += 1) {
    const leaves = Array.from({ length: size }, (_, n) => `leaf ${n}`);
    const { root, pathOf } = treeOf(leaves);
    for (const [n, leaf] of leaves.entries()) expect(rootOfLeaf(leaf, pathOf(n))).toBe(root);
    expect(rootOfLeaf('another', pathOf(0))).not.toBe(root);
  }
});
