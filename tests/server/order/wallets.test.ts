/** Tickets in a phone's wallet: offered where there are keys, signed by the owner, and only for whoever may still come in. */
import { execFileSync } from 'node:child_process';
import { createHash, verify } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testOnSqlite as it } from '#tests/support/both.ts';
import { getOrder } from '#server/contract/order/orders.ts';
import { saveToGoogle } from '#server/contract/order/wallets.ts';
import { readConfig } from '#server/config.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import {
  aRefusal,
  addressFor,
  ask,
  callOk,
  demoEvent,
  linkKeyOf,
  makeOrder,
} from '#tests/support/make.ts';
import { setPolicy } from '#tests/support/refunds.ts';
import {
  appleEnv,
  folder,
  issuer,
  publicKey,
  signer,
  walletEnv as env,
  wwdr,
} from '#tests/support/wallet-keys.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

/** The files of an archive that presses nothing. */
function filesIn(zip: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  for (let at = 0; zip.readUInt32LE(at) === 0x04034b50;) {
    const [size, name] = [zip.readUInt32LE(at + 18), zip.readUInt16LE(at + 26)];
    const start = at + 30 + name + zip.readUInt16LE(at + 28);
    files.set(zip.toString('utf8', at + 30, at + 30 + name), zip.subarray(start, start + size));
    at = start + size;
  }
  return files;
}

interface Claims {
  iss: string;
  aud: string;
  typ: string;
  origins: string[];
  payload: {
    eventTicketClasses: { id: string; eventName: object; dateTime: { start: string } }[];
    eventTicketObjects: {
      id: string;
      classId: string;
      ticketHolderName?: string;
      seatInfo: { seat: object; gate?: object };
      barcode: { type: string; value: string };
    }[];
  };
}

/** What Google would read: the signature is checked first. */
function readSaveUrl(save_url: string): Claims {
  const [, token] = /^https:\/\/pay\.google\.com\/gp\/v\/save\/([\w-]+\.[\w-]+\.[\w-]+)$/.exec(
    save_url,
  )!;
  const [head, claims, signature] = token!.split('.') as [string, string, string];
  expect(JSON.parse(Buffer.from(head, 'base64url').toString())).toEqual({
    alg: 'RS256',
    typ: 'JWT',
  });
  expect(
    verify(
      'sha256',
      Buffer.from(`${head}.${claims}`),
      publicKey,
      Buffer.from(signature, 'base64url'),
    ),
  ).toBe(true);
  return JSON.parse(Buffer.from(claims, 'base64url').toString()) as Claims;
}

const orderOf = (server: TestServer, order_id: string) =>
  callOk(server, getOrder, { params: { orderId: order_id } });
const pageOf = async (server: TestServer, order_id: string) =>
  (await fetch(await addressFor(server, `/orders/${order_id}`))).text();
const save = (server: TestServer, order_id: string, ticket_id: string) =>
  ask(server, 'GET', `/api/orders/${order_id}/tickets/${ticket_id}/wallet/google`);

test('Google’s address holds the whole ticket, signed, and is short enough for an address', async () => {
  await using server = await startServer({ env });
  const { order_id } = await makePaidOrder(server);
  const { tickets, wallets, event, number } = await orderOf(server, order_id);
  expect(wallets).toEqual(['google']);
  const saved = await callOk(server, saveToGoogle, {
    params: { orderId: order_id, ticketId: tickets[1]!.ticket_id },
  });
  const claims = readSaveUrl(saved.save_url);
  expect(claims).toMatchObject({
    iss: 'biglietti@progetto.iam.gserviceaccount.com',
    aud: 'google',
    typ: 'savetowallet',
    origins: [server.url],
  });
  const say = (value: string) => ({ defaultValue: { language: 'it', value } });
  expect(claims.payload.eventTicketClasses).toEqual([
    expect.objectContaining({
      id: `${issuer}.${demoEvent}`,
      eventName: say('La locandiera'),
      dateTime: { start: event.starts_at, doorsOpen: event.doors_at },
    }),
  ]);
  expect(claims.payload.eventTicketObjects).toEqual([
    expect.objectContaining({
      id: `${issuer}.${tickets[1]!.ticket_id}.1`,
      classId: `${issuer}.${demoEvent}`,
      state: 'ACTIVE',
      ticketNumber: number,
      seatInfo: { seat: say(tickets[1]!.seat), gate: say('Ingresso platea') },
      barcode: {
        type: 'QR_CODE',
        value: tickets[1]!.code,
        alternateText: tickets[1]!.code_for_people,
      },
    }),
  ]);
  expect(saved.save_url.length).toBeLessThan(2_048);

  const longest = { title: 'Ò'.repeat(200), venue_title: 'è'.repeat(200) };
  await setPolicy(server, { ...longest, venue_address: '"'.repeat(300) }, demoEvent);
  const long = await callOk(server, saveToGoogle, {
    params: { orderId: order_id, ticketId: tickets[1]!.ticket_id },
  });
  expect([
    readSaveUrl(long.save_url).payload.eventTicketClasses.length,
    long.save_url.length < 3_000,
  ]).toEqual([1, true]);
});

