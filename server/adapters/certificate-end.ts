/** Reads when the certificate of the site's public address ends. */
import { connect } from 'node:tls';

const patienceMs = 5_000;

/** Epoch milliseconds; null for plain HTTP or without an answer. */
export async function certificateEnd(publicUrl: string): Promise<number | null> {
  const { protocol, hostname, port } = new URL(publicUrl);
  if (protocol !== 'https:') return null;
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve) => {
    // Any issuer is accepted, because only the end is read.
    const socket = connect({
      host,
      port: Number(port || 443),
      ...(/^[\d.:]+$/.test(host) ? {} : { servername: host }),
      rejectUnauthorized: false,
    });
    const answer = (end: number | null) => {
      socket.destroy();
      resolve(end);
    };
    socket.setTimeout(patienceMs, () => answer(null));
    socket.on('error', () => answer(null));
    socket.on('secureConnect', () => {
      const end = Date.parse(socket.getPeerCertificate().valid_to);
      answer(Number.isNaN(end) ? null : end);
    });
  });
}
