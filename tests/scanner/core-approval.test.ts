/** A supervisor's consent between two phones without any line: asked, opened by a PIN, signed, checked, used once; and what else is no consent. */
import { pbkdf2Sync } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Core } from '#apps/scanner/scan/core.ts';
import type { Consent } from '#apps/scanner/scan/approval.ts';
import { sign, unsealKey } from '#apps/scanner/device/signing-key.ts';
import { mayOverrule, verdicts } from '#server/domain/door/admission.ts';
import {
  questionId,
  readQuestion,
  verdictAsked,
  writeQuestion,
  type Question,
} from '#server/domain/door/approval.ts';
import { codeOfRow, doorPageOf, listedPlace, listedScan } from '#tests/support/door/door-page.ts';
import { lost, openPaired, scriptLine, verdictOf } from '#tests/support/scripted-line.ts';

const hourMs = 3_600_000;
const places = Array.from({ length: 12 }, (_, n) =>
  listedPlace(n, n === 3 ? { ticket: { state: 'unpaid' } } : {}),
);
const list = () => doorPageOf({ places, admissions: [listedScan(5)] });

function pinOf(digits: string) {
  return {
    salt: Buffer.from('salt of the office').toString('base64url'),
    hash: pbkdf2Sync(digits, 'salt of the office', 1_000, 32, 'sha256').toString('base64url'),
    iterations: 1_000,
  };
}

async function openSupervisor(phone_id = 'chief') {
  const line = scriptLine(list());
  Object.assign(line, { role: 'supervisor', phone_id, pin: pinOf('4711') });
  const core = await openPaired(line);
  const public_key = line.beats.at(-1)!.signing_key!;
  return { line, core, card: { phone_id, name: 'Sara', public_key, event_ids: ['serata'] } };
}

type Chief = Awaited<ReturnType<typeof openSupervisor>>;

async function openSteward(known: Chief['card'][]) {
  const line = scriptLine(list());
  line.pin = pinOf('4711');
  line.supervisors = known;
  return { line, core: await openPaired(line) };
}

/** Both phones have heard the server once; from here on there is no line. */
async function openPair() {
  const chief = await openSupervisor();
  const steward = await openSteward([chief.card]);
  for (const { line } of [chief, steward]) line.failure = lost();
  return { chief, steward };
}

const unpaid = { event_id: 'serata', place: listedPlace(3).place, revision: 1, annuls: null };
const askUnpaid = (core: Core) =>
  core.askSupervisor({ ...unpaid, act: 'overrule', verdict: 'unpaid' });

async function consentOf(core: Core, question: Question, answer: string): Promise<Consent> {
  const read = await core.readConsent(question, answer);
  if (read.kind !== 'consent') throw new Error(`No consent: ${read.kind}`);
  return read.consent;
}

async function overrule(core: Core, consent: Consent | null) {
  return core.admit({
    event_id: 'serata',
    recognised: await core.recognise('serata', codeOfRow(3)),
    direction: 'in',
    override: 'Deciso dal responsabile',
    means: 'code',
    note: null,
    consent,
  });
}

test('without a line a steward asks, the supervisor’s PIN opens the key, and the consent goes up with the scan', async () => {
  const { chief, steward } = await openPair();
  expect(await verdictOf(steward.core, codeOfRow(3))).toBe('unpaid');
  // Nobody was asked: the reason alone opens nothing.
  expect((await overrule(steward.core, null)).verdict).toBe('unpaid');

  const question = askUnpaid(steward.core);
  const text = writeQuestion(question);
  expect(readQuestion(text)).toEqual(question);
  expect(verdictAsked(readQuestion(text)!)).toBe('unpaid');
  expect(chief.core.refusalOf(question)).toBeNull();
  expect(chief.core.seatAskedAbout(question)).toBe(listedPlace(3).seat);
  await expect(chief.core.answer(text)).rejects.toThrow('may not answer');
  expect(await chief.core.checkPin('4712')).toMatchObject({ is_right: false });
  await expect(chief.core.answer(text)).rejects.toThrow('may not answer');
  expect(await chief.core.checkPin('4711')).toMatchObject({ is_right: true });

  const consent = await consentOf(steward.core, question, await chief.core.answer(text));
  expect(consent.by).toBe('Sara');
  expect(await overrule(steward.core, consent)).toMatchObject({
    verdict: 'admit',
    overridden: true,
    approved_by: 'Sara',
  });
  steward.line.failure = null;
  await steward.core.syncOnce();
  expect(steward.line.sent.map(({ verdict, approval }) => [verdict, approval ?? null])).toEqual([
    ['unpaid', null],
    ['unpaid', null],
    ['admit', { question: text, supervisor_id: 'chief', signature: consent.approval.signature }],
  ]);
  for (const { core } of [chief, steward]) core.stop();
});

