/** Hands of a person at the designer: mouse and keys on what the screen shows, each press counted. */
import type { Page } from 'playwright';

export interface At {
  x: number;
  y: number;
}

/** Pixels between what is shown whole and the edge of the canvas. */
const MARGIN = 36;

export class Hands {
  /** Presses of keys and buttons, clicks, drags, typed fields. */
  acts = 0;
  readonly page: Page;
  #screen: (at: At) => [x: number, y: number] = () => {
    throw new Error('Nobody has looked at the floor yet');
  };

  constructor(page: Page) {
    this.page = page;
  }

  /** The whole floor is shown: so much of the drawing. */
  async lookAt({ width, height }: Record<'width' | 'height', number>): Promise<void> {
    await this.key('0');
    const canvas = (await this.page.getByRole('application').boundingBox())!;
    const scale = Math.min(
      (canvas.width - 2 * MARGIN) / width,
      (canvas.height - 2 * MARGIN) / height,
    );
    this.#screen = ({ x, y }) => [
      canvas.x + canvas.width / 2 + (x - width / 2) * scale,
      canvas.y + canvas.height / 2 + (y - height / 2) * scale,
    ];
  }

  /** Where the focus is: after a dialog or a menu it is on the canvas by itself. */
  async key(keys: string): Promise<void> {
    this.acts += 1;
    await this.page.keyboard.press(keys);
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
    const field = this.page.getByLabel(label, { exact: true }).filter({ visible: true });
    await field.fill(text);
    await field.press('Tab');
  }

  async choose(label: string, option: string): Promise<void> {
    this.acts += 1;
    const field = this.page.getByLabel(label, { exact: true }).filter({ visible: true });
    await field.selectOption({ label: option });
  }

  /** In units of the drawing; each click is an act. */
  async click(...points: readonly At[]): Promise<void> {
    this.acts += points.length;
    for (const at of points) await this.page.mouse.click(...this.#screen(at));
  }

  /** Pressed at the first, let go at the second. */
  async drag(from: At, to: At): Promise<void> {
    const { mouse } = this.page;
    this.acts += 1;
    await mouse.move(...this.#screen(from));
    await mouse.down();
    await mouse.move(...this.#screen(to), { steps: 2 });
    await mouse.up();
  }
}
