/**
 * The thread that writes the OpenAPI documents: it takes a quarter of a second of processor, in
 * which the server would answer no request.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { isProgramCaller } from '#server/contract/endpoint.ts';
import { openApi } from './openapi.ts';
import type { DocumentAsk } from './openapi-page.ts';

const { publicUrl, programsOnly } = workerData as DocumentAsk;
const document = openApi(publicUrl, ({ who }) => !programsOnly || isProgramCaller(who));
const plain = JSON.stringify(document);
parentPort?.postMessage({ plain: Buffer.from(plain), packed: gzipSync(plain) });