test('an answer is for one question: not for a later one, another ticket or event, a stranger’s key, or after its time', async () => {
  const { chief, steward } = await openPair();
  await chief.core.checkPin('4711');
  const [first, second] = [askUnpaid(steward.core), askUnpaid(steward.core)];
  expect(first.id).not.toBe(second.id);
  expect(Buffer.from(first.id, 'base64url')).toHaveLength(16);
  const answer = await chief.core.answer(writeQuestion(first));
  const kindOf = async (question: Question, text: string) =>
    (await steward.core.readConsent(question, text)).kind;
  expect(await kindOf(first, answer)).toBe('consent');
  expect(await kindOf(second, answer)).toBe('unknown');
  expect(await kindOf({ ...first, place: listedPlace(4).place }, answer)).toBe('unknown');
  expect(await kindOf({ ...first, event_id: 'altro' }, answer)).toBe('unknown');
  expect(await kindOf(first, codeOfRow(4))).toBe('other');
  expect(await kindOf(first, answer.slice(0, -2))).toBe('other');

  const stranger = await openSupervisor('stranger');
  await stranger.core.checkPin('4711');
  expect(await kindOf(first, await stranger.core.answer(writeQuestion(first)))).toBe('unknown');

  steward.line.clock.now += 121_000;
  expect(await kindOf(first, answer)).toBe('late');
  chief.line.clock.now += 4 * 60_000;
  expect(chief.core.refusalOf(first)).toBe('late');
  // One that was made in advance is as little worth.
  expect(chief.core.refusalOf({ ...first, expires_at: chief.line.clock.now + hourMs })).toBe(
    'late',
  );
  for (const { core } of [chief, steward, stranger]) core.stop();
});

test('a question names each verdict that may be overruled beside all of its random bits; one of an older app, or of a later one’s verdict, names none', () => {
  for (let n = 0; n < 64; n += 1) {
    const bytes = Buffer.alloc(16, n * 7 + 1);
    const random = bytes.toString('base64url');
    for (const verdict of verdicts) {
      const id = questionId(random, verdict);
      const isNamed = mayOverrule(verdict, 'in', false);
      expect([verdict, verdictAsked({ id })]).toEqual([verdict, isNamed ? verdict : null]);
      expect(Buffer.from(id, 'base64url')).toEqual(bytes);
    }
    expect(verdictAsked({ id: random })).toBeNull();
    expect(verdictAsked({ id: questionId(random, null) })).toBeNull();
  }
  expect(verdictAsked({ id: `${'A'.repeat(21)}P` })).toBeNull();
});

test('only a supervisor’s phone of the same event answers, and none answers itself', async () => {
  const { chief, steward } = await openPair();
  const question = askUnpaid(steward.core);
  expect(steward.core.refusalOf(question)).toBe('not_supervisor');
  await expect(steward.core.answer(writeQuestion(question))).rejects.toThrow('may not answer');
  expect(chief.core.refusalOf({ ...question, event_id: 'altro' })).toBe('other_event');
  expect(chief.core.refusalOf({ ...question, phone_id: 'chief' })).toBe('own');
  expect(steward.core.supervisorsOf('serata')).toHaveLength(1);
  expect(steward.core.supervisorsOf('altro')).toEqual([]);
  for (const { core } of [chief, steward]) core.stop();
});

