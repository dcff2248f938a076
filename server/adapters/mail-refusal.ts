/**
 * Whom a mail server's no is about: this one mail, or our login, sender or quota, which a person
 * must mend before any mail leaves (RFC 5321 §4.2, RFC 3463 and the registry of RFC 5248).
 */

/** An error of nodemailer; `command` is the step that was answered, such as `MAIL FROM`. */
export interface SmtpError {
  message?: unknown;
  code?: unknown;
  command?: unknown;
  /** The server's answer, as `550 5.1.1 No such user`. */ response?: unknown;
  responseCode?: number | undefined;
}

/** The mail's size, or letters that the server does not know: the mail, as early as MAIL FROM. */
const mailCodes = /^5\.(?:2\.3|3\.4|6\.\d+)$/;
/** Sender, daily limit, login, DKIM and SPF; of three digits those of Exchange Online. */
const ourCodes =
  /^[45]\.(?:1\.(?:[78]|90)|4\.5|7\.(?:[89]|11|2\d|57|60|64|23[23]|50[123]|511|6[0-4]\d|70\d|750))$/;
/** RFC 4954. */
const loginStatuses = [530, 534, 535, 538];
/** Many servers give one code for everything that their rules forbid. */
const ourWords =
  /\brelay|authenticat|sender (?:address )?(?:reject|refus|denied|verif|not )|(?:daily|hourly|sending|outbound|rate) (?:quota|limit)|too many (?:messages|mails|emails|connections)|block ?list|black ?list|(?:\bip|host|sender|client|account)\b.{0,60} blocked|reputation/i;
const sizeWords = /\bsize\b|too (?:large|big)/i;

/** True: as long as nothing is mended here, the server takes no mail of ours. */
export function isAboutUs({ code, command, response, responseCode = 0 }: SmtpError): boolean {
  const [, detail = '', said = ''] =
    /^\d{3}[ -](?:([45]\.\d{1,3}\.\d{1,3})\b)?(.*)$/s.exec(String(response ?? '')) ?? [];
  if (code === 'EAUTH' || loginStatuses.includes(responseCode)) return true;
  if (responseCode < 400) return false;
  const isBeforeRecipient = command !== 'RCPT TO' && command !== 'DATA';
  if (isBeforeRecipient)
    return !mailCodes.test(detail) && !(responseCode === 552 && sizeWords.test(said));
  // The answer may repeat the recipient's address, which a visitor chose.
  const words = said.replace(/\S+@\S+/g, '');
  const isAboutMailbox = /^.\.2\./.test(detail);
  return ourCodes.test(detail) || (!isAboutMailbox && ourWords.test(words));
}

/** True: the server will never take this mail, and others may be taken. */
export function isAboutMail(error: SmtpError): boolean {
  // nodemailer itself compares the mail with the largest size that the server names.
  if (error.responseCode === undefined)
    return error.code === 'EMESSAGE' && error.command === 'MAIL FROM';
  return error.responseCode >= 500 && !isAboutUs(error);
}