test('Apple’s file holds the whole ticket, and its signature covers each of its parts', async () => {
  await using server = await startServer({ env: { ...env, ...appleEnv } });
  const { order_id } = await makePaidOrder(server);
  const { tickets, wallets, number } = await orderOf(server, order_id);
  expect(wallets).toEqual(['apple', 'google']);
  const page = await pageOf(server, order_id);
  expect(
    [
      'Aggiungi ad Apple Wallet',
      `href="/api/orders/${await linkKeyOf(server, order_id)}/tickets/${tickets[0]!.ticket_id}/wallet/apple"`,
      'Aggiungi a Google Wallet',
    ].map((part) => page.includes(part)),
  ).toEqual([true, true, true]);
  const answer = await fetch(
    await addressFor(
      server,
      `/api/orders/${order_id}/tickets/${tickets[0]!.ticket_id}/wallet/apple`,
    ),
  );
  expect(server.logged).toEqual([]);
  expect([
    answer.status,
    answer.headers.get('content-type'),
    answer.headers.get('cache-control'),
    answer.headers.get('content-disposition')?.includes(`La locandiera ${number}.pkpass`),
  ]).toEqual([200, 'application/vnd.apple.pkpass', 'no-store', true]);
  const files = filesIn(Buffer.from(await answer.arrayBuffer()));
  const pass = JSON.parse(files.get('pass.json')!.toString()) as {
    eventTicket: Record<string, { key: string; value: string }[]>;
    barcodes: object[];
  };
  expect(pass).toMatchObject({
    formatVersion: 1,
    passTypeIdentifier: 'pass.it.teatro.biglietti',
    teamIdentifier: 'ABCDE12345',
    serialNumber: `${tickets[0]!.ticket_id}.1`,
  });
  expect(pass.barcodes).toEqual([
    {
      format: 'PKBarcodeFormatQR',
      message: tickets[0]!.code,
      messageEncoding: 'iso-8859-1',
      altText: tickets[0]!.code_for_people,
    },
  ]);
  const told = Object.fromEntries(
    ['primaryFields', 'secondaryFields', 'auxiliaryFields', 'backFields']
      .flatMap((part) => pass.eventTicket[part]!)
      .map(({ key, value }) => [key, value]),
  );
  expect(told).toMatchObject({
    event: 'La locandiera',
    venue: 'Teatro Goldoni',
    address: 'Corte del Teatro 4, 30124 Venezia',
    gate: 'Ingresso platea',
    seat: tickets[0]!.seat,
    type: 'Intero',
    order: number,
    url: `${server.url}/i-miei-biglietti`,
  });
  expect(told['date']).toMatch(/, ore 21:00$/);

  const manifest = JSON.parse(files.get('manifest.json')!.toString()) as Record<string, string>;
  expect(Object.keys(manifest).toSorted()).toEqual([
    'icon.png',
    'icon@2x.png',
    'icon@3x.png',
    'pass.json',
  ]);
  for (const [name, hash] of Object.entries(manifest))
    expect([name, createHash('sha1').update(files.get(name)!).digest('hex')]).toEqual([name, hash]);
  for (const name of ['signature', 'manifest.json'])
    writeFileSync(join(folder, name), files.get(name)!);
  const [signature, content] = [join(folder, 'signature'), join(folder, 'manifest.json')];
  const trusted = `-certfile ${signer.cert} -CAfile ${signer.cert} -purpose any`;
  const asked = `smime -verify -inform DER -in ${signature} -content ${content} ${trusted}`;
  const check = () =>
    execFileSync('openssl', [...asked.split(' '), '-out', '/dev/null'], { stdio: 'pipe' });
  check();
  writeFileSync(
    join(folder, 'manifest.json'),
    files.get('manifest.json')!.toString().replace('pass.json', 'pazz.json'),
  );
  expect(check).toThrow('digest failure');
});

