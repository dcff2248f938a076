/**
 * A mail server that receives our mails, accepts what the test says, and shows mails as a mail
 * program would.
 */
import { connect, createServer, type Socket } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { listen } from './port.ts';

/** A step at which the server may refuse, with a status and a text. */
export interface Answers {
  mail?: () => string | null;
  rcpt?: (address: string) => string | null;
  data?: (count: number) => string | null;
}
export interface Received {
  from: string;
  to: string[];
  raw: string;
  /** The sender asked for SMTPUTF8 (RFC 6531). */ utf8: boolean;
  /** The delivery notifications that the sender asked for. */ dsn: {
    ret?: string | null;
    envid?: string | null;
  };
  email: Email;
}

export type Smtp = Awaited<ReturnType<typeof startSmtp>>;

/**
 * `data` is called after the whole message; its result (`451 Later`) is the answer, and null
 * accepts.
 */
export async function startSmtp(answers: Answers = {}, { password }: { password?: string } = {}) {
  const received: Received[] = [];
  const refuse = (said: string) =>
    Object.assign(new Error(said.slice(4)), { responseCode: Number(said.slice(0, 3)) });
  const server = new SMTPServer({
    disabledCommands: password === undefined ? ['AUTH', 'STARTTLS'] : ['STARTTLS'],
    authOptional: password === undefined,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    hideDSN: false,
    logger: false,
    onAuth: (auth, _, callback) => {
      if (auth.password === password) callback(null, { user: 'u' });
      else callback(refuse('535 Authentication failed'));
    },
    onMailFrom: (_, __, callback) => {
      const said = answers.mail?.() ?? null;
      callback(said === null ? null : refuse(said));
    },
    onRcptTo: ({ address }, _, callback) => {
      const said = answers.rcpt?.(address) ?? null;
      callback(said === null ? null : refuse(said));
    },
    onData: (stream, session, callback) => {
      const parts: Buffer[] = [];
      stream
        .on('data', (part: Buffer) => parts.push(part))
        .on('end', () => {
          void (async () => {
            const raw = Buffer.concat(parts);
            const { mailFrom, rcptTo } = session.envelope;
            received.push({
              from: mailFrom === false ? '' : mailFrom.address,
              to: rcptTo.map(({ address }) => address),
              raw: raw.toString(),
              utf8: (session.envelope as { smtpUtf8?: boolean }).smtpUtf8 === true,
              dsn: (session.envelope as { dsn?: Received['dsn'] }).dsn ?? {},
              email: await PostalMime.parse(raw),
            });
            const said = answers.data?.(received.length) ?? null;
            callback(said === null ? null : refuse(said));
          })();
        });
    },
  });
  server.on('error', () => {});
  const port = await listen(server.server);
  const login = password === undefined ? '' : 'u:geheim@';
  return {
    url: `smtp://${login}127.0.0.1:${port}`,
    /** Every complete message in order, including those that were then refused. */
    received,
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

/**
 * A connection to that server that is cut while it answers 250 to the message text, as often as
 * asked.
 */
export async function cutAfterAcceptance(
  smtp: { url: string },
  times: number,
): Promise<{ url: string } & AsyncDisposable> {
  const target = Number(new URL(smtp.url).port);
  const sockets = new Set<Socket>();
  let left = times;
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    let textSent = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    }
    client
      .on('data', (part) => {
        if (part.includes('\r\n.\r\n')) textSent = true;
        upstream.write(part);
      })
      .on('close', () => upstream.destroy());
    upstream
      .on('data', (part) => {
        if (textSent && left > 0 && part.toString().startsWith('250')) {
          left -= 1;
          client.destroy();
          return;
        }
        client.write(part);
      })
      .on('close', () => client.destroy());
  });
  const port = await listen(server);
  return {
    url: `smtp://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}
