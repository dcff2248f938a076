/** Charts at the seat map, and the published drawing of a chart of any seats.io account. */
import { ChartListParams, type Chart, type SeatsioClient } from 'seatsio';
import type { ChartRegion, Finding } from '#server/domain/seat/drawing.ts';
import { chartDesk, type ChartDesk } from './chart-desk.ts';
import { eachBy } from './provider.ts';
import { askingSeats, clientOf } from './seatsio-call.ts';

interface ChartInfo {
  key: string;
  name: string;
  status: 'NOT_USED' | 'PUBLISHED' | 'PUBLISHED_WITH_DRAFT';
  places: number | null;
  thumbnail: string | null;
}

interface ChartListAsk {
  limit: number;
  after: string | null;
  name: string;
  /** True: only archived charts. False or left out: only the others. */
  archived?: boolean;
}

export interface Charts extends ChartDesk {
  /** False at the real seats.io, which has no public API for uploads. */
  canImport: boolean;
  /**
   * The charts whose name contains `name`, newest first. `after` and `next` are the seat map's
   * own numbers; `next`: null if there are no more.
   */
  list(ask: ChartListAsk): Promise<{ charts: ChartInfo[]; next: string | null }>;
  /** @throws ProviderRefused 404 for an unknown chart */
  categories(chartKey: string): Promise<{ key: string; label: string; color: string | null }[]>;
  /**
   * The published drawing in the vendor's format.
   * @throws ProviderRefused 404 for an unknown chart
   */
  drawing(chartKey: string): Promise<unknown>;
  /**
   * `drawing`: JSON text.
   * @throws ProviderRefused with `data.findings` for errors in the drawing,
   * CHART_KEY_ALREADY_EXISTS if another chart has the key
   */
  import(
    drawing: string,
    ask: { key: string | undefined; dry: boolean },
  ): Promise<{ key: string; findings: Finding[] }>;
  /** @throws ProviderRefused 401 or 403 for a wrong secret key, 404 for an unknown chart */
  fetch(chartKey: string, account: { region: ChartRegion; secretKey: string }): Promise<unknown>;
}

/** The most calls to the vendor at one time. */
const atOnce = 4;

/** `url`: null for the real seats.io. `regionUrl`: the accounts' address, with `{region}`. */
export function connectCharts(options: {
  url: string | null;
  secretKey: string;
  regionUrl: string;
}): Charts {
  const client = clientOf(options);
  return {
    canImport: options.url !== null,
    ...eachBy<Omit<Charts, 'canImport'>>(askingSeats, {
      ...chartDesk(client),
      list: (ask) => listCharts(client, ask),
      drawing: (chartKey) => client.charts.retrievePublishedVersion(chartKey),
      async categories(chartKey) {
        const found = (await client.charts.listCategories(chartKey)) as {
          key: string | number;
          label: string;
          color?: string;
        }[];
        return found.map(({ key, label, color = null }) => ({ key: String(key), label, color }));
      },
      async import(drawing, { key, dry }) {
        const params = { ...(key === undefined ? {} : { key }), ...(dry ? { dry: true } : {}) };
        const { data } = await client.client.post('charts/actions/import', drawing, {
          params,
          headers: { 'content-type': 'application/json' },
        });
        return { key: String(data.key ?? key ?? ''), findings: findingsOf(data.findings) };
      },
      fetch: (chartKey, { region, secretKey }) =>
        clientOf({
          url: options.regionUrl.replace('{region}', region),
          secretKey,
        }).charts.retrievePublishedVersion(chartKey),
    }),
  };
}

async function listCharts(
  client: SeatsioClient,
  { limit, after, name, archived }: ChartListAsk,
): Promise<{ charts: ChartInfo[]; next: string | null }> {
  const params = name === '' ? null : new ChartListParams().withFilter(name);
  const page = archived
    ? await archivePage(client, { limit, after, name })
    : await (after === null
        ? client.charts.listFirstPage(params, limit)
        : client.charts.listPageAfter(Number(after), params, limit));
  const charts: ChartInfo[] = [];
  for (let at = 0; at < page.items.length; at += atOnce) {
    const some = page.items.slice(at, at + atOnce).map((chart) => describe(client, chart));
    charts.push(...(await Promise.all(some)));
  }
  const next = page.nextPageStartsAfter ?? null;
  return { charts, next: next === null ? null : String(next) };
}

