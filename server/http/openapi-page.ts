/** Serves the OpenAPI document, and a second one of the endpoints for other programs only. */
import type { Router } from '@koa/router';
import { runAside } from '#server/services/kit/aside.ts';
import { digestOf, hasAlready } from './tagged.ts';

export interface DocumentAsk {
  publicUrl: string;
  programsOnly: boolean;
}

/** Both documents are made at their first request, so that no start waits for them. */
export function serveOpenApi(router: Router, publicUrl: string): void {
  serveDocument(router, '/api/openapi.json', { publicUrl, programsOnly: false });
  serveDocument(router, '/api/v1/openapi.json', { publicUrl, programsOnly: true });
}

interface Made {
  plain: Buffer;
  packed: Buffer;
  etag: string;
}

async function make(ask: DocumentAsk): Promise<Made> {
  const file = new URL('./openapi-worker.ts', import.meta.url);
  const { plain, packed } = await runAside<Record<'plain' | 'packed', Uint8Array>>(file, ask);
  return {
    plain: Buffer.from(plain),
    packed: Buffer.from(packed),
    etag: `W/"${digestOf(Buffer.from(plain))}"`,
  };
}

function serveDocument(router: Router, path: string, ask: DocumentAsk): void {
  let kept: Promise<Made> | null = null;
  router.get(path, async (http) => {
    kept ??= make(ask).catch((error: unknown) => {
      kept = null;
      throw error;
    });
    const { plain, packed, etag } = await kept;
    http.type = 'application/json';
    http.vary('Accept-Encoding');
    const takesGzip = http.acceptsEncodings('gzip') !== false;
    http['compress'] = false;
    if (takesGzip) http.set('Content-Encoding', 'gzip');
    http.set('Cache-Control', 'no-cache');
    http.set('ETag', etag);
    if (hasAlready(http.get('if-none-match'), etag)) {
      http.status = 304;
      return;
    }
    http.body = takesGzip ? packed : plain;
  });
}
