/** Sends server-sent events to one client; closes the connection if it reads too slowly. */
import type { Context } from 'koa';
import type { Listener, StreamAnswer } from '#server/contract/endpoint.ts';

/** A client with more unread bytes is cut off; it connects again and asks for what it missed. */
const mostWaiting = 65_536;

export function sendStream(ctx: Context, answer: StreamAnswer): void {
  const { res } = ctx;
  ctx.status = 200;
  // Without this Koa would end the answer when its handlers return.
  ctx.respond = false;
  // The connection closes with the stream, so that a stopping server need not wait for it.
  ctx.set({
    'Content-Type': 'text/event-stream; charset=utf-8',
    'X-Accel-Buffering': 'no',
    Connection: 'close',
  });
  res.flushHeaders();
  const listener: Listener = {
    write(bytes) {
      if (res.destroyed || res.writableEnded) return false;
      if (res.writableLength > mostWaiting) {
        res.destroy();
        return false;
      }
      res.write(bytes);
      return true;
    },
    close() {
      res.end();
    },
    onClose(done) {
      if (res.destroyed || res.closed) done();
      else res.once('close', done);
    },
  };
  answer(listener);
}
