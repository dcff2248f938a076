/** The product with HTTPS of this computer alone. */
import { X509Certificate } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { until } from '#tests/support/make.ts';
import { makeData, startProduct, type Product } from '#tests/support/product.ts';

export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'botteghino-https-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** The product as it is started for phones; its HTTPS address on this machine, and the CA as a phone gets it. */
export async function startSecure(): Promise<Product & { secure: string; ca: X509Certificate }> {
  const data = await makeData('sqlite', '');
  onTestFinished(() => data.clean());
  const product = await startProduct(data, ['--https']);
  const secure = `https://localhost:${Number(data.env['PORT']) + 443}`;
  await until(() => Promise.resolve(product.lines.some((line) => line.startsWith('I link'))));
  const ca = new X509Certificate(
    Buffer.from(await (await fetch(`${product.url}/certificato/botteghino.crt`)).arrayBuffer()),
  );
  return { ...product, secure, ca };
}
