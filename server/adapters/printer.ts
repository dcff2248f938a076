/**
 * Sends raw ESC/POS to a ticket printer in the local network, each step with a deadline. Whether
 * a job counts as printed depends on the printer's report of paper and cover.
 */
import { connect, type Socket } from 'node:net';
import type { PrinterState, PrintTrouble } from '#server/domain/counter/printing.ts';

interface PrinterAddress {
  host: string;
  port: number;
}

const connectMs = 2_000;
/** How long we wait for the printer's state; a printer that reports it needs no longer. */
const statusMs = 400;
/** The longest time to print; a long roll of tickets takes this long. */
const printMs = 15_000;

/** Requests for the printer's state (DLE EOT n): the cause of a stop, and the paper. */
const askOffline = [0x10, 0x04, 0x02];
const askPaper = [0x10, 0x04, 0x04];
/** The request (GS r 1) that the printer answers when everything before it has been printed. */
const askDone = [0x1d, 0x72, 0x01];

const coverOpen = 0x04;
const stoppedForPaper = 0x20;
const paperOut = 0x60;
const paperOutWhenDone = 0x0c;

/** Null if everything was printed, as far as the printer reports. */
export async function sendToPrinter(
  address: PrinterAddress,
  bytes: Uint8Array,
): Promise<PrintTrouble | null> {
  return withPrinter(address, async (line) => {
    const state = await readState(line);
    if (state !== 'ready' && state !== 'silent') return state;
    await line.send(bytes, printMs);
    if (state === 'silent') return null;
    await line.send(askDone, statusMs);
    const [done] = await line.hear(1, printMs);
    if (done !== undefined) return (done & paperOutWhenDone) === 0 ? null : 'paper_out';
    const after = await readState(line);
    return after === 'ready' || after === 'silent' ? null : after;
  });
}

export async function askPrinter(address: PrinterAddress): Promise<PrinterState> {
  return withPrinter(address, readState);
}

async function readState(line: Line): Promise<'ready' | 'silent' | PrintTrouble> {
  await line.send([...askOffline, ...askPaper], statusMs);
  const [offline, paper] = await line.hear(2, statusMs);
  if (offline === undefined) return 'silent';
  if ((offline & coverOpen) !== 0) return 'cover_open';
  const isOut = (offline & stoppedForPaper) !== 0 || ((paper ?? 0) & paperOut) !== 0;
  return isOut ? 'paper_out' : 'ready';
}

interface Line {
  send: (bytes: Uint8Array | readonly number[], withinMs: number) => Promise<void>;
  /** The bytes that come within the time, at most `count`. */
  hear: (count: number, withinMs: number) => Promise<number[]>;
}

/** A broken connection counts as 'unreachable', so that the job is tried again. */
async function withPrinter<T>(
  address: PrinterAddress,
  run: (line: Line) => Promise<T>,
): Promise<T | 'unreachable'> {
  const socket = connect(address);
  try {
    await within(connectMs, (done, fail) => socket.once('connect', done).once('error', fail));
    return await run(lineOf(socket));
  } catch {
    return 'unreachable';
  } finally {
    socket.end();
    socket.destroySoon();
    socket.on('error', () => {});
  }
}

function lineOf(socket: Socket): Line {
  const received: number[] = [];
  let ring = () => {};
  socket.on('data', (part: Buffer) => {
    received.push(...part);
    ring();
  });
  return {
    send: (bytes, withinMs) =>
      within(withinMs, (done, fail) => {
        socket.once('error', fail);
        socket.write(Uint8Array.from(bytes), (error) => (error ? fail(error) : done()));
      }),
    async hear(count, withinMs) {
      const enough = (done: () => void) => {
        ring = () => received.length >= count && done();
        ring();
      };
      await within(withinMs, enough).catch(() => {});
      return received.splice(0, count);
    },
  };
}

/** Rejects if the time ends first. */
async function within(
  ms: number,
  begin: (done: () => void, fail: (error: unknown) => void) => unknown,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
      begin(resolve, reject);
    });
  } finally {
    clearTimeout(timer);
  }
}
