/**
 * Limits each connection: its requests are answered one after another, it is closed if it does
 * not read its answers, and an address may open only so many.
 */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from './limits.ts';

/** Times in ms; tests use shorter ones. */
export interface ConnectionLimits {
  /** The most pipelined requests that wait on one connection: browsers send none, tools a few. */
  mostWaiting: number;
  /** A connection without traffic is closed after this; no provider takes longer to answer. */
  idleMs: number;
  /** A finished answer is cut off if the client reads nothing of it for this long. */
  stalledMs: number;
  /** The longest time for reading a finished answer: 12 MB at 70 KB a second. */
  longestReadingMs: number;
  /**
   * High, because two hundred phones behind one router have a few connections each, and a
   * carrier's address has many visitors.
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
interface Waiting {
  turn: Turn;
  bodyBytes: number;
}
const waiting = new WeakMap<Socket, Waiting[]>();
/** The most bytes of bodies that wait on one connection, because they wait in memory. */
const mostBodyBytes = 65_536;

/**
 * Answers pipelined requests (RFC 9112 §9.3.2) of a connection one after another; a request is
 * neither read nor handled before its turn.
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
      return;
    }
    const bodyBytes = lengthOf(req);
    const isTooMuch = bodyBytes > 0 && bodyBytes + sumOf(others) > mostBodyBytes;
    // The first request may always wait: a client can have read an answer before it has ended here.
    if (others.length >= limits.mostWaiting || (isTooMuch && others.length > 0)) socket.destroy();
    else others.push({ turn: answer, bodyBytes });
  };
}

function lengthOf({ headers }: IncomingMessage): number {
  return 'transfer-encoding' in headers ? mostBodyBytes : Number(headers['content-length'] ?? 0);
}

function sumOf(others: readonly Waiting[]): number {
  return others.reduce((sum, { bodyBytes }) => sum + bodyBytes, 0);
}

/** The pipelined requests whose turn has come. */
const ready: Turn[] = [];
let isBegun = false;
/**
 * How long each round of the event loop may answer pipelined requests, so that thousands of them
 * do not delay other clients.
 */
const aheadMs = 5;

function letNext(socket: Socket): void {
  const turn = socket.destroyed ? undefined : waiting.get(socket)?.shift()?.turn;
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

/** Sets the deadlines for a client that has not read its whole answer. */
function limitReading(
  res: ServerResponse<IncomingMessage>,
  socket: Socket,
  { stalledMs, longestReadingMs }: ConnectionLimits,
): void {
  res.once('prefinish', () => {
    if (socket.writableLength === 0) return;
    socket.setTimeout(stalledMs);
    const timer = setTimeout(() => socket.destroy(), longestReadingMs);
    // Node sets the connection's next idle deadline itself.
    res.once('close', () => clearTimeout(timer));
  });
}

/**
 * A connection above the limit is closed before anything is read. The connections of a proxy
 * (`isProxy`) are not counted, because they carry many visitors.
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
