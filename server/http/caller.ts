/** The address that a request counts for: what a trusted proxy says, else the connection's own. */
import { isIP } from 'node:net';
import type { Context, Next } from 'koa';
import { inNetworks } from '#server/networks.ts';
import type { Ctx } from '#server/services/context.ts';
import { noteUnbelieved } from '#server/services/office/proxies.ts';

/**
 * Which proxies are believed: this many on the way, the nearest of them in a private network, or
 * those of these networks.
 */
export type TrustedProxies = { hops: number } | { networks: readonly string[] };

interface Caller {
  address: string;
  /** It is the connection's own address, not one that a header names. */
  direct: boolean;
  /**
   * A header names an address and is not believed: a setting is missing, or the header is forged.
   */
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

/** This computer or a private network (RFC 1918, RFC 4193). */
export const isOwnNetwork = inNetworks(ownNetworks);

/**
 * The address that limits count by; a header that is not believed is noted, because a setting is
 * missing or the header is forged.
 */
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

/** True for the connection of a proxy that is believed. */
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
    // The nearest proxy writes last.
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

/** Without brackets, port and the prefix of an IPv4 address that came over IPv6. */
function bareAddress(text: string): string {
  const [, bracketed] = /^\[([^\]]*)\](?::\d+)?$/.exec(text.trim()) ?? [];
  const address = bracketed ?? text.trim().replace(/^([\d.]+):\d+$/, '$1');
  return address.replace(/^::ffff:(?=[\d.]+$)/i, '');
}
