/**
 * The chart object for a page: the methods of seats.io's embed contract; all return promises
 * unless noted.
 */
import { placeLabel, wireCategoryOf } from './scene/scene.ts';
import type { Board } from './board.ts';
import type { CategoryJson, ChartObject, SectionJson, ZoneJson } from './chart-object.ts';
import { ChartLife } from './chart-life.ts';
import type {
  BestAvailableConfig,
  CategoryName,
  ChangeableConfig,
  ObjectChoice,
} from './config.ts';
import { describeCategories, describeObject, describeSection } from './places/objects.ts';
import { FREE, isCategory, MINE } from './places/places.ts';
import { reportByZone, reportSelectability, type SelectabilityReport } from './report.ts';
import { words } from './words.ts';

export class SeatingChart extends ChartLife {
  async listSelectedObjects(): Promise<ChartObject[]> {
    const board = await this.board;
    return board.selection.all.map((i) => describeObject(board.source, i));
  }

  /** Rejected when the held places could not be given back. */
  async clearSelection(): Promise<void> {
    if (!(await (await this.board).selection.giveBack())) throw new Error(words.releaseFailed);
  }

  /**
   * Chooses the available ones among these objects, asks for missing ticket types and leaves out
   * the rest.
   */
  async trySelectObjects(objects: ObjectChoice[]): Promise<void> {
    const board = await this.board;
    if (board.choosing.isOpen) await board.choosing.choose(objects, { ask: true });
  }

  selectObjects(objects: ObjectChoice[]): Promise<void> {
    return this.trySelectObjects(objects);
  }

  /** Chooses all or rejects, without a question; in spotlight mode whatever their status. */
  async doSelectObjects(objects: ObjectChoice[]): Promise<void> {
    const board = await this.board;
    await board.choosing.chooseAll(objects);
    if (this.config.mode === 'spotlight') board.map.spotlight(board.selection.all);
  }

  async deselectObjects(objects: ObjectChoice[]): Promise<void> {
    const board = await this.board;
    const done = await board.choosing.giveBack(objects);
    if (this.config.mode === 'spotlight') board.map.spotlight(board.selection.all);
    if (!done) throw new Error(words.releaseFailed);
  }

  async selectCategories(categories: CategoryName[]): Promise<void> {
    const board = await this.board;
    await this.trySelectObjects(
      inCategories(board, categories)
        .filter((i) => board.places.state[i] === FREE)
        .map((i) => placeLabel(board.scene, i)),
    );
  }

  async deselectCategories(categories: CategoryName[]): Promise<void> {
    const board = await this.board;
    await this.deselectObjects(
      inCategories(board, categories)
        .filter((i) => board.places.state[i] === MINE)
        .map((i) => placeLabel(board.scene, i)),
    );
  }

  async findObject(label: string): Promise<ChartObject> {
    const board = await this.board;
    const i = board.scene.byLabel.get(label);
    if (i === undefined) throw new Error(words.unknownObject(label));
    return describeObject(board.source, i);
  }

  async listCategories(): Promise<CategoryJson[]> {
    const board = await this.board;
    return describeCategories(board.source);
  }

  async listZones(): Promise<ZoneJson[]> {
    return [...((await this.board).scene.chart.zones ?? [])];
  }

  /** Holds the best places; rejects without a session, and when there are none. */
  async holdBestAvailable(
    ask: BestAvailableConfig,
  ): Promise<{ objects: ChartObject[]; nextToEachOther?: boolean }> {
    await this.board;
    if (!this.holdToken) throw new Error('holdBestAvailable(): a session is required');
    if (ask.number !== undefined && ask.ticketTypes)
      throw new Error('holdBestAvailable(): either number or ticketTypes');
    return this.selectBestAvailableObjects(ask);
  }

  /** Chooses the best places, and holds them where there is a session. */
  async selectBestAvailableObjects(
    ask: BestAvailableConfig,
  ): Promise<{ objects: ChartObject[]; nextToEachOther?: boolean }> {
    const board = await this.board;
    const { places, nextToEachOther } = await this.findBest(ask);
    return {
      objects: places.map((i) => describeObject(board.source, i)),
      ...(nextToEachOther === undefined ? {} : { nextToEachOther }),
    };
  }

  /**
   * Replaces settings of a rendered chart; null unsets one. Places that are no longer offered are
   * given back.
   */
  changeConfig(change: ChangeableConfig): Promise<void> {
    return this.change(change);
  }

  async getReportBySelectability(): Promise<SelectabilityReport> {
    return reportSelectability((await this.board).source, null);
  }

  async getReportBySelectabilityGroupedBy(
    groupBy: 'zone',
  ): Promise<Record<string, SelectabilityReport>> {
    if (groupBy !== 'zone') throw new Error('getReportBySelectabilityGroupedBy(): only by zone');
    return reportByZone((await this.board).source, this.settings().channels ?? []);
  }

  /** Shows everything, with no category highlighted. */
  async resetView(): Promise<void> {
    (await this.board).map.resetView();
    if (this.settings().filteredCategories?.length) await this.change({ filteredCategories: [] });
  }

  async zoomToSelectedObjects(): Promise<void> {
    const board = await this.board;
    board.map.zoomTo(board.selection.all);
  }

  async zoomToObjects(labels: string[]): Promise<void> {
    const board = await this.board;
    board.map.zoomTo(
      labels.map((label) => board.scene.byLabel.get(label)).filter((i) => i !== undefined),
    );
  }

  async zoomToSection(label: string): Promise<SectionJson[]> {
    const board = await this.board;
    if (!board.map.zoomToSection(label)) throw new Error(words.unknownObject(label));
    const at = board.scene.chart.sections.findIndex((section) => section.label === label);
    return [describeSection(board.source, at) ?? []].flat();
  }

  async zoomToFilteredCategories(): Promise<void> {
    const board = await this.board;
    board.map.zoomTo(inCategories(board, this.settings().filteredCategories ?? []));
  }

  async goToFloor(name: string): Promise<void> {
    if (!(await this.board).map.showFloor(name)) throw new Error(words.unknownObject(name));
  }

  /** Makes seats pulse until unpulse(); other objects do not pulse. */
  async pulse(labels: string[]): Promise<void> {
    for (const object of await this.#objectsOf(labels)) await object.pulse();
  }

  async unpulse(labels: string[]): Promise<void> {
    for (const object of await this.#objectsOf(labels)) await object.unpulse();
  }

  async #objectsOf(labels: string[]): Promise<ChartObject[]> {
    const board = await this.board;
    return labels
      .map((label) => board.scene.byLabel.get(label))
      .filter((i) => i !== undefined)
      .map((i) => describeObject(board.source, i));
  }

  /** Highlights only these; an empty list ends it, and so does the visitor's next choice. */
  setSpotlightObjects(labels: string[]): Promise<void> {
    return this.setSpotlight(labels);
  }

  setSpotlightOnSelection(): Promise<void> {
    return this.setSpotlight(this.selectedObjects);
  }

  clearSpotlightObjects(): Promise<void> {
    return this.setSpotlight(null);
  }
}

function inCategories({ scene }: Board, names: readonly CategoryName[]): number[] {
  return Array.from({ length: scene.size }, (_, i) => i).filter((i) => {
    const category = wireCategoryOf(scene, i);
    return scene.owner[i] === i && category && names.some((name) => isCategory(name, category));
  });
}
