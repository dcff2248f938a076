/** Drawings from which a new chart can start, ours: typical rooms, and the included halls. */
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { TEMPLATES } from '#server/drawing/templates/templates.ts';
import { ApiError } from '#server/standins/seatsio/errors.ts';
import { keyRoute, readJson } from '#server/standins/seatsio/router.ts';
import { addChart } from './chart-store.ts';
import { parseDrawing, readDrawing } from '#server/standins/seatsio/plan/read-drawing.ts';
import { listObjects } from '#server/standins/seatsio/plan/plan.ts';
import { ownCharts } from './seeds.ts';
import { drawThumbnail } from './thumbnails.ts';
import type { Route } from '#server/standins/seatsio/router.ts';

interface Template {
  key: string;
  name: string;
  /** Makes a drawing: a room with new ids each time, a hall with the ids of its file. */
  draw: () => Record<string, unknown>;
}

interface TemplateInfo {
  key: string;
  name: string;
  places: number;
  /** A typical room, or a hall that comes with the software. */
  kind: 'room' | 'hall';
  /** image/png in base64. */
  picture: string;
}

/** All templates; the prefix `room-` keeps the keys of rooms apart from those of halls. */
function templates(): (Template & Pick<TemplateInfo, 'kind'>)[] {
  return [
    ...TEMPLATES.map(({ key, name, make }) => ({
      key: `room-${key}`,
      name,
      kind: 'room' as const,
      draw: () => make(randomUUID),
    })),
    ...ownCharts().map(({ key, name, text }) => ({
      key,
      name,
      kind: 'hall' as const,
      draw: () => parseDrawing(text),
    })),
  ];
}

let kept: TemplateInfo[] | undefined;

/** Computed once per process. */
function templateInfos(): TemplateInfo[] {
  kept ??= templates().map(({ key, name, kind, draw }) => {
    const drawing = readDrawing(draw());
    const objects = listObjects(drawing, { mode: 'ALL_BY_SEAT' });
    return {
      key,
      name,
      kind,
      places: objects.reduce((sum, { capacity }) => sum + capacity, 0),
      picture: drawThumbnail(drawing).toString('base64'),
    };
  });
  return kept;
}

const newBody = v.object({
  template: v.string(),
  name: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(500)),
});

export const templateRoutes: Route[] = [
  keyRoute('GET', '/charts/actions/templates', () => ({ items: templateInfos() })),
  /** {template, name} -> {key} of a new chart; 404 TEMPLATE_NOT_FOUND */
  keyRoute('POST', '/charts/actions/from-template', async (ctx, call, workspace) => {
    const ask = readJson(call, newBody);
    const found = templates().find(({ key }) => key === ask.template);
    if (!found)
      throw new ApiError(404, 'TEMPLATE_NOT_FOUND', {
        message: `Template not found: ${ask.template}`,
      });
    const text = JSON.stringify({ ...found.draw(), name: ask.name });
    return { key: (await addChart(ctx, workspace, { key: randomUUID(), text })).key };
  }),
];
