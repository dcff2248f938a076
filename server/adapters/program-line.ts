/**
 * Posts to addresses that people typed. The address behind a name is checked when the connection
 * is made, so that no call reaches our own network (SSRF).
 */
import { lookup as resolveName, type LookupAddress } from 'node:dns';
import { request as plainRequest, type IncomingMessage } from 'node:http';
import { request as secureRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { inNetworks } from '#server/networks.ts';

/** Why there was no answer. */
type LineFault =
  | 'address_not_allowed'
  | 'name_unknown'
  | 'unreachable'
  | 'certificate'
  | 'silent'
  | 'stopped';

export type LineAnswer =
  | { status: number; answer: string; fault: null; /** A header. */ retryAfter?: string }
  | { status: null; answer: null; fault: LineFault; retryAfter?: undefined };

interface Letter {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** Aborts the call when the server stops. */ stopping?: AbortSignal;
}

export interface ProgramLine {
  /** True if the address may be called, before any name is looked up. */
  accepts: (url: string) => boolean;
  /** Never throws, follows no redirect, and reads only the beginning of the answer. */
  send: (letter: Letter) => Promise<LineAnswer>;
}

interface LineOptions {
  /** Private networks that may be called, also without TLS. */
  allowed: readonly string[];
  deadlineMs?: number;
  /** Looks up the addresses of a name. */
  resolve?: typeof resolveName;
}

/** Standard Webhooks recommends 15 to 30 seconds. */
const usualDeadlineMs = 15_000;
const longestAnswer = 1_024;
const longestHeaders = 16_384;

/** Networks that must not be called: this computer's, private and special ones (RFC 6890). */
const closedV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
/**
 * The public IPv6 addresses (global unicast); those that contain an IPv4 address or serve as
 * examples are closed.
 */
const openV6 = ['2000::/3'];
const closedV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

export function connectPrograms({
  allowed,
  deadlineMs = usualDeadlineMs,
  resolve = resolveName,
}: LineOptions): ProgramLine {
  const isAllowed = inNetworks(allowed);
  const mayReach = (address: string, protocol: string) =>
    isAllowed(address) || (protocol === 'https:' && isPublicAddress(address));
  const accepts = (text: string) => {
    const url = URL.parse(text);
    if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return false;
    const host = bareHost(url);
    if (isIP(host) !== 0) return mayReach(host, url.protocol);
    // Names of this computer are refused without a lookup.
    const isLocal = /^(?:.*\.)?localhost\.?$/.test(host);
    return allowed.length > 0 || (url.protocol === 'https:' && !isLocal);
  };
  return {
    accepts,
    async send(letter) {
      if (!accepts(letter.url)) return noAnswer('address_not_allowed');
      const url = new URL(letter.url);
      const lookup = guardedLookup(resolve, (address) => mayReach(address, url.protocol));
      return post(url, letter, { lookup, deadlineMs });
    },
  };
}

export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !isClosedV4(address);
  return isIP(address) === 6 && isOpenV6(address) && !isClosedV6(address);
}

const isClosedV4 = inNetworks(closedV4);
const isOpenV6 = inNetworks(openV6);
const isClosedV6 = inNetworks(closedV6);

/** The host without the brackets of an IPv6 address. */
function bareHost(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

class NotAllowed extends Error {
  readonly code = 'NOT_ALLOWED';
}

/** A lookup that returns only checked addresses, so that the connection uses no other. */
function guardedLookup(
  resolve: typeof resolveName,
  mayReach: (address: string) => boolean,
): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
      if (error) return done(error, '', 0);
      const open = found.filter(({ address }) => mayReach(address));
      const [first] = open;
      if (first === undefined) return done(new NotAllowed(), '', 0);
      if (options.all === true) return done(null, open);
      done(null, first.address, first.family);
    });
  };
}

function post(
  url: URL,
  { headers, body, stopping }: Letter,
  { lookup, deadlineMs }: { lookup: LookupFunction; deadlineMs: number },
): Promise<LineAnswer> {
  const deadline = AbortSignal.timeout(deadlineMs);
  const send = url.protocol === 'https:' ? secureRequest : plainRequest;
  return new Promise((resolved) => {
    const request = send(url, {
      method: 'POST',
      agent: false,
      lookup,
      maxHeaderSize: longestHeaders,
      signal: stopping ? AbortSignal.any([deadline, stopping]) : deadline,
      headers: {
        ...headers,
        'content-length': String(Buffer.byteLength(body)),
        connection: 'close',
      },
    });
    let isAnswered = false;
    request.on('response', (response) => {
      isAnswered = true;
      void beginningOf(response).then((answer) => {
        const { statusCode: status = 0, headers: own } = response;
        resolved({ status, answer, fault: null, retryAfter: own['retry-after'] });
        request.destroy();
      });
    });
    // Without this handler Node would close an upgraded connection without any event.
    request.on('upgrade', ({ statusCode = 0 }, socket) => {
      socket.destroy();
      resolved({ status: statusCode, answer: '', fault: null });
    });
    request.on('error', (error) => {
      if (!isAnswered) resolved(noAnswer(faultOf(error, stopping)));
    });
    request.end(body);
  });
}

/** The text up to the answer's end or break, cut when it is long enough. */
async function beginningOf(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      parts.push(part);
      length += part.length;
      if (length >= longestAnswer) break;
    }
  } catch {
    // The status has arrived; the text may break off.
  }
  return Buffer.concat(parts).subarray(0, longestAnswer).toString('utf8').replaceAll('\0', '');
}

function noAnswer(fault: LineFault): LineAnswer {
  return { status: null, answer: null, fault };
}

function faultOf(error: NodeJS.ErrnoException, stopping?: AbortSignal): LineFault {
  const code = error.code ?? '';
  if (stopping?.aborted) return 'stopped';
  if (code === 'ABORT_ERR' || error.name === 'AbortError') return 'silent';
  if (code === 'NOT_ALLOWED') return 'address_not_allowed';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'name_unknown';
  return /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code) ? 'certificate' : 'unreachable';
}
