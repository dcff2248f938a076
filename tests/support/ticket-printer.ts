/**
 * A network ticket printer as a server sees it: it accepts bytes, reports its paper, and can run
 * out of it.
 */
import { createServer, type Server } from 'node:net';
import { listen } from './port.ts';

export type TicketPrinter = Awaited<ReturnType<typeof startTicketPrinter>>;

/** `silent`: never answers, like many printers. */
export async function startTicketPrinter({ silent = false } = {}) {
  const printer = {
    host: '127.0.0.1',
    port: 0,
    /** Complete print jobs, without status requests. */
    jobs: [] as Buffer[],
    hasPaper: true,
    isCoverOpen: false,
  };
  const server: Server = createServer((socket) => {
    const parts: Buffer[] = [];
    socket.on('error', () => {});
    socket.on('data', (bytes: Buffer) => {
      const rest = answerQuestions(
        bytes,
        silent ? null : { printer, say: (byte) => socket.write(Buffer.of(byte)) },
      );
      if (rest.length > 0) parts.push(rest);
    });
    socket.on('close', () => {
      if (parts.length > 0) printer.jobs.push(Buffer.concat(parts));
    });
  });
  printer.port = await listen(server);
  return Object.assign(printer, {
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  });
}

interface Answering {
  printer: { hasPaper: boolean; isCoverOpen: boolean };
  say: (byte: number) => void;
}

/** Answers status requests (DLE EOT 2 and 4, GS r 1) and returns the other bytes, to be printed. */
function answerQuestions(bytes: Buffer, answering: Answering | null): Buffer {
  const kept: number[] = [];
  for (let at = 0; at < bytes.length; at += 1) {
    const question = bytes.subarray(at, at + 3).toString('hex');
    const answer = answering && answerTo(question, answering.printer);
    if (!['100402', '100404', '1d7201'].includes(question)) kept.push(bytes[at]!);
    else {
      if (answering && answer !== null) answering.say(answer);
      at += 2;
    }
  }
  return Buffer.from(kept);
}

function answerTo(question: string, { hasPaper, isCoverOpen }: Answering['printer']): number {
  if (question === '100402') return 0x12 | (isCoverOpen ? 0x04 : 0) | (hasPaper ? 0 : 0x20);
  if (question === '100404') return 0x12 | (hasPaper ? 0 : 0x60);
  return hasPaper ? 0 : 0x0c;
}

/** The QR codes of a job, as they were sent (GS ( k, function 180). */
export function codesIn(job: Buffer): string[] {
  // oxlint-disable-next-line no-control-regex -- a printer's commands begin with control characters
  return [...job.toString('latin1').matchAll(/\x1d\(k..1P0([0-9A-Z]{31})/gs)].map(
    ([, code]) => code!,
  );
}
