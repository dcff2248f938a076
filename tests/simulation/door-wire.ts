/**
 * A connection to the evening's server without the network of the machine: real HTTP over a
 * stream in memory, so that nothing waits for a port.
 */
import { channel } from 'node:diagnostics_channel';
import { request, type IncomingMessage, type Server } from 'node:http';
import { duplexPair } from 'node:stream';

interface Answered {
  status: number;
  type: string;
  body: ArrayBuffer;
}

/** All connections come from this computer. */
const remoteAddress = '127.0.0.1';

/** Returns the server that begins to listen while `open` runs. */
export async function withServer<T>(
  open: () => Promise<T>,
): Promise<{ opened: T; server: Server }> {
  let found: Server | undefined;
  const listens = channel('tracing:net.server.listen:asyncEnd');
  const note = (message: unknown) => {
    found = (message as { server: Server }).server;
  };
  listens.subscribe(note);
  const opened = await open();
  listens.unsubscribe(note);
  return { opened, server: found! };
}

/** Makes one call on a connection of its own. */
export async function callServer(
  server: Server,
  path: string,
  { method = 'GET', headers = {}, body }: RequestInit,
): Promise<Answered> {
  const [ours, theirs] = duplexPair();
  // A connection in memory never stalls.
  const line = Object.assign(theirs, { remoteAddress, setTimeout: () => theirs });
  server.emit('connection', line);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const ask = request({
      createConnection: () => ours,
      method,
      path,
      headers: {
        host: 'localhost',
        ...(headers as Record<string, string>),
        'accept-encoding': 'identity',
        connection: 'close',
      },
    });
    ask.once('response', resolve).once('error', reject);
    ask.end(body ?? undefined);
  });
  const parts: Buffer[] = [];
  for await (const part of answer) parts.push(part as Buffer);
  return {
    status: answer.statusCode!,
    type: answer.headers['content-type'] ?? '',
    body: new Uint8Array(Buffer.concat(parts)).buffer,
  };
}
