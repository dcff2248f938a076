/** Hands of a person at the designer: mouse and keys on what the screen shows, and each thing that they do counted. */
import type { Page } from 'playwright';

export interface At {
  x: number;
  y: number;
}

/** Pixels between what is shown whole and the edge of the canvas. */
const MARGIN = 36;

export class Hands {
  /** Presses, drags, typed fields; a line that is clicked point by point is one. */
  acts = 0;
  readonly page: Page;
  #screen: (at: At) => [x: number, y: number] = () => {
    throw new Error('Nobody has looked at the floor yet');
  };

  constructor(page: Page) {
    this.page = page;
  }

  /** The whole floor is shown: so much of the drawing. */
  async lookAt({ left, top, width, height }: Record<'left' | 'top' | 'width' | 'height', number>) {
    await this.key('0');
    const canvas = (await this.page.getByRole('application').boundingBox())!;
    const scale = Math.min(
      (canvas.width - 2 * MARGIN) / width,
      (canvas.height - 2 * MARGIN) / height,
    );
    this.#screen = ({ x, y }) => [
      canvas.x + canvas.width / 2 + (x - left - width / 2) * scale,
      canvas.y + canvas.height / 2 + (y - top - height / 2) * scale,
    ];
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
