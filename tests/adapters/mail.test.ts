/** Our way to a mail server: what arrives there, and what each of its answers means. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { connectMail, type OutgoingMail } from '#server/adapters/mail.ts';
import { ProviderRefused, ProviderUnavailable } from '#server/adapters/provider.ts';
import { startSmtp } from '#tests/support/smtp.ts';

const from = { name: 'Teatro Goldoni – già “La Fenice”', address: 'biglietti@teatro.it' };
const mail: OutgoingMail = {
  to: 'eva@example.it',
  subject: 'I tuoi biglietti per Così è (se vi pare) – perché no? 25,00\u00a0€',
  text: 'Ciao Niccolò, è così.\n',
  html: '<p>Ciao Niccolò, è così.</p>',
  message_id: '<order-abc@teatro.it>',
  reply_to: 'assistenza@teatro.it',
  attachments: [
    { name: 'Così è.pdf', type: 'application/pdf', content: Buffer.from('%PDF-1.7 …') },
  ],
};
const send = (url: string, changes: Partial<OutgoingMail> = {}) =>
  connectMail({ now: Date.now, url, from }).send({ ...mail, ...changes });

test('subject, text, HTML and attachments arrive with their accents', async () => {
  await using smtp = await startSmtp();
  await send(smtp.url);
  const { email, raw, from: sender, to } = smtp.received[0]!;
  expect([sender, to]).toEqual(['biglietti@teatro.it', ['eva@example.it']]);
  expect(email).toMatchObject({
    subject: mail.subject,
    messageId: mail.message_id,
    from,
    to: [{ address: 'eva@example.it' }],
    replyTo: [{ address: 'assistenza@teatro.it' }],
  });
  expect([email.text?.trim(), email.html?.trim()]).toEqual([mail.text.trim(), mail.html]);
  expect(
    email.attachments.map(({ filename, mimeType, content }) => [
      filename,
      mimeType,
      Buffer.from(content as ArrayBuffer).toString(),
    ]),
  ).toEqual([['Così è.pdf', 'application/pdf', '%PDF-1.7 …']]);
  const headers = Object.fromEntries(email.headers.map(({ key, value }) => [key, value]));
  expect(headers).toMatchObject({ 'auto-submitted': 'auto-generated', 'content-language': 'it' });
  // Headers travel in ASCII, whatever the words are.
  expect(raw).toMatch(/^\p{ASCII}*$/u);
});

test('nothing that a person wrote becomes a header or a second recipient', async () => {
  await using smtp = await startSmtp();
  await send(smtp.url, {
    subject: 'Prova\r\nBcc: vittima@example.it\r\n\r\nTesto mio',
    text: 'x\r\n.\r\nMAIL FROM:<a@b.it>\r\n',
  });
  for (const to of [
    'eva@example.it\r\nBcc: vittima@example.it',
    'eva@example.it, vittima@example.it',
    'eva@example.it>\r\nRCPT TO:<vittima@example.it',
  ])
    await expect(send(smtp.url, { to })).rejects.toBeInstanceOf(ProviderRefused);
  expect(smtp.received.map(({ to }) => to)).toEqual([['eva@example.it']]);
  const { email } = smtp.received[0]!;
  expect(email.headers.map(({ key }) => key)).not.toContain('bcc');
  expect(email.text).toContain('MAIL FROM:<a@b.it>');
  expect(email.subject).toContain('Bcc: vittima@example.it');
});

test('a clear no to this mail is a refusal; patience, or a no to our sender, login or quota, is not', async () => {
  const said = async (answers: Parameters<typeof startSmtp>[0]) => {
    await using smtp = await startSmtp(answers);
    return await send(smtp.url).then(
      () => null,
      (error: unknown) => [
        error instanceof ProviderRefused
          ? 'refused'
          : error instanceof ProviderUnavailable
            ? 'silent'
            : error,
        String(error),
      ],
    );
  };
  const cases = {
    refused: [
      ['rcpt', '550 No such user here'],
      ['rcpt', '550 5.1.1 <relay@blacklist.it>: Recipient unknown'],
      ['rcpt', '552 5.2.2 Mailbox over its daily quota'],
      ['data', '554 Looks like spam'],
      ['data', '552 5.3.4 Message too large'],
      ['data', '552 5.7.0 This message was blocked because of its content'],
      ['mail', '552 5.3.4 Message size exceeds fixed limit'],
      ['mail', '552 Message size exceeds fixed limit'],
      ['mail', '550 5.6.7 Address with accents'],
    ],
    silent: [
      ['rcpt', '451 Greylisted, come back'],
      ['data', '452 Mailbox full'],
      ['mail', '421 4.7.0 Try again later'],
      ['mail', '550 5.1.0 Sender rejected'],
      ['mail', '530 5.7.0 Authentication required'],
      ['mail', '552 5.2.2 Your account is over quota'],
      ['mail', '452 4.3.1 Out of storage'],
      ['mail', '554 Blocked'],
      ['rcpt', '530 5.7.0 Authentication required'],
      ['rcpt', '554 5.7.1 <eva@example.it>: Relay access denied'],
      ['rcpt', '553 5.7.1 <a@b.it>: Sender address rejected: not owned by user u'],
      ['rcpt', '554 5.7.1 Client host [192.0.2.1] blocked using a list'],
      ['data', '550 5.4.5 Daily user sending limit exceeded'],
      ['data', '550 5.7.26 Unauthenticated sender'],
      ['data', '550 Hourly quota reached'],
    ],
  } as const;
  for (const [outcome, answers] of Object.entries(cases))
    for (const [step, answer] of answers)
      expect([answer, await said({ [step]: () => answer })]).toEqual([
        answer,
        [outcome, expect.stringContaining(answer.slice(4))],
      ]);
  expect(await said({})).toBe(null);
});

test('an address may have accents', async () => {
  await using smtp = await startSmtp();
  for (const [to, inHeader = to] of [
    ['nicolò@città.example.it'],
    ["p.d'angelo@città.example.it", "p.d'angelo@xn--citt-3na.example.it"],
    ['a@straße.example', 'a@xn--strae-oqa.example'],
    ['a@пример.рф', 'a@xn--e1afmkfd.xn--p1ai'],
    ["!#$%&'*+/=?^_`{|}~-@example.it"],
  ] as [string, string?][]) {
    await send(smtp.url, { to });
    const { to: recipients, utf8, email } = smtp.received.at(-1)!;
    // A mail server must know SMTPUTF8 only for accents before the @.
    const isPlain = /^[!-~]+@/.test(to);
    expect([recipients, utf8, email.to!.map(({ address }) => address)]).toEqual([
      [to],
      !isPlain,
      [inHeader],
    ]);
  }
});

test('a wrong password of ours is no verdict on the mail: it waits until somebody mends it', async () => {
  await using smtp = await startSmtp({}, { password: 'another' });
  await expect(send(smtp.url)).rejects.toBeInstanceOf(ProviderUnavailable);
  await using right = await startSmtp({}, { password: 'geheim' });
  await send(right.url);
  expect(right.received).toHaveLength(1);
});

test('a server that is not there, hangs up or talks nonsense leaves the outcome open', async () => {
  await expect(send('smtp://127.0.0.1:1')).rejects.toBeInstanceOf(ProviderUnavailable);
  for (const greet of [
    (socket: import('node:net').Socket) => socket.destroy(),
    (socket: import('node:net').Socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
    (socket: import('node:net').Socket) => socket.end('554 5.7.1 Your address is blocked\r\n'),
  ]) {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      greet(socket);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    await expect(
      send(`smtp://127.0.0.1:${(server.address() as AddressInfo).port}`),
    ).rejects.toBeInstanceOf(ProviderUnavailable);
    server.close();
  }
});

test('a server that talks for ever without saying anything is given up', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => {}).write('220-');
    const talk = setInterval(() => socket.write('x'), 20);
    socket.on('close', () => clearInterval(talk));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const mailer = connectMail({
    now: Date.now,
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    from,
    deadlineMs: 300,
  });
  await expect(mailer.send(mail)).rejects.toBeInstanceOf(ProviderUnavailable);
  server.close();
});

test('without a mail server nothing leaves and nothing fails', async () => {
  const kept = connectMail({ now: Date.now, url: null, from });
  expect(kept.leaves).toBe(false);
  await kept.send(mail);
});

test('after a silence one mail tries, the others wait, and the first yes opens the way again', async () => {
  let now = 0;
  let visits = 0;
  let dead = true;
  await using smtp = await startSmtp();
  const target = Number(new URL(smtp.url).port);
  const line = createServer((socket) => {
    visits += 1;
    socket.on('error', () => {});
    if (dead) socket.destroy();
    else socket.pipe(connect(target, '127.0.0.1')).pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(line, 'listening');
  const mailer = connectMail({
    now: () => now,
    url: `smtp://127.0.0.1:${(line.address() as AddressInfo).port}`,
    from,
  });
  const sendMany = async (count: number) =>
    (await Promise.allSettled(Array.from({ length: count }, () => mailer.send(mail)))).filter(
      ({ status }) => status === 'fulfilled',
    ).length;
  expect([await sendMany(1), visits]).toEqual([0, 1]);
  now += 10_000;
  expect([await sendMany(20), visits]).toEqual([0, 1]);
  now += 60_000;
  expect([await sendMany(20), visits]).toEqual([0, 2]);
  dead = false;
  now += 60_000;
  expect([await sendMany(20), visits]).toEqual([1, 3]);
  expect([await sendMany(3), visits]).toEqual([3, 6]);
  line.close();
});