test('whoever may not come in with a ticket gets none for his wallet; after a change of holder it is another one', async () => {
  await using server = await startServer({ env });
  const { db } = server.house.ctx;
  const waiting = await makeOrder(server, { nth: 2 });
  const { order_id } = await makePaidOrder(server);
  const [first, second] = (await orderOf(server, order_id)).tickets;
  const refusal = async (order: string, ticket_id: string) => {
    const { status, body } = await save(server, order, ticket_id);
    return [status, (body as { code?: string }).code];
  };
  const { ticket_id } = first!;
  expect(await refusal(waiting.order_id, ticket_id)).toEqual([409, 'order_not_confirmed']);
  expect(await refusal('nobody', ticket_id)).toEqual([404, 'order_not_found']);
  // Another order's ticket is not this order's.
  const { order_id: others } = await makePaidOrder(server, {}, { nth: 1 });
  const foreign = (await orderOf(server, others)).tickets[0]!.ticket_id;
  for (const wrong of ['nobody', 'x'.repeat(200), '%27', foreign])
    expect(await refusal(order_id, wrong)).toEqual([404, 'ticket_not_found']);

  for (const state of ['void', 'refunded']) {
    await db('tickets').where({ id: ticket_id }).update({ state });
    expect(await refusal(order_id, ticket_id)).toEqual([409, 'no_valid_tickets']);
  }
  await setPolicy(server, { nominative: 1 }, demoEvent);
  expect(await refusal(order_id, second!.ticket_id)).toEqual([409, 'holder_missing']);
  await db('tickets')
    .where({ id: second!.ticket_id })
    .update({ holder: 'Anna Bianchi', revision: 2 });
  const [named] = readSaveUrl(
    ((await save(server, order_id, second!.ticket_id)).body as { save_url: string }).save_url,
  ).payload.eventTicketObjects;
  expect([named!.id, named!.ticketHolderName, named!.barcode.value === second!.code]).toEqual([
    `${issuer}.${second!.ticket_id}.2`,
    'Anna Bianchi',
    false,
  ]);
  await setPolicy(server, { status: 'cancelled' }, demoEvent);
  expect(await refusal(order_id, second!.ticket_id)).toEqual([410, 'event_cancelled']);
  expect(server.logged).toEqual([]);
});

it('without keys no wallet is offered', async (server) => {
  const { order_id } = await makePaidOrder(server);
  const { tickets, wallets } = await orderOf(server, order_id);
  expect(wallets).toEqual([]);
  expect(await pageOf(server, order_id)).not.toContain('Wallet');
  const path = `/api/orders/${order_id}/tickets/${tickets[0]!.ticket_id}/wallet`;
  for (const name of ['apple', 'google'])
    expect(await ask(server, 'GET', `${path}/${name}`)).toMatchObject(
      aRefusal(404, 'wallet_not_offered'),
    );
});

test('keys are looked at when the server starts', () => {
  expect(readConfig(env, []).googleWallet).toMatchObject({
    issuer_id: issuer,
    client_email: 'biglietti@progetto.iam.gserviceaccount.com',
  });
  expect(readConfig(appleEnv, []).appleWallet).toMatchObject({
    pass_type_id: 'pass.it.teatro.biglietti',
    team_id: 'ABCDE12345',
  });
  for (const wrong of [
    { ...appleEnv, APPLE_PASS_KEY_FILE: wwdr.key },
    { ...appleEnv, APPLE_WWDR_FILE: '/nowhere.pem' },
    { ...appleEnv, APPLE_TEAM_ID: 'x' },
    { APPLE_PASS_TYPE_ID: 'pass.a' },
  ])
    expect(() => readConfig(wrong, [])).toThrow(/APPLE_/);
  for (const wrong of [
    { ...env, GOOGLE_WALLET_ISSUER_ID: 'abc' },
    { GOOGLE_WALLET_ISSUER_ID: issuer },
    { ...env, GOOGLE_WALLET_KEY_FILE: '/nowhere.json' },
    { ...env, GOOGLE_WALLET_KEY_FILE: import.meta.filename },
  ])
    expect(() => readConfig(wrong, [])).toThrow(/GOOGLE_WALLET/);
});