test('with a consent a steward takes back what another phone has read, and without one not', async () => {
  const { chief, steward } = await openPair();
  const { admission_id, place } = listedScan(5);
  const undo = (consent: Consent | null) =>
    steward.core.undo({ event_id: 'serata', admission_id, reason: 'Letto per sbaglio', consent });
  expect((await undo(null)).undone).toBe(false);
  const asked = {
    event_id: 'serata',
    place,
    revision: 1,
    act: 'undo',
    annuls: admission_id,
    verdict: null,
  } as const;
  const question = steward.core.askSupervisor(asked);
  await chief.core.checkPin('4711');
  const answer = await chief.core.answer(writeQuestion(question));
  const consent = await consentOf(steward.core, question, answer);
  expect((await undo(consent)).undone).toBe(true);
  const [row] = await steward.core.db.queue.toArray();
  expect(row).toMatchObject({ verdict: 'undone', approval: { supervisor_id: 'chief' } });
  for (const { core } of [chief, steward]) core.stop();
});

test('a supervisor takes back what another phone has read by the role of the own phone', async () => {
  const { core } = await openSupervisor();
  const { admission_id } = listedScan(5);
  const undo = { event_id: 'serata', admission_id, reason: 'Letto per sbaglio' };
  expect((await core.undo(undo)).undone).toBe(true);
  expect((await overrule(core, null)).verdict).toBe('admit');
});

test('without a PIN the key is not extractable', async () => {
  const line = scriptLine(list());
  line.role = 'supervisor';
  const core = await openPaired(line);
  const kept = (await core.readMeta('signing_key'))!.private_key;
  expect(kept).toBeInstanceOf(CryptoKey);
  expect((kept as CryptoKey).extractable).toBe(false);
});

test('the right PIN seals the key: nothing but the PIN opens it again, and another PIN of the office makes another key', async () => {
  const { line, core, card } = await openSupervisor();
  const steward = await openSteward([card]);
  const text = writeQuestion(await askUnpaid(steward.core));
  await core.checkPin('4712');
  await core.checkPin('4711');
  const answer = await core.answer(text);
  expect(answer).not.toBe('');
  const { private_key } = (await core.readMeta('signing_key'))!;
  expect(Object.keys(private_key).toSorted()).toEqual(['iv', 'salt', 'sealed']);
  core.stop();
  const again = line.open();
  await again.ready();
  const disk = { meta: { get: async () => ({ value: await again.readMeta('signing_key') }) } };
  await expect(sign(disk as never, null, text)).rejects.toThrow('no key that is open');
  const wrong = { digits: '4712', iterations: 1_000 };
  await expect(unsealKey(disk as never, wrong)).rejects.toThrow();
  await again.checkPin('4711');
  expect(await again.answer(text)).not.toBe('');
  line.pin = pinOf('2222');
  line.clock.now += 60_000;
  await again.syncOnce();
  line.clock.now += 60_000;
  await again.syncOnce();
  expect(line.beats.at(-1)!.signing_key).not.toBe(card.public_key);
  expect(await again.checkPin('2222')).toMatchObject({ is_right: true });
  for (const one of [again, steward.core]) one.stop();
});

test('the key stays on the phone as it is, ends with the role, and a pairing makes another', async () => {
  const { line, core, card } = await openSupervisor();
  core.stop();
  const again = line.open();
  await again.ready();
  line.clock.now += 60_000;
  await again.syncOnce();
  expect(line.beats.at(-1)!.signing_key).toBe(card.public_key);
  await again.pair('pairing-token-of-the-office');
  line.clock.now += 60_000;
  await again.syncOnce();
  expect(line.beats.at(-1)!.signing_key).not.toBe(card.public_key);
  line.role = 'steward';
  line.clock.now += 60_000;
  await again.syncOnce();
  expect(await again.readMeta('signing_key')).toBeUndefined();
  line.clock.now += 60_000;
  await again.syncOnce();
  expect(line.beats.at(-1)!.signing_key).toBeUndefined();
});

