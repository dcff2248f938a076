/** The calls that only our own chart server has: names, copies, templates, drawing versions. */
import { UpdateEventParams, type SeatsioClient } from 'seatsio';

/** `version`: the drawing being edited: the draft, or without one the published drawing. */
interface ChartDetail {
  key: string;
  name: string;
  archived: boolean;
  version: number;
  is_draft: boolean;
  saved_at: number | null;
  saved_by: string | null;
  published_at: number | null;
  published_by: string | null;
  /** The number of objects that are sold, held or blocked in events that are not over. */
  taken: number;
}

interface ChartVersion {
  version: number;
  name: string;
  places: number;
  published_at: number | null;
  published_by: string | null;
  is_published: boolean;
}

interface ChartTemplate {
  key: string;
  name: string;
  places: number;
  /** A typical room, or a hall of the house. */
  kind: 'room' | 'hall';
  /** A small picture as a data: address. */
  picture: string;
}

/** @throws ProviderRefused 404 for an unknown chart, in every call */
export interface ChartDesk {
  detail(chartKey: string): Promise<ChartDetail>;
  rename(chartKey: string, name: string): Promise<void>;
  setArchived(chartKey: string, archived: boolean): Promise<void>;
  /** Copies the drawing being edited under another name; returns the new chart's key. */
  copy(chartKey: string, ask: { name: string; by: string }): Promise<string>;
  templates(): Promise<ChartTemplate[]>;
  /**
   * `template` null: an empty drawing. Returns the new chart's key.
   * @throws ProviderRefused 404 for an unknown template
   */
  create(ask: { name: string; template: string | null }): Promise<string>;
  /** The published versions, newest first. */
  versions(chartKey: string): Promise<ChartVersion[]>;
  /**
   * Makes that version the draft.
   * @throws ProviderRefused 409 if `from` is no longer the drawing being edited,
   * VERSION_NOT_FOUND
   */
  restore(
    chartKey: string,
    ask: { version: number; from: number; by: string },
  ): Promise<{ version: number }>;
  /** The newest thousand events on the chart. */
  eventsOn(chartKey: string): Promise<{ key: string; is_over: boolean }[]>;
  /** Allows a new drawing to leave out objects of an event that is over, even sold ones. */
  setOver(eventKey: string, isOver: boolean): Promise<void>;
}

type Raw = Record<string, unknown>;

const timeOf = (value: unknown) => (typeof value === 'string' ? Date.parse(value) : null);
const textOf = (value: unknown) => (typeof value === 'string' ? value : null);

function detailOf(raw: Raw): ChartDetail {
  return {
    key: String(raw['key']),
    name: String(raw['name']),
    archived: raw['archived'] === true,
    version: Number(raw['version']),
    is_draft: raw['isDraft'] === true,
    saved_at: timeOf(raw['savedAt']),
    saved_by: textOf(raw['savedBy']),
    published_at: timeOf(raw['publishedAt']),
    published_by: textOf(raw['publishedBy']),
    taken: Number(raw['taken']),
  };
}

function versionOf(raw: Raw): ChartVersion {
  return {
    version: Number(raw['version']),
    name: String(raw['name']),
    places: Number(raw['places']),
    published_at: timeOf(raw['publishedAt']),
    published_by: textOf(raw['publishedBy']),
    is_published: raw['isPublished'] === true,
  };
}

export function chartDesk({ client, charts, events }: SeatsioClient): ChartDesk {
  const named = (by: string) => ({ 'X-Designer-Name': encodeURIComponent(by) });
  const post = async (path: string, body: object, headers: Record<string, string> = {}) =>
    (await client.post(path, body, { headers })).data as Raw;
  const listAt = async (path: string) => (await client.get(path)).data.items as Raw[];
  return {
    detail: async (key) => detailOf((await client.get(`charts/${key}/designer`)).data),
    async rename(key, name) {
      await post(`charts/${key}/actions/rename`, { name });
    },
    async setArchived(key, archived) {
      await (archived ? charts.moveToArchive(key) : charts.moveOutOfArchive(key));
    },
    async copy(key, { name, by }) {
      const { data } = await client.post(`charts/${key}/designer/actions/save-copy`, undefined, {
        params: { name },
        headers: named(by),
      });
      return String(data.key);
    },
    templates: async () =>
      (await listAt('charts/actions/templates')).map((raw) => ({
        key: String(raw['key']),
        name: String(raw['name']),
        places: Number(raw['places']),
        kind: raw['kind'] === 'room' ? ('room' as const) : ('hall' as const),
        picture: `data:image/png;base64,${String(raw['picture'])}`,
      })),
    async create({ name, template }) {
      if (template === null) return (await charts.create(name, 'SIMPLE')).key;
      return String((await post('charts/actions/from-template', { name, template }))['key']);
    },
    versions: async (key) => (await listAt(`charts/${key}/designer/versions`)).map(versionOf),
    async restore(key, { version, from, by }) {
      const headers = { ...named(by), 'If-Match': `"${from}"` };
      const raw = await post(`charts/${key}/designer/actions/restore`, { version }, headers);
      return { version: Number(raw['version']) };
    },
    async eventsOn(key) {
      const found = (await charts.retrieveWithEvents(key)).events ?? [];
      return found.map((event) => ({ key: event.key, is_over: event.isInThePast }));
    },
    async setOver(key, isOver) {
      await events.update(key, new UpdateEventParams().withIsInThePast(isOver));
    },
  };
}
