/** Drawings that a new chart may begin with, ours: the halls that come with the house. */
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { ApiError } from '#server/standins/seatsio/errors.ts';
import { keyRoute, readJson } from '#server/standins/seatsio/router.ts';
import { addChart } from './chart-store.ts';
import { parseDrawing, readDrawing } from './drawing.ts';
import { listObjects } from './plan.ts';
import { ownCharts } from './seeds.ts';
import { drawThumbnail } from './thumbnails.ts';
import type { Route } from '#server/standins/seatsio/router.ts';

interface Template {
  key: string;
  name: string;
  text: string;
}

interface TemplateInfo {
  key: string;
  name: string;
  places: number;
  /** image/png in base64. */
  picture: string;
}

function templates(): Template[] {
  return ownCharts();
}

let kept: TemplateInfo[] | undefined;

/** Looked at once per process. */
function templateInfos(): TemplateInfo[] {
  kept ??= templates().map(({ key, name, text }) => {
    const drawing = readDrawing(parseDrawing(text));
    const objects = listObjects(drawing, { mode: 'ALL_BY_SEAT' });
    return {
      key,
      name,
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
    const text = JSON.stringify({ ...parseDrawing(found.text), name: ask.name });
    return { key: (await addChart(ctx, workspace, { key: randomUUID(), text })).key };
  }),
];
