/**
 * Bounds what connections may take: requests of one connection are answered one after the other
 * and let others pass, answers that are not read end it, and one address opens only so many.
 */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from './limits.ts';

/** Times in ms; a test makes them shorter. */
export interface ConnectionLimits {
  /**
   * Requests that wait behind the one that is being answered: browsers send none ahead, tools a
   * few.
   */
  mostWaiting: number;
  /** Nothing moves on the connection: longer than any provider makes a request wait. */
  idleMs: number;
  /** A finished answer of which the other side takes nothing more. */
  stalledMs: number;
  /** A finished answer that trickles: 12 MB pass in this time at 70 KB a second. */
  longestReadingMs: number;
  /**
   * Two hundred phones behind one router have a few connections each; so have the visitors behind
   * a carrier's address.
   */
  mostPerAddress: number;
  mostConnections: number;
}

export const connectionLimits: ConnectionLimits = {
  mostWaiting: 100,
  idleMs: 60_000,
  stalledMs: 20_000,
  longestReadingMs: 180_000,
  mostPerAddress: 1_000,
  mostConnections: 10_000,
};

type Turn = () => void;
const waiting = new WeakMap<Socket, Turn[]>();

/**
 * A connection that sends ahead (pipelining, RFC 9112 §9.3.2) waits for its own answers; nothing
 * is read or opened for a request before its turn.
 */
export function inTurn(next: RequestListener, limits = connectionLimits): RequestListener {
  return (req, res) => {
    const { socket } = req;
    const answer = () => {
      res.once('close', () => letNext(socket));
      limitReading(res, socket, limits);
      next(req, res);
    };
    const others = waiting.get(socket);
    if (others === undefined) {
      waiting.set(socket, []);
      answer();
    } else if (others.length < limits.mostWaiting) others.push(answer);
    else socket.destroy();
  };
}

/** What was sent ahead and is next on its connection. */
const ready: Turn[] = [];
let isBegun = false;
/**
 * So long requests that were sent ahead are answered in each round of the event loop, so that
 * thousands of them do not delay a client that has sent one.
 */
const aheadMs = 5;

function letNext(socket: Socket): void {
  const turn = socket.destroyed ? undefined : waiting.get(socket)?.shift();
  if (turn === undefined) {
    waiting.delete(socket);
    return;
  }
  ready.push(() => {
    if (!socket.destroyed) turn();
  });
  if (isBegun) return;
  isBegun = true;
  setImmediate(answerReady);
}

function answerReady(): void {
  const end = performance.now() + aheadMs;
  while (ready.length > 0 && performance.now() < end) ready.shift()!();
  isBegun = ready.length > 0;
  if (isBegun) setImmediate(answerReady);
}

/** An answer that fits the system's buffer needs no limit. */
function limitReading(
  res: ServerResponse<IncomingMessage>,
  socket: Socket,
  { stalledMs, longestReadingMs }: ConnectionLimits,
): void {
  res.once('prefinish', () => {
    if (socket.writableLength === 0) return;
    socket.setTimeout(stalledMs);
    const timer = setTimeout(() => socket.destroy(), longestReadingMs);
    // Node itself sets the connection's next deadline when the answer is out.
    res.once('close', () => clearTimeout(timer));
  });
}

/**
 * A connection too many is cut off before anything is read. `isProxy`: it speaks for many, and is
 * not counted.
 */
export function boundConnections(
  server: Server,
  isProxy: (address: string) => boolean,
  { idleMs, mostPerAddress, mostConnections }: ConnectionLimits = connectionLimits,
): void {
  const open = new Map<string, number>();
  server.maxConnections = mostConnections;
  server.setTimeout(idleMs);
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress;
    if (address === undefined || isProxy(address)) return;
    const network = networkOf(address);
    const count = (open.get(network) ?? 0) + 1;
    if (count > mostPerAddress) {
      socket.destroy();
      return;
    }
    open.set(network, count);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left === 0) open.delete(network);
      else open.set(network, left);
    });
  });
}
