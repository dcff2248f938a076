/**
 * The card beside the pointer, or for a moment beside a finger: about a place or, in the far
 * view, about a section.
 */
import { describePlace, describeSectionCard } from '#apps/chart/page/card.ts';
import type { ChartConfig } from '#apps/chart/config.ts';
import { describeSection, type ObjectSource } from '#apps/chart/places/objects.ts';
import { placePoint, placeSection, type SceneGroup, SEAT } from '#apps/chart/scene/scene.ts';
import type { Shell } from '#apps/chart/page/shell.ts';
import type { Summaries } from '#apps/chart/places/summaries.ts';
import type { View } from './view.ts';

interface TipWants {
  source: ObjectSource;
  summaries: Summaries;
  shell: Shell;
  config: () => ChartConfig;
  view: View;
}

const tipTime = 2000;

export class Tip {
  readonly #wants: TipWants;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Shows the same card again; null while there is none. */
  #again: (() => void) | null = null;

  constructor(wants: TipWants) {
    this.#wants = wants;
  }

  /** `passing`: it disappears after a while. */
  show(i: number, passing: boolean): void {
    const lines = describePlace(i, { source: this.#wants.source, config: this.#wants.config() });
    const { scene } = this.#wants.source;
    const { x, y } = placePoint(scene, i);
    const at = this.#wants.view.toScreen(x, y);
    const group = scene.groups.find(({ section }) => section === placeSection(scene, i));
    this.#place(lines, {
      ...at,
      away:
        this.#wants.source.scene.kind[i] === SEAT && group
          ? group.radius * this.#wants.view.camera.k * 1.3 + 8
          : 18,
    });
    this.#again = () => this.show(i, passing);
    if (passing) this.#timer = setTimeout(() => this.hide(), tipTime);
  }

  /** Shows the present card again with the texts that have arrived. */
  refresh(): void {
    this.#again?.();
  }

  showGroup(group: SceneGroup, at: { x: number; y: number }): void {
    const summary = this.#wants.summaries.of(group);
    this.#place(
      describeSectionCard(
        {
          ...summary,
          name: group.name,
          object: () => describeSection(this.#wants.source, group.section),
        },
        { source: this.#wants.source, config: this.#wants.config() },
      ),
      { ...at, away: 16 },
    );
    this.#again = () => this.showGroup(group, at);
  }

  #place(lines: HTMLElement[], { x, y, away }: { x: number; y: number; away: number }): void {
    const { tip, stage } = this.#wants.shell;
    clearTimeout(this.#timer);
    tip.replaceChildren(...lines);
    tip.hidden = lines.every(({ hidden }) => hidden);
    const { offsetWidth, offsetHeight } = tip;
    const left = Math.min(Math.max(8, x - offsetWidth / 2), stage.clientWidth - offsetWidth - 8);
    const above = y - away - offsetHeight;
    const top = above >= 6 ? above : Math.min(y + away, stage.clientHeight - offsetHeight - 6);
    tip.style.transform = `translate(${Math.round(left)}px,${Math.round(top)}px)`;
  }

  hide(): void {
    clearTimeout(this.#timer);
    this.#again = null;
    this.#wants.shell.tip.hidden = true;
  }
}
