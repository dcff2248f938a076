/** Counts places that can or cannot be chosen, for getReportBySelectability(), also by zone. */
import { areaOf, wireCategoryOf, sectionOf } from './scene/scene.ts';
import type { ObjectSource } from './places/objects.ts';
import { FREE, MINE } from './places/places.ts';

interface SelectabilityPart {
  count: number;
  byCategoryLabel: Record<string, number>;
  byCategoryKey: Record<string, number>;
  byChannel?: Record<string, number>;
}
export interface SelectabilityReport {
  selectable: SelectabilityPart;
  not_selectable: SelectabilityPart;
}

/**
 * `channels`: the keys that the page named, for the breakdown by channel; an area counts by its
 * places.
 */
export function reportSelectability(
  source: ObjectSource,
  channels: readonly string[] | null,
): SelectabilityReport {
  return count(source, channels, () => true);
}

/** One report per zone of the drawing; places without a zone are left out. */
export function reportByZone(
  source: ObjectSource,
  channels: readonly string[],
): Record<string, SelectabilityReport> {
  const { scene } = source;
  const { chart } = scene;
  const zones = new Set([
    ...(chart.zones ?? []).map(({ key }) => key),
    ...chart.sections.flatMap(({ zone }) => zone ?? []),
  ]);
  return Object.fromEntries(
    [...zones].map((zone) => [
      zone,
      count(source, channels, (i) => sectionOf(scene, i)?.zone === zone),
    ]),
  );
}

function addTo(sums: Record<string, number>, name: string, number: number): void {
  sums[name] = (sums[name] ?? 0) + number;
}

function count(
  { scene, places, interactive }: ObjectSource,
  channels: readonly string[] | null,
  isInside: (i: number) => boolean,
): SelectabilityReport {
  const { categories } = scene.chart;
  const make = (): SelectabilityPart => ({
    count: 0,
    byCategoryLabel: Object.fromEntries(
      [...categories.map(({ label }) => label), 'NO_CATEGORY'].map((name) => [name, 0]),
    ),
    byCategoryKey: Object.fromEntries(
      [...categories.map(({ key }) => key), 'NO_CATEGORY'].map((name) => [name, 0]),
    ),
    ...(channels
      ? {
          byChannel: Object.fromEntries(
            ['NO_CHANNEL', ...channels.filter((key) => key !== 'NO_CHANNEL')].map((name) => [
              name,
              0,
            ]),
          ),
        }
      : {}),
  });
  const report: SelectabilityReport = { selectable: make(), not_selectable: make() };
  const add = (part: SelectabilityPart, i: number, number: number) => {
    if (number <= 0) return;
    const category = wireCategoryOf(scene, i);
    part.count += number;
    addTo(part.byCategoryLabel, category?.label ?? 'NO_CATEGORY', number);
    addTo(part.byCategoryKey, category?.key ?? 'NO_CATEGORY', number);
    if (!part.byChannel) return;
    const { locked, channel } = places.statusOf(i);
    addTo(part.byChannel, locked ? 'LOCKED_CHANNEL' : (channel ?? 'NO_CHANNEL'), number);
  };
  for (let i = 0; i < scene.size; i++) {
    if (scene.owner[i] !== i || !isInside(i)) continue;
    const open = interactive() && (places.state[i] === FREE || places.state[i] === MINE);
    const all = scene.counted[i] ? areaOf(scene, i).capacity : 1;
    const left = scene.counted[i] ? Math.min(all, places.freePlaces(i) + places.chosen(i)) : 1;
    const free = open ? left : 0;
    add(report.selectable, i, free);
    add(report.not_selectable, i, all - free);
  }
  return report;
}