/** Calls the vendor directly, because the SDK cannot filter archived charts by name. */
async function archivePage(
  client: SeatsioClient,
  { limit, after, name }: Omit<ChartListAsk, 'archived'>,
): Promise<{ items: Listed[]; nextPageStartsAfter?: string }> {
  const { data } = await client.client.get('charts/archive', {
    params: {
      limit,
      ...(after === null ? {} : { start_after_id: after }),
      ...(name === '' ? {} : { filter: name }),
    },
  });
  return { items: data.items, nextPageStartsAfter: data.next_page_starts_after };
}

type Listed = Pick<Chart, 'key' | 'name' | 'status'> & {
  publishedVersionThumbnailUrl?: string;
};

/** A chart that was never published shows its draft. */
async function describe(
  client: SeatsioClient,
  { key, name, status, publishedVersionThumbnailUrl }: Listed,
): Promise<ChartInfo> {
  const places = await countPlaces(client, key);
  const isOnlyDraft = status === 'PUBLISHED_WITH_DRAFT' && places === 0;
  return {
    key,
    name,
    status: statusOf(status),
    places,
    thumbnail: isOnlyDraft
      ? await drawnPicture(client.charts.retrieveDraftVersionThumbnail(key))
      : await pictureOf(client, key, publishedVersionThumbnailUrl),
  };
}

function statusOf(status: string): ChartInfo['status'] {
  return status === 'PUBLISHED' || status === 'PUBLISHED_WITH_DRAFT' ? status : 'NOT_USED';
}

/** The places of a chart (a table counts its chairs); null if the report failed. */
async function countPlaces(client: SeatsioClient, key: string): Promise<number | null> {
  const summary = (await client.chartReports
    .summaryByObjectType(key, 'false')
    .catch(() => null)) as Record<string, { count?: number } | undefined> | null;
  return summary === null
    ? null
    : Object.values(summary).reduce((sum, group) => sum + (group?.count ?? 0), 0);
}

/**
 * The picture's address if a browser can reach it, otherwise the picture itself, because browsers
 * cannot reach our chart server.
 */
async function pictureOf(
  client: SeatsioClient,
  key: string,
  url: string | undefined,
): Promise<string | null> {
  if (url?.startsWith('https://')) return url;
  return drawnPicture(client.charts.retrievePublishedVersionThumbnail(key));
}

async function drawnPicture(drawn: Promise<ArrayBuffer>): Promise<string | null> {
  const bytes = await drawn.then(
    (data) => Buffer.from(data),
    () => null,
  );
  if (bytes === null || bytes.length === 0 || bytes.length > 256 * 1024) return null;
  const type = pictureType(bytes.subarray(0, 200).toString('latin1'));
  return type === null ? null : `data:${type};base64,${bytes.toString('base64')}`;
}

/** The picture's type by its first bytes; null if browsers do not show it. */
function pictureType(head: string): string | null {
  if (head.startsWith('\u0089PNG')) return 'image/png';
  if (head.startsWith('\u00ff\u00d8')) return 'image/jpeg';
  return /^\s*(<\?xml[^>]*>\s*)?<svg\b/.test(head) ? 'image/svg+xml' : null;
}

/** Leaves out findings of an unknown shape. */
export function findingsOf(value: unknown): Finding[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: unknown) => {
    const { severity, where, message } = (item ?? {}) as Record<string, unknown>;
    if (typeof message !== 'string') return [];
    return [
      {
        severity: severity === 'warning' ? ('warning' as const) : ('error' as const),
        where: typeof where === 'string' ? where : '',
        message,
      },
    ];
  });
}
