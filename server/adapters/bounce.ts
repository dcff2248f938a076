/**
 * Reads a mail server's notice that a mail was not delivered (RFC 3464, or a plain letter from a
 * server that does not follow it).
 */
import type { Email } from 'postal-mime';

export interface Bounce {
  /** True: the other server will not try again. */ final: boolean;
  /** The reason, in the other server's words. */ said: string;
  /** Every Message-ID in the notice; one is the returned mail's, if the notice names it. */
  message_ids: string[];
  /** The envelope id that we gave our mail server, if the notice repeats it. */ envelope_id:
    | string
    | null;
}

/** Enough, because a notice names only a few ids. */
const mostIds = 20;
const longestSaid = 300;

/** Null if the bytes are not such a notice. */
export async function readBounce(raw: Uint8Array): Promise<Bounce | null> {
  const { default: PostalMime } = await import('postal-mime');
  const email = await PostalMime.parse(raw, {
    forceRfc822Attachments: true,
    attachmentEncoding: 'utf8',
  }).catch(() => null);
  if (email === null) return null;
  const parts = email.attachments.map(({ mimeType, content }) => ({
    type: mimeType,
    text: typeof content === 'string' ? content : '',
  }));
  const report = parts.find(({ type }) => /^message\/(global-)?delivery-status$/.test(type));
  const fields = fieldsOf(report?.text ?? '');
  const judged = report === undefined ? judgeLetter(email) : judgeReport(fields);
  if (judged === null) return null;
  const texts = [Buffer.from(raw).toString('latin1'), ...parts.map(({ text }) => text)];
  return {
    ...judged,
    message_ids: idsIn(texts.join('\n')),
    envelope_id: fields.get('original-envelope-id')?.trim() || null,
  };
}

type Judged = Pick<Bounce, 'final' | 'said'>;

function judgeReport(fields: Map<string, string>): Judged | null {
  const action = fields.get('action')?.toLowerCase();
  if (action === undefined) return null;
  const code = fields.get('diagnostic-code')?.replace(/^[\w-]+\s*;\s*/, '');
  return { final: action === 'failed', said: oneLine(code ?? fields.get('status') ?? '') };
}

/**
 * The first value of each name in a delivery report, folded lines joined. One value is enough,
 * because our mails have one recipient.
 */
function fieldsOf(report: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of report.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const [, name, value = ''] = /^([\w-]+):\s*(.*)$/.exec(line) ?? [];
    if (name !== undefined && !fields.has(name.toLowerCase()))
      fields.set(name.toLowerCase(), value);
  }
  return fields;
}

/**
 * Judges a notice without a report: only a letter from a mail server itself with a permanent
 * error (5xx) counts, because an automatic holiday reply contains our Message-ID too.
 */
function judgeLetter({ from, text = '' }: Email): Judged | null {
  if (!/^(mailer-daemon|postmaster)@/i.test(from?.address ?? '')) return null;
  const line = text.split(/\r?\n/).find((one) => /(^|\D)5(\d\d[ -]|\.\d{1,3}\.\d)/.test(one));
  return line === undefined ? null : { final: true, said: oneLine(line) };
}

function idsIn(text: string): string[] {
  return [...new Set(text.match(/<[^\s<>@]{1,100}@[^\s<>@]{1,140}>/g) ?? [])].slice(0, mostIds);
}

function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, longestSaid);
}