test('where the office has set no PIN a steward overrules with a reason alone', async () => {
  const line = scriptLine(list());
  const core = await openPaired(line);
  expect(await core.checkPin('1234')).toEqual({ is_right: false, looked: true, wait_ms: 0 });
  expect((await overrule(core, null)).verdict).toBe('admit');
});

test('after three wrong PINs each costs a wait that doubles, outlives the app and is not lengthened by asking', async () => {
  const line = scriptLine(list());
  line.role = 'supervisor';
  line.pin = pinOf('4711');
  const first = await openPaired(line);
  const waits = [];
  for (const digits of ['0000', '0001', '0002']) waits.push((await first.checkPin(digits)).wait_ms);
  expect(waits).toEqual([0, 0, 15_000]);
  // Not even the right one is looked at.
  line.clock.now += 5_000;
  expect(await first.checkPin('4711')).toEqual({ is_right: false, looked: false, wait_ms: 10_000 });
  first.stop();
  const again = line.open();
  await again.ready();
  expect(await again.checkPin('4711')).toEqual({ is_right: false, looked: false, wait_ms: 10_000 });
  // A clock that goes back begins the wait anew, no more.
  line.clock.now -= 3_600_000;
  expect((await again.checkPin('4711')).wait_ms).toBe(15_000);
  line.clock.now += 15_000;
  expect(await again.checkPin('0003')).toEqual({ is_right: false, looked: true, wait_ms: 30_000 });
  line.clock.now += 30_000;
  expect(await again.checkPin('4711')).toEqual({ is_right: true, looked: true, wait_ms: 0 });
  expect(await again.checkPin('0004')).toEqual({ is_right: false, looked: true, wait_ms: 0 });
});

test('a new PIN of the office is not locked by mistakes with the old one', async () => {
  const line = scriptLine(list());
  line.role = 'supervisor';
  line.pin = pinOf('1111');
  const core = await openPaired(line);
  for (const digits of ['0000', '0001', '0002']) await core.checkPin(digits);
  expect(await core.checkPin('0003')).toMatchObject({ looked: false });
  line.pin = pinOf('2222');
  line.clock.now += 31_000;
  for (const digits of ['0004', '0005']) await core.checkPin(digits);
  line.clock.now += 1_000;
  await core.checkPin('1111');
  await core.syncOnce();
  expect(core.isKeyOpen()).toBe(false);
  expect(await core.checkPin('0006')).toMatchObject({ looked: true, wait_ms: 0 });
});

test('the key is open for five minutes, whatever is done to the clock, until it is closed or the app starts again', async () => {
  const ends: (() => void)[] = [];
  const line = scriptLine(list());
  line.role = 'supervisor';
  line.pin = pinOf('4711');
  const core = await openPaired(line, {
    after: (ms, act) => {
      if (ms === 300_000) ends.push(act);
      return () => {};
    },
  });
  expect([core.isKeyOpen(), core.keyOpenUntil()]).toEqual([false, null]);
  await core.checkPin('4711');
  expect([core.isKeyOpen(), core.keyOpenUntil()]).toEqual([true, line.clock.now + 300_000]);
  line.clock.now -= hourMs;
  ends.at(-1)!();
  expect(core.isKeyOpen()).toBe(false);
  // A later opening is not ended by an earlier one's time.
  await core.checkPin('4711');
  const first = ends.at(-1)!;
  line.clock.now += 1_000;
  await core.checkPin('4711');
  first();
  expect(core.isKeyOpen()).toBe(true);
  core.closeKey();
  expect(core.isKeyOpen()).toBe(false);
  await core.checkPin('4711');
  core.stop();
  const again = line.open();
  await again.ready();
  expect(again.isKeyOpen()).toBe(false);
});
