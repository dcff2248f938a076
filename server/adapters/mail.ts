/**
 * Sends mail through nodemailer over SMTP; without a server configured, mail stays in the
 * database and the office reads it there.
 */
import type { createTransport, SendMailOptions } from 'nodemailer';
import { isMailAddress } from '#server/domain/text/mail-address.ts';
import { ProviderRefused, ProviderUnavailable } from './provider.ts';

export interface Attachment {
  name: string;
  type: string;
  content: Buffer;
}
export interface OutgoingMail {
  to: string;
  subject: string;
  text: string;
  html: string;
  message_id: string;
  /** Left out or null: the configuration's name. */ from_name?: string | null;
  /** Where a buyer's answer goes; null: to the sender. */ reply_to: string | null;
  attachments: readonly Attachment[];
}

export interface Mailer {
  /** False: mails stay on this machine. */
  leaves: boolean;
  /** The sender's bare address. */
  from: string;
  /**
   * Returns once the server has accepted.
   * @throws ProviderRefused (it will never take this mail), ProviderUnavailable (not now, or
   * unknown)
   */
  send: (mail: OutgoingMail) => Promise<void>;
}

interface MailOptions {
  now: () => number;
  url: string | null;
  from: { name: string; address: string };
  /** For all steps of one mail together. */ deadlineMs?: number;
}

/** Each step has its own limit, and all together end before the row's lease does. */
const timeouts = {
  dnsTimeout: 5_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 15_000,
};
/**
 * After a silence one mail tries and the others wait for its result, so that a dead server does
 * not block all workers.
 */
const quietMs = 30_000;

export function connectMail({ now, url, from, deadlineMs = 40_000 }: MailOptions): Mailer {
  if (url === null) return { leaves: false, from: from.address, send: async () => {} };
  // Our mails never name a file or an address to fetch, so nodemailer must not read any.
  const options = { url, ...timeouts, disableFileAccess: true, disableUrlAccess: true };
  // Loaded for the first mail, not at the start.
  let transport: ReturnType<typeof createTransport> | null = null;
  let silence: { until: number; said: string } | null = null;
  return {
    leaves: true,
    from: from.address,
    async send(mail) {
      // nodemailer would split a list of addresses, but a mail has one recipient.
      if (!isMailAddress(mail.to))
        throw new ProviderRefused('SMTP', 'bad_address', 'not an address');
      if (silence && now() < silence.until)
        throw new ProviderUnavailable('SMTP', silence.said, null);
      if (silence) silence = { ...silence, until: now() + deadlineMs };
      try {
        transport ??= (await import('nodemailer')).createTransport(options);
        const signal = AbortSignal.timeout(deadlineMs);
        await transport.sendMail({ ...wholeOf(mail, from), signal });
        silence = null;
      } catch (error) {
        const { code, response, responseCode, message } = error as SmtpError;
        const reply = String(response ?? message)
          .replace(/\p{Cc}+/gu, ' ')
          .slice(0, 300);
        silence =
          responseCode === undefined || code === 'EAUTH'
            ? { until: now() + quietMs, said: reply }
            : null;
        // A 5xx refuses this mail, unless it refuses our login, which a person must repair. Every
        // other error may pass, or the mail may have arrived.
        if (typeof responseCode === 'number' && responseCode >= 500 && code !== 'EAUTH')
          throw new ProviderRefused('SMTP', String(responseCode), {
            status: responseCode,
            message: reply,
          });
        throw new ProviderUnavailable('SMTP', reply, error);
      }
    },
  };
}

function wholeOf(mail: OutgoingMail, from: MailOptions['from']): SendMailOptions {
  return {
    from: { ...from, name: mail.from_name ?? from.name },
    to: { name: '', address: mail.to },
    ...(mail.reply_to === null ? {} : { replyTo: mail.reply_to }),
    envelope: { from: from.address, to: [mail.to] },
    // A server that knows how (RFC 3461) names this mail in what it sends back, and does not
    // return the tickets with it.
    dsn: { id: envelopeIdOf(mail.message_id), return: 'headers', notify: 'failure' },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    messageId: mail.message_id,
    headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': 'it' },
    attachments: mail.attachments.map(({ name, type, content }) => ({
      filename: name,
      contentType: type,
      content,
    })),
  };
}

/** By RFC 3461 at most a hundred letters: our half of the Message-ID, without the host. */
export function envelopeIdOf(message_id: string): string {
  return message_id.slice(1).replace(/@.*/s, '').slice(0, 100);
}

/** Whether the server is there and takes our name and password; no mail is sent. */
export async function checkMailServer(url: string): Promise<'ready' | 'refused' | 'silent'> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({ url, ...timeouts });
  return transport
    .verify()
    .then(() => 'ready' as const)
    .catch(({ code }: SmtpError) => (code === 'EAUTH' ? 'refused' : 'silent'))
    .finally(() => transport.close());
}

interface SmtpError {
  message?: unknown;
  code?: unknown;
  response?: unknown;
  responseCode?: unknown;
}
