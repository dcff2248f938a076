/** Answers and logs requests that are too broken for the application; Node does not log them. */
import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { errorReplyOf } from '#server/contract/errors.ts';
import type { RefusalCode } from '#server/domain/refusal.ts';
import { newRequestId } from './log.ts';

/** Node's error codes that get a status of their own. */
const refusals: Record<string, [status: string, code: RefusalCode]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'bad_request'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['413 Payload Too Large', 'body_too_large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'body_too_slow'],
};
const unreadable: [status: string, code: RefusalCode] = ['400 Bad Request', 'bad_request'];

/** A socket on which Node stores the answer that is being sent. */
type AnsweringSocket = Duplex & { _httpMessage?: { headersSent: boolean } | null };

export function answerBroken(server: Server, log: Logger): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: AnsweringSocket) => {
    // The client is gone, or an answer is on its way.
    // oxlint-disable-next-line no-underscore-dangle -- Node's own name for it
    if (error.code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent) {
      socket.destroy();
      return;
    }
    refuse(socket, refusals[error.code ?? ''] ?? unreadable, { code: error.code });
  });
  // CONNECT is for proxies, and this server is not one.
  server.on('connect', ({ method }, socket) =>
    refuse(socket, ['405 Method Not Allowed', 'method_not_allowed'], { method }),
  );

  function refuse(socket: Duplex, [answer, code]: [string, RefusalCode], about: object): void {
    const status = Number.parseInt(answer, 10);
    const req_id = newRequestId();
    log.info({ req_id, status, ...about }, 'request');
    const body = JSON.stringify({ ...errorReplyOf(code), status });
    const headers = [
      'Connection: close',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      'X-Content-Type-Options: nosniff',
      `X-Request-Id: ${req_id}`,
    ];
    socket.end(`HTTP/1.1 ${answer}\r\n${headers.join('\r\n')}\r\n\r\n${body}`);
  }
}
