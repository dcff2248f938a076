/**
 * Bounds the memory that request bodies take: per process, per address, and for webhooks. A body
 * that arrives too slowly is cut off.
 */
import type { Context } from 'koa';
import { Refusal } from '#server/domain/refusal.ts';
import { networkOf } from './limits.ts';

/**
 * `known`: the headers have proved a session, a phone or a program. `webhook`: only the whole
 * body can prove its signature.
 */
export type Sender = 'known' | 'unknown' | 'webhook';

/** Bytes of bodies that share a limit. */
interface Share {
  readonly most: number;
  taken: number;
}

const megabyte = 1024 * 1024;
const ofProcess: Share = { most: 96 * megabyte, taken: 0 };
const ofWebhooks: Share = { most: 8 * megabyte, taken: 0 };
const mostPerAddress = 24 * megabyte;
/** Each body in flight has its address's share; `bodies` counts them. */
const byAddress = new Map<string, Share & { bodies: number }>();

/** The unfinished bodies of senders who are not known, oldest first: they may be cut off. */
const unfinished = new Set<BodyInFlight>();
/**
 * An honest body is complete within moments, so a new body may cut off older ones. A small one may
 * cut off any, because small bodies cannot fill the room.
 */
const staleMs = 1_000;
const smallBytes = 8 * 1024;

/** A body is cut off after two such periods in a row with fewer bytes; Node ends it after 35 s. */
const slow = { lookMs: 3_000, leastBytes: 3_000 };

export class BodyInFlight {
  readonly #ctx: Context;
  readonly #isKnown: boolean;
  readonly #began = performance.now();
  readonly #shares: Share[];
  readonly #end = Promise.withResolvers<never>();
  #taken = 0;
  #isOver = false;

  /**
   * What the body takes is given back when the answer has been sent or the connection is gone.
   * @throws Refusal bad_request when the connection is gone already
   */
  constructor(ctx: Context, sender: Sender) {
    if (ctx.res.closed) throw new Refusal('bad_request');
    this.#ctx = ctx;
    this.#isKnown = sender === 'known';
    const network = networkOf(ctx.ip);
    const own = byAddress.get(network) ?? { most: mostPerAddress, taken: 0, bodies: 0 };
    this.#shares = [own, ofProcess, ...(sender === 'webhook' ? [ofWebhooks] : [])];
    this.#end.promise.catch(() => {});
    own.bodies += 1;
    byAddress.set(network, own);
    ctx.res.once('close', () => {
      this.cut(new Refusal('bad_request'));
      own.bodies -= 1;
      if (own.bodies === 0) byAddress.delete(network);
    });
  }

  /**
   * Counts more bytes. A body that has a share for itself may exceed it, because a known sender's
   * drawing may be larger than an address's share.
   * @throws Refusal try_again
   */
  take(bytes: number): void {
    for (const share of this.#shares)
      while (share.taken + bytes > share.most && share.taken > this.#taken && !this.#isOver)
        cutOldest(share, this.#taken + bytes > smallBytes ? staleMs : 0);
    if (this.#isOver) throw new Refusal('try_again');
    for (const share of this.#shares) share.taken += bytes;
    this.#taken += bytes;
  }

  /** @throws Refusal try_again when newer bodies took the room, body_too_slow */
  async within<T>(reading: Promise<T>, { lookMs, leastBytes } = slow): Promise<T> {
    const { socket } = this.#ctx.req;
    let seen = 0;
    let slowLooks = 0;
    const watch = setInterval(() => {
      slowLooks = socket.bytesRead - seen < leastBytes ? slowLooks + 1 : 0;
      seen = socket.bytesRead;
      if (slowLooks === 2) this.cut(new Refusal('body_too_slow'));
    }, lookMs);
    if (!this.#isKnown) unfinished.add(this);
    try {
      return await Promise.race([reading, this.#end.promise]);
    } finally {
      clearInterval(watch);
      unfinished.delete(this);
    }
  }

  isOlder(ms: number): boolean {
    return performance.now() - this.#began >= ms;
  }

  shares(share: Share): boolean {
    return this.#shares.includes(share);
  }

  cut(why: Refusal): void {
    unfinished.delete(this);
    for (const share of this.#shares) share.taken -= this.#taken;
    this.#taken = 0;
    this.#isOver = true;
    this.#end.reject(why);
  }
}

/** @throws Refusal try_again when no body is that old */
function cutOldest(share: Share, ageMs: number): void {
  for (const body of unfinished) {
    if (!body.isOlder(ageMs)) break;
    if (body.shares(share)) return body.cut(new Refusal('try_again'));
  }
  throw new Refusal('try_again');
}

/** For tests: what all bodies of this process take. */
export function bodyBytes(): { bytes: number; webhooks: number; addresses: number } {
  return { bytes: ofProcess.taken, webhooks: ofWebhooks.taken, addresses: byAddress.size };
}
