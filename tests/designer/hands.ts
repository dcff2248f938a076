/** Hands of a person at the designer: mouse and keys on what the screen shows, and each thing that they do counted. */
import type { Page } from 'playwright';

export interface At {
  x: number;
  y: number;
}

/** How an empty sheet lies on the canvas: its middle there, and pixels a unit. */
const MIDDLE: At = { x: 500, y: 400 };
const SCALE = 0.8;

export class Hands {
  /** Presses, drags, typed fields; a line that is clicked point by point is one. */
  acts = 0;
  readonly page: Page;
  readonly #middle: At;

  private constructor(page: Page, middle: At) {
    this.page = page;
    this.#middle = middle;
  }

  /** The designer is open, and its sheet as it was before anybody moved it. */
  static async at(page: Page): Promise<Hands> {
    const box = await page.getByRole('application').boundingBox();
    if (!box) throw new Error('There is no canvas');
    return new Hands(page, { x: box.x + box.width / 2, y: box.y + box.height / 2 });
  }

  #screen({ x, y }: At): [x: number, y: number] {
    const { x: left, y: top } = this.#middle;
    return [left + (x - MIDDLE.x) * SCALE, top + (y - MIDDLE.y) * SCALE];
  }

  async key(keys: string): Promise<void> {
    this.acts += 1;
    await this.page.getByRole('application').press(keys);
  }

  async button(name: string): Promise<void> {
    this.acts += 1;
    await this.page.getByRole('button', { name, exact: true }).click();
  }

  async tab(name: string): Promise<void> {
    this.acts += 1;
    await this.page.getByRole('tab', { name }).click();
  }

  async menu(menu: string, line: string): Promise<void> {
    await this.button(menu);
    this.acts += 1;
    await this.page.getByRole('menuitem', { name: line }).click();
  }

  async type(label: string, text: string): Promise<void> {
    this.acts += 1;
    const field = this.page.getByRole('textbox', { name: label, exact: true });
    await field.fill(text);
    await field.press('Enter');
  }

  async choose(label: string, option: string | RegExp): Promise<void> {
    this.acts += 1;
    const field = this.page.getByLabel(label, { exact: true });
    const texts = await field.locator('option').allTextContents();
    await field.selectOption({ label: texts.find((text) => text.match(option))! });
  }

  /** A line of a list that opens. */
  async unfold(text: string): Promise<void> {
    this.acts += 1;
    await this.page.locator('summary:visible', { hasText: text }).click();
  }

  async check(label: string): Promise<void> {
    this.acts += 1;
    await this.page.getByLabel(label, { exact: true }).click();
  }

  /** In units of the drawing. */
  async click(...points: readonly At[]): Promise<void> {
    this.acts += 1;
    for (const at of points) await this.page.mouse.click(...this.#screen(at));
  }

  /** The first alone, the others with it. */
  async select([first, ...others]: readonly At[]): Promise<void> {
    await this.click(first!);
    await this.page.keyboard.down('Shift');
    for (const other of others) await this.click(other);
    await this.page.keyboard.up('Shift');
  }

  /** Pressed at the first, let go at the last. */
  async drag(...[first, ...others]: readonly At[]): Promise<void> {
    const { mouse } = this.page;
    this.acts += 1;
    await mouse.move(...this.#screen(first!));
    await mouse.down();
    for (const at of others) await mouse.move(...this.#screen(at), { steps: 2 });
    await mouse.up();
  }
}
