/** Over HTTPS at home the scanner is installed in a real browser, which believes the certificate by its key alone. */
import { createHash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:tls';
import { expect, test } from 'vitest';
import { findLocalNames } from '#server/adapters/local-network.ts';
import { launchProfile } from '#tests/support/browsers/browser.ts';
import { makeFolder, startSecure } from './secure.ts';

test('over HTTPS at home the scanner is installed by its service worker, at an address of the network', async () => {
  await using product = await startSecure();
  const [lan] = findLocalNames().addresses;
  const address = product.secure.replace('localhost', lan!.includes(':') ? `[${lan}]` : lan!);
  const { hostname, port } = new URL(address);
  const socket = connect({
    port: Number(port),
    host: hostname.replace(/^\[|\]$/g, ''),
    ca: product.ca.toString(),
  });
  await once(socket, 'secureConnect');
  const spki = new X509Certificate(socket.getPeerCertificate().raw).publicKey.export({
    type: 'spki',
    format: 'der',
  });
  socket.destroy();
  const profile = await makeFolder();
  // Chromium is told by the key's hash, as a phone is told by its owner; any other certificate would still be refused.
  const trusting = await launchProfile(profile, {
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      `--ignore-certificate-errors-spki-list=${createHash('sha256').update(spki).digest('base64')}`,
    ],
  });
  try {
    const page = trusting.pages()[0]!;
    await page.goto(`${address}/scanner/`);
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    expect(
      await page.evaluate(() => [isSecureContext, navigator.serviceWorker.controller!.scriptURL]),
    ).toEqual([true, `${address}/scanner/sw.js`]);
  } finally {
    await trusting.close();
  }
});
