/**
 * A faulty network between a phone and the product: a real HTTP proxy that loses answers, plays a
 * captive portal and changes requests.
 */
import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import { listen } from './port.ts';

interface Faults {
  /** This many answers to sent scans are lost after the server has handled them. */
  loseAnswers: number;
  /**
   * A captive portal answers HTML with status 200 to everything under /api/, or to sent scans
   * only.
   */
  portal: false | 'all' | 'hand_in';
  /** Changes a sent scan on its way; null leaves it unchanged. */
  spoil: ((scan: Record<string, unknown>) => Record<string, unknown> | null) | null;
}

/**
 * Listens on a free port; everything passes until a fault is set. `target` may come later,
 * because the product needs this address first.
 */
export async function startBadLine(target: () => string) {
  const faults: Faults = { loseAnswers: 0, portal: false, spoil: null };
  let batches = 0;
  const server = createServer((incoming, outgoing) => {
    void carry().catch(() => incoming.socket.destroy());

    async function carry() {
      const path = incoming.url!;
      const isHandIn = path === '/api/scanner/admissions';
      if (
        (faults.portal === 'all' && path.startsWith('/api/')) ||
        (faults.portal === 'hand_in' && isHandIn)
      ) {
        outgoing
          .writeHead(200, { 'content-type': 'text/html' })
          .end('<!doctype html><title>Wi-Fi</title><p>Accetta le condizioni per navigare.</p>');
        return;
      }
      let body = await readAll(incoming);
      if (isHandIn && faults.spoil) {
        const sent = JSON.parse(body.toString()) as { items: Record<string, unknown>[] };
        body = Buffer.from(
          JSON.stringify({ items: sent.items.map((scan) => faults.spoil!(scan) ?? scan) }),
        );
      }
      if (isHandIn) batches += 1;
      const { 'accept-encoding': _, ...headers } = incoming.headers;
      const onward = request(target() + path, {
        method: incoming.method!,
        headers: {
          ...headers,
          connection: 'close',
          ...(body.length > 0 ? { 'content-length': body.length } : {}),
        },
      });
      onward.end(body);
      const [answer] = (await once(onward, 'response')) as [IncomingMessage];
      const content = await readAll(answer);
      if (isHandIn && faults.loseAnswers > 0) {
        faults.loseAnswers -= 1;
        incoming.socket.destroy();
        return;
      }
      outgoing
        .writeHead(answer.statusCode!, {
          ...answer.headers,
          'content-length': content.length,
          connection: 'close',
        })
        .end(content);
    }
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    faults,
    /** The number of batches of scans that passed. */
    batches: () => batches,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

async function readAll(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
