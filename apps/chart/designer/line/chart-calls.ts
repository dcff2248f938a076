/** The designer's calls about one chart. */
import { openDrawing, saveDrawing } from '#server/drawing/model/open.ts';
import type { Doc } from '#server/drawing/model/data.ts';
import type {
  DesignerChart,
  DesignerHere,
  DesignerPresence,
  DesignerPublished,
  DesignerSaved,
  DesignerTaken,
  DesignerVersion,
} from '#server/standins/seatsio/wire.ts';
import type { Calls } from './calls.ts';

/** Smaller bodies are not compressed, because that costs more than it saves. */
const worthPacking = 100_000;

interface Body {
  body: BodyInit;
  headers: Record<string, string>;
}

async function packDrawing(doc: Doc): Promise<Body> {
  const text = JSON.stringify(saveDrawing(doc));
  const headers = { 'Content-Type': 'application/json' };
  if (text.length < worthPacking || !('CompressionStream' in globalThis))
    return { body: text, headers };
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'));
  return {
    body: await new Response(packed).arrayBuffer(),
    headers: { ...headers, 'Content-Encoding': 'gzip' },
  };
}

const matching = (version: number) => ({ 'If-Match': `"${version}"` });

/** @throws CallRefused 404 where there is no such chart */
export class ChartCalls {
  readonly #calls: Calls;
  readonly #at: string;

  constructor(calls: Calls, key: string) {
    this.#calls = calls;
    this.#at = `charts/${encodeURIComponent(key)}/designer`;
  }

  readChart(): Promise<DesignerChart> {
    return this.#calls.askJson({ path: this.#at });
  }

  /** @throws UnreadableDrawing */
  async readDrawing(version: number | 'current' | 'published') {
    const answer = await this.#calls.ask({ path: `${this.#at}/drawing?version=${version}` });
    const found = Number(/\d+/.exec(answer.headers.get('ETag') ?? '')?.[0]);
    return { doc: openDrawing(await answer.json()), version: found };
  }

  async saveDrawing(doc: Doc, started: { version: number; tab: string }): Promise<DesignerSaved> {
    const { body, headers } = await packDrawing(doc);
    return this.#calls.askJson({
      method: 'POST',
      path: `${this.#at}/drawing?tab=${started.tab}`,
      body,
      headers: { ...headers, ...matching(started.version) },
    });
  }

  async saveCopy(doc: Doc, name: string): Promise<string> {
    const { body, headers } = await packDrawing(doc);
    const { key } = await this.#calls.askJson<{ key: string }>({
      method: 'POST',
      path: `${this.#at}/actions/save-copy?name=${encodeURIComponent(name)}`,
      body,
      headers,
    });
    return key;
  }

  publish(version: number): Promise<DesignerPublished> {
    return this.#act('publish', version);
  }

  discard(version: number): Promise<DesignerSaved> {
    return this.#act('discard', version);
  }

  restore(current: number, version: number): Promise<DesignerSaved> {
    return this.#act('restore', current, { version });
  }

  async listVersions(): Promise<DesignerVersion[]> {
    const { items } = await this.#calls.askJson<{ items: DesignerVersion[] }>({
      path: `${this.#at}/versions`,
    });
    return items;
  }

  readTaken(): Promise<DesignerTaken> {
    return this.#calls.askJson({ path: `${this.#at}/taken` });
  }

  sayHere(here: DesignerHere): Promise<DesignerPresence> {
    return this.#calls.askJson({
      method: 'POST',
      path: `${this.#at}/presence`,
      body: JSON.stringify(here),
      headers: { 'Content-Type': 'application/json' },
      keepalive: here.leaves,
    });
  }

  #act<T>(action: string, version: number, body?: object): Promise<T> {
    return this.#calls.askJson({
      method: 'POST',
      path: `${this.#at}/actions/${action}`,
      headers: {
        ...matching(version),
        ...(body ? { 'Content-Type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  }
}

/** Makes a chart without a drawing and returns its key. */
export async function makeChart(calls: Calls, name: string): Promise<string> {
  const { key } = await calls.askJson<{ key: string }>({
    method: 'POST',
    path: 'charts',
    body: JSON.stringify({ name, venueType: 'SIMPLE' }),
    headers: { 'Content-Type': 'application/json' },
  });
  return key;
}
