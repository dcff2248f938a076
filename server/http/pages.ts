/** Renders the public site's pages to HTML on the server, and includes the data of each page. */
import { hash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as v from 'valibot';
import { getEvent, listPublished } from '#server/contract/events.ts';
import { getOrder } from '#server/contract/order/orders.ts';
import { readLegal, readSite } from '#server/contract/site.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';
import { legalNameOf } from '#server/domain/site/legal-names.ts';
import { eventPage, publishedEvents } from '#server/services/event/events.ts';
import { whilePersonWaits } from '#server/services/kit/patience.ts';
import { orderIdOfLink } from '#server/services/order/order-link.ts';
import { orderAsStored } from '#server/services/refund/orders.ts';
import { legalText, siteForAll } from '#server/services/site/site.ts';
import { firstScript } from './first-script.ts';
import { previewPath } from './headers.ts';
import { lateParts } from './late-parts.ts';

/**
 * The functions of apps/booking/server-entry.tsx that this file calls; the server imports nothing
 * from the apps.
 */
export interface ServerEntry {
  drawPage: (request: { path: string; publicUrl: string; indexed: boolean; data: object }) => {
    head: string;
    body: string;
    data: string;
  };
}
export interface PageSource {
  template: (path: string) => Promise<string>;
  entry: () => Promise<ServerEntry>;
  /** The `<link>` tags for scripts that a page and its screen load later. */ late?: (
    screen: string | null,
  ) => Promise<string>;
}

/** The built site; a new build is read without a restart. */
export function builtPages(dist: string): PageSource {
  const page = join(dist, 'booking/index.html');
  const script = join(dist, 'booking-server/server-entry.js');
  return {
    // The file is missing only during a build.
    template: () =>
      readFile(page, 'utf8').catch(() => {
        throw new Refusal('try_again');
      }),
    async entry() {
      const { mtimeMs } = await stat(script).catch(() => {
        throw new Refusal('try_again');
      });
      return (await import(`${pathToFileURL(script).href}?${mtimeMs}`)) as ServerEntry;
    },
    late: (screen) => lateParts(join(dist, 'booking'), screen),
  };
}

/** Screens for owners of orders and for the office; search engines must not index them. */
const isPrivate = /^\/(?:orders\/|anteprima\/|(?:i-miei-biglietti|avviso)\/?$)/;

/** The screen whose script is loaded separately, as a file of apps/booking without its ending. */
function lateScreenOf(path: string): string | null {
  if (path === '/') return 'home/home';
  if (legalNameOf(path) !== null) return 'legal/page';
  if (orderIdOf(path) !== null) return 'order/page';
  if (eventIdOf(path) !== null) return 'event/seats/seat-chart';
  if (previewPath.test(path) || path.startsWith('/anteprima/ordini/')) return 'event/preview';
  if (/^\/avviso\/?$/.test(path)) return 'reminder/page';
  return /^\/i-miei-biglietti\/?$/.test(path) ? 'home/my-tickets' : null;
}

interface MadePage {
  status: number;
  /** Rendered when it is read, because rendering is by far the most expensive step. */
  readonly html: string;
  /** Equal for equal `html`. */ readonly facts: string;
  /** True: the page is about one person, so no browser or proxy may store it. */
  personal: boolean;
}

/**
 * Makes a page. Its status is 404 for an event that the public must not see, and if `known` is
 * false (no page has this address).
 */
export async function makePage(
  ctx: Ctx,
  { template, entry, late }: PageSource,
  { path, known }: { path: string; known: boolean },
): Promise<MadePage> {
  const screen = known ? lateScreenOf(path) : 'shell/page/unknown-page';
  const [frame, data, { drawPage }, parts] = await Promise.all([
    template(path),
    whilePersonWaits(() => readPage(ctx, path)),
    entry(),
    late?.(screen) ?? '',
  ]);
  const found = known && data.missing_event === undefined;
  const request = {
    path: drawnPath(path),
    publicUrl: ctx.publicUrl,
    indexed: found && !isPrivate.test(path),
    data,
  };
  return {
    status: found ? 200 : 404,
    get html() {
      const { head, body, data: script } = drawPage(request);
      return fill(frame, { head: `${head}${parts}`, body, data: script });
    },
    get facts() {
      return hash('sha256', JSON.stringify([frame, parts, request]), 'base64url');
    },
    personal: data.order !== undefined,
  };
}

interface ReadPage {
  now: number;
  site: unknown;
  legal?: unknown;
  event?: unknown;
  events?: unknown;
  order?: unknown;
  missing_event?: string;
}

async function readPage(ctx: Ctx, path: string): Promise<ReadPage> {
  const now = Math.floor(ctx.now() / 60_000) * 60_000;
  const site = v.parse(readSite.reply, await siteForAll(ctx));
  const legal = legalNameOf(path);
  if (legal !== null)
    return {
      now,
      site,
      legal: { name: legal, text: v.parse(readLegal.reply, await legalText(ctx, legal)) },
    };
  if (path === '/')
    return { now, site, events: v.parse(listPublished.reply, await publishedEvents(ctx)) };
  const order_id = orderIdOf(path);
  if (order_id !== null) return { now, site, ...(await readStored(ctx, order_id)) };
  const id = eventIdOf(path);
  if (id === null) return { now, site };
  if (!isName(id)) return { now, site, missing_event: id };
  try {
    return { now, site, event: v.parse(getEvent.reply, await eventPage(ctx, id)) };
  } catch (error) {
    if (error instanceof Refusal && error.code === 'event_not_found')
      return { now, site, missing_event: id };
    throw error;
  }
}

/** After these refusals the page is drawn without the order; it asks again and shows the answer. */
const opensNothing: ReadonlySet<string> = new Set(['order_not_found', 'link_replaced']);

/**
 * The link is enough to see the order. The first HTML does not wait for Stripe, because the
 * page asks again by itself.
 */
async function readStored(ctx: Ctx, id: string): Promise<{ order?: unknown }> {
  if (!isName(id)) return {};
  try {
    const stored = await orderAsStored(ctx, await orderIdOfLink(ctx, id));
    return { order: v.parse(getOrder.reply, stored) };
  } catch (error) {
    if (error instanceof Refusal && opensNothing.has(error.code)) return {};
    throw error;
  }
}

/** The path with its id encoded again, because the router would warn of a badly encoded one. */
function drawnPath(path: string): string {
  const order_id = orderIdOf(path);
  if (order_id !== null)
    return `/orders/${encodeURIComponent(order_id)}${/\/from_stripe_cs\/complete\/?$/.test(path) ? '/from_stripe_cs/complete' : ''}`;
  const id = eventIdOf(path);
  return id === null ? path : `/event/${encodeURIComponent(id)}`;
}

/** The event's id in a page's path; null if there is none. */
export function eventIdOf(path: string): string | null {
  return decoded(/^\/event\/([^/]+)\/?$/.exec(path)?.[1]);
}

function orderIdOf(path: string): string | null {
  return decoded(/^\/orders\/([^/]+)(?:\/from_stripe_cs\/[^/]+)?\/?$/.exec(path)?.[1]);
}

function decoded(part: string | undefined): string | null {
  if (part === undefined) return null;
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** False for a long or unprintable id, which must not reach the database. */
export function isName(id: string): boolean {
  // oxlint-disable-next-line no-control-regex -- finds control characters
  return id.length <= 200 && id.isWellFormed() && !/[\u0000-\u001f\u007f]/.test(id);
}

/**
 * Fills the template. The replacements are functions, because in a replacement text a `$` would
 * have a special meaning.
 */
function fill(
  frame: string,
  { head, body, data }: { head: string; body: string; data: string },
): string {
  return frame
    .replace('<!--page-head-->', () => `${head}\n    ${firstScript}`)
    .replace('<!--page-body-->', () => body)
    .replace('<!--page-data-->', () => data);
}
