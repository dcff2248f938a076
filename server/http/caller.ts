/**
 * The address under which limits count a request: the one that a trusted proxy names, otherwise
 * the connection's own.
 */
import { isIP } from 'node:net';
import type { Context, Next } from 'koa';
import { inNetworks } from '#server/networks.ts';
import type { Ctx } from '#server/services/context.ts';
import { noteUnbelieved } from '#server/services/office/proxies.ts';

/**
 * The trusted proxies. `hops`: how many stand in a row, the nearest in a private network.
 * `networks`: all proxies in these networks.
 */
export type TrustedProxies = { hops: number } | { networks: readonly string[] };

interface Caller {
  address: string;
  /** The address is the connection's own, not from a header. */
  direct: boolean;
  /** A header names an address but is not trusted: a setting is missing, or it is forged. */
  unbelieved: boolean;
}

type FindCaller = (peer: string, forwardedFor: string | undefined) => Caller;

const ownNetworks = [
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
];

/** True for this computer and for private networks (RFC 1918, RFC 4193). */
export const isOwnNetwork = inNetworks(ownNetworks);

/** Sets the address under which limits count, and notes a header that is not trusted. */
export function tellCaller(trusted: TrustedProxies, app: Ctx) {
  const findCaller = trustProxies(trusted);
  return async (ctx: Context, next: Next): Promise<void> => {
    const peer = ctx.req.socket.remoteAddress ?? '';
    const { address, direct, unbelieved } = findCaller(
      peer,
      ctx.get('x-forwarded-for') || undefined,
    );
    ctx.request.ip = address;
    ctx.state['direct'] = direct;
    if (unbelieved) noteUnbelieved(app, address);
    await next();
  };
}

/** True for the address of a trusted proxy. */
export function nearestProxy(trusted: TrustedProxies): (peer: string) => boolean {
  if ('hops' in trusted && trusted.hops === 0) return () => false;
  const isNear = 'hops' in trusted ? isOwnNetwork : inNetworks(trusted.networks);
  return (peer) => isNear(bareAddress(peer));
}

export function trustProxies(trusted: TrustedProxies): FindCaller {
  const isNear = nearestProxy(trusted);
  const isBelieved = (address: string, hop: number) =>
    'hops' in trusted && hop > 0 ? hop < trusted.hops : isNear(address);
  return (peer, forwardedFor) => {
    // The nearest proxy has written the last address.
    const chain = (forwardedFor ?? '').split(',').map(bareAddress).reverse();
    let address = bareAddress(peer);
    let hop = 0;
    for (const next of chain) {
      if (!isBelieved(address, hop) || isIP(next) === 0) break;
      address = next;
      hop += 1;
    }
    return { address, direct: hop === 0, unbelieved: forwardedFor !== undefined && hop === 0 };
  };
}

/** The address without brackets and port; an IPv4 address over IPv6 loses its prefix. */
function bareAddress(text: string): string {
  const [, bracketed] = /^\[([^\]]*)\](?::\d+)?$/.exec(text.trim()) ?? [];
  const address = bracketed ?? text.trim().replace(/^([\d.]+):\d+$/, '$1');
  return address.replace(/^::ffff:(?=[\d.]+$)/i, '');
}
