/** Answers and writes down requests that are so broken that they never reach the application: Node would answer them without a word to anybody. */
import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { newRequestId } from './log.ts';

const statuses: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** The socket of a request whose answer has begun: Node keeps it there. */
type AnsweringSocket = Duplex & { _httpMessage?: { headersSent: boolean } | null };

export function answerBroken(server: Server, log: Logger): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: AnsweringSocket) => {
    // Nobody is there any more, or an answer is on its way.
    // oxlint-disable-next-line no-underscore-dangle -- Node's own name for it
    if (error.code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent) {
      socket.destroy();
      return;
    }
    const answer = statuses[error.code ?? ''] ?? '400 Bad Request';
    const req_id = newRequestId();
    log.info({ req_id, status: Number.parseInt(answer, 10), code: error.code }, 'request');
    socket.end(
      `HTTP/1.1 ${answer}\r\nConnection: close\r\nContent-Length: 0\r\nX-Request-Id: ${req_id}\r\n\r\n`,
    );
  });
}
