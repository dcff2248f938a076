/** Answers requests that cannot be read: not HTTP, too slow, or with too long headers. */
import type { Duplex } from 'node:stream';

const STATUSES: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** A listener for the server's `clientError`; `describe` makes the body in the vendor's form. */
export function refuseNoise(
  describe: (status: number, says: string) => object,
): (error: Error, socket: Duplex) => void {
  return (error, socket) => {
    const code = 'code' in error ? String(error.code) : '';
    if (!socket.writable || code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const status = STATUSES[code] ?? '400 Bad Request';
    const says = `The request could not be read: ${status}.`;
    const body = JSON.stringify(describe(Number.parseInt(status, 10), says));
    socket.end(
      `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    );
  };
}
