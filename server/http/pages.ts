/** Pages of the public site as the server draws them: home, event and legal pages whole, the others as an empty frame for the app. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as v from 'valibot';
import { getEvent, listPublished } from '#server/contract/events.ts';
import { readLegal, readSite } from '#server/contract/site.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';
import { legalNameOf } from '#server/domain/legal-names.ts';
import { eventPage, publishedEvents } from '#server/services/events.ts';
import { legalText, siteForAll } from '#server/services/site.ts';
import { firstScript } from './first-script.ts';

/** The part of apps/booking/server-entry.tsx that is called here; the server imports nothing of the apps. */
export interface ServerEntry { drawPage: (request: { path: string; publicUrl: string; indexed: boolean; data: object }) => { head: string; body: string; data: string } }
export interface PageSource { template: (path: string) => Promise<string>; entry: () => Promise<ServerEntry> }

/** The built site; read again when somebody has built it anew. */
export function builtPages(dist: string): PageSource {
  const page = join(dist, 'booking/index.html');
  const script = join(dist, 'booking-server/server-entry.js');
  return {
    // Missing only while somebody builds.
    template: () => readFile(page, 'utf8').catch(() => { throw new Refusal('try_again'); }),
    async entry() {
      const { mtimeMs } = await stat(script).catch(() => { throw new Refusal('try_again'); });
      return (await import(`${pathToFileURL(script).href}?${mtimeMs}`)) as ServerEntry;
    },
  };
}

/** Screens for the owners of orders alone, whose script comes only where it is wanted: nothing is drawn of them, and no search engine keeps them. */
const isPrivate = /^\/(?:orders\/|i-miei-biglietti\/?$)/;

/** One page in HTML. 404 for an event that the public does not know; `known` false: for an address that is no page at all. */
export async function makePage(ctx: Ctx, { template, entry }: PageSource, { path, known }: { path: string; known: boolean }): Promise<{ status: number; html: string }> {
  const frame = await template(path);
  if (isPrivate.test(path)) return { status: known ? 200 : 404, html: fill(frame, { head: '<title>Botteghino</title>\n    <meta name="robots" content="noindex" />', body: '', data: '' }) };
  const data = await readPage(ctx, path);
  const { drawPage } = await entry();
  const indexed = known && data.missing_event === undefined;
  return { status: indexed ? 200 : 404, html: fill(frame, drawPage({ path: drawnPath(path), publicUrl: ctx.publicUrl, indexed, data })) };
}

interface ReadPage { now: number; site: unknown; legal?: unknown; event?: unknown; events?: unknown; missing_event?: string }

async function readPage(ctx: Ctx, path: string): Promise<ReadPage> {
  const now = Math.floor(ctx.now() / 60_000) * 60_000;
  const site = v.parse(readSite.reply, await siteForAll(ctx));
  const legal = legalNameOf(path);
  if (legal !== null) return { now, site, legal: { name: legal, text: v.parse(readLegal.reply, await legalText(ctx, legal)) } };
  if (path === '/') return { now, site, events: v.parse(listPublished.reply, await publishedEvents(ctx)) };
  const id = eventIdOf(path);
  if (id === null) return { now, site };
  if (!isName(id)) return { now, site, missing_event: id };
  try {
    return { now, site, event: v.parse(getEvent.reply, await eventPage(ctx, id)) };
  } catch (error) {
    if (error instanceof Refusal && error.code === 'event_not_found') return { now, site, missing_event: id };
    throw error;
  }
}

/** An event's address as we write it: a badly encoded one would make the router complain on every visit. */
function drawnPath(path: string): string {
  const id = eventIdOf(path);
  return id === null ? path : `/event/${encodeURIComponent(id)}`;
}

/** The event that a page's path names, null when it names none. */
export function eventIdOf(path: string): string | null {
  const [, id] = /^\/event\/([^/]+)\/?$/.exec(path) ?? [];
  if (id === undefined) return null;
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/** What is too long or unprintable names nothing, and must not reach a database. */
export function isName(id: string): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are exactly what is looked for
  return id.length <= 200 && id.isWellFormed() && !/[\u0000-\u001f\u007f]/.test(id);
}

/** Replaced by functions: what an organiser writes may hold a `$`. */
function fill(frame: string, { head, body, data }: { head: string; body: string; data: string }): string {
  return frame.replace('<!--page-head-->', () => `${head}\n    ${firstScript}`).replace('<!--page-body-->', () => body).replace('<!--page-data-->', () => data);
}
